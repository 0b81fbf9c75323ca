"""The Pi's 40-pin header: the numbers counted along it, and which wire of which part goes to which of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware.strip_ws281x import SPI_PIN
from hardware.wiring import Wiring

HEADER: Final[tuple[int | str, ...]] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
"""Pin 1 first, odd numbers on the side of the board's inside: a BCM number, or the supply or ground that is there."""


class Wire(NamedTuple):
    """One wire of a part: ``bcm`` at the Pi's end, ``signal`` at the part's."""

    part: str
    signal: str
    bcm: int


def header_pin(bcm: int) -> int:
    """The number along the header of a BCM number. Raises ValueError for one that the header does not have.

    >>> header_pin(10)
    19
    """
    if bcm not in HEADER:
        raise ValueError(f"GPIO{bcm} is not on the header: it has GPIO0 to GPIO27")
    return HEADER.index(bcm) + 1


def wires(wiring: Wiring) -> Iterator[Wire]:
    """Each wire from the header to a part, but for supply and ground; pins that are only kept free are not among them.

    >>> next(wires(Wiring()))
    Wire(part='strip', signal='data', bcm=10)
    """
    if wiring.strip is not None:
        yield Wire("strip", "data", wiring.strip)
    elif SPI_PIN in wiring.spi:
        yield Wire("strip", "data", SPI_PIN)
    for signal, pin in zip(("SDA", "SCL"), wiring.i2c, strict=False):
        yield Wire("screen", signal, pin)
    for index, pin in enumerate(wiring.rows):
        yield Wire("keypad", f"row {index + 1} ({' '.join(wiring.keys[index])})", pin)
    for index, pin in enumerate(wiring.columns):
        yield Wire("keypad", f"column {index + 1} ({' '.join(names[index] for names in wiring.keys)})", pin)
    for index, pin in enumerate(wiring.seats):
        yield Wire("buttons", f"seat {index + 1}", pin)
    if wiring.buzzer is not None:
        yield Wire("buzzer", "+", wiring.buzzer)


def kept_free(wiring: Wiring) -> tuple[int, ...]:
    """BCM numbers that no wire uses and that the strip's SPI still takes for itself."""
    used = {wire.bcm for wire in wires(wiring)}
    return tuple(sorted(set(wiring.spi) - used))
