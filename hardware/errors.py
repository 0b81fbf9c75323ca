"""Everything a part can be wrong about, in one place; each message says what to do next."""


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
