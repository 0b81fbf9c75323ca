"""Which parts of a configuration are real, in words."""

from __future__ import annotations

from typing import Final

from firmware.config import Config
from firmware.config_values import SPI_PIN
from hardware.wiring import Wiring

SOFTWARE_PINS: Final = ("keypad", "buttons", "buzzer")


def spi_strip(config: Config) -> bool:
    """Whether the lights hang on the SPI bus."""
    return config.strip == "spidev" or (config.strip == "ws281x" and config.strip_pin == SPI_PIN)


def pin_parts(config: Config) -> list[str]:
    """The parts on pins of the Pi's own."""
    return [name for name in SOFTWARE_PINS if getattr(config, name) == "gpio"]


def real_list(config: Config) -> list[str]:
    """The parts that are no simulation."""
    parts = ["strip"] if config.strip in ("spidev", "ws281x") else []
    parts += ["screen"] if config.screen == "oled" else []
    parts += pin_parts(config)
    return parts + (["numpad"] if config.numpad == "usb" else [])


def real_parts(config: Config) -> str:
    """The same in words."""
    parts = real_list(config)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else "nothing"


def not_real(name: str, kind: str) -> str:
    """Why a part is not looked at."""
    return f"no {name} is fitted, says the configuration" if kind == "none" else f"the {name} is simulated"


def not_spi(config: Config) -> str:
    """Why a strip's SPI bus is not looked at."""
    if config.strip == "ws281x":
        return f"the strip is on GPIO{config.strip_pin}, not on the SPI bus"
    return not_real("strip", config.strip)


def real_wiring(config: Config) -> Wiring:
    """The pins of real parts alone."""
    keypad, buttons, buzzer = (getattr(config, name) == "gpio" for name in SOFTWARE_PINS)
    strip = config.strip_pin if config.strip == "ws281x" and not spi_strip(config) else None
    return Wiring(
        rows=config.rows if keypad else (),
        columns=config.columns if keypad else (),
        keys=config.keys,
        seats=config.seats if buttons else (),
        buzzer=config.buzzer_pin if buzzer else None,
        i2c=config.i2c_pins if config.screen == "oled" else (),
        spi=config.spi_pins if spi_strip(config) else (),
        strip=strip,
    )


def used_pins(config: Config) -> dict[int, str]:
    """What each pin of a real part is for, by BCM number."""
    wiring = real_wiring(config)
    uses = {pin: f"row {index}" for index, pin in enumerate(wiring.rows, 1)}
    uses |= {pin: f"column {index}" for index, pin in enumerate(wiring.columns, 1)}
    uses |= {pin: f"seat {index}'s button" for index, pin in enumerate(wiring.seats, 1)}
    uses |= {} if wiring.buzzer is None else {wiring.buzzer: "the buzzer"}
    uses |= dict.fromkeys(wiring.i2c, "the screen's bus")
    uses |= dict.fromkeys(wiring.spi, "the strip's bus")
    return uses | ({} if wiring.strip is None else {wiring.strip: "the strip"})
