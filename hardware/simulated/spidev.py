"""The ``spidev`` module with a strip of lights at the end of MOSI; the driver that runs on a Pi runs on it unchanged.

>>> from hardware.simulated.strip import WireStrip
>>> bus = Bus(WireStrip(242))
>>> with installed(bus):
...     import spidev
...     device = spidev.SpiDev(0, 0)
>>> device.max_speed_hz = 2_400_000
>>> device.writebytes2(bytes(100))
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from types import ModuleType
from typing import Final

from hardware.simulated.strip import WireStrip

LARGEST_BLOCK: Final = 65_535
"""The real module never sends more in one block, whatever bufsiz says."""


class Door(Enum):
    """What opening the device node meets."""

    OPEN = 0
    ABSENT = errno.ENOENT
    DENIED = errno.EACCES
    BUSY = errno.EBUSY


class Bus:
    """One SPI bus with one device node and a strip on its data line.

    Between the blocks of a long write the line rests for ``split_gap_us`` (a busy machine easily takes long enough to
    latch the strip), between two writes for ``call_gap_us``. ``stretch_ns`` lengthens the first bit of a transfer, and
    ``phantom_ns`` raises the line once before it, as the hosts of some boards do.
    """

    def __init__(
        self,
        strip: WireStrip,
        *,
        bus: int = 0,
        device: int = 0,
        bufsiz: int = 4096,
        split_gap_us: float = 300,
        call_gap_us: float = 10,
        stretch_ns: float = 0,
        phantom_ns: float = 0,
    ) -> None:
        self.strip = strip
        self.address = (bus, device)
        self.bufsiz = bufsiz
        self.split_gap_us = split_gap_us
        self.call_gap_us = call_gap_us
        self.stretch_ns = stretch_ns
        self.phantom_ns = phantom_ns
        self.door = Door.OPEN
        self.written = 0
        """Bytes that have gone over the wire."""
        self._plugged = True
        self._bytes_left: int | None = None
        self._generation = 0

    def pull_out(self, *, after_bytes: int = 0) -> None:
        """The device goes away: at once, or in the middle of what is written next. The strip keeps what it shows."""
        if after_bytes:
            self._bytes_left = after_bytes
        else:
            self._plugged = False
            self._generation += 1

    def put_back(self) -> None:
        """The device is there again; it has to be opened anew."""
        self._plugged = True
        self._bytes_left = None

    def enter(self, address: tuple[int, int]) -> int:
        """Open the node; returns which plugging-in this is. Raises the OSError that Linux would."""
        if not self._plugged or address != self.address:
            raise _os_error(Door.ABSENT.value)
        if self.door is not Door.OPEN:
            raise _os_error(self.door.value)
        return self._generation

    def send(self, data: bytes, hz: int, generation: int) -> None:
        """Put one transfer on the wire, in blocks of bufsiz. Raises the OSError that Linux would."""
        block = min(self.bufsiz, LARGEST_BLOCK)
        for at in range(0, len(data), block):
            if generation != self._generation or not self._plugged:
                raise _os_error(errno.ENODEV)
            if at:
                self.strip.idle(self.split_gap_us)
            self._block(data[at : at + block], hz)
        self.strip.idle(self.call_gap_us)

    def _block(self, data: bytes, hz: int) -> None:
        left = self._bytes_left
        if left is not None:
            data, cut = data[:left], len(data) > left
            self._bytes_left = left - len(data)
        if data:
            if self.phantom_ns:
                self.strip.hold(True, self.phantom_ns)
                self.strip.hold(False, self.phantom_ns)
            if self.stretch_ns:
                self.strip.hold(bool(data[0] & 0x80), self.stretch_ns)
            self.strip.feed(data, hz)
            self.written += len(data)
        if left is not None and cut:
            self._bytes_left = None
            self.pull_out()
            raise _os_error(errno.EIO)


class SpiDev:
    """What we use of the real ``spidev.SpiDev``, and no more; made by ``installed``, which says on which bus."""

    _wire: Bus

    def __init__(self, bus: int | None = None, device: int | None = None) -> None:
        self.mode = 0
        self.bits_per_word = 0
        self.max_speed_hz = 0
        self._generation: int | None = None
        if bus is not None and device is not None:
            self.open(bus, device)

    def open(self, bus: int, device: int) -> None:
        """Open /dev/spidev<bus>.<device>; raises OSError as the real one does."""
        self._generation = self._wire.enter((bus, device))
        self.bits_per_word = 8
        self.max_speed_hz = 125_000_000

    def writebytes2(self, values: Sequence[int]) -> None:
        """Write any number of bytes; what is longer than bufsiz is split without a word."""
        self._send(values)

    def xfer3(self, values: Sequence[int]) -> tuple[int, ...]:
        """Write as ``writebytes2`` does and return what came in: nothing drives the other line."""
        self._send(values)
        return (0,) * len(values)

    def close(self) -> None:
        """Let the node go; harmless twice."""
        self._generation = None

    def fileno(self) -> int:
        """-1 while closed."""
        return -1 if self._generation is None else 3

    def _send(self, values: Sequence[int]) -> None:
        if self._generation is None:
            raise _os_error(errno.EBADF)
        if not len(values):
            raise TypeError("Argument must have at least one element.")
        self._wire.send(bytes(values), self.max_speed_hz, self._generation)


def module(bus: Bus) -> ModuleType:
    """A module to stand in ``sys.modules["spidev"]``."""
    double = ModuleType("spidev")
    vars(double)["SpiDev"] = type("SpiDev", (SpiDev,), {"_wire": bus})
    vars(double)["__version__"] = "simulated"
    return double


@contextmanager
def installed(bus: Bus | None) -> Iterator[None]:
    """While open, ``import spidev`` gives the double on that bus; with None it fails, as where it is not installed."""
    before = sys.modules.get("spidev")
    # None in sys.modules makes an import fail; the type of the mapping does not know of it.
    sys.modules["spidev"] = None if bus is None else module(bus)  # type: ignore[assignment]
    try:
        yield
    finally:
        if before is None:
            del sys.modules["spidev"]
        else:
            sys.modules["spidev"] = before


def _os_error(code: int) -> OSError:
    return OSError(code, os.strerror(code))
