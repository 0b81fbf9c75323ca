"""A program in the place of espeak-ng, for the real driver: it keeps what it is told, with switches for faults."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from hardware.simulated.speaker import BUSY, NO_CARD, Fault

_SCRIPT: Final = """#!/bin/sh
cd {folder}
echo "$@" >> calls
echo $$ > pid
text=$(cat)
if [ -e errors ]; then cat errors >&2; fi
if [ -e hangs ]; then last="exec sleep 600"; fi
printf '%s\n' "$text" >> said
$last
"""


class VoiceProgram:
    """The script ``path``, in a folder of its own; it says nothing and remembers all.

    Once it listens, what is wrong with it may change at any time: ``fault`` is for the next call.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path: Final = folder / "espeak-ng"
        self.mend()

    @property
    def said(self) -> list[str]:
        """The texts it was given, oldest first."""
        return self._lines("said")

    @property
    def calls(self) -> list[str]:
        """The words of its command lines, oldest first."""
        return self._lines("calls")

    @property
    def pid(self) -> int:
        """The process number of the last call."""
        return int((self.folder / "pid").read_text())

    def fail(self, fault: Fault) -> None:
        """This is wrong from now on."""
        self.mend()
        match fault:
            case Fault.NO_PROGRAM:
                self.path.unlink()
            case Fault.NO_CARD:
                (self.folder / "errors").write_text(NO_CARD)
            case Fault.BUSY:
                (self.folder / "errors").write_text(BUSY)
            case Fault.HANGS:
                (self.folder / "hangs").touch()

    def mend(self) -> None:
        """Nothing is wrong any more."""
        for name in ("errors", "hangs"):
            (self.folder / name).unlink(missing_ok=True)
        fresh = self.folder / "new"
        fresh.write_text(_SCRIPT.format(folder=shlex.quote(str(self.folder))))
        fresh.chmod(0o755)
        fresh.replace(self.path)

    def _lines(self, name: str) -> list[str]:
        place = self.folder / name
        return [line for line in place.read_text("utf-8").splitlines() if line] if place.exists() else []
