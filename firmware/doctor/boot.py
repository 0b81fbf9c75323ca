"""What /boot/firmware/config.txt says, as far as the board that reads it heeds it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from firmware.doctor.machine import Machine

FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""Since Bookworm, and before; the first that is there counts."""
ON: Final = frozenset({"", "on", "true", "yes", "1"})

MODELS: Final = (
    (re.compile(r"Zero 2 W"), {"pi0", "pi0w", "pi02"}),
    (re.compile(r"Zero W"), {"pi0", "pi0w"}),
    (re.compile(r"Zero"), {"pi0"}),
    (re.compile(r"Pi 500|Pi 5 "), {"pi5"}),
    (re.compile(r"Compute Module 5"), {"pi5", "cm5"}),
    (re.compile(r"Pi 400"), {"pi4", "pi400"}),
    (re.compile(r"Compute Module 4"), {"pi4", "cm4"}),
    (re.compile(r"Pi 4 "), {"pi4"}),
    (re.compile(r"Pi 3 Model [AB] Plus"), {"pi3", "pi3+"}),
    (re.compile(r"Pi 3 |Compute Module 3"), {"pi3"}),
    (re.compile(r"Pi 2 "), {"pi2"}),
    (re.compile(r"Model [AB]|Compute Module Rev"), {"pi1"}),
)
"""The [sections] that each board heeds (Raspberry Pi documentation, config.txt, conditional filters)."""
FILTER: Final = re.compile(r"pi\d+\w*\+?|cm\d\w*")


@dataclass(frozen=True, slots=True)
class Line:
    """One ``key=value`` that counts: ``key`` is also ``dtparam`` or ``dtoverlay``, ``value`` then one of its items."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Boot:
    """The lines that count, in their order; ``file`` is where they are, None where there is no such file."""

    file: str | None
    lines: tuple[Line, ...] = ()

    def setting(self, key: str) -> str | None:
        """The last value of a setting, None where there is none."""
        return next((line.value for line in reversed(self.lines) if line.key == key), None)

    def param(self, *names: str) -> str | None:
        """The last value of a dtparam under any of its names; empty where it was named without one."""
        for line in reversed(self.lines):
            name, _, value = line.value.partition("=")
            if line.key == "dtparam" and name.strip() in names:
                return value.strip()
        return None

    def is_on(self, *names: str) -> bool:
        """Whether a dtparam is on."""
        value = self.param(*names)
        return value is not None and value in ON

    def overlays(self) -> list[tuple[str, dict[str, str]]]:
        """Each overlay that is loaded, with its parameters."""
        found = []
        for line in self.lines:
            if line.key == "dtoverlay" and line.value:
                name, *items = re.split(r"[,:]", line.value)
                pairs = (item.partition("=") for item in items)
                found.append((name.strip(), {key.strip(): value.strip() for key, _, value in pairs}))
        return found


def read_boot(machine: Machine) -> Boot:
    """The boot configuration of a machine."""
    file = next((file for file in FILES if machine.text(file) is not None), None)
    if file is None:
        return Boot(None)
    mine = next((names for model, names in MODELS if model.search(machine.model)), set())
    return Boot(f"/{file}", tuple(_lines(machine, file, mine)))


def _lines(machine: Machine, file: str, mine: set[str], deep: int = 0) -> list[Line]:
    found: list[Line] = []
    counts = True
    for raw in (machine.text(file) or "").splitlines():
        line = raw.strip()
        if section := re.fullmatch(r"\[(.*)\]", line):
            counts = _heeds(section[1].strip().lower(), mine)
        elif counts and line.startswith("include ") and deep < 3:
            found += _lines(machine, f"{file.rpartition('/')[0]}/{line.split()[1]}", mine, deep + 1)
        elif counts and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            items = value.split(",") if key.strip() == "dtparam" else [value]
            found += [Line(key.strip(), item.strip()) for item in items]
    return found


def _heeds(section: str, mine: set[str]) -> bool:
    """Whether a section counts; those of models by the model, none never, and of the rest only all is sure."""
    if section == "all" or section.startswith("hdmi:"):
        return True
    return section in mine if FILTER.fullmatch(section) else False
