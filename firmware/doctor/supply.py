"""The Pi's own supply: under-voltage, throttling, and what a Pi 5's power brick has promised."""

from __future__ import annotations

import re
from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine

FILES: Final = (
    "sys/devices/platform/soc/soc:firmware/get_throttled",
    "sys/devices/platform/soc@*/soc@*:firmware/get_throttled",
    "sys/devices/platform/soc*/*firmware*/get_throttled",
)
VOLTS: Final = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"
NOW: Final = {0: "under-voltage", 1: "the clock is held down", 2: "throttled", 3: "too hot"}
SINCE: Final = 16
"""The same bits so much higher: it has happened since the start."""
LOW: Final = 0
FULL_MA: Final = 5000
CURE: Final = "Take the official supply and a short, thick cable, and feed the strip past the Pi, not through its pins."
COOL: Final = "Give the Pi air or a heat sink."


def check_supply(machine: Machine, config: Config) -> Finding:
    """Whether the Pi has too little voltage or is too hot, now or since it was started."""
    if not machine.is_pi:
        return skipped("only a Raspberry Pi tells of its supply")
    flags = _flags(machine)
    if flags is None:
        return skipped("this system does not tell of under-voltage (no get_throttled, no vcgencmd)")
    now = [words for bit, words in NOW.items() if flags >> bit & 1]
    since = [words for bit, words in NOW.items() if flags >> bit + SINCE & 1 and not flags >> bit & 1]
    if not now and not since:
        return ok("no under-voltage and no throttling since the start")
    said = "; ".join(
        part
        for part in (
            f"now: {', '.join(now)}" if now else "",
            f"since the start: {', '.join(since)}" if since else "",
        )
        if part
    )
    low = flags >> LOW & 1 or flags >> LOW + SINCE & 1
    cure = CURE if low else COOL
    return fail(said, cure) if flags >> LOW & 1 else warn(said, cure)


def check_brick(machine: Machine, config: Config) -> Finding:
    """What current the supply of a Pi 5 has promised it."""
    promised = machine.number("proc/device-tree/chosen/power/max_current")
    if promised is None:
        return skipped("only a Pi 5 knows what its supply can give")
    found = f"the supply has promised {promised / 1000:.1f} A"
    if promised < FULL_MA:
        return warn(found, "Take the 27 W supply (5 A) where the strip hangs on the Pi's pins, or lower strip.max_ma.")
    return ok(found)


def _flags(machine: Machine) -> int | None:
    for pattern in FILES:
        for path in machine.glob(pattern):
            text = machine.text(path.relative_to(machine.root).as_posix()) or ""
            if re.fullmatch(r"(0x)?[0-9a-fA-F]+", text):
                return int(text, 16)
    said = machine.ask(("vcgencmd", "get_throttled")) if machine.ask is not None else None
    if said and (found := re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", said)):
        return int(found[1], 16)
    for path in machine.glob(VOLTS):
        name = machine.text(path.with_name("name").relative_to(machine.root).as_posix())
        if name == "rpi_volt":
            return machine.text(path.relative_to(machine.root).as_posix()) == "1"
    return None
