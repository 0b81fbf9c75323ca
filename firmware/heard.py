"""What is heard of the board: the buzzer's tones, and the words for the page and the speaker."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from firmware.faults import Faults
from firmware.sound import tone
from firmware.talk import Talk
from firmware.view import View
from firmware.words import Language
from hardware.errors import PartError
from hardware.open_devices import Devices


class Heard:
    """The buzzer of a running board and what is said aloud. A part that fails is told once, and the game goes on."""

    def __init__(self, devices: Devices, faults: Faults, failures: dict[str, int], language: Language) -> None:
        self._devices = devices
        self._faults = faults
        self._failures = failures
        self._hertz: float | None = None
        self.talk: Final = Talk(language, lambda saying: None)

    def sound(self, view: View, now: float) -> None:
        """Start or end the buzzer's tone, as this moment has it."""
        hertz = tone(view, now)
        if hertz == self._hertz or self._devices.buzzer is None:
            return
        self._hertz = hertz
        try:
            self._devices.buzzer.tone(hertz)
        except PartError as error:
            self._faults.tell("buzzer", str(error))
            self._failures["buzzer"] = 1
        else:
            self._faults.back("buzzer")

    def found(self, parts: Collection[str]) -> None:
        """These parts are there again."""
        if "buzzer" in parts:
            self._hertz = None
            self._faults.back("buzzer")
