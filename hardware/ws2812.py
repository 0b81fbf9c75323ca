"""WS2812 bits as SPI bytes: each data bit becomes three or four SPI bits, a short or a long high and then low.

The strip tells 0 from 1 by how long the line is high, takes 24 bits a pixel (32 with white), most significant first,
and shows what it has got once the line stays low for the reset time: 50 us on old parts, 280 us on newer WS2812B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.errors import LayoutError, PartFailed
from hardware.lanes import COLOUR_ORDERS
from hardware.ports import Frame
from hardware.words import did_you_mean

RESET_US: Final = 300
"""Low time after a frame; more than the 280 us that newer WS2812B want."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """How one data bit is sent: ``bits`` SPI bits at ``hz``, ``zero`` or ``one``."""

    bits: int
    hz: int
    zero: int
    one: int

    def tables(self) -> tuple[bytes, ...]:
        """Lookup tables for ``bytes.translate``: table ``i`` gives the ``i``-th SPI byte of each byte value."""
        columns = [bytearray(256) for _ in range(self.bits)]
        for value in range(256):
            word = 0
            for place in range(7, -1, -1):
                word = word << self.bits | (self.one if value >> place & 1 else self.zero)
            for column, byte in zip(columns, word.to_bytes(self.bits, "big"), strict=True):
                column[value] = byte
        return tuple(bytes(column) for column in columns)

    @property
    def reset_bytes(self) -> int:
        """SPI bytes that last RESET_US."""
        return -(-RESET_US * self.hz // 8_000_000)


THREE_BITS: Final = Symbols(bits=3, hz=2_400_000, zero=0b100, one=0b110)
"""0 is high for 417 ns, 1 for 833 ns; the shortest frames."""

FOUR_BITS: Final = Symbols(bits=4, hz=3_200_000, zero=0b1000, one=0b1100)
"""0 is high for 313 ns, 1 for 625 ns; for newer WS2812B that want a 0 of at most 380 ns."""

SYMBOLS: Final = {3: THREE_BITS, 4: FOUR_BITS}
"""By SPI bits a data bit."""


class Encoder:
    """Turns frames of ``pixels`` colours into the bytes of one SPI transfer, all equally long.

    ``skip_first`` dark pixels go before the frame. ``lead_bytes`` of zeros go first of all: some SPI hosts, the Pi 5
    among them, stretch the first bit or send a phantom one, and a stretched low is harmless. RESET_US of low follow,
    which make the strip show the frame whatever comes next. Raises LayoutError for an unknown colour order or symbols.

    >>> encoder = Encoder(242)
    >>> encoder.length, encoder.hz
    (2269, 2400000)
    """

    def __init__(
        self, pixels: int, *, order: str = "GRB", skip_first: int = 0, bits: int = 3, lead_bytes: int = 1
    ) -> None:
        if order not in COLOUR_ORDERS:
            raise LayoutError(f"colour_order: {did_you_mean(order, COLOUR_ORDERS, 'colour order')}")
        if bits not in SYMBOLS:
            raise LayoutError(f"bits: a data bit is sent as 3 or 4 SPI bits, not {bits}")
        if pixels < 1 or skip_first < 0 or lead_bytes < 0:
            raise LayoutError(f"a strip of {pixels} pixels after {skip_first} skipped ones cannot be; check the layout")
        symbols = SYMBOLS[bits]
        self.pixels = pixels
        self.hz = symbols.hz
        self._channels = len(order)
        self._places = (order.index("R"), order.index("G"), order.index("B"))
        self._tables = symbols.tables()
        self._head = bytes(lead_bytes) + self._symbols(bytes(skip_first * self._channels))
        self._tail = bytes(symbols.reset_bytes)
        self.length = len(self._head) + pixels * self._channels * bits + len(self._tail)

    def encode(self, frame: Frame) -> bytes:
        """The bytes of a frame, ``length`` of them. Raises PartFailed for a frame of another size or a bad colour."""
        if len(frame) != self.pixels:
            raise PartFailed(
                f"a frame for this strip has {self.pixels} colours, this one {len(frame)}; check the layout"
            )
        data = bytearray(self.pixels * self._channels)
        try:
            for place, channel in zip(self._places, zip(*frame, strict=True), strict=True):
                data[place :: self._channels] = bytes(channel)
        except (ValueError, TypeError):
            raise PartFailed("a colour is red, green and blue, each a whole number 0 to 255") from None
        return self._head + self._symbols(data) + self._tail

    def _symbols(self, data: bytes | bytearray) -> bytes:
        spread = bytearray(len(data) * len(self._tables))
        for column, table in enumerate(self._tables):
            spread[column :: len(self._tables)] = data.translate(table)
        return bytes(spread)
