"""The matrix keypad over gpiozero's pins: polled, no threads, no callbacks.

Rows are open-drain: a row is pulled low while it is selected and floats otherwise, never driven high, so two keys
of one column cannot short two outputs. Between presses all rows rest low and a poll only reads the columns.
"""

from __future__ import annotations

from typing import Any, Final

from hardware.debounce import DEBOUNCE_MS, HOLD_MS, Debouncer
from hardware.errors import LayoutError, PartFailed, foreign
from hardware.ports import Edge, KeyEvent
from hardware.wiring import Wiring

STUCK_S: Final = 10.0
"""A key down longer than this is taken for stuck."""


class _Key:
    """What is known of one key."""

    __slots__ = ("accepted", "contact", "name", "place", "stuck")

    def __init__(self, name: str, place: str, contact: Debouncer) -> None:
        self.name, self.place, self.contact = name, place, contact
        self.accepted = False  # its DOWN was handed out and its UP is owed
        self.stuck = False


class Keypad:
    """A keypad of rows and columns; a ``Keys`` port.

    Poll it at about 50 Hz. Every DOWN handed out is followed by exactly one UP, with at most one HOLD between.
    Three keys down at three corners of a rectangle make the fourth look down too: nothing more is accepted then
    until all keys are up; keys accepted before keep their UP. A key down at the first poll, or for longer than
    ``stuck_s``, is ignored until it is let go; the other keys go on, and ``faults`` says so.
    """

    def __init__(
        self,
        factory: Any,
        wiring: Wiring | None = None,
        *,
        debounce_ms: float = DEBOUNCE_MS,
        hold_ms: float = HOLD_MS,
        stuck_s: float = STUCK_S,
    ) -> None:
        """Take the pins from a gpiozero ``factory``. Raises LayoutError without rows, PartFailed if a pin is taken."""
        from gpiozero import GPIODevice, InputDevice

        self._wiring = wiring = wiring or Wiring()
        if not wiring.rows:
            raise LayoutError("wiring.rows: no keypad is wired; name its row and column pins, or do without it")
        self._stuck_s = stuck_s
        self._devices: list[Any] = []
        self._resting = False
        self._started = False
        self._blocked = False
        self._grounded = 0
        self._active = 0
        try:
            for pin in wiring.rows:
                self._devices.append(GPIODevice(pin, pin_factory=factory))
            for pin in wiring.columns:
                self._devices.append(InputDevice(pin, pull_up=True, pin_factory=factory))
            # GPIODevice sets nothing; a row left high by another program must not meet a low one.
            for device in self._devices[: len(wiring.rows)]:
                device.pin.input_with_pull("floating")
        except Exception as error:  # every pin library has exceptions of its own
            self.close()
            raise PartFailed(
                f"The keypad's pins cannot be had: {foreign(error)}. Close the other program that uses them, or "
                f"change the wiring."
            ) from error
        pins = [device.pin for device in self._devices]
        self._rows, self._columns = pins[: len(wiring.rows)], pins[len(wiring.rows) :]
        self._keys = [
            _Key(wiring.key(row, column), f"row {row + 1}, column {column + 1}", Debouncer(debounce_ms, hold_ms))
            for row in range(len(wiring.rows))
            for column in range(len(wiring.columns))
        ]

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """Sample all keys once at ``now`` (seconds) and return what is new. Raises PartFailed; the next poll tries
        again."""
        if not self._devices:
            raise PartFailed("The keypad was closed: open it again before reading it.")
        try:
            seen = self._scan()
        except Exception as error:  # every pin library has exceptions of its own
            raise PartFailed(
                f"The keypad cannot be read: {foreign(error)}. Look at its plug, then at its wiring."
            ) from error
        started, self._started = self._started, True
        if not seen and not self._active and not self._blocked:
            return ()
        return self._judge(seen, now, started)

    def faults(self) -> tuple[str, ...]:
        """What is wrong just now, in plain words, one sentence a fault; empty when all is well."""
        faults = [
            f"Key {key.name} ({key.place}) has been down for more than {self._stuck_s:g} s and is ignored until it is "
            f"let go. If nobody presses it, free its cap or look for a wire that touches another."
            for key in self._keys
            if key.stuck
        ]
        faults += [
            f"Column {index + 1} (GPIO{pin}) is low with no row selected: a wire of the keypad touches ground. "
            f"Its keys are ignored until it is freed."
            for index, pin in enumerate(self._wiring.columns)
            if self._grounded >> index & 1
        ]
        if self._blocked:
            faults.append("Three or more keys are down together and one of them cannot be told: let all keys go.")
        return tuple(faults)

    def close(self) -> None:
        """Let the pins go, rows floating; harmless twice."""
        devices, self._devices = self._devices, []
        for device in devices:
            device.close()

    def _scan(self) -> int:
        """The keys that look down, a bit a key, row by row."""
        rows, columns = self._rows, self._columns
        if self._resting and all(column.state for column in columns):
            return 0
        self._resting = False
        for row in rows:
            row.input_with_pull("floating")
        seen, bit = 0, 1
        for row in rows:
            row.output_with_state(0)
            for column in columns:
                if not column.state:
                    seen |= bit
                bit <<= 1
            row.input_with_pull("floating")
        seen = self._without_grounded(seen)
        if not seen and not self._grounded:
            for row in rows:
                row.output_with_state(0)
            self._resting = True
        return seen

    def _without_grounded(self, seen: int) -> int:
        """Drop the columns that are low although no row is selected; looked at only where a whole column looks down."""
        self._grounded = 0
        if not seen:
            return 0
        width = len(self._columns)
        for index, column in enumerate(self._columns):
            whole = sum(1 << row * width + index for row in range(len(self._rows)))
            if seen & whole == whole and not column.state:
                self._grounded |= 1 << index
                seen &= ~whole
        return seen

    def _three_corners(self, seen: int) -> bool:
        """Whether some key has another down in its row and another in its column, keys stuck among themselves aside."""
        width = len(self._columns)
        stuck = sum(1 << index for index, key in enumerate(self._keys) if key.stuck)
        for index in range(len(self._keys)):
            if not seen >> index & 1:
                continue
            row, column = divmod(index, width)
            in_row = seen & ((1 << width) - 1) << row * width
            in_column = seen & sum(1 << other * width + column for other in range(len(self._rows)))
            if in_row.bit_count() > 1 and in_column.bit_count() > 1 and (in_row | in_column) & ~stuck:
                return True
        return False

    def _judge(self, seen: int, now: float, started: bool) -> tuple[KeyEvent, ...]:
        if seen.bit_count() > 2 and self._three_corners(seen):
            self._blocked = True
        events: list[KeyEvent] = []
        looked_at, active, waiting = seen | self._active, 0, False
        for index, key in enumerate(self._keys):
            if not looked_at >> index & 1:
                continue
            edge = key.contact.sample(bool(seen >> index & 1), now)
            if edge is Edge.DOWN:
                key.accepted = started and not self._blocked
            if edge is not None and key.accepted and not (edge is Edge.HOLD and self._blocked):
                events.append(KeyEvent(key.name, edge))
            if edge is Edge.UP:
                key.accepted = key.stuck = False
            if key.contact.down:
                active |= 1 << index
                if not key.stuck and now - key.contact.since > self._stuck_s:
                    key.stuck = True
                    if key.accepted:
                        key.accepted = False
                        events.append(KeyEvent(key.name, Edge.UP))
                waiting = waiting or not key.stuck
        self._active = active
        if self._blocked and not waiting and not (seen & ~active):
            self._blocked = False
        return tuple(events)
