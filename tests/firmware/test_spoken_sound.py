"""What a listener hears: the real espeak-ng's sound on a simulated card, in a file, measured sample by sample."""

from __future__ import annotations

import subprocess
import wave
from array import array
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware.cabinet import REST_S, Cabinet
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.settings import Settings
from firmware.view import Preferences
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec
from hardware.simulated.speaker import Playing, SimulatedSpeaker, wave_samples

pytestmark = pytest.mark.speech

LOUD = 1000
"""Of 32767: louder than any noise of the rendering, softer than any vowel."""
LONG = "Ann's hand: fifteen two, fifteen four, and a double run of three makes twelve. Bob's hand: how many?"


class Ear:
    """A cabinet that speaks, and what is heard of it."""

    def __init__(self, folder: Path, language: Any = "en-US", rate: int = 170) -> None:
        self.devices = open_devices(replace(PartsSpec(), speaker="simulated"))
        self.journal = open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        self.cabinet = Cabinet(
            self.devices,
            self.journal,
            Settings(names=("Ann", "Bob")),
            preferences=Preferences(speech=True, rate=rate),
            language=language,
        )
        assert self.devices.twins.card is not None
        self.card = self.devices.twins.card

    def tap(self, keys: str) -> Ear:
        """Press keys one after the other, as fast as the keypad takes them."""
        self.cabinet.tap_all(split_keys(keys))
        return self

    @property
    def heard(self) -> list[Playing]:
        return list(self.card.heard)

    def close(self) -> None:
        self.cabinet.close()
        self.journal.close()


@pytest.fixture
def ear(quick_folder: Path) -> Iterator[Ear]:
    """Ann and Bob's cabinet, speaking."""
    one = Ear(quick_folder)
    yield one
    one.close()


def spoken(text: str, rate: int = 170, voice: str = "en-us") -> Playing:
    """A text said to its end."""
    now = [0.0]
    speaker = SimulatedSpeaker(lambda: now[0])
    speaker.say(text, rate, voice)
    now[0] = 600.0
    return speaker.card.heard[0]


def seconds(playing: Playing) -> float:
    return len(playing.samples) / playing.rate


def loudest(samples: array[int]) -> int:
    return max(map(abs, samples), default=0)


def test_what_is_spoken_is_sound() -> None:
    """An utterance is no silence: its first and its second half are both loud."""
    samples = spoken(LONG).samples
    assert loudest(samples[: len(samples) // 2]) > LOUD
    assert loudest(samples[len(samples) // 2 :]) > LOUD


@pytest.mark.parametrize("rate", [120, 170, 240, 350])
def test_the_rate_is_in_words_a_minute(rate: int) -> None:
    """Plain words take about as long as their rate says: a word of English is five letters and a blank.

    Words differ in length and sentences have pauses, so it may take half as long again, or two thirds.
    """
    text = "the pone counts ten and the dealer takes his points and then they count the crib of the deal"
    expected = 60 * len(text) / 6 / rate
    assert expected * 2 / 3 < seconds(spoken(text, rate)) < expected * 3 / 2


def test_faster_is_shorter() -> None:
    """Each faster rate takes less time; the fastest is between two and four times as fast as the slowest.

    By the numbers it is 350 / 120, nearly three times; pauses do not shrink as words do.
    """
    took = [seconds(spoken(LONG, rate)) for rate in (120, 170, 240, 350)]
    assert all(one > other for one, other in pairwise(took))
    assert 2 < took[0] / took[-1] < 4


def test_the_two_languages_have_voices_of_their_own() -> None:
    """The same words sound otherwise in British and in American."""
    assert spoken(LONG, voice="en-gb").samples != spoken(LONG, voice="en-us").samples


@pytest.mark.parametrize("word", ["one.", "seven.", "hash.", "diamonds.", "erased."])
def test_the_echo_of_a_key_is_short(word: str) -> None:
    """A key is named in less than a second, so that a card can be keyed at a player's pace."""
    assert 0.1 < seconds(spoken(word)) < 1.0


def test_the_same_words_sound_the_same() -> None:
    """Rendering the same twice gives the same samples: what is measured here is measured everywhere."""
    assert spoken(LONG).samples == spoken(LONG).samples


def test_the_next_key_cuts_at_its_sample(ear: Ear, tmp_path: Path) -> None:
    """The utterance before ends within one poll of the key that interrupts it, and the key's own begins at that
    sample; in the file the two lie end to end, and nothing of the first sounds on."""
    ear.tap("# 2 #")
    pressed = ear.cabinet.now
    ear.tap("1")
    before, after = ear.heard[-2:]
    assert before.text.startswith("hash. Bob deals.")
    assert after.text == "one."
    assert before.ended == after.began
    assert before.ended is not None
    assert pressed < before.ended < pressed + 0.1  # the key is down, debounced, and read fifty times a second
    whole = spoken(before.text)
    assert len(before.samples) < len(whole.samples)
    assert before.samples == whole.samples[: len(before.samples)]
    assert abs(len(before.samples) - (before.ended - before.began) * before.rate) <= REST_S * before.rate
    ear.cabinet.now += 2.0
    ear.card.record(tmp_path / "evening.wav")
    with wave.open(str(tmp_path / "evening.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, before.rate)
        tape = array("h", file.readframes(file.getnframes()))
    cut = round((after.began - ear.heard[0].began) * before.rate)
    assert tape[cut - len(before.samples) : cut] == before.samples
    assert tape[cut:] == after.samples == spoken("one.").samples


def test_a_deal_keyed_without_waiting_is_heard_key_by_key(ear: Ear) -> None:
    """However fast the keys come, each is begun to be said, the one before is cut, and the last is said to its end."""
    ear.tap("# 2# 12A 7C 8D")
    ear.cabinet.now += 60.0
    echoes = [one.text.partition(".")[0] for one in ear.heard[1:]]
    assert echoes == (
        [
            "hash",
            "two",
            "hash",
            "one",
            "two",
            "queen of spades",
            "seven",
            "seven of clubs",
            "eight",
            "eight of diamonds",
        ]
    )
    *cut, last = ear.heard
    assert all(one.ended == two.began for one, two in pairwise(ear.heard) if one.ended is not None)
    assert any(one.ended is not None for one in cut)
    assert last.ended is None
    assert last.text == "eight of diamonds. Bob: fifteen for two. Bob 2. Count 15. Ann plays."
    assert last.samples == spoken(last.text).samples


def test_speech_switched_off_ends_in_mid_word(ear: Ear) -> None:
    """Switched off in the menu, the voice stops at that key and says no more."""
    ear.tap("# 2# D D 7 #")
    last = ear.heard[-1]
    assert last.ended is not None
    count = len(ear.heard)
    ear.tap("* 1 2")
    assert len(ear.heard) == count


def test_the_rate_of_the_menu_is_heard(ear: Ear) -> None:
    """A rate chosen in the menu is the rate of the next words."""
    ear.tap("# 2# D D 8#")
    ear.cabinet.now += 60.0
    assert "200" in ear.heard[-1].words
    assert "200" in ear.heard[-1].text


def test_a_rendering_is_a_wave_of_one_channel() -> None:
    """The program's stream is read as it comes: its rate, its samples, no length of its own; else it is refused."""
    done = subprocess.run(["espeak-ng", "--stdin", "--stdout"], input=b"one", capture_output=True, check=True)
    rate, samples = wave_samples(done.stdout)
    assert rate == 22050
    assert len(samples) == (len(done.stdout) - 44) // 2
    with pytest.raises(ValueError, match="no WAV"):
        wave_samples(b"RIFF" + done.stdout[4:30])
