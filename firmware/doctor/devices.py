"""The device nodes: are they there, may the board's user open them, does a frame fit, do the pins open."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import not_real, not_spi, pin_parts, spi_strip
from firmware.doctor.people import may_use, player
from hardware.errors import FrameTooLong, PartError
from hardware.strip_spidev import BUFSIZ, check_fits, read_bufsiz
from hardware.strip_ws281x import spi_buffer_bytes
from hardware.ws2812 import Encoder

EARLY_GPIOZERO: Final = "2.0.1"
"""It looks for a Pi 5's pins at gpiochip4 alone."""


def check_bufsiz(machine: Machine, config: Config) -> Finding:
    """Whether one frame of the configured strip fits the SPI buffer."""
    if not spi_strip(config):
        return skipped(not_spi(config))
    layout = config.layout
    if config.strip == "spidev":
        skip, order = layout.skip_first, layout.colour_order
        length = Encoder(layout.pixels, order=order, skip_first=skip, bits=config.spi_bits).length
    else:
        length = spi_buffer_bytes(layout.wire_pixels)
    path = machine.at(str(BUFSIZ).lstrip("/"))
    bufsiz = read_bufsiz(path)
    try:
        check_fits(length, bufsiz, layout.wire_pixels)
    except FrameTooLong as error:
        found, _, cure = str(error).rpartition(": ")
        return fail(found, f"{cure[0].upper()}{cure[1:]}.")
    known = "holds" if path.exists() else "is not loaded yet; it usually holds"
    return ok(f"a frame of {layout.wire_pixels} lights is {length} bytes, the SPI buffer {known} {bufsiz}")


def check_i2c_node(machine: Machine, config: Config) -> Finding:
    """Whether the screen's bus may be opened."""
    if config.screen != "oled":
        return skipped(not_real("screen", config.screen))
    return _node(
        machine,
        f"dev/i2c-{config.i2c_port}",
        "i2c",
        "Switch I2C on (sudo raspi-config, Interface Options) and restart the Pi; where it is, sudo modprobe i2c-dev "
        "and the word i2c-dev in /etc/modules.",
    )


def check_spi_node(machine: Machine, config: Config) -> Finding:
    """Whether the strip's bus may be opened."""
    if not spi_strip(config):
        return skipped(not_spi(config))
    bus, device = (config.spi_bus, config.spi_device) if config.strip == "spidev" else (0, 0)
    return _node(
        machine,
        f"dev/spidev{bus}.{device}",
        "spi",
        "Put dtparam=spi=on into /boot/firmware/config.txt and restart the Pi; where it is there, look at "
        "strip.spi_bus and strip.spi_device.",
    )


def check_gpio_node(machine: Machine, config: Config) -> Finding:
    """Whether the pins of the header may be opened, under the number that gpiozero looks for."""
    parts = pin_parts(config)
    if not parts:
        return skipped("no part on the Pi's own pins is real")
    chips = machine.glob("dev/gpiochip*")
    if not chips:
        return fail(
            "there is no /dev/gpiochip: this system has no pins",
            f"Run it on a Raspberry Pi, or simulate {', '.join(parts)}.",
        )
    names = [path.name for path in chips]
    five = machine.is_five
    chip = "gpiochip4" if five and "gpiochip4" in names else "gpiochip0"
    if chip not in names:
        return fail(
            f"the pins are looked for at /dev/gpiochip0{' or 4' if five else ''}, and there are only "
            f"{', '.join(names)}",
            "Bring the system up to date (sudo apt full-upgrade) and restart the Pi.",
        )
    if five and chip == "gpiochip0" and machine.packages().get("gpiozero") == EARLY_GPIOZERO:
        return fail(
            "this gpiozero (2.0.1) looks for a Pi 5's pins at /dev/gpiochip4, this kernel has them at /dev/gpiochip0",
            "In the environment of muggins (/opt/muggins or .venv): bin/pip install --upgrade gpiozero.",
        )
    return _node(machine, f"dev/{chip}", "gpio", "Restart the Pi.")


def check_numpad(machine: Machine, config: Config) -> Finding:
    """Whether the USB numpad is plugged in and may be read."""
    if config.numpad != "usb":
        return skipped(not_real("numpad", config.numpad))
    named = config.numpad_device
    if named is not None:
        return _node(machine, named.lstrip("/"), "input", "Plug the numpad in, or set numpad.device to its name.")
    boards = machine.glob("dev/input/by-id/*-event-kbd")
    if not boards:
        return warn("no USB keyboard or numpad is plugged in", "Plug it in; it is taken into use within seconds.")
    return _node(machine, f"dev/input/by-id/{boards[0].name}", "input", "Plug the numpad in.")


def check_driver(machine: Machine, config: Config) -> Finding:
    """Whether the strip's driver goes with this board and this user."""
    if config.strip not in ("spidev", "ws281x"):
        return skipped(not_real("strip", config.strip))
    if config.strip == "spidev":
        return ok("spidev, which every Pi has, without root")
    if machine.is_five:
        return fail("rpi-ws281x does not work on a Pi 5", 'Set parts.strip = "spidev", with the data wire on GPIO10.')
    person = player(machine)
    if not spi_strip(config) and person is not None and person.uid != 0:
        return fail(
            f"rpi-ws281x on GPIO{config.strip_pin} needs root, and the board runs as {person.name}",
            'Set parts.strip = "spidev" and take the data wire to GPIO10: nothing then needs root.',
        )
    return ok(f"rpi-ws281x on GPIO{config.strip_pin}")


def check_pins(machine: Machine, config: Config) -> Finding:
    """Whether gpiozero opens the Pi's pins, tried on the running machine."""
    parts = pin_parts(config)
    if not parts:
        return skipped("no part on the Pi's own pins is real")
    if machine.open_pins is None:
        return skipped("pins can be opened on the running machine only")
    try:
        return ok(machine.open_pins())
    except PartError as error:
        found, _, cure = str(error).partition("). ")
        return fail(f"{found})" if cure else found, cure or "Look at the lines above.")


def _node(machine: Machine, path: str, group: str, absent: str) -> Finding:
    node = machine.at(path)
    shown = machine.shown(node)
    if not node.exists():
        others = [one.name for one in machine.glob(f"{Path(path).parent}/{Path(path).name.rstrip('0123456789.')}*")]
        instead = f"; there is {', '.join(others)}" if others else ""
        return fail(f"{shown} is not there{instead}", absent)
    person = player(machine)
    if person is None:
        return ok(f"{shown} is there")
    mine = not person.service and machine.live
    if os.access(node, os.R_OK | os.W_OK) if mine else may_use(node, person):
        return ok(f"{shown} is there and {person.name} may use it")
    return fail(
        f"{shown} is there, but {person.name} may not use it",
        f"sudo usermod -aG {group} {person.name}, then log in again or restart the service.",
    )
