"""The service and its rivals: is the unit active, does a second copy run, does another program hold a part."""

from __future__ import annotations

import fcntl
import os
from itertools import pairwise
from pathlib import Path
from typing import Final

from firmware.config import Config, ConfigError, default_config, load_config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import pin_parts, real_list, spi_strip, used_pins
from firmware.doctor.storage import state_place
from firmware.doctor.unit import NAME, find_unit, unit_processes
from firmware.lock import NAME as LOCK

WANTED: Final = "etc/systemd/system/*.wants"
WRONG: Final = frozenset({"failed", "inactive", "deactivating"})
LOG: Final = "journalctl -u muggins -n 30 tells why"


def check_unit(machine: Machine, config: Config) -> Finding:
    """Whether the service runs, and starts with the machine."""
    unit = find_unit(machine)
    if unit is None:
        if machine.is_pi and real_list(config):
            return warn("muggins is not installed as a service", "sudo make install, to have it start with the Pi.")
        return skipped("muggins is not installed as a service here")
    running = unit_processes(machine)
    said = machine.ask(("systemctl", "is-active", NAME)) if machine.ask is not None else None
    if not running and said != "active":
        state = said if said in WRONG else "not active"
        return fail(
            f"the service is {state}",
            f"sudo systemctl start muggins; {LOG}."
            if state != "failed"
            else f"{LOG}; then sudo systemctl restart muggins.",
        )
    process = f" as process {running[0]}" if running else ""
    # Links to units need not lead anywhere below another root.
    if not any(os.path.lexists(folder / NAME) for folder in machine.glob(WANTED)):
        return warn(f"the service runs{process}, but does not start with the machine", "sudo systemctl enable muggins")
    return ok(f"the service runs{process} and starts with the machine")


def check_copies(machine: Machine, config: Config) -> Finding:
    """Whether more than one muggins runs on the same real parts; one on parts of its own is told, no more."""
    copies, holder = running_copies(machine), lock_holder(machine)
    place = machine.shown(state_place(machine))
    if holder is not None and holder not in copies and holder > 0:
        copies = sorted((*copies, holder))
    rivals = [pid for pid in copies if set(real_list(config)) & set(real_list(_config_of(machine, pid)))]
    if len(rivals) > 1:
        second = next(pid for pid in reversed(rivals) if pid != holder)
        return fail(
            f"{len(rivals)} copies of muggins run at once on the same parts, as processes {_and(rivals)}",
            f"Keep one: kill {second}, or sudo systemctl stop muggins where you run one by hand.",
        )
    if len(copies) > 1:
        return ok(f"{len(copies)} copies run, as processes {_and(copies)}, and no two of them on the same real parts")
    if copies:
        return ok(f"one copy runs, as process {copies[0]}" + (f", and holds {place}" if holder else ""))
    if holder is not None:
        return warn(f"some program holds {place}, and its number is not known", f"sudo fuser -v {place}/{LOCK}")
    return ok("no other copy of muggins runs")


def _and(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers))


def _config_of(machine: Machine, pid: int) -> Config:
    """What a running copy was configured with, as far as its command line tells; else what holds on this machine."""
    words = (machine.data(f"proc/{pid}/cmdline") or b"").decode("utf-8", "replace").split("\0")
    named = [after for word, after in pairwise(words) if word == "--config"]
    named += [word.removeprefix("--config=") for word in words if word.startswith("--config=")]
    file = machine.at(f"proc/{pid}/cwd") / named[-1] if named else None
    try:
        return load_config(file, environ={}, root=machine.root)
    except (ConfigError, OSError):
        return default_config(machine.root)


def running_copies(machine: Machine) -> list[int]:
    """The processes that are a ``muggins run``."""
    found = []
    for path in machine.glob("proc/[0-9]*/cmdline"):
        words = (machine.data(path.relative_to(machine.root).as_posix()) or b"").decode("utf-8", "replace").split("\0")
        named = any(Path(word).name == "muggins" for word in words[:2])
        module = words[1:3] == ["-m", "firmware"]
        if (named or module) and "run" in words:
            found.append(int(path.parent.name))
    return sorted(found)


def lock_holder(machine: Machine) -> int | None:
    """The process that holds the state folder: its number, 0 where it is not known, None where nobody does."""
    try:
        handle = os.open(state_place(machine) / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # A shared lock is refused only while a service holds it alone, and is given back at once.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        number = os.pread(handle, 20, 0).strip()
        return int(number) if number.isdigit() else 0
    finally:
        os.close(handle)
    return None


def check_owners(machine: Machine, config: Config) -> Finding:
    """Whether another program or driver holds a pin or a bus of the board's."""
    if not real_list(config):
        return skipped("no part of the configuration is real")
    ours = {*running_copies(machine), *unit_processes(machine), lock_holder(machine) or 0, os.getpid() * machine.live}
    held: list[str] = _drivers(machine, config) + _lines(machine, config, bool(ours - {0, os.getpid()}))
    for node in _nodes(config):
        held += [
            f"process {pid} ({machine.text(f'proc/{pid}/comm') or '?'}) has /{node} open"
            for pid in _openers(machine, node, ours)
        ]
    if held:
        return fail(
            "; ".join(held),
            "Stop that program (kill and its number, or its service), or take its line out of config.txt.",
        )
    blind = machine.live and machine.uid != 0
    return ok("nobody else holds a pin or a bus of the board's" + (", as far as this user can see" if blind else ""))


def _nodes(config: Config) -> list[str]:
    if config.strip == "spidev":
        return [f"dev/spidev{config.spi_bus}.{config.spi_device}"]
    return ["dev/spidev0.0"] if spi_strip(config) else []


def _openers(machine: Machine, node: str, ours: set[int]) -> list[int]:
    pids = set()
    for link in machine.glob("proc/[0-9]*/fd/*"):
        try:
            target = os.readlink(link)
        except OSError:
            continue
        if target == f"/{node}":
            pids.add(int(link.parent.parent.name))
    return sorted(pids - ours)


def _drivers(machine: Machine, config: Config) -> list[str]:
    """Drivers of the system on the board's devices."""
    held: list[str] = []
    if spi_strip(config):
        bus, device = (config.spi_bus, config.spi_device) if config.strip == "spidev" else (0, 0)
        driver = _driver(machine, f"sys/bus/spi/devices/spi{bus}.{device}/driver")
        if driver not in (None, "spidev"):
            held.append(f"the system's driver {driver} holds SPI device {bus}.{device}")
    if config.screen == "oled":
        for address in (config.address,) if config.address is not None else (0x3C, 0x3D):
            driver = _driver(machine, f"sys/bus/i2c/devices/{config.i2c_port}-{address:04x}/driver")
            if driver is not None:
                held.append(f"the system's driver {driver} holds the screen at {address:#04x}")
    return held


def _driver(machine: Machine, path: str) -> str | None:
    try:
        return Path(os.readlink(machine.at(path))).name
    except OSError:
        return None


def _lines(machine: Machine, config: Config, running: bool) -> list[str]:
    """Pins that the kernel says are in use; by us, where our service runs."""
    if machine.line_user is None or running or not pin_parts(config):
        return []
    names = [path.name for path in machine.glob("dev/gpiochip*")]
    chip = machine.at(f"dev/{'gpiochip4' if machine.is_five and 'gpiochip4' in names else 'gpiochip0'}")
    held: list[str] = []
    for pin, use in sorted(used_pins(config).items()):
        if use.startswith(("the screen", "the strip")):
            continue  # a bus's own driver holds those
        try:
            user = machine.line_user(chip, pin)
        except OSError:
            return held
        if user is not None:
            held.append(f"{user} holds GPIO{pin}, {use}")
    return held
