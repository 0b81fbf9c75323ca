"""A key pressed while a thousand strangers are at the door: from the finger on the key to the strip's bytes.

The service runs as it does at a table, in real time on simulated parts, its page served; a finger in another thread
closes the contact, and the clock stops when the wire is handed the first frame after the key was taken. So the poll
(every 20 ms), the board, the synced journal, the lights and the strip's writer are all in it. The strangers, and fifty
honest spectators, are another process (``crowd.py``). Blocks with nobody, with the one and with the others take turns;
each has a board of its own.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from measure import Asked, Line, percentile

from firmware.config import Config, simulated_only
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.service import Service
from firmware.web.server import PageServer, listen
from firmware.writer import HAND_OVER_S
from hardware.open_devices import open_devices

CHATTER_S, UP_S = 0.03, 0.06
"""How long a finger is on a key at least, and off it: longer than debouncing, and than debouncing and poll."""
SURELY_S = 0.3
PATIENCE_S = 20.0
GATHER_S = 2.0
"""For the crowd to come in."""
GRACE_MS = 20.0
"""The slowest of a hundred keys may be so much slower, or twice as slow, with the crowd there."""


class Running:
    """A service in a thread of its own, and the finger that presses its keys."""

    def __init__(self, folder: Path) -> None:
        config = replace(simulated_only(Config()), entry="points", names=("Ann", "Bob"))
        self._devices = open_devices(config.parts_spec())
        sock = listen(0)
        self.port: int = sock.getsockname()[1]
        self._sent = 0.0
        self._was_taken, self._was_sent = threading.Event(), threading.Event()
        wire: Any = self._devices.twins.spi
        send = wire.send

        def sending(*frame: Any) -> None:
            if self._was_taken.is_set() and not self._was_sent.is_set():
                self._sent = perf_counter()
                self._was_sent.set()
            send(*frame)

        wire.send = sending
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(config, folder, sock)))
        self._thread.start()
        if not self._ready.wait(PATIENCE_S):
            raise TimeoutError("the service did not come up")

    async def _run(self, config: Config, folder: Path, sock: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        journal = open_journal(folder, now=lambda: datetime.now(UTC))
        self._service = Service(config, self._devices, journal)
        press = self._service.board.press

        def pressing(*what: Any) -> Any:
            self._was_taken.set()
            return press(*what)

        self._service.board.press = pressing  # type: ignore[method-assign]

        def ready() -> None:
            gc.freeze()  # as the program does
            self._ready.set()

        await self._service.run(PageServer(self._service, sock), ready)

    def tap(self, key: str, *, lights: bool = False) -> float:
        """Press a key, and give the seconds until its frame where it changes the lights, or until it was taken."""
        keys = self._devices.twins.keys
        assert keys is not None
        self._was_taken.clear()
        self._was_sent.clear()
        came = self._was_sent if lights else self._was_taken
        began = perf_counter()
        keys.press(key)
        if not came.wait(PATIENCE_S):
            raise TimeoutError(f"key {key} never arrived")
        wait = self._sent - began
        sleep(max(0.0, CHATTER_S - (perf_counter() - began)))
        keys.release(key)
        sleep(UP_S)
        return wait

    def scores(self) -> tuple[int, ...]:
        """What has been pegged."""
        state = self._service.board.state
        return () if state is None else state.scores

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._service.stop)
        self._thread.join(PATIENCE_S)


def lines(asked: Asked) -> Iterator[Line]:
    """The lines about keys that move a peg, with and without a crowd. Raises AssertionError where a key was lost."""
    blocks, keys = (1, 10) if asked.quick else (8, 30)
    waits: dict[str, list[float]] = {"": [], "spectators": [], "strangers": []}
    sys.setswitchinterval(HAND_OVER_S)  # as the program does
    for number in range(blocks):
        for crowd, found in waits.items():
            found += block(asked.folder / f"{number}-{crowd}", keys, crowd)
    p50, p99 = ({crowd: percentile(found, at) * 1000 for crowd, found in waits.items()} for at in (50, 99))
    for crowd, words in (("", "nobody connected"), ("spectators", "50 spectators"), ("strangers", "1,000 strangers")):
        bound = max(2 * p99[""], p99[""] + GRACE_MS) if crowd == "strangers" else None
        note = f"{len(waits[crowd])} keys; the longest took {max(waits[crowd]) * 1000:.1f} ms"
        yield Line(f"finger to strip bytes, {words}, p50", p50[crowd], "ms")
        yield Line(f"finger to strip bytes, {words}, p99", p99[crowd], "ms", bound, bound is not None, note)


def block(folder: Path, keys: int, crowd: str) -> list[float]:
    """Seconds of each key that moves a peg, points pegged to both sides in turn."""
    running = Running(folder)
    try:
        for key in split_keys("# 2# #"):
            sleep(SURELY_S)  # a key that is down at the very start is held for stuck; one twice must be seen let go
            running.tap(key)
        with people(crowd, running.port) if crowd else nullcontext():
            waits = []
            for number in range(keys):
                running.tap("1")
                waits.append(running.tap("AB"[number % 2], lights=True))
        assert running.scores() == ((keys + 1) // 2, keys // 2), "a key was lost"
        return waits
    finally:
        running.close()


@contextmanager
def people(crowd: str, port: int) -> Iterator[None]:
    """The crowd, while it is there."""
    program = [sys.executable, str(Path(__file__).with_name("crowd.py")), str(port), crowd]
    process = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        sleep(GATHER_S)
        yield
        assert process.poll() is None, "the crowd went home early"
    finally:
        process.kill()
        process.wait()
