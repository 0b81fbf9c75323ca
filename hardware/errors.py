"""Everything a part can be wrong about, in one place; each message says what to do next."""

from __future__ import annotations

from typing import Final

FOREIGN: Final = 200
"""Characters that are shown of what another program or the system says of a fault."""


def foreign(text: object, most: int = FOREIGN) -> str:
    """What somebody else's program says, fit to be shown in a sentence: one line, printable, not long.

    >>> foreign("no card\\x1b[2J\\n\\tplugged in\\0")
    'no card [2J plugged in'
    """
    start = str(text)[: 10 * most]
    line = " ".join("".join(one if one.isprintable() else " " for one in start).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


class PartError(Exception):
    """Any fault of a part or of the data that describes it."""


class LayoutError(PartError, ValueError):
    """A lane layout, wiring or colour order that cannot be; ``faults`` lists every one, each with its key path."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class PartMissing(PartError, LookupError):
    """The part, its driver or its device node is not there."""


class PartFailed(PartError, OSError):
    """The part was there and stopped answering, or refused what it was given."""


class FrameTooLong(PartError, ValueError):
    """The frame does not fit the wire's buffer; the message says how to make the buffer longer."""
