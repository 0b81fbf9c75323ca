"""A sound card in simulated time, and the real driver on it: what a listener heard, sample by sample.

The words are rendered by the real espeak-ng where it is installed; where it is not, only the words are kept.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import time
import wave
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Final

from hardware.speaker import PROGRAM, EspeakSpeaker

KEPT: Final = 64
"""So many of the last utterances are remembered."""
RENDER_S: Final = 60.0
KILLED: Final = -9
NO_CARD: Final = "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'\nerror: No such file or directory\n"
BUSY: Final = "error: Device or resource busy\n"


class Fault(Enum):
    """What can be wrong with a voice."""

    NO_PROGRAM = "no program"
    NO_CARD = "no card"
    BUSY = "busy"
    HANGS = "hangs"


class Playing:
    """One utterance at the card: a process to the driver, sound to a listener."""

    def __init__(self, words: Sequence[str], text: str, rate: int, samples: array[int], card: SoundCard) -> None:
        self.words: Final = tuple(words)
        """The command line that renders it."""
        self.text: Final = text
        self.rate: Final = rate
        """Samples a second; 0 where nothing was rendered."""
        self.began: Final = card.clock()
        """Seconds at which its first sample sounded."""
        self.ended: float | None = None
        """Seconds at which it was cut; None where it was not."""
        self._samples = samples
        self._card = card
        self._fault = card.fault

    @property
    def samples(self) -> array[int]:
        """The samples that were heard, 16 bits each, one channel: to its end, to where it was cut, or up to now."""
        heard = (self._card.clock() if self.ended is None else self.ended) - self.began
        return self._samples[: max(0, round(heard * self.rate))]

    def poll(self) -> int | None:
        """The exit code once its sound has ended: 0, or KILLED."""
        if self.ended is not None:
            return KILLED
        if self._fault is Fault.HANGS:
            return None
        over = self._fault is not None or not self.rate
        return 0 if over or self._card.clock() - self.began >= len(self._samples) / self.rate else None

    def kill(self) -> None:
        """Cut it at this sample."""
        if self.poll() is None:
            self.ended = self._card.clock()

    def wait(self, timeout: float) -> int:
        """Its exit code. Raises subprocess.TimeoutExpired for one that sounds on: simulated time does not pass here."""
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self.words, timeout)
        return code

    def errors(self) -> str:
        """What the program would say of the card."""
        return {Fault.NO_CARD: NO_CARD, Fault.BUSY: BUSY}.get(self._fault, "") if self._fault else ""


class SoundCard:
    """Plays what espeak-ng renders. ``clock`` (seconds) may be set anew; ``fault`` is what is wrong just now."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self.clock: Callable[[], float] = time.monotonic if clock is None else clock
        self.fault: Fault | None = None
        self.heard: deque[Playing] = deque(maxlen=KEPT)
        """The last utterances, oldest first."""

    def start(self, words: Sequence[str], text: str) -> Playing:
        """As the real program is started: render and begin to play. Raises FileNotFoundError, OSError."""
        if self.fault is Fault.NO_PROGRAM:
            raise FileNotFoundError(2, "No such file or directory", words[0])
        rate, samples = (0, array("h")) if self.fault is not None else render(words, text)
        playing = Playing(words, text, rate, samples, self)
        self.heard.append(playing)
        return playing

    def record(self, path: Path) -> None:
        """Write what a listener heard since the first utterance that is remembered as a WAV, silences included.

        Raises LookupError where nothing was rendered.
        """
        sounds = [playing for playing in self.heard if playing.rate]
        if not sounds:
            raise LookupError("nothing was heard: is espeak-ng installed?")
        rate, begin = sounds[0].rate, sounds[0].began
        tape = array("h")
        for sound in sounds:
            place = round((sound.began - begin) * rate)
            tape.extend([0] * (place - len(tape)))
            tape[place:] = sound.samples
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(tape.tobytes())


class SimulatedSpeaker(EspeakSpeaker):
    """The real driver on a simulated card: ``card`` has what was heard, and the faults."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self.card = SoundCard(clock)
        super().__init__(start=self.card.start, clock=lambda: self.card.clock())


def render(words: Sequence[str], text: str) -> tuple[int, array[int]]:
    """Samples a second and the samples of what a command line of espeak-ng says; (0, none) where it is not there."""
    program = shutil.which(words[0])
    if program is None:
        return 0, array("h")
    done = subprocess.run([program, *words[1:], "--stdout"], input=text.encode(), capture_output=True, timeout=RENDER_S)
    return wave_samples(done.stdout) if done.returncode == 0 else (0, array("h"))


def wave_samples(data: bytes) -> tuple[int, array[int]]:
    """Samples a second and the samples of a WAV of one channel of 16 bits; a stream's length of its own is no length.

    Raises ValueError for anything else.
    """
    kind, _, channels, rate, _, _, bits = struct.unpack_from("<4xIHHIIHH", data, 12) if len(data) > 44 else (0,) * 7
    if data[:4] != b"RIFF" or data[8:16] != b"WAVEfmt " or (kind, channels, bits) != (16, 1, 16):
        raise ValueError("no WAV of one channel of 16 bits")
    begin = data.index(b"data", 20 + kind) + 8
    body = data[begin:]
    samples = array("h", body[: len(body) // 2 * 2])
    return rate, samples


def program_is_there() -> bool:
    """Whether the real program can render here."""
    return shutil.which(PROGRAM) is not None
