"""From a contact that closes to the strip: how long after the finger the first frame that shows it is on the wire.

The whole way is the real one, in real time: the service with its loop and its threads, the keypad's driver over pins
joined as the matrix joins them, a journal that is synced, the current limit and the SPI driver with its encoder. The
wire is simulated: sending takes the time that the bytes take at the strip's clock, and that time is computed.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import monotonic, sleep, thread_time
from typing import Any

import played
from measure import Asked, Line, percentile

from engine.state import Stage, State
from firmware.config import Config, simulated_only
from firmware.journal import open_journal
from firmware.service import POLL_S, Service
from firmware.writer import HAND_OVER_S
from hardware.debounce import DEBOUNCE_MS
from hardware.open_devices import open_devices
from hardware.ports import Edge

DOWN_S = 0.045
"""How long a finger stays on a key at least."""
BOUNCE_MS = 1.5
"""Within so long a closing contact has opened and closed once more."""
MEASURED = 300
"""How many presses that change the lights are measured at least."""
PATIENCE_S = 30.0


@dataclass
class Press:
    """One key, in seconds of one clock: the contact closes, a poll begins that sees it, the key is known."""

    edge: float
    polled: float
    known: float
    saved_s: float = 0.0
    """How long the journal took."""
    work_s: float = 0.0
    """Processor time of the loop's thread until everything was drawn."""
    handed: float | None = None
    """The wire was given the first frame that shows it; None where no light changed."""
    wire_s: float = 0.0


class Finger:
    """A service in its loop, whose simulated keypad is pressed, and what became of each press."""

    def __init__(self, folder: Path) -> None:
        config = replace(
            simulated_only(Config()), blink=False
        )  # a pulse would hold up the next press, and says nothing
        self._devices = open_devices(config.parts_spec())
        self._journal = open_journal(folder, now=lambda: datetime.now(UTC))
        self.service = Service(config, self._devices, self._journal)
        self.presses: list[Press] = []
        self._edge = self._polled = self._saved_s = 0.0
        self._shows = self._let_go = False
        self._sent: list[tuple[float, float]] = []
        self._lock = threading.Lock()
        self._watch()

    def _watch(self) -> None:
        """Note the moments, by standing before what the service calls."""
        service: Any = self.service
        keys: Any = self._devices.keys
        wire: Any = self._devices.twins.spi
        journal: Any = self._journal
        poll, press, strip, append, send = keys.poll, service._press, service.strip, journal.append, wire.send

        def polled(now: float) -> Any:
            self._polled = monotonic()
            events = poll(now)
            self._let_go = self._let_go or any(event.edge is Edge.UP for event in events)
            return events

        def pressed(key: str) -> None:
            one = Press(self._edge, self._polled, monotonic())
            self._saved_s, self._shows, work = 0.0, False, thread_time()
            press(key)
            one.work_s, one.saved_s = thread_time() - work, self._saved_s
            one.handed = one.known if self._shows else None  # the frame's own time comes from the wire, later
            self.presses.append(one)

        def offered(colours: Any) -> None:
            self._shows = True
            strip(colours)

        def saved(*act: Any) -> None:
            began = monotonic()
            append(*act)
            self._saved_s += monotonic() - began

        def sent(data: bytes, hz: int, generation: int) -> None:
            wire_s = len(data) * 8 / hz
            with self._lock:
                self._sent.append((monotonic(), wire_s))
            sleep(wire_s)
            send(data, hz, generation)

        keys.poll, service._press, service.strip, journal.append, wire.send = polled, pressed, offered, saved, sent

    async def press(self, keys: str, chance: Random) -> None:
        """Press some keys one by one, each at a moment that has nothing to do with the polls, and let it all settle."""
        twin = self._devices.twins.keys
        assert twin is not None
        for key in keys:
            known = len(self.presses)
            with self._lock:
                self._sent.clear()
            self._edge = monotonic() + 0.001 + chance.random() * 2 * POLL_S
            opens = 0.1 + chance.random() * BOUNCE_MS
            twin.press(key, at=self._edge, bounce_ms=(opens, opens + chance.random() * BOUNCE_MS))
            await self._until(lambda known=known: len(self.presses) > known and self._shown(self.presses[-1]))
            self._let_go = False
            twin.release(key, at=max(self._edge + DOWN_S, twin.circuit.now))
            await self._until(lambda: self._let_go and self.service.board.settled(monotonic()))

    @staticmethod
    async def _until(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.01)

    def _shown(self, press: Press) -> bool:
        """Whether its frame is on the wire, if it has one; notes when it was."""
        if press.handed is None or press.wire_s:
            return True
        with self._lock:
            for at, wire_s in self._sent:
                if at >= press.known:
                    press.handed, press.wire_s = at, wire_s
                    return True
        return False

    def state(self) -> State:
        """The engine's state now."""
        state = self.service.board.state
        assert state is not None
        return state

    def count(self) -> int:
        """How many presses have changed the lights."""
        return sum(1 for one in self.presses if one.handed is not None)


async def play(finger: Finger, measured: int) -> None:
    """Set up, give seat 2 the deal, and play game after game until so many presses have changed the lights."""
    chance = Random(29)
    running = asyncio.create_task(finger.service.run(None, lambda: None))
    await asyncio.sleep(0.2)  # the first poll takes a key that is down for stuck
    try:
        await finger.press("#2#", chance)
        while finger.count() < measured:
            if finger.state().stage is Stage.END:
                await finger.press("#", chance)
            for step in played.deal(finger.state, chance):
                await finger.press(step.keys, chance)
    finally:
        finger.service.stop()
        await running


def lines(asked: Asked) -> Iterator[Line]:
    """The lines about keys: the whole way of each press that changed the lights, then its parts one by one."""
    sys.setswitchinterval(HAND_OVER_S)  # as the program does
    finger = Finger(asked.folder)
    asyncio.run(play(finger, 5 if asked.quick else MEASURED))
    shown = [(one, one.handed) for one in finger.presses if one.handed is not None]

    def both(what: str, seconds: list[float], aim: float | None = None, note: str = "") -> Iterator[Line]:
        ordered = [one * 1000 for one in seconds]
        most = f"; longest {max(ordered):.1f} ms"
        yield Line(f"{what}, p50", percentile(ordered, 50), "ms", aim)
        yield Line(f"{what}, p99", percentile(ordered, 99), "ms", aim, note=f"{note}{most}".removeprefix("; "))

    note = f"{len(shown)} presses that changed the lights, of {len(finger.presses)} in whole games"
    yield from both(
        "contact closes to frame on the strip", [at + one.wire_s - one.edge for one, at in shown], None, note
    )
    note = f"read every {POLL_S * 1000:g} ms; a contact may be open while it bounces"
    yield from both("of it: the contact waits for a poll", [one.polled - one.edge for one, _ in shown], None, note)
    note = f"the first closed contact counts at once; what it does in the {DEBOUNCE_MS} ms after is not looked at"
    yield Line("of it: debouncing", 0.0, "ms", note=note)
    yield from both("of it: the matrix is read", [one.known - one.polled for one, _ in shown], None, "simulated pins")
    yield from both("of it: key known to frame handed over", [at - one.known for one, at in shown], 5)
    note = "what the board itself needs; the rest is the disk, since an act is saved before it is shown"
    yield from both("of it: the same without the commit", [at - one.known - one.saved_s for one, at in shown], 5, note)
    note = f"{shown[0][0].wire_s * 2_400_000 / 8:.0f} bytes at 2.4 MHz, computed"
    yield Line("of it: the frame on the wire", shown[0][0].wire_s * 1000, "ms", note=note)
    work = [one.work_s for one in finger.presses]
    yield from both("processor time of a press, all drawn", work, 5, "all presses; other jobs do not count in it")
