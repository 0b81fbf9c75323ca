"""Follows the board from moment to moment and says aloud what is new: the words for the page and for the speaker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.speech import utterance
from firmware.view import View
from firmware.words import Language, localise
from hardware.ports import Speaker

VOICES: Final[dict[Language, str]] = {"en-US": "en-us", "en-GB": "en-gb"}
"""espeak-ng's voice for each language."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One utterance for the speaker: plain words, words a minute, and whose voice."""

    text: str
    rate: int
    voice: str


class Talk:
    """What is said. ``offer`` takes each utterance, or None where the speaker is to fall silent."""

    def __init__(self, language: Language, offer: Callable[[Saying | None], None]) -> None:
        self._language: Final = language
        self._offer = offer
        self._before: View | None = None
        self.said = ""
        """What was said last, in the board's language, whether or not there is a speaker."""

    def follow(self, view: View, key: str | None = None) -> None:
        """The board now looks like this; ``key`` is the key that led there. It interrupts what is being said."""
        before, self._before = self._before, view
        text = utterance(before, view, key)
        if text is not None:
            self.said = localise(text, self._language)
        likes = view.preferences
        if not likes.speech:
            if before is not None and before.preferences.speech:
                self._offer(None)
        elif text is not None:
            self._offer(Saying(self.said, likes.rate, VOICES[self._language]))
        elif key is not None:
            self._offer(None)


def utter(speaker: Speaker, saying: Saying | None) -> None:
    """Have the speaker say it, or be silent. Raises PartError."""
    if saying is None:
        speaker.hush()
    else:
        speaker.say(saying.text, saying.rate, saying.voice)
