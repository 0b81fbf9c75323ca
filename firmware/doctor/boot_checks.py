"""The lines of config.txt that the parts need: buses on, clocks steady, pins free."""

from __future__ import annotations

import re
from typing import Final

from firmware.config import Config
from firmware.doctor.boot import Boot, read_boot
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.parts import not_real, not_spi, real_list, spi_strip, used_pins

I2C_ON: Final = ("i2c_arm", "i2c", "i2c1")
I2C_SPEED: Final = ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate")
I2C_LINE: Final = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
FAST_HZ: Final = 400_000
FASTEST_HZ: Final = 1_000_000
USUAL_HZ: Final = 100_000
FRAME_BYTES: Final = 1034
"""A whole picture on the bus, at the least."""
PWM_PINS: Final = (12, 13, 18, 19)
PCM_PINS: Final = (21,)
I2S_PINS: Final = (18, 19, 20, 21)

PANELS: Final = ("ssd1306", "sh1106", "ssd1309", "ssd1306-spi", "sh1106-spi")
"""Overlays by which the system takes an OLED for itself."""
TAKEN: Final[dict[str, dict[str, int]]] = {
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-fan": {"gpiopin": 12},
    "gpio-shutdown": {"gpio_pin": 3},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 0},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "pwm-ir-tx": {"gpio_pin": 18},
    "dht11": {"gpiopin": 4},
    "pps-gpio": {"gpiopin": 18},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "ws2812-pio": {"gpio": 4},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "spi1-1cs": {"cs0_pin": 18, "": 19, " ": 20, "  ": 21},
    "spi1-2cs": {"cs0_pin": 18, "cs1_pin": 17, "": 19, " ": 20, "  ": 21},
    "spi1-3cs": {"cs0_pin": 18, "cs1_pin": 17, "cs2_pin": 16, "": 19, " ": 20, "  ": 21},
}
"""The pins that overlays take unless told otherwise (the overlays' README), by the parameter that moves them."""
SOUND_CARDS: Final = re.compile(r"hifiberry|iqaudio|justboom|allo-|i2s-|googlevoicehat|rpi-dac|max98357a")


def _file(boot: Boot) -> str:
    return boot.file or "config.txt"


def _no_file(machine: Machine) -> Finding:
    return skipped(
        "there is no config.txt in /boot/firmware or /boot" if machine.is_pi else "only a Raspberry Pi has a config.txt"
    )


def check_i2c(machine: Machine, config: Config) -> Finding:
    """Whether config.txt switches the screen's bus on."""
    if config.screen != "oled":
        return skipped(not_real("screen", config.screen))
    boot = read_boot(machine)
    if boot.file is None:
        return _no_file(machine)
    if config.i2c_port != 1:
        return skipped(f"the screen is on bus {config.i2c_port}, which dtparam=i2c_arm does not switch on")
    if boot.is_on(*I2C_ON) or any(name.startswith("i2c1") for name, _ in boot.overlays()):
        return ok(f"I2C is on in {_file(boot)}")
    if machine.at("dev/i2c-1").exists():
        return ok(f"{_file(boot)} does not switch I2C on, but bus 1 is there")
    return fail(
        f"{_file(boot)} does not switch I2C on", f"Put the line {I2C_LINE} into {_file(boot)} and restart the Pi."
    )


def check_i2c_speed(machine: Machine, config: Config) -> Finding:
    """Whether the screen's bus is quick enough to draw without being seen to."""
    if config.screen != "oled":
        return skipped(not_real("screen", config.screen))
    boot = read_boot(machine)
    hertz = machine.number(f"sys/bus/i2c/devices/i2c-{config.i2c_port}/of_node/clock-frequency")
    where = "in force"
    if hertz is None:
        if boot.file is None:
            return _no_file(machine)
        said = boot.param(*I2C_SPEED) or ""
        hertz, where = int(said) if said.isdigit() else USUAL_HZ, f"in {_file(boot)}"
    picture = f"a whole picture takes {FRAME_BYTES * 9 * 1000 // hertz} ms" if hertz else "nothing moves"
    found = f"I2C runs at {hertz // 1000} kHz {where}; {picture}"
    cure = f"Put the line {I2C_LINE} into {_file(boot)} and restart the Pi."
    if hertz > FASTEST_HZ:
        return warn(f"{found}, but no panel is made for more than 1000 kHz", cure)
    return ok(found) if hertz >= FAST_HZ else warn(found, cure)


def check_spi(machine: Machine, config: Config) -> Finding:
    """Whether config.txt switches the strip's bus on."""
    if not spi_strip(config):
        return skipped(not_spi(config))
    boot = read_boot(machine)
    if boot.file is None:
        return _no_file(machine)
    bus = config.spi_bus if config.strip == "spidev" else 0
    line = "dtparam=spi=on" if bus == 0 else f"dtoverlay=spi{bus}-1cs"
    on = boot.is_on("spi", "spi0") if bus == 0 else any(name.startswith(f"spi{bus}-") for name, _ in boot.overlays())
    if on or (bus == 0 and any(name.startswith("spi0-") for name, _ in boot.overlays())):
        return ok(f"SPI bus {bus} is on in {_file(boot)}")
    if machine.glob(f"dev/spidev{bus}.*"):
        return ok(f"{_file(boot)} does not switch SPI bus {bus} on, but it is there")
    return fail(
        f"{_file(boot)} does not switch SPI bus {bus} on", f"Put the line {line} into {_file(boot)} and restart the Pi."
    )


def check_core_clock(machine: Machine, config: Config) -> Finding:
    """Whether the clock that the SPI bus is divided from stands still, on the boards where it does not by itself."""
    if not spi_strip(config):
        return skipped(not_spi(config))
    boot = read_boot(machine)
    if boot.file is None:
        return _no_file(machine)
    four = re.search(r"Pi 4 |Pi 400|Compute Module 4", machine.model)
    if not four and not re.search(r"Pi 3 |Zero 2 W|Compute Module 3", machine.model):
        return ok("the SPI bus of this board keeps its clock by itself")
    if boot.setting("force_turbo") == "1" or boot.setting("core_freq_fixed") == "1":
        return ok(f"the core clock is fixed in {_file(boot)}")
    core, least = boot.setting("core_freq"), boot.setting("core_freq_min")
    if core is not None and (not four or least == core):
        return ok(f"the core clock is fixed at {core} MHz in {_file(boot)}")
    lines = "core_freq=500 and core_freq_min=500" if four else "core_freq=250"
    return warn(
        f"{_file(boot)} leaves the core clock free, and the strip's bits change their length with it",
        f"If lights flicker or show wrong colours, put {lines} into {_file(boot)} and restart the Pi.",
    )


def check_audio(machine: Machine, config: Config) -> Finding:
    """Whether sound wants the same hardware as a strip on PWM or PCM."""
    if config.strip != "ws281x" or spi_strip(config):
        return skipped("no strip is driven by PWM or PCM, with which sound could clash")
    boot = read_boot(machine)
    pin = config.strip_pin
    if pin in PWM_PINS:
        loaded = re.search(r"^snd_bcm2835\s", machine.text("proc/modules") or "", re.MULTILINE)
        if boot.is_on("audio") or loaded:
            why = f"{_file(boot)} has dtparam=audio=on" if boot.is_on("audio") else "the module snd_bcm2835 is loaded"
            return fail(
                f"the strip on GPIO{pin} and the headphone socket want the same PWM: {why}",
                f"Put dtparam=audio=off into {_file(boot)} and restart the Pi, or take the strip to GPIO10 (spidev).",
            )
        return ok(f"the PWM of GPIO{pin} is not used for sound")
    cards = [name for name, _ in boot.overlays() if SOUND_CARDS.search(name)]
    if boot.is_on("i2s") or cards:
        return fail(
            f"the strip on GPIO{pin} and the sound card ({cards[0] if cards else 'dtparam=i2s=on'}) want the same PCM",
            f"Take its line out of {_file(boot)} and restart the Pi, or take the strip to GPIO10 (spidev).",
        )
    return ok(f"the PCM of GPIO{pin} is not used for sound")


def check_taken(machine: Machine, config: Config) -> Finding:
    """Whether a line of config.txt gives a pin or the panel of the board to something else."""
    if not real_list(config):
        return skipped("no part of the configuration is real")
    boot = read_boot(machine)
    if boot.file is None:
        return _no_file(machine)
    uses = used_pins(config)
    clashes = [
        f"{said} takes GPIO{pin}, {uses[pin]}" for said, pins in _taken(boot).items() for pin in pins if pin in uses
    ]
    if config.screen == "oled":
        clashes += [f"dtoverlay={name} takes the screen" for name, _ in boot.overlays() if name in PANELS]
    if clashes:
        return fail(
            f"in {_file(boot)}: {'; '.join(clashes)}",
            f"Take that line out of {_file(boot)} and restart the Pi, or give the part another pin in [wiring].",
        )
    return ok(f"no line of {_file(boot)} takes a pin of the board's")


def _taken(boot: Boot) -> dict[str, list[int]]:
    """The pins that each line takes."""
    taken: dict[str, list[int]] = {}
    for name, given in boot.overlays():
        if name in TAKEN:
            pins = (given.get(key, str(usual)) for key, usual in TAKEN[name].items())
            taken[f"dtoverlay={name}"] = [int(pin) for pin in pins if pin.isdigit()]
        elif SOUND_CARDS.search(name):
            taken[f"dtoverlay={name}"] = list(I2S_PINS)
        elif name.startswith("vc4-kms-dpi"):
            taken[f"dtoverlay={name}"] = list(range(28))
    if boot.is_on("i2s"):
        taken["dtparam=i2s=on"] = list(I2S_PINS)
    if boot.setting("enable_uart") == "1":
        taken["enable_uart=1"] = [14, 15]
    return taken
