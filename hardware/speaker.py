"""A voice by the program espeak-ng: one process an utterance, its words by standard input, killed when interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Protocol

from hardware.errors import PartFailed, PartMissing, foreign

PROGRAM: Final = "espeak-ng"
INSTALL: Final = "Install it: sudo apt install espeak-ng."
SLOWEST, FASTEST = 120, 350
"""Words a minute between which it is understood."""
PROBE_S: Final = 3.0
"""How long a silent trial may take: other parts that are missing wait for it."""
LETTERS_A_WORD: Final = 5
PATIENCE: Final = 4.0
GRACE_S: Final = 10.0
"""A voice that takes PATIENCE times as long as its words should, and GRACE_S more, hangs."""
DYING_S: Final = 2.0
"""How long a killed process may take to be gone."""


class Process(Protocol):
    """A voice at work, real or simulated."""

    def poll(self) -> int | None:
        """The exit code once it has ended; an ended process is then reaped."""
        ...

    def kill(self) -> None:
        """Cut it off in mid-word; what an ended one has left behind, too."""
        ...

    def wait(self, timeout: float) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        ...

    def errors(self) -> str:
        """What it wrote to standard error."""
        ...


Start = Callable[[Sequence[str], str], Process]
"""Starts a program with these words on its command line and that text as its standard input. Raises OSError."""


class _Started:
    """A real process. Its standard error goes into a file, which never fills up as a pipe would."""

    def __init__(self, words: Sequence[str], text: str) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=_plain_english(),
                start_new_session=True,
            )
        except BaseException:
            self._errors.close()
            raise
        assert self._process.stdin is not None
        with suppress(OSError):  # one that has ended already says why by itself
            self._process.stdin.write(text.encode("utf-8", "replace"))
        with suppress(OSError):
            self._process.stdin.close()

    def poll(self) -> int | None:
        return self._process.poll()

    def kill(self) -> None:
        """With all that it has started: the program may be a script around the real one."""
        if self._process.returncode is None:  # not reaped, so the number is still its own
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        return self._process.wait(timeout)

    def errors(self) -> str:
        self._errors.seek(0)
        text = self._errors.read(65536).decode("utf-8", "replace")
        self._errors.close()
        return text


def _plain_english() -> dict[str, str]:
    """The environment with the system's messages in English, which is how the cause of a failure is known."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


class EspeakSpeaker:
    """A ``Speaker`` port. Nothing is started before there is something to say; ``try_out`` finds out whether it could.

    ``say``, ``hush`` and ``close`` may be called in one thread and ``poll`` in another. ``devices`` is where the
    sound card's nodes lie, ``model`` where the machine says what it is.
    """

    def __init__(
        self,
        program: str = PROGRAM,
        start: Start = _Started,
        clock: Callable[[], float] = time.monotonic,
        devices: Path = Path("/dev/snd"),
        model: Path = Path("/proc/device-tree/model"),
    ) -> None:
        self._program = program
        self._start = start
        self._clock = clock
        self._devices = devices
        self._model = model
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._allowed_until = 0.0
        self._closed = False

    def say(self, text: str, rate: int, voice: str) -> None:
        """Begin to say the words, in place of what is being said. Raises PartMissing without the program, PartFailed.

        ``rate`` is words a minute (120..350), ``voice`` a voice of espeak-ng's such as ``en-gb``.
        """
        with self._lock:
            if self._closed:
                raise PartFailed("The speaker was closed: open it again before it speaks.")
            self._silence()
            rate = min(max(rate, SLOWEST), FASTEST)
            self._process = self._begin(["-s", str(rate), "-v", voice], text)
            self._allowed_until = self._clock() + GRACE_S + PATIENCE * 60 * len(text) / LETTERS_A_WORD / rate

    def hush(self) -> None:
        """Be silent at once. Raises PartFailed where the voice cannot be ended."""
        with self._lock:
            self._silence()

    def poll(self) -> bool:
        """Whether an utterance has ended well since the last time. Raises PartFailed for one that nobody heard."""
        if not self._lock.acquire(blocking=False):
            return False  # the other thread is just beginning or ending one
        try:
            if self._process is None:
                return False
            code = self._process.poll()
            if code is None:
                if self._clock() < self._allowed_until:
                    return False
                self._silence()
                raise PartFailed("The speaker hangs: espeak-ng does not come to an end. Look at the sound card.")
            process, self._process = self._process, None
            self._judge(code, process.errors())
            return True
        finally:
            self._lock.release()

    def try_out(self) -> None:
        """Say something that nobody hears, to the end. Raises PartMissing or PartFailed where it cannot be said."""
        with self._lock:
            process = self._begin(["-a", "0", "-s", str(FASTEST)], "a")
            try:
                code = process.wait(PROBE_S)
            except subprocess.TimeoutExpired:
                self._end(process)
                raise PartFailed(
                    "The speaker hangs: espeak-ng does not come to an end. Look at the sound card."
                ) from None
            self._judge(code, process.errors())

    def close(self) -> None:
        """Fall silent for good; harmless twice."""
        with self._lock:
            self._closed = True
            self._silence()

    def _begin(self, options: list[str], text: str) -> Process:
        try:
            return self._start([self._program, "-b", "1", "-z", *options, "--stdin"], text)
        except FileNotFoundError as error:
            raise PartMissing(f"The speaker is silent: there is no espeak-ng. {INSTALL}") from error
        except OSError as error:
            raise PartFailed(
                f"The speaker is silent: espeak-ng cannot be started ({error.strerror}). Install it anew: sudo apt "
                f"install --reinstall espeak-ng."
            ) from error

    def _silence(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._end(process)

    def _end(self, process: Process) -> None:
        """Kill it and see it gone: no zombie is left."""
        process.kill()
        try:
            process.wait(DYING_S)
        except subprocess.TimeoutExpired:
            raise PartFailed(
                "The speaker cannot be stopped: the sound card's driver hangs. Unplug the card, or restart."
            ) from None
        process.errors()

    def _judge(self, code: int, errors: str) -> None:
        """espeak-ng ends well even where it found no sound card: what it said of it counts. Raises PartFailed."""
        lines = [line.strip() for line in errors.splitlines()]
        causes = [line[len("error:") :].strip() for line in lines if line.lower().startswith("error:")]
        if causes or code:
            raise PartFailed(self._cure(causes[-1] if causes else f"it ended with {code}"))

    def _cure(self, cause: str) -> str:
        if "busy" in cause:
            return "The speaker is silent: another program uses the sound card. Close that program."
        shut = [node for node in self._devices.glob("controlC*") if not os.access(node, os.R_OK | os.W_OK)]
        if "ermission" in cause or shut:
            return (
                "The speaker is silent: this user may not use the sound card. Put them into the group audio: sudo "
                "usermod -aG audio $USER, then log in again."
            )
        if "No such" in cause:
            own = ", or put dtparam=audio=on into /boot/firmware/config.txt" if self._on_a_pi() else ""
            return f"The speaker is silent: there is no sound card. Plug in a USB sound card or speaker{own}."
        return f"The speaker is silent: {foreign(cause)}. Try it: espeak-ng hello."

    def _on_a_pi(self) -> bool:
        with suppress(OSError):
            return b"Raspberry Pi" in self._model.read_bytes()
        return False
