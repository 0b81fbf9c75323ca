"""Choosing gpiozero's pin factory in the open: by name, never the process-wide default.

On a Pi the choice is ``lgpio``. That library makes a fifo ``.lgd-nfy*`` in the working directory the moment it is
imported, and fails where it cannot write. The variable ``LG_WD`` names another folder for it, but lgpio then *changes
the working directory of the whole process* to that folder: a service sets LG_WD and WorkingDirectory to the same
folder and keeps to absolute paths.
"""

from __future__ import annotations

import difflib
import importlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.errors import LayoutError, PartMissing, foreign
from hardware.words import how_to_install

_FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "python3-lgpio", "Python 3.11 or 3.12"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory", "python3-rpi.gpio", "gcc and python3-dev"),
}
NAMES: Final = (*_FACTORIES, "mock")
"""What a pin factory may be called."""

MOCK_REVISION: Final = "a02082"
"""A Pi 3B: given outright, so that no environment variable changes what simulated pins are."""


@dataclass(frozen=True, slots=True)
class OpenFactory:
    """A gpiozero pin factory that was opened on purpose; hand ``factory`` to every part."""

    name: str
    factory: Any
    line: str
    """One plain line for the person: which pins are in use."""

    def close(self) -> None:
        """Let all pins go; harmless twice."""
        self.factory.close()


def open_factory(name: str = "lgpio", *, pin_class: type | None = None, dev: Path = Path("/dev")) -> OpenFactory:
    """Open the pin factory called ``name`` (one of NAMES); ``pin_class`` is for ``mock`` alone.

    Each ``mock`` is private: two of them share no pin. Raises LayoutError for a name that is none, PartMissing
    where the driver, the device node or the right to use it is missing; the message says which and what to do.
    """
    if name == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        factory = MockFactory(revision=MOCK_REVISION, pin_class=pin_class or MockPWMPin)
        return OpenFactory(name, factory, "Pins: simulated, no wire is touched.")
    if name not in _FACTORIES:
        near = difflib.get_close_matches(name, NAMES, 1)
        hint = f": did you mean {near[0]!r}?" if near else f": choose one of {', '.join(NAMES)}"
        raise LayoutError(f"there is no pin factory {name!r}{hint}")
    module, maker, package, needs = _FACTORIES[name]
    try:
        factory_class = getattr(importlib.import_module(module), maker)
    except ImportError as error:
        raise PartMissing(
            f"The pins cannot be used: the Python package {name} is not there ({foreign(error)}): "
            f"{how_to_install(name, package, needs)}; or choose simulated parts."
        ) from error
    except Exception as error:  # lgpio raises whatever its fifo raised
        raise PartMissing(
            f"The pins cannot be used: {name} did not start in {os.getcwd()} ({foreign(error)}). It makes a file "
            f".lgd-nfy there: set LG_WD and the working directory to a folder that may be written."
        ) from error
    try:
        factory = factory_class()
        model = factory.board_info.model
    except Exception as error:  # each library has exceptions of its own, and none may be imported here
        raise PartMissing(_why_not(name, error, dev)) from error
    return OpenFactory(name, factory, f"Pins: {name} on a Raspberry Pi {model}.")


def _why_not(name: str, error: Exception, dev: Path) -> str:
    chips = sorted(dev.glob("gpiochip*"))
    if not chips:
        return (
            f"The pins cannot be used: {dev} has no gpiochip ({foreign(error)}). Is this a Raspberry Pi? Elsewhere "
            f"choose simulated parts."
        )
    closed = [chip.name for chip in chips if not os.access(chip, os.R_OK | os.W_OK)]
    if closed:
        return (
            f"The pins cannot be used: no right to open {dev / closed[0]} ({foreign(error)}). Put this user into the "
            f"group gpio, sudo usermod -aG gpio $USER, and log in again."
        )
    return (
        f"The pins cannot be used: {name} could not open them ({foreign(error)}). Is this a Raspberry Pi, and is "
        f"{name} recent enough for it? Elsewhere choose simulated parts."
    )
