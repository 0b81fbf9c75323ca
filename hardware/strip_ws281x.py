"""The strip by the ``rpi_ws281x`` library: PWM, PCM or SPI on a Pi 4 and older; not on a Pi 5.

The library takes the whole process down when it is touched before begin() or after one that failed, even at exit; so a
strip whose begin() failed is taken off the exit list and never touched again.
"""

from __future__ import annotations

import atexit
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hardware.errors import FrameTooLong, LayoutError, PartError, PartFailed, PartMissing, foreign
from hardware.lanes import COLOUR_ORDERS
from hardware.ports import OFF, Frame
from hardware.strip_spidev import BUFSIZ, read_bufsiz
from hardware.words import did_you_mean, how_to_install

SPI_PIN: Final = 10
SD_CARD_DMA: Final = 5
HZ: Final = 800_000

CHANNELS: Final = {10: 0, 12: 0, 18: 0, 21: 0, 31: 0, 13: 1, 19: 1}
"""The library's channel of each pin it can drive: SPI 10, PWM 12, 18, 13, 19, PCM 21, 31."""

SHIFTS: Final = {"R": 16, "G": 8, "B": 0, "W": 24}


def strip_type(order: str) -> int:
    """The library's number for a colour order, the place of each colour in the order in which it is sent.

    >>> hex(strip_type("GRB")), hex(strip_type("GRBW"))
    ('0x81000', '0x18081000')
    """
    first, second, third, *white = (SHIFTS[colour] for colour in order)
    return first << 16 | second << 8 | third | (white[0] << 24 if white else 0)


def spi_buffer_bytes(pixels: int) -> int:
    """What the library wants to send over SPI: four colours a pixel whatever the strip has, a reset, padded to words.

    >>> spi_buffer_bytes(339) <= 4096 < spi_buffer_bytes(340)
    True
    """
    bits = pixels * 4 * 8 * 3 + 55 * HZ * 3 // 1_000_000
    return (bits // 64) * 8 + 8


class Ws281xStrip:
    """A Strip by the library's PixelStrip; made by ``open``."""

    def __init__(self, strip: Any, pixels: int, skip_first: int) -> None:
        """``strip`` is a PixelStrip whose begin() has worked."""
        self._strip = strip
        self._pixels = pixels
        self._skip_first = skip_first

    @classmethod
    def open(
        cls,
        pixels: int,
        *,
        order: str = "GRB",
        skip_first: int = 0,
        pin: int = SPI_PIN,
        dma: int = 10,
        bufsiz_path: Path = BUFSIZ,
    ) -> Ws281xStrip:
        """Begin on that pin. Raises LayoutError, FrameTooLong, PartMissing or PartFailed, each with its cure."""
        _check(pixels, order, skip_first, pin, dma)
        if pin == SPI_PIN:
            _check_fits(skip_first + pixels, read_bufsiz(bufsiz_path))
        try:
            from rpi_ws281x import PixelStrip
        except ImportError:
            raise PartMissing(
                f"the strip's driver 'rpi-ws281x' is not installed: {how_to_install('rpi-ws281x')}; "
                "or choose the spidev driver"
            ) from None
        strip = PixelStrip(
            skip_first + pixels, pin, HZ, dma, brightness=255, channel=CHANNELS[pin], strip_type=strip_type(order)
        )
        try:
            strip.begin()
        except RuntimeError as error:
            _forget(strip)
            raise _why(error, pin) from error
        return cls(strip, pixels, skip_first)

    @property
    def pixels(self) -> int:
        """How many pixels a frame must have."""
        return self._pixels

    def show(self, frame: Frame) -> None:
        """Send a whole frame. Raises PartFailed."""
        if self._strip is None:
            raise PartFailed("the strip was closed; open it anew")
        if len(frame) != self._pixels:
            raise PartFailed(
                f"a frame for this strip has {self._pixels} colours, this one {len(frame)}; check the layout"
            )
        try:
            packed = [r << 16 | g << 8 | b for r, g, b in frame if max(r, g, b) < 256 and min(r, g, b) >= 0]
        except (TypeError, ValueError):
            packed = []
        if len(packed) != self._pixels:
            raise PartFailed("a colour is red, green and blue, each a whole number 0 to 255")
        for place, colour in enumerate(packed, self._skip_first):
            self._strip[place] = colour
        try:
            self._strip.show()
        except RuntimeError as error:
            raise PartFailed(
                f"the strip took no frame ({foreign(error)}): check its plug; it is tried again"
            ) from error

    def close(self) -> None:
        """Blank the strip and let the device go; harmless twice."""
        if self._strip is None:
            return
        with suppress(PartError):
            self.show([OFF] * self._pixels)
        strip, self._strip = self._strip, None
        atexit.unregister(strip._cleanup)
        strip._cleanup()


def _forget(strip: Any) -> None:
    """Get rid of a strip whose begin() failed: its own clean-up would crash the interpreter, now or at exit.

    Its memory is given back all the same: the library would write of a leak to standard output, at every attempt.
    """
    atexit.unregister(strip._cleanup)
    leds, strip._leds, strip._channel = strip._leds, None, None
    import_module("_rpi_ws281x").delete_ws2811_t(leds)


def _check(pixels: int, order: str, skip_first: int, pin: int, dma: int) -> None:
    faults = []
    if pixels < 1 or skip_first < 0:
        faults.append(f"a strip of {pixels} pixels after {skip_first} skipped ones cannot be; check the layout")
    if order not in COLOUR_ORDERS:
        faults.append(f"colour_order: {did_you_mean(order, COLOUR_ORDERS, 'colour order')}")
    if pin not in CHANNELS:
        faults.append(f"pin: GPIO{pin} cannot drive a strip; GPIO10 (SPI), 12, 13, 18, 19 (PWM), 21 (PCM) can")
    if dma == SD_CARD_DMA:
        faults.append("dma: channel 5 belongs to the SD card on some models and would damage its files; take 10")
    if faults:
        raise LayoutError(*faults)


def _check_fits(pixels: int, bufsiz: int) -> None:
    length = spi_buffer_bytes(pixels)
    if length > bufsiz:
        needed = 1 << (length - 1).bit_length()
        raise FrameTooLong(
            f"rpi-ws281x wants {length} bytes for {pixels} pixels, the SPI buffer holds {bufsiz}: add "
            f"spidev.bufsiz={needed} to the one line of /boot/firmware/cmdline.txt and restart, or choose the "
            "spidev driver, whose frames are shorter"
        )


def _why(error: RuntimeError, pin: int) -> PartMissing | PartFailed:
    found = re.search(r"code (-?\d+)", str(error))
    match int(found[1]) if found else 0:
        case -3:
            return PartMissing("rpi-ws281x does not know this board (a Pi 5 or no Pi): choose the spidev driver")
        case -5:
            return PartMissing(
                f"rpi-ws281x on GPIO{pin} needs root: move the data wire to GPIO10 (SPI), which does not"
            )
        case -11:
            return PartMissing(f"this board cannot drive a strip on GPIO{pin}: move the data wire to GPIO10 (SPI)")
        case -13:
            return PartMissing(
                "SPI cannot be opened: put dtparam=spi=on into /boot/firmware/config.txt, add the user to the group "
                "spi, and restart"
            )
        case -14:
            return PartFailed("the SPI transfer failed: raise spidev.bufsiz in /boot/firmware/cmdline.txt and restart")
        case _:
            return PartFailed(
                f"the strip on GPIO{pin} cannot be set up ({foreign(error)}): choose the spidev driver on GPIO10"
            )
