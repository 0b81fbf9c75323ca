"""Which lines the boot configuration of a Raspberry Pi lacks for the board's wires; and adding them.

A line counts where the firmware heeds it: above the first section, under [all], and under the model's own sections.
"""

from __future__ import annotations

import re

SPI = "dtparam=spi=on"
I2C = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
BAUDRATE = "dtparam=i2c_arm_baudrate=400000"
HEADING = "# For Muggins: the strip's bus, the screen's bus, and a clock that keeps the strip's bits in time."

MODELS = (
    (re.compile(r"Pi (4|400)\b|Compute Module 4"), {"pi4"}, ("core_freq=500", "core_freq_min=500")),
    (re.compile(r"Pi 3\b|Compute Module 3"), {"pi3"}, ("core_freq=250",)),
    (re.compile(r"Zero 2"), {"pi02", "pi0"}, ("core_freq=250",)),
    (re.compile(r"Pi 5|Compute Module 5"), {"pi5"}, ()),
)
"""The sections that a model heeds, and the core clock at which its SPI holds still; a Pi 5 needs none."""

ON = {"", "on", "true", "yes", "1"}


def missing_lines(text: str, model: str) -> list[str]:
    """The lines that a configuration lacks for that model of Pi, in the order in which to add them.

    >>> missing_lines("dtparam=spi=on\\n", "Raspberry Pi 5 Model B Rev 1.0")
    ['dtparam=i2c_arm=on,i2c_arm_baudrate=400000']
    """
    sections, clocks = next(((names, lines) for known, names, lines in MODELS if known.search(model)), (set(), ()))
    params, settings = _heeded(text, sections)
    lines = []
    if params.get("spi", "off") not in ON:
        lines.append(SPI)
    if not {params.get(name) for name in ("i2c_arm", "i2c", "i2c1")} & ON:
        lines.append(I2C)
    elif not {"i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate"} & params.keys():
        lines.append(BAUDRATE)
    if settings.get("force_turbo") != "1" and settings.get("core_freq_fixed") != "1":
        lines += [line for line in clocks if line.partition("=")[0] not in settings]
    return lines


def with_lines(text: str, lines: list[str]) -> str:
    """The configuration with these lines at its end, where every model heeds them."""
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}\n[all]\n{HEADING}\n" + "".join(f"{line}\n" for line in lines)


def _heeded(text: str, sections: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The dtparams and the other settings that count, each with its last value; in a comment no name is theirs."""
    params: dict[str, str] = {}
    settings: dict[str, str] = {}
    counts = True
    for line in map(str.strip, text.splitlines()):
        if section := re.fullmatch(r"\[(.*)\]", line):
            counts = section[1].strip().lower() in {"all", *sections}
        elif counts and "=" in line:
            key, _, value = line.partition("=")
            if key.strip() == "dtparam":
                for item in value.split(","):
                    name, _, given = item.partition("=")
                    params[name.strip()] = given.strip()
            else:
                settings[key.strip()] = value.strip()
    return params, settings
