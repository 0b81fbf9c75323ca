"""The service: one loop that owns the board, polls the keys, ticks the lights and serves the page."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from PIL import Image

from firmware.board import Board
from firmware.config import Config
from firmware.explain import Reasons
from firmware.journal import SafeJournal
from firmware.keys import keys_of
from firmware.notify import Notifier
from firmware.outputs import Outputs
from firmware.readback import lane_colours
from firmware.screens.draw import SIZE, draw
from firmware.snapshot import log_lines, snapshot
from firmware.sound import tone
from firmware.view import Noticed
from firmware.web import KEYS, Changes, PageServer
from firmware.words import say
from firmware.writer import Writer
from hardware.errors import PartError
from hardware.open_devices import Devices
from hardware.ports import Colour

POLL_S, IDLE_POLL_S = 0.02, 0.04
"""Keys are read fifty times a second, or half as often while nobody has pressed one for BUSY_S."""
BUSY_S = 5.0
RETRY_S = 3.0
"""How often a part that is missing, and a disk that is full, are tried again."""
DIM_S, DARK_S = 60.0, 600.0
"""After so long without a key the screen dims, then goes dark; nothing else ever happens by itself."""
BRIGHT, DIM, DARK = 255, 16, 0


class Service:
    """The board running in real time; also what the page sees of it. ``clock`` is monotonic seconds."""

    def __init__(
        self,
        config: Config,
        devices: Devices,
        journal: SafeJournal,
        clock: Callable[[], float] = time.monotonic,
        notifier: Notifier | None = None,
    ) -> None:
        self._config = config
        self._devices = devices
        self._journal = journal
        self._clock = clock
        self._notifier = Notifier({}) if notifier is None else notifier
        self._changes = Changes()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._due: float | None = None
        self._keyed = clock()
        self._level = BRIGHT
        self._retried = clock()
        self._said: dict[str, str] = {}
        self._hertz: float | None = None
        self._reasons = Reasons()
        self.board = Board(journal, config.settings(), choices=config.choices(), preferences=config.preferences())
        self._strip = Writer("strip", self._write_strip, lambda error: self._written("strip", error))
        self._screen = Writer("screen", self._write_screen, lambda error: self._written("screen", error))
        self._outputs = Outputs(self, devices.spec.layout, config.language, self._changes.note)
        self.board.watch(self._board_changed)

    # What the outputs are sent to: a writer thread a part.
    def strip(self, colours: Sequence[Colour]) -> None:
        """Leave a frame for the strip's writer."""
        self._strip.offer(colours)

    def screen(self, picture: Image.Image) -> None:
        """Leave a picture for the screen's writer."""
        self._screen.offer(picture)

    # What the page asks.
    def snapshot(self) -> dict[str, Any]:
        """The public state for the page."""
        view, shown = self.board.view(), self._outputs.shown
        assert shown is not None
        return snapshot(
            view,
            shown,
            self._parts(),
            self._log(),
            shared_lane=self._devices.spec.layout.lane_count == 1,
            language=self._config.language,
        )

    def glass(self) -> tuple[int, int, bytes]:
        """What the panel shows: the simulated glass itself, or with a real panel the picture it was sent."""
        panel = self._devices.twins.panel
        shown = self._outputs.shown
        picture = panel.glass() if panel is not None else draw(shown) if shown else Image.new("1", SIZE)
        return (*picture.size, picture.tobytes())

    def lights(self) -> list[list[Colour]]:
        """The colour each hole shows: the simulated strip's own, or with a real strip the frame it was sent."""
        wire = self._devices.twins.wire
        return lane_colours(self._devices.spec.layout, wire.colours() if wire is not None else self._outputs.frame)

    def press(self, key: str) -> None:
        """A key from the page. Raises ValueError for what is none."""
        if key not in KEYS:
            raise ValueError(f"{key!r} is no key of the board")
        self._press(key)

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
        self._show(everything=True)
        serving = None if server is None else asyncio.create_task(server.serve())
        ready()
        self._notifier.send("READY=1")
        self._report()
        try:
            await self._ticks()
        finally:
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
        self._devices.close(leave_lights=self._config.lights_on_stop == "leave")
        self._journal.close()

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
        self._sound(now)
        if now - self._retried >= RETRY_S:
            self._retried = now
            self._retry(now)
            self._report()
        self._notifier.pet(now)

    def _poll(self, now: float) -> None:
        keys = self._devices.keys
        if keys is None:
            return
        try:
            events = keys.poll(now)
        except PartError as error:
            self._tell("keypad", str(error))
            return
        self._back("keypad")
        for key in keys_of(events):
            self._press(key)

    def _press(self, key: str) -> None:
        now = self._clock()
        self._keyed = now
        self._dim(now)
        self.board.press(key, now)
        self._sound(now)

    def _board_changed(self) -> None:
        self._show()
        self._changes.note("state")

    def _show(self, *, everything: bool = False) -> None:
        now = self._clock()
        self._outputs.show(self.board.view(), now, everything=everything)
        self._due = self.board.tick(now)

    def _sound(self, now: float) -> None:
        hertz = tone(self.board.view(), now)
        if hertz == self._hertz or self._devices.buzzer is None:
            return
        self._hertz = hertz
        try:
            self._devices.buzzer.tone(hertz)
        except PartError as error:
            self._tell("buzzer", str(error))

    def _dim(self, now: float) -> None:
        rest = now - self._keyed
        level = DARK if rest >= DARK_S else DIM if rest >= DIM_S else BRIGHT
        if level != self._level and self._outputs.shown is not None:
            self._level = level
            self._screen.offer(draw(self._outputs.shown))

    def _retry(self, now: float) -> None:
        self.board.retry_saving()
        if self._devices.retry(now):
            self._show(everything=True)
            self._changes.note("state")
        if self._said:
            self._show(everything=True)

    def _report(self) -> None:
        """One line for whoever asks the service manager: where the page is, and which parts are missing."""
        missing = [part["name"] for part in self._parts() if part["state"] == "missing"]
        page = f"The page is at {self.board.address}" if self.board.address else "No page"
        parts = f"missing: {', '.join(missing)}" if missing else "every part is there"
        self._notifier.status(f"{page}; {parts}")

    # The writers' threads.
    def _write_strip(self, colours: Sequence[Colour]) -> None:
        if self._devices.strip is not None:
            self._devices.strip.show(colours)

    def _write_screen(self, picture: Image.Image) -> None:
        screen = self._devices.screen
        if screen is None:
            return
        if self._level != self._sent_level:
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
            self._tell(part, str(error))
        else:
            self._back(part)
        self._changes.note("lights" if part == "strip" else "glass")

    def _tell(self, part: str, text: str) -> None:
        """Say once what is wrong with a part; it is tried again by itself."""
        known, self._said[part] = part in self._said, text
        if not known:
            self.board.tell(Noticed.FAULT, text)

    def _back(self, part: str) -> None:
        if self._said.pop(part, None) is not None:
            self.board.tell(Noticed.INFO, say("part-back", part=part))

    def _parts(self) -> list[dict[str, str]]:
        """How each part is: as it was opened, or what went wrong since."""
        return [
            {"name": part.name, "state": "missing", "say": self._said[part.name]}
            if part.name in self._said
            else {"name": part.name, "state": part.state, "say": part.say}
            for part in self._devices.status()
        ]

    def _log(self) -> list[dict[str, Any]]:
        view = self.board.view()
        return [] if view.public is None else log_lines(view.public, self._reasons.of(self.board.history))
