"""What each change of the screen costs on its wire: bytes sent over I2C, and how long they take at 400 kHz.

Whole games are keyed on the simulated keypad, in both themes, and every transaction of the panel's real driver is
counted: address, control and data bytes, nine clocks each, and two for start and stop. Nothing here depends on the
machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import played
from measure import Asked, Line, Table

from engine.state import Stage, State
from firmware.cabinet import Cabinet
from firmware.journal import MemoryJournal, SafeJournal
from firmware.screens import screen_of
from firmware.screens.draw import draw
from firmware.settings import Settings
from hardware.oled import Oled
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

HERTZ = 400_000
GAMES = 6
"""Half of them in the big theme."""


class Panel:
    """A cabinet whose panel's bus is listened to."""

    def __init__(self, folder: Path) -> None:
        self._devices = open_devices(PartsSpec())
        now = datetime(2000, 1, 1, tzinfo=UTC)
        journal = SafeJournal(lambda: MemoryJournal(now=lambda: now), folder, lambda: now)
        self._cabinet = Cabinet(self._devices, journal, Settings(names=("Ann", "Bob")))
        self.costs: dict[str, list[tuple[int, float]]] = defaultdict(list)
        """Bytes and seconds of each change, by its kind."""
        self._bytes, self._clocks = 0, 0
        bus: Any = self._devices.twins.i2c
        transfer = bus.transfer

        def counted(address: int, payload: bytes) -> None:
            self._bytes += 1 + len(payload)
            self._clocks += 9 * (1 + len(payload)) + 2
            transfer(address, payload)

        bus.transfer = counted

    def tap(self, key: str, kind: str) -> None:
        """Press a key that is of this kind, unless it turns out to end a game."""
        self._bytes = self._clocks = 0
        ended = self.state().stage is Stage.END if self._cabinet.board.state else False
        self._cabinet.tap(key)
        self._note("a game ends" if self.state().stage is Stage.END and not ended else kind)

    def redraw(self) -> None:
        """Set the panel up anew and send it everything, as after it was pulled out."""
        self._bytes = self._clocks = 0
        screen = self._devices.screen
        assert isinstance(screen, Oled)
        screen.forget()
        screen.show(draw(screen_of(self._cabinet.board.view())))
        self._note("everything, the panel set up anew")

    def _note(self, kind: str) -> None:
        if self._bytes:
            self.costs[kind].append((self._bytes, self._clocks / HERTZ))

    def state(self) -> State:
        """The engine's state now."""
        state = self._cabinet.board.state
        assert state is not None
        return state

    def close(self) -> None:
        """Let everything go."""
        self._cabinet.close()


ASIDE = (
    ("#", "a refusal"),
    ("D", "the scores, after a refusal"),
    ("D", "the menu"),
    ("*", "back to the game"),
    ("C", "why"),
    ("*", "back to the game"),
    ("*", "an undo offered"),
    ("D", "the scores"),
    ("*", "back to the game"),
)
"""Looked at once a deal, before its first card: go is refused then."""


def play(panel: Panel, games: int) -> None:
    """Set up, give seat 2 the deal, and play whole games, every second one in the big theme."""
    chance = Random(29)
    for key in "#2#":
        panel.tap(key, "a game begins") if key == "#" else panel.tap(key, "a digit typed")
    for number in range(games):
        big = number % 2 == 1
        of = ", big theme" if big else ""
        if number:
            panel.tap("#", "a game begins")
            for key in "DD1":
                panel.tap(key, "a digit typed in the menu" if key == "1" else "the menu")
            panel.tap("#", "the theme is changed")
            panel.tap("*", "back to the game")
        while panel.state().stage is not Stage.END:
            deal(panel, chance, of)
        panel.redraw()


def deal(panel: Panel, chance: Random, of: str) -> None:
    """One deal, with a look at everything before its first card."""
    looked = False
    for step in played.deal(panel.state, chance):
        stage = panel.state().stage
        if stage is Stage.PLAY and not looked:
            looked = True
            for key, kind in ASIDE:
                panel.tap(key, kind)
        *digits, last = step.keys
        for key in digits:
            panel.tap(key, f"a digit typed{of}")
        if last != "#":
            panel.tap(last, f"a card {'played' if stage is Stage.PLAY else 'turned up'}{of}")
        else:
            panel.tap(last, f"{'go' if stage is Stage.PLAY else 'a count claimed'}{of}")


def lines(asked: Asked) -> Iterator[Line | Table]:
    """The dearest key of a game, and a table of all kinds of changes, the dearest last."""
    panel = Panel(asked.folder)
    try:
        play(panel, 2 if asked.quick else GAMES)
    finally:
        panel.close()
    rows = []
    for kind, costs in sorted(panel.costs.items(), key=lambda one: median(cost for _, cost in one[1])):
        sizes, seconds = [size for size, _ in costs], [cost * 1000 for _, cost in costs]
        rows.append((kind, len(costs), median(sizes), max(sizes), median(seconds), max(seconds)))
    changes = [cost * 1000 for kind, costs in panel.costs.items() if "anew" not in kind for _, cost in costs]
    note = f"{len(changes)} changes of the screen, the median {median(changes):.1f} ms; computed from the bytes"
    yield Line("the dearest change of the screen on its wire", max(changes), "ms", note=note)
    heads = ("change of the screen", "times", "bytes, median", "most", "ms at 400 kHz, median", "most")
    yield Table("OLED: bytes sent, address and control bytes included", heads, tuple(rows))
