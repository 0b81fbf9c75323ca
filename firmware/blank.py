"""``python -m firmware.blank``: darken the lights of a board whose program has ended, however it ended.

Lights keep their last colours when nobody drives them. Where ``board.lights_on_stop`` is ``leave``, they are to.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from firmware.config import Config, ConfigError, default_config, load_config
from hardware.open_devices import open_devices


def blank(config: Config) -> str:
    """Darken the strip of that configuration; one line that says what was done. Raises nothing for a missing strip."""
    if config.lights_on_stop == "leave":
        return "The lights stay as they are: board.lights_on_stop says so."
    if config.strip in ("simulated", "none"):
        return "There are no real lights to darken."
    spec = replace(config.parts_spec(), screen="none", keypad="none", buttons="none", buzzer="none", speaker="none")
    with open_devices(spec) as devices:
        strip, *_ = devices.status()
    return f"The lights are not darkened. {strip.say}" if strip.state == "missing" else "The lights are dark."


def main() -> int:
    """The command; a configuration that cannot be read must not leave the lights on, so its defaults then hold."""
    try:
        config = load_config()
    except ConfigError:
        config = default_config()
    print(blank(config))
    return 0


if __name__ == "__main__":
    sys.exit(main())
