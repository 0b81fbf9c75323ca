"""The strip over SPI with our own encoder: every Pi, the Pi 5 too, and no root; data on GPIO10."""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from hardware.errors import FrameTooLong, PartError, PartFailed, PartMissing
from hardware.ports import OFF, Frame
from hardware.words import how_to_install
from hardware.ws2812 import Encoder

BUFSIZ: Final = Path("/sys/module/spidev/parameters/bufsiz")
"""Where the kernel says how many bytes one SPI transfer may have."""

DEFAULT_BUFSIZ: Final = 4096
LARGEST_BLOCK: Final = 65_535
"""spidev splits what is longer, whatever bufsiz says."""


def read_bufsiz(path: Path = BUFSIZ) -> int:
    """The longest SPI transfer in bytes; the kernel's default where the file is not there or makes no sense."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return DEFAULT_BUFSIZ


def check_fits(length: int, bufsiz: int, pixels: int) -> None:
    """Raises FrameTooLong where a frame of ``length`` bytes does not fit one transfer, saying the cure.

    A longer frame would be split without a word, and the gap can make the strip show half a frame.
    """
    if length <= min(bufsiz, LARGEST_BLOCK):
        return
    needed = 1 << (length - 1).bit_length()
    cure = (
        f"add spidev.bufsiz={needed} to the one line of /boot/firmware/cmdline.txt and restart"
        if length <= LARGEST_BLOCK
        else f"no setting helps past {LARGEST_BLOCK} bytes: use fewer pixels"
    )
    raise FrameTooLong(f"a frame of {pixels} pixels is {length} bytes, the SPI buffer holds {bufsiz}: {cure}")


class SpidevStrip:
    """A Strip on /dev/spidev<bus>.<device>; made by ``open``.

    After a failure the next ``show`` opens the device anew, so a strip that was put back comes back by itself.
    """

    def __init__(self, encoder: Encoder, bus: int, device: int, factory: Any) -> None:
        """``factory`` is the class ``spidev.SpiDev``; nothing is opened here."""
        self._encoder = encoder
        self._bus = bus
        self._device = device
        self._factory = factory
        self._spi: Any = None
        self._closed = False

    @classmethod
    def open(
        cls,
        pixels: int,
        *,
        order: str = "GRB",
        skip_first: int = 0,
        bits: int = 3,
        lead_bytes: int = 1,
        bus: int = 0,
        device: int = 0,
        bufsiz_path: Path = BUFSIZ,
    ) -> SpidevStrip:
        """Open the device. Raises LayoutError, FrameTooLong, PartMissing or PartFailed, each with its cure."""
        encoder = Encoder(pixels, order=order, skip_first=skip_first, bits=bits, lead_bytes=lead_bytes)
        check_fits(encoder.length, read_bufsiz(bufsiz_path), skip_first + pixels)
        try:
            from spidev import SpiDev
        except ImportError:
            raise PartMissing(
                f"the strip's driver 'spidev' is not installed: {how_to_install('spidev', 'python3-spidev')}; "
                "or take the simulated strip"
            ) from None
        strip = cls(encoder, bus, device, SpiDev)
        strip._connect()
        return strip

    @property
    def pixels(self) -> int:
        """How many pixels a frame must have."""
        return self._encoder.pixels

    @property
    def node(self) -> str:
        """The device node."""
        return f"/dev/spidev{self._bus}.{self._device}"

    def show(self, frame: Frame) -> None:
        """Send a whole frame. Raises PartFailed; the next call then opens the device anew."""
        data = self._encoder.encode(frame)
        if self._closed:
            raise PartFailed("the strip was closed; open it anew")
        if self._spi is None:
            try:
                self._connect()
            except PartMissing as missing:
                raise PartFailed(str(missing)) from None
        try:
            self._spi.writebytes2(data)
        except OSError as error:
            self._drop()
            raise PartFailed(
                f"the strip on {self.node} stopped answering ({error.strerror}): check its plug; it is tried again"
            ) from error

    def close(self) -> None:
        """Blank the strip and let the device go; harmless twice."""
        if not self._closed and self._spi is not None:
            with suppress(PartError):
                self.show([OFF] * self.pixels)
        self._closed = True
        self._drop()

    def _connect(self) -> None:
        spi = self._factory()
        try:
            spi.open(self._bus, self._device)
            spi.mode = 0
            spi.bits_per_word = 8
            spi.max_speed_hz = self._encoder.hz
        except OSError as error:
            with suppress(OSError):
                spi.close()
            raise _why(self.node, error) from error
        self._spi = spi

    def _drop(self) -> None:
        spi, self._spi = self._spi, None
        if spi is not None:
            with suppress(OSError):
                spi.close()


def _why(node: str, error: OSError) -> PartMissing | PartFailed:
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return PartMissing(
                f"{node} is not there: put dtparam=spi=on into /boot/firmware/config.txt and restart, or check the bus"
            )
        case errno.EACCES | errno.EPERM:
            return PartMissing(f"{node} may not be opened: add the user to the group spi and log in anew")
        case errno.EBUSY:
            return PartFailed(f"{node} is in use: stop the other program that drives the strip, then start again")
        case _:
            return PartFailed(f"{node} cannot be set up ({error.strerror}): check the SPI lines of config.txt")
