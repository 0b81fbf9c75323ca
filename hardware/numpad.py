"""A USB numpad by evdev: it says what the sixteen keys say. Polled, no threads; unplugged, it is looked for again."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from hardware.errors import PartError, PartFailed, PartMissing, foreign
from hardware.keypad import STUCK_S
from hardware.ports import Edge, KeyEvent
from hardware.words import how_to_install

BY_ID: Final = Path("/dev/input/by-id")
"""Where the system names keyboards by their maker and model, whichever socket they are in."""
LOOK_S: Final = 1.0
"""How often an unplugged numpad is looked for."""

EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
UP, DOWN = 0, 1
"""Values of an EV_KEY event; 2 is a repeat, which is nothing new."""

# linux/input-event-codes.h. The kernel tells a key by its place, so NumLock changes nothing; pads with a NumLock of
# their own send the arrows instead, and some send the digits of a keyboard's top row.
_DIGITS: Final = {
    "0": (82, 11, 110),
    "1": (79, 2, 107),
    "2": (80, 3, 108),
    "3": (81, 4, 109),
    "4": (75, 5, 105),
    "5": (76, 6),
    "6": (77, 7, 106),
    "7": (71, 8, 102),
    "8": (72, 9, 103),
    "9": (73, 10, 104),
}
_OTHERS: Final = {
    "#": (96, 28),  # Enter
    "*": (83, 111, 14, 121),  # . or Del, Backspace, the comma of other countries
    "A": (98,),  # /
    "B": (55,),  # *
    "C": (74, 12),  # -
    "D": (78,),  # +
}
KEYS: Final = {code: key for key, codes in (_DIGITS | _OTHERS).items() for code in codes}
"""Linux's code of a key -> the key of the board it stands for."""
KEYPAD: Final = frozenset(codes[0] for codes in _DIGITS.values()) | {96}
"""What a device must have to be taken for a numpad: the ten digits and Enter of a keypad."""
LETTERS: Final = frozenset(range(16, 26))
"""The row from Q to P, which a numpad does not have."""


class Numpad:
    """A numpad; a ``Keys`` port. It is grabbed: what is typed on it reaches no other program.

    ``device`` is its node, None for the first under ``by_id`` with keypad keys (one without letters, if there is any).
    Every DOWN is followed by one UP, at the latest when the pad is unplugged. A key down for longer than ``stuck_s``
    counts as up, and ``faults`` names it. Once unplugged ``poll`` raises PartFailed until it is there again; it is
    looked for every ``look_s``.
    """

    def __init__(
        self, device: Path | None = None, *, by_id: Path = BY_ID, stuck_s: float = STUCK_S, look_s: float = LOOK_S
    ) -> None:
        """Open it. Raises PartMissing where it or its driver is not there, PartFailed where another program has it."""
        self._path = device
        self._by_id = by_id
        self._stuck_s = stuck_s
        self._look_s = look_s
        self._down: dict[int, float] = {}
        self._stuck: set[int] = set()
        self._dropping = self._closed = False
        self._why = ""
        self._look_at = float("-inf")
        self._device: Any = self._open()

    @property
    def name(self) -> str:
        """What the pad calls itself; empty while it is unplugged."""
        return "" if self._device is None else str(self._device.name)

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """What has been pressed and let go since, at ``now`` (seconds). Raises PartFailed while it is not there."""
        if self._closed:
            raise PartFailed("The numpad was closed: open it again before reading it.")
        if self._device is None:
            self._look(now)
        try:
            events = [edge for event in self._read() for edge in self._take(event, now)]
        except OSError as error:
            lost = self._unplugged(error, now)
            if lost:
                return lost  # the keys that were down are let go first; the next poll says what is wrong
            raise PartFailed(self._why) from error
        return (*events, *self._stuck_ones(now))

    def faults(self) -> tuple[str, ...]:
        """What is wrong just now, in plain words, one sentence a fault; empty when all is well."""
        return tuple(
            f"Key {KEYS[code]} of the numpad has been down for more than {self._stuck_s:g} s and is ignored until it "
            f"is let go. If nobody presses it, free its cap or unplug the numpad."
            for code in sorted(self._stuck)
        )

    def close(self) -> None:
        """Let it go; harmless twice."""
        self._closed = True
        self._drop()

    def _open(self) -> Any:
        try:
            from evdev import InputDevice
        except ImportError as error:
            raise PartMissing(
                f"The numpad's driver evdev is not there ({foreign(error)}): "
                f"{how_to_install('evdev', 'python3-evdev', 'gcc, python3-dev and linux-libc-dev')}."
            ) from error
        device = self._found(InputDevice)
        try:
            device.grab()
        except OSError as error:
            _close(device)
            raise _why_not(Path(device.path), error) from error
        return device

    def _found(self, opener: Any) -> Any:
        """The pad, open. Raises PartMissing."""
        if self._path is not None:
            try:
                return opener(str(self._path))
            except OSError as error:
                raise _why_not(self._path, error) from error
        found: list[tuple[bool, Any]] = []
        refused: PartError | None = None
        for path in sorted(self._by_id.glob("*-kbd")):
            try:
                device = opener(str(path))
            except OSError as error:
                refused = refused or _why_not(path, error)
                continue
            codes = {code for code in device.capabilities().get(EV_KEY, ()) if isinstance(code, int)}
            if codes >= KEYPAD:
                found.append((bool(codes & LETTERS), device))
            else:
                _close(device)
        if not found:
            raise refused or PartMissing(
                f"No numpad is plugged in ({self._by_id} has no keyboard with keypad keys). Plug it in: it is taken "
                f"into use by itself. If it is in, name it by numpad.device."
            )
        found.sort(key=lambda one: one[0])
        for _, device in found[1:]:
            _close(device)
        return found[0][1]

    def _look(self, now: float) -> None:
        """Look for a pad that was unplugged. Raises PartFailed if it is not there."""
        if now < self._look_at:
            raise PartFailed(self._why)
        self._look_at = now + self._look_s
        try:
            self._device = self._open()
        except PartError as error:
            self._why = str(error)
            raise PartFailed(self._why) from error

    def _read(self) -> Iterator[Any]:
        while True:
            try:
                yield from self._device.read()
            except BlockingIOError:
                return

    def _take(self, event: Any, now: float) -> Iterator[KeyEvent]:
        if event.type == EV_SYN:
            if event.code == SYN_DROPPED:
                self._dropping = True  # the kernel's buffer ran over: what comes up to the next report is no use
            elif event.code == SYN_REPORT and self._dropping:
                self._dropping = False
                held = set(self._device.active_keys())
                yield from self._let_go([code for code in self._down if code not in held])
            return
        if event.type != EV_KEY or event.code not in KEYS or self._dropping:
            return
        if event.value == DOWN and event.code not in self._down:
            self._down[event.code] = now
            yield KeyEvent(KEYS[event.code], Edge.DOWN)
        elif event.value == UP:
            yield from self._let_go([event.code])

    def _let_go(self, codes: list[int]) -> Iterator[KeyEvent]:
        for code in codes:
            known = self._down.pop(code, None) is not None
            if known and code not in self._stuck:
                yield KeyEvent(KEYS[code], Edge.UP)
            self._stuck.discard(code)

    def _stuck_ones(self, now: float) -> Iterator[KeyEvent]:
        for code, since in self._down.items():
            if code not in self._stuck and now - since > self._stuck_s:
                self._stuck.add(code)
                yield KeyEvent(KEYS[code], Edge.UP)

    def _unplugged(self, error: OSError, now: float) -> tuple[KeyEvent, ...]:
        self._drop()
        self._look_at = now
        if error.errno in (errno.ENODEV, errno.ENXIO):
            self._why = "The numpad was unplugged. Plug it in again: it is taken back by itself."
        else:
            self._why = (
                f"The numpad cannot be read ({foreign(error.strerror or error)}). Unplug it and plug it in again."
            )
        return tuple(self._let_go(list(self._down)))

    def _drop(self) -> None:
        device, self._device = self._device, None
        self._dropping = False
        if device is not None:
            _close(device)


def _close(device: Any) -> None:
    with suppress(OSError):
        device.close()


def _why_not(path: Path, error: OSError) -> PartMissing | PartFailed:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return PartMissing(
                f"The numpad {path} may not be read. Put this user into the group input, sudo usermod -aG input $USER, "
                f"and log in again or restart the service."
            )
        case errno.EBUSY:
            return PartFailed(f"The numpad {path} is held by another program. Close it: the numpad is then taken.")
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return PartMissing(f"The numpad {path} is not there. Plug it in, or name another by numpad.device.")
        case _:
            return PartMissing(
                f"{path} is no numpad ({foreign(error.strerror or error)}). Name another by numpad.device."
            )
