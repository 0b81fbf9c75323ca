"""``muggins doctor keys``: each pressed key with its row and column, keys that are stuck, ghosts, and silent wires."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from firmware.doctor.terminal import Left, Terminal
from hardware.errors import PartError
from hardware.keypad import STUCK_S
from hardware.open_devices import JoinedKeys
from hardware.ports import Edge, KeyEvent
from hardware.simulated.matrix import POLL_S, SimulatedKeys
from hardware.wiring import Wiring

CHORD_S: Final = 0.1
HELP: Final = (
    "Type what to press: 5, several at once as 1+2+4, hold 5 for a stuck key, @2 for seat 2's button; q leaves."
)


class Watch:
    """What has been pressed, and what was wrong meanwhile."""

    def __init__(self, wiring: Wiring, say: Callable[[str], None]) -> None:
        self._wiring, self._say = wiring, say
        self._seen: set[str] = set()
        self._faults: tuple[str, ...] = ()

    def take(self, events: Sequence[KeyEvent], faults: Sequence[str]) -> None:
        """Say what is new."""
        for event in events:
            if event.edge is Edge.DOWN or (event.edge is Edge.HOLD and event.key.startswith("@")):
                self._seen.add(event.key)
                self._say(f"{event.key}  {self.place(event.key)}")
        for fault in faults:
            if fault not in self._faults:
                self._say(f"!  {fault}")
        for fault in self._faults:
            if fault not in faults:
                self._say("   That is over.")
        self._faults = tuple(faults)

    def place(self, key: str) -> str:
        """Where a key is: row and column with their pins, or whose button it is."""
        wiring = self._wiring
        if key.startswith("@"):
            seat = int(key[1:])
            return f"seat {seat}'s button (GPIO{wiring.seats[seat - 1]})"
        row, column = wiring.place(key)
        return f"row {row + 1}, column {column + 1} (GPIO{wiring.rows[row]} and GPIO{wiring.columns[column]})"

    def summary(self) -> list[str]:
        """Which keys and wires have not been heard."""
        wiring = self._wiring
        keys = ["".join(names) for names in wiring.keys] if wiring.rows else []
        silent = {key for names in keys for key in names} - self._seen
        silent |= {f"@{seat}" for seat in range(1, len(wiring.seats) + 1)} - self._seen
        if not silent:
            return ["Every key and button was heard."]
        if not self._seen:
            return ["No key was heard."]
        lines = []
        for row, names in enumerate(keys):
            if set(names) <= silent:
                lines.append(f"Row {row + 1} (GPIO{wiring.rows[row]}): none of {' '.join(names)} was heard. Its wire?")
                silent -= set(names)
        for column, pin in enumerate(wiring.columns):
            names = "".join(names[column] for names in keys)
            if names and set(names) & silent and all(name not in self._seen for name in names):
                lines.append(f"Column {column + 1} (GPIO{pin}): none of {' '.join(names)} was heard. Its wire?")
                silent -= set(names)
        return lines + [f"Not heard: {key}  {self.place(key)}" for key in sorted(silent)]


def all_faults(keys: JoinedKeys) -> tuple[str, ...]:
    """What is wrong just now: parts that cannot be read, then keys that are stuck and the like."""
    return (*keys.failed.values(), *keys.faults().values())


def watch_real(
    poll: Callable[[], Sequence[KeyEvent]],
    faults: Callable[[], Sequence[str]],
    wiring: Wiring,
    terminal: Terminal,
) -> None:
    """Watch real keys until a line ``q`` or the end of the input. ``poll`` may raise PartError; ``faults`` is what is
    wrong just now, with keys that can be read or with a whole part that cannot."""
    watch, failed = Watch(wiring, terminal.say), ""
    terminal.say("Press each key once: what is said must be what is printed on it, else two wires are swapped.")
    terminal.say("Then hold three corners of a rectangle, 1 2 4: a ghost is told. q and Enter leaves.")
    try:
        while True:
            terminal.waited(POLL_S)
            try:
                watch.take(poll(), faults())
            except PartError as error:
                if str(error) != failed:
                    terminal.say(f"!  {error}")
                failed = str(error)
    except Left:
        for line in watch.summary():
            terminal.say(line)


def watch_twin(keys: SimulatedKeys, terminal: Terminal) -> None:
    """Press simulated keys as they are typed, until ``q`` or the end of the input."""
    watch = Watch(keys.wiring, terminal.say)
    fingers = _Fingers(keys, watch)
    terminal.say(HELP)
    try:
        while True:
            typed = terminal.ask("press>").upper()
            held = typed.startswith("HOLD ")
            names = [name for name in typed.removeprefix("HOLD ").replace(" ", "").split("+") if name]
            unknown = [name for name in names if not _known(keys.wiring, name)]
            if unknown or not names:
                terminal.say(f"There is no key {unknown[0]!r}. {HELP}" if unknown else HELP)
                continue
            fingers.press(names, STUCK_S + 1 if held else CHORD_S)
    except Left:
        for line in watch.summary():
            terminal.say(line)


def _known(wiring: Wiring, name: str) -> bool:
    if name.startswith("@"):
        return name[1:].isdecimal() and 1 <= int(name[1:]) <= len(wiring.seats)
    return len(name) == 1 and bool(wiring.rows) and any(name in names for names in wiring.keys)


class _Fingers:
    """Fingers on a simulated keypad, in simulated time."""

    def __init__(self, keys: SimulatedKeys, watch: Watch) -> None:
        self._keys, self._watch = keys, watch
        self._now = 0.0
        self._rest(CHORD_S)

    def press(self, names: Sequence[str], seconds: float) -> None:
        """Hold some keys down together for so long, then let go."""
        for name in names:
            self._keys.press(name)
        self._rest(seconds)
        for name in names:
            self._keys.release(name)
        self._rest(CHORD_S)

    def _rest(self, seconds: float) -> None:
        for _ in range(round(seconds / POLL_S)):
            self._now += POLL_S
            self._watch.take(self._keys.poll(self._now), self._keys.faults())
