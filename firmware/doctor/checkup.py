"""Every check there is, in the order in which it is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.config import Config, ConfigError, default_config, load_config
from firmware.doctor import boot_checks, devices, outputs, page, service, storage, supply, system, voice
from firmware.doctor.check import Check, Finding, Look, examine, fail, ok
from firmware.doctor.machine import Machine
from firmware.doctor.people import check_groups

CHECKS: Final[dict[str, Look]] = {
    "model": system.check_model,
    "bits": system.check_bits,
    "python": system.check_python,
    "packages": system.check_packages,
    "groups": check_groups,
    "i2c line": boot_checks.check_i2c,
    "i2c speed": boot_checks.check_i2c_speed,
    "spi line": boot_checks.check_spi,
    "core clock": boot_checks.check_core_clock,
    "audio": boot_checks.check_audio,
    "pins at boot": boot_checks.check_taken,
    "strip driver": devices.check_driver,
    "spi buffer": devices.check_bufsiz,
    "spi device": devices.check_spi_node,
    "i2c device": devices.check_i2c_node,
    "gpio device": devices.check_gpio_node,
    "pin factory": devices.check_pins,
    "numpad": devices.check_numpad,
    "voice": voice.check_voice,
    "screen": outputs.check_screen,
    "lights": outputs.check_lights,
    "light power": outputs.check_power,
    "keys": outputs.check_keys,
    "stuck keys": outputs.check_stuck,
    "ghost keys": outputs.check_ghosts,
    "supply": supply.check_supply,
    "supply current": supply.check_brick,
    "lasting storage": storage.check_overlay,
    "free space": storage.check_space,
    "state folder": storage.check_state,
    "clock": storage.check_clock,
    "page": page.check_page,
    "certificate": page.check_certificate,
    "page name": page.check_name,
    "service": service.check_unit,
    "copies": service.check_copies,
    "other owners": service.check_owners,
}
"""The checks by name; before them comes ``configuration``."""


def check_up(machine: Machine, file: Path | None = None) -> list[Check]:
    """Examine a machine with the configuration that holds on it, or with ``file``. Never raises.

    A configuration that cannot be used is itself a failure; the rest is then judged by the defaults.
    """
    try:
        config = load_config(file, environ=_environ(machine), root=machine.root)
        where = f"from {config.file}" if config.file is not None else "no file: the defaults"
        found = ok(f"{where}; strip {config.strip}, screen {config.screen}, keypad {config.keypad}")
    except ConfigError as error:
        config = default_config(machine.root)
        found = fail(
            "; ".join(line.strip() for line in str(error).splitlines()), "Mend the file; muggins config tests it."
        )

    def configuration(machine: Machine, config: Config) -> Finding:
        return found

    checks = {"configuration": configuration, **CHECKS}
    return [examine(name, look, machine, config) for name, look in checks.items()]


def _environ(machine: Machine) -> Mapping[str, str]:
    """Where a user's own file lies is known on the running machine only."""
    return machine.environ if machine.live else {}
