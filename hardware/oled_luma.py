"""luma.oled's drivers with one thing changed: a picture is sent as what differs from the one on the glass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

from PIL import Image

from hardware.oled_partial import Window, plan, to_pages

_COLUMNS, _PAGES = 0x21, 0x22
_PAGE, _LOW_COLUMN, _HIGH_COLUMN = 0xB0, 0x00, 0x10

TALL_WINDOW_BYTES: Final = 10
"""SSD1306, SSD1309: address and control byte and six of command, address and control byte of the data."""
PAGE_WINDOW_BYTES: Final = 7
"""SH1106: address and control byte and three of command, address and control byte of the data."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a chip is told where the next bytes go: what a window costs, and whether it spans pages."""

    overhead: int
    tall: bool

    def address(self, window: Window, column: int) -> tuple[int, ...]:
        left, right = column + window.left, column + window.right - 1
        if self.tall:
            return (_COLUMNS, left, right, _PAGES, window.top, window.bottom - 1)
        return (_PAGE | window.top, _LOW_COLUMN | left & 0x0F, _HIGH_COLUMN | left >> 4)


_TALL = _Way(TALL_WINDOW_BYTES, tall=True)
_PAGEWISE = _Way(PAGE_WINDOW_BYTES, tall=False)


@cache
def bus_errors() -> tuple[type[Exception], ...]:
    """What luma and the bus raise when a panel does not do as it is told. Raises ImportError without luma."""
    from luma.core.error import Error

    return (OSError, Error)


def open_serial(port: int, address: int) -> Any:
    """luma's wire to one address. Raises one of ``bus_errors``."""
    from luma.core.interface.serial import i2c

    return i2c(port=port, address=address)


@cache
def driver_class(chip: str) -> Any:
    """luma's class for ``"ssd1306"``, ``"sh1106"`` or ``"ssd1309"``, made ``(serial, column=, rotate=)``.

    Making one sets the panel up, blanks it and switches it on; ``display`` sends what has changed, and all of it the
    first time. Raises what luma and the bus raise; then the next picture is sent whole.
    """
    from luma.core.device import device
    from luma.oled.device import sh1106, ssd1306, ssd1309

    class Unhooked(device):  # type: ignore[misc]
        # luma's base class hooks every driver ever made to the end of the process: one that is opened anew after each
        # failure would pile them up, and each would speak to the bus at exit. Standing between luma's chip and its
        # base, this takes the base's place in the chain of constructors.
        def __init__(self, const: Any, serial_interface: Any) -> None:
            self._const = const
            self._serial_interface = serial_interface

    bases: dict[str, Any] = {"ssd1306": ssd1306, "ssd1309": ssd1309, "sh1106": sh1106}
    base, way, unhooked = bases[chip], _PAGEWISE if chip == "sh1106" else _TALL, cast(Any, Unhooked)

    class Partial(base, unhooked):  # type: ignore[misc,valid-type]
        _glass: list[bytes] | None = None

        def __init__(self, serial: Any, column: int, rotate: int) -> None:
            self._column = column
            super().__init__(serial, rotate=rotate)
            self._glass = None

        def display(self, image: Image.Image) -> None:
            pages = to_pages(self.preprocess(image))
            # Unknown until every byte has arrived: a failure half way must not leave us believing either picture.
            glass, self._glass = self._glass, None
            unknown = [bytes(byte ^ 0xFF for byte in page) for page in pages]
            windows = plan(unknown if glass is None else glass, pages, way.overhead, way.tall)
            # Page by page the lowest goes first: on a chip that takes no page addresses the picture then comes out of
            # order, so that a wrong choice of chip is seen at once.
            for window in windows if way.tall else reversed(windows):
                self.command(*way.address(window, self._column))
                self.data(b"".join(page[window.left : window.right] for page in pages[window.top : window.bottom]))
            self._glass = pages

        def release(self) -> None:
            """Let the bus go without a word on it."""
            self._serial_interface.cleanup()

    return Partial
