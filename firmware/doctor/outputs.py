"""The screen at its address; how many lights there are and what they draw; the keys, which want hands."""

from __future__ import annotations

from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import not_real
from hardware.current import REST_MA, estimate_ma
from hardware.oled_faults import ADDRESSES, Answer

WHITE: Final = (255, 255, 255)
PEGS: Final = 6
"""The most pegs of any game."""
OWN_SUPPLY_MA: Final = 2500
"""More than this does not go through the Pi's own 5 V pins beside the Pi."""


def check_screen(machine: Machine, config: Config) -> Finding:
    """Whether a panel answers where it is looked for; asked on the running machine only."""
    if config.screen != "oled":
        return skipped(not_real("screen", config.screen))
    if machine.probe is None:
        return skipped("the screen can be asked on the running machine only")
    port, wanted = config.i2c_port, config.address
    answers = machine.probe(port, dict.fromkeys((*ADDRESSES, *(() if wanted is None else (wanted,)))))
    there = [address for address, answer in answers.items() if answer is Answer.PRESENT]
    if there and (wanted is None or wanted in there):
        at = wanted if wanted is not None else there[0]
        return ok(f"something answers at {at:#04x} on I2C bus {port}; whether it is an {config.chip}: doctor screen")
    if there:
        return fail(
            f"nothing answers at {wanted:#04x} on I2C bus {port}, but something does at {there[0]:#04x}",
            f"Set screen.address = {there[0]:#04x}.",
        )
    asked = wanted if wanted is not None else ADDRESSES[0]
    # One address can be held by the system's driver while the other is simply empty: the fault is told first.
    faults = [(address, answer) for address, answer in answers.items() if answer is not Answer.ABSENT]
    address, answer = faults[0] if faults else (asked, Answer.ABSENT)
    found, cure = _ANSWERS[answer]
    tried = " or ".join(f"{one:#04x}" for one in (ADDRESSES if wanted is None else (wanted,)))
    return fail(found.format(port=port, address=f"{address:#04x}", tried=tried), cure.format(port=port))


_ANSWERS: Final = {
    Answer.ABSENT: (
        "no screen answers at {tried} on I2C bus {port}",
        "Check its four wires (power, ground, SDA to GPIO2, SCL to GPIO3) and that it is plugged in.",
    ),
    Answer.NO_BUS: (
        "there is no I2C bus {port}",
        "Put dtparam=i2c_arm=on into /boot/firmware/config.txt and restart the Pi.",
    ),
    Answer.OWNED: (
        "a driver of the system holds the screen at {address} on I2C bus {port}",
        "Take its dtoverlay line (ssd1306 or sh1106) out of /boot/firmware/config.txt and restart the Pi.",
    ),
    Answer.FORBIDDEN: (
        "this user may not use I2C bus {port}",
        "sudo usermod -aG i2c $USER, then log in again; or run the doctor with sudo.",
    ),
    Answer.STUCK: (
        "I2C bus {port} is stuck",
        "Unplug the screen and plug it in again; then look for a short between SDA, SCL and ground.",
    ),
    Answer.FAILED: (
        "asking {address} on I2C bus {port} failed",
        "Check the screen's wires, keep them short, then unplug it and plug it in again.",
    ),
}


def check_lights(machine: Machine, config: Config) -> Finding:
    """How many lights the configuration has, and for how many holes."""
    if config.strip not in ("spidev", "ws281x"):
        return skipped(not_real("strip", config.strip))
    layout = config.layout
    dark = f", after {layout.skip_first} that stay dark" if layout.skip_first else ""
    return ok(
        f"{layout.pixels} lights{dark}, for {layout.lane_count} lanes of {layout.holes} holes, colours in the order "
        f"{layout.colour_order}; whether the strip is so: doctor lights"
    )


def check_power(machine: Machine, config: Config) -> Finding:
    """What the lights may draw, against what they would."""
    if config.strip not in ("spidev", "ws281x"):
        return skipped(not_real("strip", config.strip))
    layout, most = config.layout, config.max_ma
    dark = layout.wire_pixels * REST_MA
    white = estimate_ma([WHITE] * layout.pixels, dark_pixels=layout.skip_first)
    pegs = estimate_ma([WHITE] * PEGS, dark_pixels=layout.wire_pixels - PEGS)
    found = (
        f"at most {most} mA (strip.max_ma); all white would draw {white / 1000:.1f} A, {PEGS} white pegs "
        f"{pegs / 1000:.2f} A, all dark {dark / 1000:.2f} A"
    )
    if most < pegs:
        return warn(
            f"{found}: a game's own picture has to be dimmed",
            f"Set strip.max_ma to {round(pegs)} or more if it is too dark.",
        )
    if most > OWN_SUPPLY_MA:
        return warn(
            f"{found}: too much for the Pi's 5 V pins",
            f"Give the strip its own 5 V supply of {-(-most // 1000) + 1} A or more, fed in at both ends, with one "
            "common ground; or lower strip.max_ma.",
        )
    return ok(found)


def check_keys(machine: Machine, config: Config) -> Finding:
    """Every key with its row and column wants fingers."""
    if config.keypad != "gpio":
        return skipped(not_real("keypad", config.keypad))
    rows = ", ".join(f"GPIO{pin}" for pin in config.rows)
    columns = ", ".join(f"GPIO{pin}" for pin in config.columns)
    return skipped(f"rows {rows}; columns {columns}; pressing each key wants hands: muggins doctor keys")


def check_stuck(machine: Machine, config: Config) -> Finding:
    """A stuck key is found while keys are watched."""
    if config.keypad != "gpio" and config.buttons != "gpio":
        return skipped("neither the keypad nor the buttons are real")
    return skipped("a stuck key shows while the keys are watched: muggins doctor keys")


def check_ghosts(machine: Machine, config: Config) -> Finding:
    """Ghost keys want three fingers."""
    if config.keypad != "gpio":
        return skipped(not_real("keypad", config.keypad))
    return skipped("three corners of a rectangle pressed at once want hands: muggins doctor keys")
