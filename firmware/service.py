"""The service: one loop that owns the board, polls the keys, ticks the lights and serves the page."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from PIL import Image

from firmware.afar import Afar
from firmware.board import Board
from firmware.board_phones import BoardPhones
from firmware.config import Config
from firmware.face import Face
from firmware.faults import Faults
from firmware.hands import KEYPAD, Presser
from firmware.heard import Heard
from firmware.journal import SafeJournal
from firmware.journal_care import JournalCare
from firmware.keys import keys_of
from firmware.library import BoardLibrary
from firmware.notify import Notifier
from firmware.outputs import Outputs
from firmware.phones import Phones
from firmware.screens.draw import draw
from firmware.web import KEYS, Changes, PageServer
from firmware.writer import Writer
from hardware.errors import PartError
from hardware.oled import Oled
from hardware.open_devices import Devices
from hardware.parts_spec import PartName
from hardware.ports import Colour

POLL_S, IDLE_POLL_S = 0.02, 0.04
"""Keys are read fifty times a second, or half as often while nobody has pressed one for BUSY_S."""
BUSY_S = 5.0
RETRY_S = 3.0
"""How often a part that is missing, and a disk that is full, are tried again."""
DIM_S, DARK_S = 60.0, 600.0
"""After so long without a key the screen dims, then goes dark; nothing else ever happens by itself."""
PATIENCE_S = 5.0
"""How long the end waits for a part that is just being opened."""
BRIGHT, DIM, DARK = 255, 16, 0
SHIFT_S = 60.0
"""A dimmed picture moves a pixel aside, and back, this often: the same pixels would wear out."""
REFRESH_S = 10.0
"""The lights are spoken to this often even if nothing has changed: a strip that lost its power shows its picture
again soon."""
TOUCH_S = 1.0
"""How often a panel that shows what it should is written a few bytes to: no hand pulls a plug and puts it back within
one, so that whoever does it has the panel set up anew."""
LOOK_S = 0.2
"""How often keys are asked whether one is stuck."""


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Service:
    """The board running in real time; also what the page sees of it.

    ``clock`` is monotonic seconds; ``log`` takes one line for each fault that begins; ``retry_s`` is how often what is
    missing is tried again; ``phones`` and ``first_moment`` are the board's.
    """

    def __init__(
        self,
        config: Config,
        devices: Devices,
        journal: SafeJournal,
        clock: Callable[[], float] = time.monotonic,
        notifier: Notifier | None = None,
        log: Callable[[str], None] = _to_standard_error,
        retry_s: float | None = None,
        phones: Phones | None = None,
        first_moment: int = 0,
    ) -> None:
        self._config = config
        self._devices = devices
        self._clock = clock
        self._notifier = Notifier({}) if notifier is None else notifier
        self._changes = Changes()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: PageServer | None = None
        self._stopping = asyncio.Event()
        self._due: float | None = None
        self._keyed = clock()
        self._level = BRIGHT
        self._retried = clock()
        self._retry_s = RETRY_S if retry_s is None else retry_s
        self._failures: dict[str, int] = {}
        self._mending: asyncio.Future[tuple[PartName, ...]] | None = None
        self._strip_in_use = threading.Lock()
        self._fresh: set[str] = set()
        self._shift = 0
        self._refreshed = self._touched = self._looked = clock()
        self._unsure = self._touch = False
        self.board = Board(
            journal,
            config.settings(),
            choices=config.choices(),
            preferences=config.preferences(),
            phones=phones,
            first_moment=first_moment,
        )
        self._faults = Faults(self.board, log)
        self._care = JournalCare(journal, self._faults, log)
        self.phones = BoardPhones(self.board, clock)
        self.library = BoardLibrary(self.board, journal, self._care, config.books, config.language)
        self._strip = Writer("strip", self._write_strip, lambda error: self._written("strip", error))
        self._screen = Writer("screen", self._write_screen, lambda error: self._written("screen", error))
        self._outputs = Outputs(self, devices.spec.layout, config.language, self._changes.note)
        self._key: str | None = None
        self._heard = Heard(devices, self._faults, self._failures, config.language)
        look = (self.board, self._outputs, devices, self._parts)
        self._face = Face(*look, self._heard.talk, config.language)
        self._afar = Afar(*look, config.language)
        self.board.watch(self._board_changed)

    # What the outputs are sent to: a writer thread a part.
    def strip(self, colours: Sequence[Colour]) -> None:
        """Leave a frame for the strip's writer."""
        self._fresh.add("strip")
        self._strip.offer(colours)

    def screen(self, picture: Image.Image) -> None:
        """Leave a picture for the screen's writer."""
        self._fresh.add("screen")
        self._screen.offer(picture)

    # What the page asks.
    def snapshot(self) -> dict[str, Any]:
        """The public state for the page."""
        return self._face.snapshot()

    def glass(self) -> tuple[int, int, bytes]:
        """What the panel shows."""
        return self._face.glass()

    def lights(self) -> list[list[Colour]]:
        """The colour each hole shows."""
        return self._face.lights()

    def from_afar(self) -> Afar:
        """The same, as pages on other machines are told it."""
        return self._afar

    def press(self, key: str, by: Presser = KEYPAD, seen: int | None = None) -> str:
        """A key from a page; says why it was not taken. Raises ValueError for what is none."""
        if key not in KEYS:
            raise ValueError(f"{key!r} is no key of the board")
        return self._press(key, by, seen)

    def watch(self) -> AsyncIterator[str]:
        """Whatever changes, for one reader."""
        return self._changes.watch()

    # Running.
    async def run(self, server: PageServer | None, ready: Callable[[], None]) -> None:
        """Run until stopped by ``stop`` or a signal; ``ready`` is called once the first prompt is on its way."""
        self._loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                self._loop.add_signal_handler(number, self.stop)
        self._server = server
        self._show(everything=True)
        self._heard.follow(self.board.view())
        self._care.look()
        self._faults.missing(self._devices.status())
        serving = None if server is None else asyncio.create_task(server.serve())
        ready()
        self._care.begin()
        self._notifier.send("READY=1")
        self._report()
        try:
            await self._ticks()
        finally:
            self._care.leave_off()
            at_work = [one for one in (self._mending, self._care.work) if one is not None]
            if at_work:  # in other threads, with parts and files that are not to be closed meanwhile
                await asyncio.wait(at_work, timeout=PATIENCE_S)
            self._notifier.send("STOPPING=1", "STATUS=Stopping.")
            self._changes.close()
            if server is not None and serving is not None:
                server.stop()
                with contextlib.suppress(asyncio.CancelledError):
                    await serving
            self.close()

    def stop(self) -> None:
        """End ``run`` soon."""
        self._stopping.set()

    def close(self) -> None:
        """Let parts and journal go."""
        self._strip.close()
        self._screen.close()
        self._heard.close()
        self._devices.close(leave_lights=self._config.lights_on_stop == "leave")
        self._care.close()

    async def _ticks(self) -> None:
        loop = asyncio.get_running_loop()
        self._retried = self._clock()
        broken: list[Exception] = []

        def beat() -> None:
            """One tick, and the next one asked for: cheaper for an idle board than a task that sleeps."""
            try:
                self._tick()
            except Exception as error:  # kept for the caller: the loop would only log it and tick no more
                broken.append(error)
                self._stopping.set()
            if not self._stopping.is_set():
                resting = self._clock() - self._keyed > BUSY_S
                loop.call_later(IDLE_POLL_S if resting else POLL_S, beat)

        beat()
        await self._stopping.wait()
        if broken:
            raise broken[0]

    def _tick(self) -> None:
        now = self._clock()
        self._poll(now)
        if self._due is not None and now >= self._due:
            self._show()
        self._dim(now)
        self._heard.sound(self.board.view(), now)
        self._heard.listen()
        if now - self._refreshed >= REFRESH_S:
            self._refreshed = now
            self._strip.offer(self._outputs.frame)  # nobody sees it unless the lights had lost it
        if now - self._touched >= TOUCH_S:
            self._touched = now
            self._touch_screen()
        if now - self._retried >= self._retry_s:
            self._retried = now
            self._retry(now)
            if self._server is not None:
                self.board.address = self._server.look()  # a Pi may get it late, or another one
            self._report()
        self._notifier.pet(now)

    def _poll(self, now: float) -> None:
        keys = self._devices.keys
        if keys is None:
            return
        try:
            events = keys.poll(now)
        except PartError as error:
            self._faults.tell("keypad", str(error))
            return
        for name in keys.names:
            if name in keys.failed:
                self._faults.tell(name, keys.failed[name])
            else:
                self._faults.back(name)
        for key in keys_of(events):
            self._press(key)
        if now - self._looked >= LOOK_S:
            self._looked = now
            if self._faults.ail(keys.faults()):
                self._changes.note("state")

    def _press(self, key: str, by: Presser = KEYPAD, seen: int | None = None) -> str:
        now = self._clock()
        self._keyed = now
        self._dim(now)
        self._key = key
        try:
            late = self.board.press(key, now, by, seen)
        finally:
            self._key = None
        self._heard.sound(self.board.view(), now)
        return late

    def _board_changed(self) -> None:
        self._care.look()
        if self._faults.read():
            return  # which came here again
        self._show()
        self._heard.follow(self.board.view(), self._key)
        self._afar.follow(self._key)
        self._changes.note("state")

    def _show(self, *, everything: bool = False) -> None:
        now = self._clock()
        self._outputs.show(self.board.view(), now, everything=everything)
        self._due = self.board.tick(now)

    def _dim(self, now: float) -> None:
        rest = now - self._keyed
        level = DARK if rest >= DARK_S else DIM if rest >= DIM_S else BRIGHT
        shift = int((rest - DIM_S) // SHIFT_S) % 2 if level == DIM else 0
        if (level, shift) != (self._level, self._shift) and self._outputs.shown is not None:
            self._unsure = self._unsure or level != self._level
            self._level, self._shift = level, shift
            self.screen(draw(self._outputs.shown, shift))

    def _touch_screen(self) -> None:
        """Find out whether the panel is still there; one that is known to be gone is sought by ``_retry``."""
        if self._outputs.shown is not None and "screen" not in self._faults:
            self._touch = True
            self._screen.offer(draw(self._outputs.shown, self._shift))

    def _retry(self, now: float) -> None:
        self.board.retry_saving()
        if self._mending is None:
            self._give_up()
        missing = any(part.state == "missing" for part in self._devices.status())
        if self._mending is None and missing:
            # A bus that hangs may take seconds to say so: not in the loop that reads the keys.
            self._mending = asyncio.ensure_future(asyncio.to_thread(self._devices.retry, now))
            self._mending.add_done_callback(self._mended)
        if "strip" in self._faults or "screen" in self._faults:
            self._show(everything=True)

    def _mended(self, done: asyncio.Future[tuple[PartName, ...]]) -> None:
        """Back in the loop: the parts that are there now. Lights, panel and keys are told to be back once they work."""
        self._mending = None
        found = () if done.cancelled() else done.result()
        if "screen" in found:
            self._sent_level = None
        self._heard.found(found)
        if found:
            self._show(everything=True)
            self._changes.note("state")

    def _give_up(self) -> None:
        """Have those parts opened anew that have failed for a while and do not come back by themselves."""
        for part in self._devices.status():
            name = part.name
            if name not in self._faults or part.state == "missing":
                self._failures.pop(name, None)
                continue
            self._failures[name] = self._failures.get(name, 0) + 1
            if self._failures[name] > 1 and self._strip_in_use.acquire(blocking=False):
                try:
                    self._devices.give_up(name, self._faults[name])
                finally:
                    self._strip_in_use.release()

    def _report(self) -> None:
        """One line for whoever asks the service manager: where the page is, and which parts are missing."""
        missing = [part["name"] for part in self._parts() if part["state"] == "missing"]
        page = f"The page is at {self.board.address}" if self.board.address else "No page"
        parts = f"missing: {', '.join(missing)}" if missing else "every part is there"
        self._notifier.status(f"{page}; {parts}")

    # The writers' threads.
    def _write_strip(self, colours: Sequence[Colour]) -> None:
        with self._strip_in_use:
            if self._devices.strip is not None:
                self._devices.strip.show(colours)

    def _write_screen(self, picture: Image.Image) -> None:
        screen = self._devices.screen
        if screen is None:
            return
        if self._unsure:
            self._unsure = False
            if isinstance(screen, Oled):
                screen.forget()  # it may have been pulled out and put back while nobody looked
        if self._touch or self._level != self._sent_level:
            self._touch = False
            screen.contrast(self._level)
            self._sent_level = self._level
        screen.show(picture)

    _sent_level: int | None = None
    """None until the panel was told: what it starts with is the chip's own choice."""

    def _written(self, part: str, error: Exception | None) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._wrote, part, error)

    def _wrote(self, part: str, error: Exception | None) -> None:
        """Back in the loop: what the part's writer found."""
        if error is not None:
            self._faults.tell(part, str(error))
        elif (self._devices.strip if part == "strip" else self._devices.screen) is not None:
            self._faults.back(part)
        if part in self._fresh:
            self._fresh.discard(part)
            self._changes.note("lights" if part == "strip" else "glass")

    def _parts(self) -> list[dict[str, str]]:
        found = self._heard.parts(self._faults.parts(self._devices.status()))
        return found + self._care.parts() + self.phones.parts()
