"""Where the games are kept: does it last, is there room, may it be written; and the clock that dates them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.people import home_of, player
from firmware.doctor.unit import find_unit
from firmware.state_folder import state_folder

MEGABYTE: Final = 1_000_000
FULL_MB: Final = 20
LITTLE_MB: Final = 200
FIRST_YEAR: Final = 2025
"""Before this program was written; an earlier clock was not set."""
IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})
OVERLAY: Final = frozenset({"overlay", "aufs"})


def state_place(machine: Machine) -> Path:
    """The folder of the games: the service's where it is installed, else that of whoever asks."""
    unit = find_unit(machine)
    if unit is not None:
        return machine.at(f"var/lib/{unit.state}")
    if machine.live:
        return state_folder(machine.environ)
    person = player(machine)
    home = home_of(machine, person.name) if person is not None else None
    return machine.at("var/lib/muggins" if home is None else f"{home}/.local/state/muggins")


def mount_of(machine: Machine, path: Path) -> tuple[str, str, frozenset[str]] | None:
    """Mount point, kind and options of the file system that a path is on; None where nothing is known."""
    shown, best = machine.shown(path), None
    for line in (machine.text("proc/mounts") or "").splitlines():
        _, point, kind, options, *_ = [*line.split(), "", "", "", ""]
        point = re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), point)
        under = shown == point or shown.startswith(point.rstrip("/") + "/")
        # Of two mounts on one point the later one counts.
        if point and under and (best is None or len(point) >= len(best[0])):
            best = (point, kind, frozenset(options.split(",")))
    return best


def check_overlay(machine: Machine, config: Config) -> Finding:
    """Whether the games outlive the power: an overlay root or a folder in memory does not."""
    place = state_place(machine)
    mount = mount_of(machine, place)
    if mount is None:
        return skipped("the system does not tell what is mounted where")
    point, kind, _ = mount
    shown = machine.shown(place)
    if kind in IN_MEMORY:
        return fail(
            f"{shown} is in memory ({kind} on {point}): all games are lost with the power",
            "Put the state folder on a disk: take the tmpfs line out of /etc/fstab.",
        )
    if kind not in OVERLAY:
        return ok(f"{shown} is on {point} ({kind}), which keeps what is written")
    line = machine.text("proc/cmdline") or ""
    if re.search(r"(?:^|\s)(?:overlayroot=(?!disabled)\S|boot=overlay)", line):
        return fail(
            f"the root is an overlay in memory: what is written to {shown} is lost with the power",
            "Switch it off (sudo raspi-config, Performance, Overlay File System), or mount a disk of its own on "
            f"{shown} and put overlayroot=tmpfs:recurse=0 into cmdline.txt.",
        )
    return warn(
        f"the root is an overlay ({kind}), as in a container: {shown} may not last",
        "Mount a folder that lasts there, if the games matter.",
    )


def check_space(machine: Machine, config: Config) -> Finding:
    """Whether there is room for the games."""
    place = state_place(machine)
    there = next(path for path in (place, *place.parents) if path.exists())
    free = machine.free_bytes(there) // MEGABYTE
    found = f"{free} MB are free for {machine.shown(place)}"
    cure = "Make room: sudo apt clean, sudo journalctl --vacuum-size=50M, or a larger card."
    if free < FULL_MB:
        return fail(found, cure)
    return warn(found, cure) if free < LITTLE_MB else ok(found)


def check_state(machine: Machine, config: Config) -> Finding:
    """Whether the user of the board may write its games."""
    place = state_place(machine)
    shown = machine.shown(place)
    mount = mount_of(machine, place)
    if mount is not None and "ro" in mount[2]:
        return fail(
            f"{shown} is on {mount[0]}, which may only be read",
            f"sudo mount -o remount,rw {mount[0]}; where that fails, copy the games to a new card.",
        )
    there = next(path for path in (place, *place.parents) if path.exists())
    if not there.is_dir():
        return fail(f"{machine.shown(there)} is a file where a folder is needed", "Move it out of the way.")
    person = player(machine)
    unit = find_unit(machine)
    if there != place and unit is not None:
        return ok(f"{shown} is not there yet; the service makes it when it starts")
    if person is None:
        return skipped(f"no user is known here who would write {shown}")
    mine = machine.live and not person.service
    may = os.access(there, os.W_OK | os.X_OK) if mine else _may_write(there, person.uid, person.gids)
    if may:
        return ok(f"{person.name} may write {shown}" if there == place else f"{shown} is made when it is needed")
    return fail(
        f"{person.name} may not write {machine.shown(there)}: games would be lost with the power",
        f"sudo mkdir -p {shown} && sudo chown -R {person.name} {shown}",
    )


def _may_write(path: Path, uid: int, gids: frozenset[int]) -> bool:
    status = path.stat()
    if uid == 0:
        return True
    shift = 6 if status.st_uid == uid else 3 if status.st_gid in gids else 0
    return status.st_mode >> shift & 0o3 == 0o3


def check_clock(machine: Machine, config: Config) -> Finding:
    """Whether the clock is set. It dates the games; nothing else depends on it."""
    now = machine.now()
    said = now.strftime("%Y-%m-%d %H:%M UTC")
    if now.year < FIRST_YEAR:
        return warn(
            f"the clock says {said}: it was not set, and games get wrong dates",
            "Connect the Pi to a network for a while, or set it: sudo date -s '2030-01-31 20:00'.",
        )
    if machine.at("run/systemd/timesync/synchronized").exists() or machine.at("run/chrony/chronyd.pid").exists():
        return ok(f"{said}, from the network's time")
    if machine.glob("dev/rtc*"):
        return ok(f"{said}, from the machine's own clock")
    if not machine.at("run/systemd/system").exists():
        return ok(said)
    return warn(
        f"{said}, but not yet compared with the network's time since the start",
        "If the date is wrong, connect the Pi to a network for a while; only the dates of games depend on it.",
    )
