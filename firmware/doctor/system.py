"""The computer itself: model, bits, Python and the packages."""

from __future__ import annotations

import re
import struct
from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import pin_parts, real_list, real_parts

OLD: Final = re.compile(r"Raspberry Pi (?:Zero W|Zero Rev|Model [AB]|Compute Module Rev|2 Model B)")
"""Boards that no one has tried: one slow core, or 32 bits only."""
OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)
ELF: Final = {1: 32, 2: 64}

NEEDED: Final = {"gpiozero": "2.0.1", "luma.oled": "3.15", "pillow": "9.4", "smbus2": "0.4"}
"""The oldest versions that do; as pyproject.toml has them."""
DRIVERS: Final = {"spidev": "3.6", "rpi-ws281x": "5", "lgpio": "0.2.2", "evdev": "1.6.1"}
TOO_NEW: Final = {"pillow": "14"}
SYSTEMS: Final = {"lgpio": "python3-lgpio", "spidev": "python3-spidev", "evdev": "python3-evdev"}
"""Packages of the system that bring a driver where the index has none for this Python."""


def check_model(machine: Machine, config: Config) -> Finding:
    """Which computer it is, and whether the configured parts can be on it."""
    model = machine.model
    if machine.is_pi:
        if OLD.match(model):
            return warn(f"{model}: muggins was never tried on so old a board", "A Zero 2 W, 3, 4 or 5 is known to do.")
        return ok(model)
    name = machine.text("sys/class/dmi/id/product_name") or model or "a computer that does not say its name"
    if real_list(config):
        return fail(
            f"{name} is no Raspberry Pi, yet the {real_parts(config)} is to be real",
            'Set these [parts] to "simulated" or "none" in the configuration, or run it on a Pi.',
        )
    return ok(f"{name}, no Raspberry Pi; all parts are simulated")


def check_bits(machine: Machine, config: Config) -> Finding:
    """Whether the system has 64 bits, and what it is."""
    head = machine.data("usr/bin/env") or b""
    bits = ELF.get(head[4]) if head[:4] == b"\x7fELF" and len(head) > 4 else None
    if machine.live:
        bits = struct.calcsize("P") * 8
    names = dict(re.findall(r'^(\w+)="?(.*?)"?$', machine.text("etc/os-release") or "", re.MULTILINE))
    system = names.get("PRETTY_NAME", "an unknown system")
    kernel = machine.text("proc/sys/kernel/osrelease")
    about = f"{system}, kernel {kernel}" if kernel else system
    if bits is None:
        return warn(f"{about}; whether it has 32 or 64 bits cannot be seen", "Take a 64-bit Raspberry Pi OS if unsure.")
    if bits == 32:
        return warn(
            f"32 bits, {about}: some packages are not to be had ready-made",
            "Take the 64-bit system, or the system's own packages (sudo apt install python3-pil python3-lgpio "
            "python3-spidev) under a venv made with --system-site-packages.",
        )
    return ok(f"{bits} bits, {about}")


def check_python(machine: Machine, config: Config) -> Finding:
    """Whether the Python is one that muggins runs on."""
    version = machine.python or max(
        (
            (int(found[1]), int(found[2]))
            for path in machine.glob("usr/bin/python3.*")
            if (found := re.fullmatch(r"python(\d+)\.(\d+)", path.name))
        ),
        default=None,
    )
    if version is None:
        return fail("there is no Python 3 in /usr/bin", "sudo apt install python3 python3-venv")
    said = f"Python {version[0]}.{version[1]}"
    if version < OLDEST_PYTHON:
        return fail(f"{said}; muggins needs 3.11 or later", "Take Raspberry Pi OS Bookworm (Python 3.11) or later.")
    if version > NEWEST_PYTHON:
        return warn(f"{said}, on which muggins was never tried", "3.11, 3.12 and 3.13 are known to do.")
    return ok(said)


def check_packages(machine: Machine, config: Config) -> Finding:
    """Whether the Python packages that this configuration needs are there and recent enough."""
    needed = dict(NEEDED)
    if config.strip == "spidev":
        needed["spidev"] = DRIVERS["spidev"]
    if config.strip == "ws281x":
        needed["rpi-ws281x"] = DRIVERS["rpi-ws281x"]
    if pin_parts(config):
        needed["lgpio"] = DRIVERS["lgpio"]
    if config.numpad == "usb":
        needed["evdev"] = DRIVERS["evdev"]
    there = machine.packages()
    if not there and not machine.live:
        return skipped("no Python package is installed below this root")
    missing = [name for name in needed if name not in there]
    wrong = [f"{name} {there[name]}" for name in needed if name in there and not _does(name, there[name], needed[name])]
    if missing or wrong:
        ours = [name for name in missing if name in SYSTEMS]
        said = [f"missing: {', '.join(missing)}"] if missing else []
        said += [f"too old or too new: {', '.join(wrong)}"] if wrong else []
        named = [*missing, *(name for name in needed if name in there and f"{name} {there[name]}" in wrong)]
        cure = f"In the environment of muggins (/opt/muggins or .venv): bin/pip install --upgrade {' '.join(named)}"
        system = " ".join(SYSTEMS[name] for name in ours)
        cure += f"; or sudo apt install {system} and then sudo make install." if ours else "."
        return fail("; ".join(said), cure)
    return ok(", ".join(f"{name} {there[name]}" for name in needed))


def _does(name: str, version: str, least: str) -> bool:
    newest = TOO_NEW.get(name)
    return numbers(version) >= numbers(least) and (newest is None or numbers(version) < numbers(newest))


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, for comparing.

    >>> numbers("2.0.1.post3"), numbers("14.0.0rc1") < numbers("14.1")
    ((2, 0, 1), True)
    """
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()
