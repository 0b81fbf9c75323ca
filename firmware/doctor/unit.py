"""The unit as it is installed: read as a file, so that it can be read on any root."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.doctor.machine import Machine

NAME: Final = "muggins.service"
PLACES: Final = (
    "etc/systemd/system",
    "usr/local/lib/systemd/system",
    "usr/lib/systemd/system",
    "lib/systemd/system",
)
"""Where units lie; the first that has ours counts."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What the doctor wants to know of the unit."""

    path: Path
    user: str
    groups: tuple[str, ...]
    state: str
    """The name of its folder below /var/lib."""


def find_unit(machine: Machine) -> Unit | None:
    """The unit that is installed on a machine, its drop-ins included; None without one."""
    place = next((place for place in PLACES if machine.at(f"{place}/{NAME}").is_file()), None)
    if place is None:
        return None
    drops = [path for folder in reversed(PLACES) for path in machine.glob(f"{folder}/{NAME}.d/*.conf")]
    values: dict[str, list[str]] = {}
    for file in (machine.at(f"{place}/{NAME}"), *drops):
        text = machine.text(file.relative_to(machine.root).as_posix()) or ""
        for line in text.splitlines():
            key, sign, value = line.strip().partition("=")
            if sign and not key.startswith(("#", ";")):
                # An empty value forgets what was said before.
                values[key] = [*values.get(key, []), value] if value else []

    def last(key: str, otherwise: str) -> str:
        return values.get(key, [otherwise])[-1] if values.get(key) else otherwise

    groups = tuple(" ".join(values.get("SupplementaryGroups", [])).split())
    return Unit(machine.at(f"{place}/{NAME}"), last("User", "root"), groups, last("StateDirectory", "muggins"))


def unit_processes(machine: Machine) -> list[int]:
    """The processes that the unit has running."""
    text = machine.text(f"sys/fs/cgroup/system.slice/{NAME}/cgroup.procs") or ""
    return [int(line) for line in text.split() if line.isdigit()]
