"""Simulated keypad, seat buttons and buzzer: the real drivers over pins that behave like copper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hardware.buttons import SeatButtons
from hardware.buzzer import PwmBuzzer
from hardware.debounce import DEBOUNCE_MS, HOLD_MS
from hardware.keypad import STUCK_S, Keypad
from hardware.ports import KeyEvent
from hardware.simulated.pins import Circuit
from hardware.wiring import Wiring

POLL_S: Final = 0.02
"""How often the keys are read, in seconds."""

TAP_MS: Final = 60
"""How long a finger stays on a key."""

Key = str | tuple[int, int]
"""A key by its name (``"#"``, ``"@2"``) or by its row and column, counted from 0."""


def fit_switches(circuit: Circuit, wiring: Wiring) -> None:
    """Solder a keypad's keys, named ``(row, column)``, and the seat buttons, named ``"@1"`` ..., into a circuit."""
    for row, row_pin in enumerate(wiring.rows):
        for column, column_pin in enumerate(wiring.columns):
            circuit.add_switch((row, column), row_pin, column_pin)
    for index, pin in enumerate(wiring.seats):
        circuit.add_switch(f"@{index + 1}", pin)


class SimulatedKeys:
    """A keypad and seat buttons without hardware; a ``Keys`` port that runs ``Keypad`` and ``SeatButtons`` as they are.

    Fingers are ``press``, ``release`` and ``tap``; faults of the wires are made on ``circuit`` (``pull_out``, ``join``,
    ``break_off``). Time is what ``poll`` is given: presses wait for it, and bounce in it.
    """

    def __init__(
        self,
        wiring: Wiring | None = None,
        *,
        debounce_ms: float = DEBOUNCE_MS,
        hold_ms: float = HOLD_MS,
        stuck_s: float = STUCK_S,
    ) -> None:
        self.wiring = wiring = wiring or Wiring()
        self.circuit = Circuit()
        self.hold_ms = hold_ms
        self.settle_s = debounce_ms / 1000 + POLL_S
        fit_switches(self.circuit, wiring)
        self.pins = self.circuit.open_pins()
        factory = self.pins.factory
        options = {"debounce_ms": debounce_ms, "hold_ms": hold_ms, "stuck_s": stuck_s}
        self.keypad = Keypad(factory, wiring, **options) if wiring.rows else None
        self.buttons = SeatButtons(factory, wiring.seats, **options)

    def press(self, key: Key, *, at: float | None = None, bounce_ms: Sequence[float] = ()) -> None:
        """Put a finger on a key at ``at`` seconds (now by default); ``bounce_ms`` as in ``Circuit.switch``."""
        self.circuit.switch(self._switch(key), True, at=at, bounce_ms=bounce_ms)

    def release(self, key: Key, *, at: float | None = None, bounce_ms: Sequence[float] = ()) -> None:
        """Take the finger off at ``at`` seconds (now by default)."""
        self.circuit.switch(self._switch(key), False, at=at, bounce_ms=bounce_ms)

    def tap(self, key: Key, *, at: float | None = None, down_ms: float = TAP_MS) -> float:
        """Press a key and let go ``down_ms`` later; returns the second at which the finger is off."""
        start = self.circuit.now if at is None else at
        self.press(key, at=start)
        self.release(key, at=start + down_ms / 1000)
        return start + down_ms / 1000

    def stroke(self, key: Key, now: float, *, down_ms: float = TAP_MS) -> Iterator[tuple[float, tuple[KeyEvent, ...]]]:
        """Tap a key at ``now`` and poll at 50 Hz until it has settled: each poll's time and what it brought.

        The last time given is where the next stroke may start.
        """
        steps = 0
        if self.circuit.now == 0.0 and self.circuit.reads == 0:
            yield now, self.poll(now)  # what is down at the first poll counts as stuck, so let it see nothing
        off = self.tap(key, at=now, down_ms=down_ms)
        time = now
        while time < off + self.settle_s:
            steps += 1
            time = now + steps * POLL_S
            yield time, self.poll(time)

    def hold(self, key: Key, now: float) -> Iterator[tuple[float, tuple[KeyEvent, ...]]]:
        """As ``stroke``, but the finger stays until the key counts as held."""
        return self.stroke(key, now, down_ms=self.hold_ms + 2 * 1000 * POLL_S)

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """Let the fingers move up to ``now``, then read keypad and buttons once. Raises PartFailed."""
        self.circuit.advance(now)
        events = () if self.keypad is None else self.keypad.poll(now)
        return events + self.buttons.poll(now)

    def faults(self) -> tuple[str, ...]:
        """What keypad and buttons report just now, in plain words."""
        return (() if self.keypad is None else self.keypad.faults()) + self.buttons.faults()

    def close(self) -> None:
        """Let the pins go; harmless twice."""
        if self.keypad is not None:
            self.keypad.close()
        self.buttons.close()
        self.pins.close()
        self.pins.factory.reset()

    def _switch(self, key: Key) -> Key:
        if isinstance(key, tuple) or key.startswith("@"):
            return key
        return self.wiring.place(key)


class SimulatedBuzzer:
    """A ``Buzzer`` without hardware: the real driver, and ``tones`` says what a listener heard and when.

    ``clock`` gives the seconds that ``tones`` bears; without one they are all 0.
    """

    def __init__(self, pin: int = 26, clock: Callable[[], float] | None = None) -> None:
        self.circuit = Circuit()
        self._clock = clock
        self.pins = self.circuit.open_pins()
        self._buzzer = PwmBuzzer(self.pins.factory, pin)

    @property
    def tones(self) -> tuple[tuple[float, float | None], ...]:
        """What was heard: ``(seconds, hertz)``, None where it fell silent; the last ten thousand."""
        return tuple(self.circuit.tones)

    def tone(self, hertz: float | None) -> None:
        """Sound, or fall silent with None. Raises PartFailed."""
        if self._clock is not None:
            self.circuit.advance(self._clock())
        self._buzzer.tone(hertz)

    def close(self) -> None:
        """Fall silent and let the pin go; harmless twice."""
        if self._clock is not None:
            self.circuit.advance(self._clock())
        self._buzzer.close()
        self.pins.close()
        self.pins.factory.reset()
