"""Which pin of the Pi does what: frozen data, BCM numbers, checked when made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.errors import LayoutError

LAST_PIN: Final = 27
"""The header carries GPIO0 to GPIO27, BCM numbers; not the numbers counted along the header."""

PULLED_UP: Final = frozenset({2, 3})
"""Pins with a 1.8 kohm pull-up soldered to the Pi: they cannot float, so they cannot be rows."""

KEYPAD: Final = ("123A", "456B", "789C", "*0#D")
"""What is printed on the usual 4x4 keypad, a string a row."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins of the keypad, the seat buttons and the buzzer, and those that other parts need for themselves.

    All are BCM numbers, 0..27. ``rows`` and ``columns`` empty: no keypad; ``seats`` empty: no buttons; ``buzzer``
    None: no buzzer. ``seats[0]`` is the button ``@1``, a switch to ground. ``i2c``, ``spi`` and ``strip`` (a strip
    driven by PWM or PCM) are pins not to be touched while those parts are in use; empty or None frees them. Raises
    LayoutError naming every fault, each with its key path.

    >>> Wiring().key(1, 2)
    '6'
    """

    rows: tuple[int, ...] = (5, 6, 13, 19)
    columns: tuple[int, ...] = (24, 25, 16, 20)
    keys: tuple[str, ...] = KEYPAD
    seats: tuple[int, ...] = (17, 27, 22, 23)
    buzzer: int | None = 26
    i2c: tuple[int, ...] = (2, 3)
    spi: tuple[int, ...] = (7, 8, 9, 10, 11)
    strip: int | None = None

    def __post_init__(self) -> None:
        faults = self.faults()
        if faults:
            raise LayoutError("\n".join(faults))

    def key(self, row: int, column: int) -> str:
        """The name of the key at a row and column, both counted from 0."""
        return self.keys[row][column]

    def place(self, key: str) -> tuple[int, int]:
        """Row and column of a key, both counted from 0. Raises LayoutError for a key that the map does not have.

        >>> Wiring().place("#")
        (3, 2)
        """
        for row, names in enumerate(self.keys):
            if key in names and len(key) == 1:
                return row, names.index(key)
        raise LayoutError(
            f"there is no key {key!r} on this keypad, only {' '.join(' '.join(names) for names in self.keys)}"
        )

    def faults(self, path: str = "wiring") -> list[str]:
        """Every fault, one line each, beginning with its key path under ``path``; empty for wiring that is sound."""
        return [*self._pin_faults(path), *self._map_faults(path)]

    def _pins(self) -> Iterator[tuple[str, object, str]]:
        """Each pin with its key and what it is for; the reserved ones first, so that a clash names the part's pin."""
        for name, use in (("i2c", "the I2C bus of the OLED"), ("spi", "the SPI bus of the strip")):
            for index, pin in enumerate(getattr(self, name)):
                yield f"{name}[{index}]", pin, use
        if self.strip is not None:
            yield "strip", self.strip, "the strip"
        for name, use in (("rows", "a row"), ("columns", "a column"), ("seats", "a seat button")):
            for index, pin in enumerate(getattr(self, name)):
                yield f"{name}[{index}]", pin, use
        if self.buzzer is not None:
            yield "buzzer", self.buzzer, "the buzzer"

    def _pin_faults(self, path: str) -> Iterator[str]:
        taken: dict[int, tuple[str, str]] = {}
        for name, pin, use in self._pins():
            where = f"{path}.{name}"
            if not isinstance(pin, int) or isinstance(pin, bool) or not 0 <= pin <= LAST_PIN:
                yield f"{where}: {pin!r} is no pin: give a BCM number, 0 to {LAST_PIN} (GPIO17 is 17)"
                continue
            if pin in taken:
                other, other_use = taken[pin]
                yield f"{where}: GPIO{pin} is already {other_use} ({path}.{other}): give {use} another pin"
            elif use == "a row" and pin in PULLED_UP:
                yield f"{where}: GPIO{pin} has a pull-up soldered to the Pi and a row must float: give it another pin"
            taken.setdefault(pin, (name, use))

    def _map_faults(self, path: str) -> Iterator[str]:
        if not self.rows and not self.columns:
            return
        if not self.rows or not self.columns:
            yield f"{path}.rows and {path}.columns: a keypad needs both; leave both empty for no keypad"
            return
        if len(self.keys) != len(self.rows):
            yield f"{path}.keys: {len(self.keys)} rows of names for {len(self.rows)} row pins: give one string a row"
        seen: dict[str, str] = {}
        for index, names in enumerate(self.keys):
            where = f"{path}.keys[{index}]"
            if len(names) != len(self.columns):
                yield f"{where}: {names!r} names {len(names)} keys for {len(self.columns)} column pins"
            for name in names:
                if name in seen:
                    yield f"{where}: the key {name!r} already stands in {seen[name]}"
                seen.setdefault(name, where)
