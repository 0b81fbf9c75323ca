"""Who will use the parts: the service's user where the unit is installed, else the person who asks."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import real_parts, spi_strip
from firmware.doctor.unit import find_unit

PEOPLE: Final = range(1000, 60_000)
"""Ordinary people's numbers on Debian."""

NODES: Final = {
    "gpio": ("dev/gpiochip*",),
    "i2c": ("dev/i2c-*",),
    "spi": ("dev/spidev*",),
    "input": ("dev/input/event*",),
}
"""The device nodes that each group opens."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the machine; ``waiting`` are groups that count only after logging in again."""

    name: str
    uid: int
    gids: frozenset[int]
    service: bool = False
    waiting: frozenset[str] = frozenset()


def groups_of(machine: Machine) -> dict[str, tuple[int, list[str]]]:
    """Number and members of each group by name."""
    found = {}
    for line in (machine.text("etc/group") or "").splitlines():
        name, _, number, members, *_ = [*line.split(":"), "", "", ""]
        if number.isdigit():
            found[name] = (int(number), members.split(","))
    return found


def users_of(machine: Machine) -> dict[str, tuple[int, int]]:
    """User and group number of each user by name."""
    found = {}
    for line in (machine.text("etc/passwd") or "").splitlines():
        name, _, uid, gid, *_ = [*line.split(":"), "", "", ""]
        if uid.isdigit() and gid.isdigit():
            found[name] = (int(uid), int(gid))
    return found


def home_of(machine: Machine, name: str) -> str | None:
    """A user's home below the root, without the first slash; None where it has none."""
    for line in (machine.text("etc/passwd") or "").splitlines():
        fields = line.split(":")
        if fields[0] == name and len(fields) > 5 and fields[5].strip("/"):
            return fields[5].strip("/")
    return None


def player(machine: Machine) -> Person | None:
    """The user as whom the board runs; None where none is known."""
    users, groups = users_of(machine), groups_of(machine)

    def member(name: str) -> frozenset[int]:
        return frozenset(gid for gid, members in groups.values() if name in members)

    unit = find_unit(machine)
    if unit is not None and unit.user in users:
        uid, gid = users[unit.user]
        granted = {groups[group][0] for group in unit.groups if group in groups}
        return Person(unit.user, uid, member(unit.user) | {gid} | granted, service=True)
    if machine.uid is not None:
        name = next((name for name, (uid, _) in users.items() if uid == machine.uid), f"number {machine.uid}")
        waiting = {group for group, (gid, who) in groups.items() if name in who and gid not in machine.gids}
        return Person(name, machine.uid, machine.gids, waiting=frozenset(waiting))
    people = [(uid, name) for name, (uid, _) in users.items() if uid in PEOPLE]
    if not people:
        return None
    uid, name = min(people)
    return Person(name, uid, member(name) | {users[name][1]})


def may_use(path: Path, person: Person) -> bool:
    """Whether a person may read and write a file, by its owner, group and mode. Raises OSError."""
    status = path.stat()
    if person.uid == 0:
        return True
    need = 0o6
    if status.st_uid == person.uid:
        return stat.S_IMODE(status.st_mode) >> 6 & need == need
    if status.st_gid in person.gids:
        return stat.S_IMODE(status.st_mode) >> 3 & need == need
    return stat.S_IMODE(status.st_mode) & need == need


def needed_groups(config: Config) -> list[str]:
    """The groups that the configured parts need."""
    needed = set()
    if "gpio" in (config.keypad, config.buttons, config.buzzer):
        needed.add("gpio")
    if config.screen == "oled":
        needed.add("i2c")
    if spi_strip(config):
        needed |= {"spi", "gpio"} if config.strip == "ws281x" else {"spi"}
    if config.numpad == "usb":
        needed.add("input")
    return sorted(needed)


def check_groups(machine: Machine, config: Config) -> Finding:
    """Whether the user of the board is in the groups that its parts need."""
    needed = needed_groups(config)
    if not needed:
        return skipped("no part in the configuration needs a group; they are simulated or not fitted")
    person = player(machine)
    if person is None:
        return skipped("no user is known here whose groups could be looked at")
    who = f"the service's user {person.name}" if person.service else f"the user {person.name}"
    if person.uid == 0:
        return ok(f"{who} may do everything; the parts need {', '.join(needed)}")
    groups = groups_of(machine)
    lacking = [group for group in needed if group not in groups or groups[group][0] not in person.gids]
    if not lacking:
        return ok(f"{who} is in {', '.join(needed)}")
    closed = [
        group
        for group in lacking
        for path in [path for pattern in NODES[group] for path in machine.glob(pattern)]
        if not may_use(path, person)
    ]
    if not closed and all(any(machine.glob(pattern) for pattern in NODES[group]) for group in lacking):
        return warn(
            f"{who} is not in {', '.join(lacking)}, but may use the devices all the same",
            f"Nothing is wrong today. To be sure of tomorrow: {_join(machine, person, lacking)}",
        )
    waiting = [group for group in lacking if group in person.waiting]
    if waiting == lacking:
        return fail(
            f"{who} was put into {', '.join(waiting)} after logging in", "Log out and in again, or restart the Pi."
        )
    return fail(
        f"{who} is not in {', '.join(lacking)}; the {real_parts(config)} cannot be used",
        _join(machine, person, lacking),
    )


def _join(machine: Machine, person: Person, lacking: list[str]) -> str:
    absent = [group for group in lacking if group not in groups_of(machine)]
    make = " && ".join(f"sudo groupadd -r {name}" for name in absent)
    first = f"This system has no group {', '.join(absent)}: {make}, or run sudo make install. " if absent else ""
    then = "sudo systemctl restart muggins." if person.service else "log in again."
    return f"{first}sudo usermod -aG {','.join(lacking)} {person.name}, then {then}"
