"""What is heard of the board: the buzzer's tones, and the words for the page and the speaker."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Final

from firmware.faults import Faults
from firmware.sound import tone
from firmware.talk import Saying, Talk, utter
from firmware.view import View
from firmware.words import Language, say
from firmware.writer import Writer
from hardware.errors import PartError
from hardware.open_devices import Devices


class Heard:
    """The buzzer of a running board and what is said aloud. A part that fails is told once, and the game goes on."""

    def __init__(self, devices: Devices, faults: Faults, failures: dict[str, int], language: Language) -> None:
        self._devices = devices
        self._faults = faults
        self._failures = failures
        self._hertz: float | None = None
        self._errors: deque[Exception] = deque()
        self._mouth: Writer[Saying | None] | None = None
        self._wanted = False
        self.talk: Final = Talk(language, self._offer)

    def follow(self, view: View, key: str | None = None) -> None:
        """The board now looks like this; ``key`` led there. A voice that is switched off is missed by nobody, and one
        that is switched on and cannot speak is told of at once."""
        was, self._wanted = self._wanted, view.preferences.speech
        self.talk.follow(view, key)
        if was and not self._wanted:
            self._faults.drop("speaker")
            self._failures.pop("speaker", None)
        elif self._wanted and not was:
            self._faults.missing([part for part in self._devices.status() if part.name == "speaker"])

    def parts(self, parts: list[dict[str, str]]) -> list[dict[str, str]]:
        """How each part is, for the page: the speaker is off while the board is not to speak."""
        silent = {"name": "speaker", "state": "off", "say": say("speech-off")}
        off = ("speaker", False)
        return [silent if (part["name"], self._wanted) == off and part["state"] != "off" else part for part in parts]

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

    def listen(self) -> None:
        """Whether the voice is heard: to be asked at every tick."""
        while self._errors:
            self._silent(self._errors.popleft())
        speaker = self._devices.speaker
        try:
            if speaker is not None and speaker.poll():
                self._faults.back("speaker")
        except PartError as error:
            self._silent(error)

    def close(self) -> None:
        """Say no more; the parts themselves are the devices'."""
        if self._mouth is not None:
            self._mouth.offer(None)
            self._mouth.close()

    def _offer(self, saying: Saying | None) -> None:
        """Leave it for the speaker's own thread: a program takes its time to start and to end."""
        if self._devices.speaker is None or "speaker" in self._faults:
            return
        if self._mouth is None:
            self._mouth = Writer("speaker", self._speak, self._spoken)
        self._mouth.offer(saying)

    def _silent(self, error: Exception) -> None:
        self._faults.tell("speaker", str(error))
        self._failures["speaker"] = 1

    # The speaker's thread.
    def _speak(self, saying: Saying | None) -> None:
        speaker = self._devices.speaker
        if speaker is not None:
            utter(speaker, saying)

    def _spoken(self, error: Exception | None) -> None:
        if error is not None:
            self._errors.append(error)

    def found(self, parts: Collection[str]) -> None:
        """These parts are there again."""
        if "buzzer" in parts:
            self._hertz = None
            self._faults.back("buzzer")
        if "speaker" in parts:
            self._faults.back("speaker")
