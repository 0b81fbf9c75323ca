"""Simulated pins: wires, switches and ground solved electrically under gpiozero's own mock pins.

A ``Circuit`` knows which wires touch and drives every input as copper would: low beats high beats a pull-up, and
what nobody drives keeps its last level. It counts outputs driven against each other. Each board has a pin factory
of its own, so several boards in one process share nothing.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, Final

from hardware.pin_factory import OpenFactory, open_factory

GROUND: Final = -1
"""The wire that is always low."""


class Circuit:
    """Wires named by the BCM number of their pin, joined by switches, in simulated time.

    ``now`` is in seconds and moves by ``advance`` alone. ``shorts`` counts how often an output was driven high
    against one driven low (or against ground). ``tones`` holds ``(now, hertz or None)`` whenever a pin's PWM began,
    changed or ended. Pins in ``owned`` are another program's and are refused to whoever opens them next.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.shorts = 0
        self.reads = 0
        self.owned: set[int] = set()
        self.tones: deque[tuple[float, float | None]] = deque(maxlen=10_000)
        self._pins: dict[int, Any] = {}
        self._switches: dict[Hashable, tuple[int, int]] = {}
        self._closed: set[Hashable] = set()
        self._out: set[int] = set()
        self._due: list[tuple[float, int, Hashable, bool]] = []
        self._serial = 0
        self._nets: dict[int, tuple[int, ...]] = {}
        self._broken: str | None = None
        self._shorted: set[tuple[int, ...]] = set()

    def add_switch(self, name: Hashable, wire: int, other: int = GROUND) -> None:
        """Fit an open switch between two wires."""
        self._switches[name] = (wire, other)

    def switch(self, name: Hashable, closed: bool, *, at: float | None = None, bounce_ms: Sequence[float] = ()) -> None:
        """Close or open a switch at ``at`` (now by default; not in the past); its contact bounces on the way.

        ``bounce_ms`` are the moments, in milliseconds after that, at which the contact flips: rising, and an even
        number of them, so that it settles as told. Raises KeyError for a switch that was not fitted, ValueError for
        a train that cannot be.
        """
        if name not in self._switches:
            raise KeyError(f"there is no switch {name!r} on this board")
        train = [0.0, *bounce_ms]
        if len(train) % 2 == 0 or any(late <= early for early, late in pairwise(train)):
            raise ValueError(f"a bounce train is an even number of rising moments after 0 ms, not {list(bounce_ms)}")
        start = self.now if at is None else at
        if start < self.now:
            raise ValueError(f"{start:.3f} s is past: the board is at {self.now:.3f} s")
        for index, moment_ms in enumerate(train):
            self._serial += 1
            heapq.heappush(self._due, (start + moment_ms / 1000, self._serial, name, closed == (index % 2 == 0)))
        self.advance(self.now)

    def is_closed(self, name: Hashable) -> bool:
        """Whether the switch's contact is closed just now."""
        return name in self._closed

    def advance(self, now: float) -> None:
        """Let time run to ``now`` (seconds): every contact due flips, one by one. Time does not run backwards."""
        self.now = max(self.now, now)
        while self._due and self._due[0][0] <= self.now:
            _, _, name, closed = heapq.heappop(self._due)
            (self._closed.add if closed else self._closed.discard)(name)
            self._rewire()

    @property
    def busy(self) -> bool:
        """Whether a contact is still due to flip."""
        return bool(self._due)

    def pull_out(self, wire: int) -> None:
        """Pull a wire off its pin: the pin hangs on its own pull, the rest of the wire stays joined as it was."""
        self._out.add(wire)
        self._rewire()

    def put_back(self, wire: int) -> None:
        """Put the wire back on its pin."""
        self._out.discard(wire)
        self._rewire()

    def join(self, wire: int, other: int = GROUND) -> None:
        """Let two wires touch, or one wire touch ground."""
        self.add_switch(("touch", wire, other), wire, other)
        self.switch(("touch", wire, other), True)

    def part(self, wire: int, other: int = GROUND) -> None:
        """Part two wires that were let touch."""
        self.switch(("touch", wire, other), False)

    def break_off(self, reason: str) -> None:
        """Let every read, output and tone fail with an OSError saying ``reason``, until ``mend``."""
        self._broken = reason

    def mend(self) -> None:
        """Let reads work again."""
        self._broken = None

    def open_pins(self) -> OpenFactory:
        """A private pin factory whose pins are the ends of this circuit's wires."""
        return open_factory("mock", pin_class=matrix_pin_class(self))

    def attach(self, number: int, pin: Any) -> None:
        """Called by a pin when it is made; raises OSError while another program owns it."""
        if number in self.owned:
            raise OSError("GPIO busy")
        self._pins[number] = pin
        self.settle(number)

    def settle(self, number: int) -> None:
        """Called by a pin when its function, pull or level changed: drive the inputs it is joined to."""
        net = self._nets.get(number, (number,))
        low, high, pulls = GROUND in net, False, set()
        pins = [self._pins[wire] for wire in net if wire in self._pins]
        for pin in pins:
            if pin.function == "output":
                if pin.output_level:
                    high = True
                else:
                    low = True
            else:
                pulls.add(pin.pull)
        if low and high and net not in self._shorted:
            self._shorted.add(net)
            self.shorts += 1
        elif not (low and high):
            self._shorted.discard(net)
        if not (low or high or "up" in pulls or "down" in pulls):
            return
        level = not low and (high or "up" in pulls)
        for pin in pins:
            if pin.function == "input":
                (pin.drive_high if level else pin.drive_low)()

    def check_reading(self) -> None:
        """Called by a pin before it is read; raises OSError while the board is broken."""
        self.reads += 1
        self.check()

    def check(self) -> None:
        """Called by a pin before it is used; raises OSError while the board is broken."""
        if self._broken is not None:
            raise OSError(self._broken)

    def heard(self, hertz: float | None) -> None:
        """Called by a pin when its PWM begins, changes or ends."""
        if (self.tones[-1][1] if self.tones else None) != hertz:
            self.tones.append((self.now, hertz))

    def _rewire(self) -> None:
        """Join the two wires of each closed switch (union-find), then settle every net that may have changed."""
        parent: dict[int, int] = {}

        def root(wire: int) -> int:
            while parent.setdefault(wire, wire) != wire:
                wire = parent[wire]
            return wire

        for name in self._closed:
            wire, other = self._switches[name]
            parent[root(wire)] = root(other)
        members: dict[int, list[int]] = {}
        for wire in list(parent):
            if wire not in self._out:
                members.setdefault(root(wire), []).append(wire)
        before = self._nets
        self._nets = {wire: tuple(sorted(net)) for net in members.values() for wire in net}
        for wire in {*before, *self._nets, *self._out} - {GROUND}:
            if before.get(wire) != self._nets.get(wire) or wire in self._out:
                self.settle(wire)


def matrix_pin_class(circuit: Circuit) -> type:
    """The class of pins that end in ``circuit``, for gpiozero's ``MockFactory(pin_class=...)``; each does PWM too."""
    from gpiozero.pins.mock import MockPWMPin

    class MatrixPin(MockPWMPin):  # type: ignore[misc]
        """A mock pin that asks the circuit for its level and tells it what it drives."""

        def __init__(self, factory: Any, info: Any) -> None:
            super().__init__(factory, info)
            circuit.attach(self._number, self)

        @property
        def output_level(self) -> bool:
            """What it drives while it is an output."""
            return bool(self._state)

        def _set_function(self, value: str) -> None:
            super()._set_function(value)
            circuit.settle(self._number)

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            circuit.settle(self._number)

        def _set_state(self, value: float) -> None:
            circuit.check()
            super()._set_state(value)
            circuit.settle(self._number)
            self._sound()

        def _set_frequency(self, value: float | None) -> None:
            if value is not None:  # a pin can always be let go
                circuit.check()
            super()._set_frequency(value)
            self._sound()

        def _get_state(self) -> float:
            circuit.check_reading()
            return float(super()._get_state())

        def _change_state(self, value: float) -> bool:
            # The base class keeps every change for its own assertions; a board that runs for days must not.
            if len(self.states) > 100:
                del self.states[:50]
            return bool(super()._change_state(value))

        def _sound(self) -> None:
            if self._frequency is not None or circuit.tones:
                circuit.heard(self._frequency if self._frequency and self._state else None)

    return MatrixPin
