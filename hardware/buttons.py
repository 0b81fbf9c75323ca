"""The seats' buttons over gpiozero's pins: polled, each a switch to ground; a tap and a hold are two different acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardware.debounce import DEBOUNCE_MS, HOLD_MS, Debouncer
from hardware.errors import PartFailed, foreign
from hardware.keypad import STUCK_S
from hardware.ports import Edge, KeyEvent


class SeatButtons:
    """One button a seat, named ``@1``, ``@2`` and so on; a ``Keys`` port.

    A *tap* is known when the button is let go before ``hold_ms``: DOWN and UP then come together, in one poll. A
    *hold* is one HOLD, ``hold_ms`` after the button went down, with no DOWN before it and no UP after it. So the
    first event of an act already says which it is. A button down at the first poll, or longer than ``stuck_s``, is
    ignored until it is let go; ``faults`` names the stuck ones.
    """

    def __init__(
        self,
        factory: Any,
        pins: Sequence[int],
        *,
        debounce_ms: float = DEBOUNCE_MS,
        hold_ms: float = HOLD_MS,
        stuck_s: float = STUCK_S,
    ) -> None:
        """Take the ``pins`` (BCM, in seat order) from a gpiozero pin ``factory``. Raises PartFailed if one is taken."""
        from gpiozero import InputDevice

        self._pins = tuple(pins)
        self._stuck_s = stuck_s
        self._started = self._closed = False
        self._devices: list[Any] = []
        try:
            for pin in self._pins:
                self._devices.append(InputDevice(pin, pull_up=True, pin_factory=factory))
        except Exception as error:  # every pin library has exceptions of its own
            self.close()
            raise PartFailed(
                f"A seat button's pin cannot be had: {foreign(error)}. Close the other program that uses it, or "
                f"change the wiring."
            ) from error
        self._inputs = [device.pin for device in self._devices]
        self._contacts = [Debouncer(debounce_ms, hold_ms) for _ in self._pins]
        self._ignored = [False] * len(self._pins)
        self._stuck = [False] * len(self._pins)

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """Sample all buttons once at ``now`` (seconds) and return the new taps and holds. Raises PartFailed."""
        if self._closed:
            raise PartFailed("The seat buttons were closed: open them again before reading them.")
        try:
            levels = [not pin.state for pin in self._inputs]
        except Exception as error:  # every pin library has exceptions of its own
            raise PartFailed(
                f"The seat buttons cannot be read: {foreign(error)}. Look at their plug and wiring."
            ) from error
        started, self._started = self._started, True
        events: list[KeyEvent] = []
        for index, (down, contact) in enumerate(zip(levels, self._contacts, strict=True)):
            if down or contact.down:
                events += self._judge(index, contact, down, now, started)
        return tuple(events)

    def faults(self) -> tuple[str, ...]:
        """What is wrong just now, in plain words, one sentence a fault; empty when all is well."""
        return tuple(
            f"Seat {index + 1}'s button (GPIO{pin}) has been down for more than {self._stuck_s:g} s and is ignored "
            f"until it is let go. If nobody presses it, look for a wire that touches ground."
            for index, pin in enumerate(self._pins)
            if self._stuck[index]
        )

    def close(self) -> None:
        """Let the pins go; harmless twice."""
        self._closed = True
        devices, self._devices = self._devices, []
        for device in devices:
            device.close()

    def _judge(self, index: int, contact: Debouncer, down: bool, now: float, started: bool) -> tuple[KeyEvent, ...]:
        key = f"@{index + 1}"
        held = contact.held
        edge = contact.sample(down, now)
        if edge is Edge.DOWN:
            self._ignored[index] = not started
        elif edge is Edge.UP:
            self._stuck[index] = False
            if not self._ignored[index] and not held:
                return KeyEvent(key, Edge.DOWN), KeyEvent(key, Edge.UP)
        elif edge is Edge.HOLD and not self._ignored[index]:
            return (KeyEvent(key, Edge.HOLD),)
        if contact.down and now - contact.since > self._stuck_s:
            self._stuck[index] = self._ignored[index] = True
        return ()
