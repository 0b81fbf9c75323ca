"""The machine under examination: its files below a root, and, where it is the running one, what only it can tell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from hardware.oled_faults import Answer

ROOT: Final = Path("/")
LONGEST: Final = 1_000_000
"""No file that is looked at has more bytes; what is longer is not read on."""
PATIENCE_S: Final = 5.0
"""A program that is asked and has not answered by then is taken for absent."""

PACKAGE_PLACES: Final = (
    "opt/muggins/lib/python3*/site-packages",
    "opt/muggins/*/lib/python3*/site-packages",
    "usr/local/lib/python3*/dist-packages",
    "usr/lib/python3/dist-packages",
)
"""Where packages lie below a root that is not the running machine's; the first place that has one counts."""


@dataclass(frozen=True)
class Machine:
    """Files below ``root``; all else is None or empty unless the machine is the running one (``Machine.running``).

    ``ask`` runs a program and gives its output, None where it is not there or fails. ``probe`` asks addresses of an I2C
    bus. ``open_pins`` opens the pins and gives a plain line, or raises PartError. ``line_user`` names who uses a pin of
    a gpiochip, None where nobody does. ``addresses`` are its own on its networks; ``answers`` says whether something
    listens at an address and port of it.
    """

    root: Path = ROOT
    environ: Mapping[str, str] = field(default_factory=dict)
    python: tuple[int, int] | None = None
    uid: int | None = None
    gids: frozenset[int] = frozenset()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    ask: Callable[[Sequence[str]], str | None] | None = None
    probe: Callable[[int, Iterable[int]], dict[int, Answer]] | None = None
    open_pins: Callable[[], str] | None = None
    line_user: Callable[[Path, int], str | None] | None = None
    addresses: Callable[[], Sequence[str]] | None = None
    answers: Callable[[str, int], bool] | None = None

    @classmethod
    def running(cls) -> Machine:
        """The machine that this program runs on."""
        from firmware.addresses import own_addresses
        from firmware.doctor import live
        from hardware.oled_faults import probe

        return cls(
            environ=os.environ,
            python=sys.version_info[:2],
            uid=os.geteuid(),
            gids=frozenset((os.getegid(), *os.getgroups())),
            ask=_ask,
            probe=probe,
            open_pins=live.open_pins,
            line_user=live.line_user,
            addresses=own_addresses,
            answers=live.answers,
        )

    @property
    def live(self) -> bool:
        """Whether it is the running machine."""
        return self.python is not None

    def at(self, path: str) -> Path:
        """A path of the machine, such as ``proc/cpuinfo``, below its root."""
        return self.root / path

    def data(self, path: str) -> bytes | None:
        """The bytes of a file; None where it is not there or cannot be read."""
        try:
            with self.at(path).open("rb") as stream:
                return stream.read(LONGEST)
        except OSError:
            return None

    def text(self, path: str) -> str | None:
        """The text of a file without the blanks and zero bytes around it; None where it cannot be read."""
        found = self.data(path)
        return None if found is None else found.decode("utf-8", "replace").strip(" \t\r\n\0")

    def number(self, path: str) -> int | None:
        """A cell of the device tree: four bytes, most significant first; None where there are none."""
        found = self.data(path)
        return int.from_bytes(found[:4], "big") if found is not None and len(found) >= 4 else None

    def glob(self, pattern: str) -> list[Path]:
        """The paths that fit, sorted by their names, those that end in numbers by these."""
        return sorted(self.root.glob(pattern), key=lambda path: (len(path.name), str(path)))

    def shown(self, path: Path) -> str:
        """A path as it is called on the machine itself."""
        try:
            return f"/{path.relative_to(self.root).as_posix()}"
        except ValueError:
            return str(path)

    @property
    def model(self) -> str:
        """What the machine says it is; empty where it does not."""
        return self.text("proc/device-tree/model") or ""

    @property
    def is_pi(self) -> bool:
        """Whether it says that it is a Raspberry Pi."""
        return "Raspberry Pi" in self.model

    @property
    def is_five(self) -> bool:
        """Whether it is a Pi 5, a 500 or a Compute Module 5, whose pins are on a chip of their own."""
        return "Raspberry Pi 5" in self.model or "Compute Module 5" in self.model

    def packages(self) -> dict[str, str]:
        """The versions of the Python packages by name, in small letters with ``-`` for ``_``."""
        places = [str(path) for pattern in PACKAGE_PLACES for path in self.glob(pattern)]
        found = metadata.distributions() if self.live else metadata.distributions(path=places)
        versions: dict[str, str] = {}
        for one in found:
            name = one.metadata["Name"]
            if name:
                versions.setdefault(name.lower().replace("_", "-"), one.version)
        return versions


def _ask(words: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    # `systemctl is-active` says "inactive" and answers 3: what was printed counts.
    return done.stdout.strip() or None
