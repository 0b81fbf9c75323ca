"""From a key to the light: how long after a key is accepted its frame is handed to the SPI wire.

The whole way is the real one: the service, its board, a journal that is synced, the strip's writer thread, the current
limit and the spidev driver with its encoder. Only the wire itself is simulated; the clock stops where it is handed the
bytes, since what comes after is physics (7.6 ms for two lanes). The key's debouncing lies before, the screen's picture
is drawn meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any

import played
from measure import Line, percentile

from engine.state import Stage, State
from firmware.config import Config, simulated_only
from firmware.journal import open_journal
from firmware.service import Service
from hardware.open_devices import open_devices

REST_S = 0.03
"""Between two keys, for the simulated wire to be read: nobody keys faster."""
PATIENCE_S = 2.0


class Table:
    """A service on simulated parts that is pressed without its loop, and the moments its frames reach the wire."""

    def __init__(self, folder: Path) -> None:
        config = simulated_only(Config())
        self._devices = open_devices(config.parts_spec())
        journal = open_journal(folder, now=lambda: datetime.now(UTC))
        self.service = Service(config, self._devices, journal)
        wire: Any = self._devices.twins.spi
        self._send = wire.send
        self._sent: list[float] = []
        self._came = threading.Event()
        wire.send = self._note
        self.offered = 0
        strip = self.service.strip

        def offer(colours: Any) -> None:
            self.offered += 1
            strip(colours)

        # The outputs hold the service itself as their sinks, so this name is what they call.
        self.service.strip = offer  # type: ignore[method-assign]
        append = journal.append
        self._saving = 0.0

        def save(*act: Any) -> None:
            began = perf_counter()
            append(*act)
            self._saving += perf_counter() - began

        journal.append = save  # type: ignore[method-assign]
        self.waits: list[float] = []
        """Seconds from a key to its frame, for the keys that changed the lights."""
        self.saves: list[float] = []
        """How many of these seconds went into the journal."""
        self.returns: list[float] = []
        """Seconds from any key until everything was drawn."""
        self.keys = 0

    def _note(self, *frame: Any) -> None:
        self._sent.append(perf_counter())
        self._came.set()
        self._send(*frame)

    def press(self, keys: str) -> None:
        """Press some keys one by one, and note for each how long its frame took, where it changed the lights."""
        for key in keys:
            self._sent.clear()
            self._came.clear()
            self._saving = 0.0
            offered, began = self.offered, perf_counter()
            self.service.press(key)
            self.returns.append(perf_counter() - began)
            self.keys += 1
            if self.offered > offered:
                if not self._came.wait(PATIENCE_S):
                    raise TimeoutError(f"the frame of key {key} never reached the wire")
                self.waits.append(self._sent[0] - began)
                self.saves.append(self._saving)
            sleep(REST_S)

    def state(self) -> State:
        """The engine's state now."""
        state = self.service.board.state
        assert state is not None
        return state

    def close(self) -> None:
        """Let everything go."""
        self.service.close()


def lines(deals: int, folder: Path) -> Iterator[Line]:
    """The lines about keys, over so many deals that are played from the set-up on, games ended and begun anew."""
    table = Table(folder)
    try:
        play(table, deals)
    finally:
        table.close()
    note = f"{table.keys} keys of {deals} deals, {len(table.waits)} of them changed the lights"
    yield Line("key accepted to frame on the wire, p50", percentile(table.waits, 50) * 1000, "ms", 5, note=note)
    yield Line("key accepted to frame on the wire, p99", percentile(table.waits, 99) * 1000, "ms", 5)
    apart = [wait - saved for wait, saved in zip(table.waits, table.saves, strict=True)]
    note = "what the board itself needs; the rest is the disk, since an act is saved before it is shown"
    yield Line("the same without the journal's commit, p50", percentile(apart, 50) * 1000, "ms", note=note)
    yield Line("the same without the journal's commit, p99", percentile(apart, 99) * 1000, "ms")
    worst = f"longest {max(table.returns) * 1000:.1f} ms"
    yield Line("key accepted to all views drawn, p99", percentile(table.returns, 99) * 1000, "ms", note=worst)


def play(table: Table, deals: int) -> None:
    """Set up, give seat 2 the deal, and play."""
    chance = Random(29)
    table.press("#2#")
    for _ in range(deals):
        if table.state().stage is Stage.END:
            table.press("#")
        for step in played.deal(table.state, chance):
            table.press(step.keys)
