"""The OLED: 128x64, one bit a pixel, an SSD1306, SH1106 or SSD1309 on I2C, driven by luma.oled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from PIL import Image

from hardware import oled_faults
from hardware.errors import LayoutError, PartFailed, PartMissing, foreign
from hardware.oled_faults import ADDRESSES, Answer
from hardware.oled_luma import bus_errors, driver_class, open_serial

Chip = Literal["ssd1306", "sh1106", "ssd1309"]
CHIPS: Final[tuple[Chip, ...]] = get_args(Chip)
SIZE: Final = (128, 64)
MEMORY_COLUMNS: Final[dict[Chip, int]] = {"ssd1306": 128, "sh1106": 132, "ssd1309": 128}
GLASS_COLUMN: Final[dict[Chip, int]] = {"ssd1306": 0, "sh1106": 2, "ssd1309": 0}
"""The memory column behind the glass's left edge on the panels commonly sold."""


@dataclass(frozen=True, slots=True)
class OledSettings:
    """Which panel it is; none of this can be read back from the panel, ``border_picture`` shows a wrong choice.

    ``address`` None tries 0x3c, then 0x3d. ``column`` is the memory column behind the glass's left edge, None for the
    chip's usual one. ``rotation`` is 0 or 180 degrees. Raises LayoutError listing every fault.
    """

    chip: Chip = "ssd1306"
    port: int = 1
    address: int | None = None
    column: int | None = None
    rotation: Literal[0, 180] = 0

    def __post_init__(self) -> None:
        faults = []
        if self.chip not in CHIPS:
            faults.append(f"chip {self.chip!r} is not one of {', '.join(CHIPS)}")
        elif self.glass_column not in range(MEMORY_COLUMNS[self.chip] - SIZE[0] + 1):
            faults.append(
                f"column {self.column} is not within 0..{MEMORY_COLUMNS[self.chip] - SIZE[0]} of the {self.chip}"
            )
        if self.address is not None and not 0x08 <= self.address <= 0x77:
            faults.append(f"address {self.address:#04x} is not an I2C address; a panel has 0x3c or 0x3d")
        if self.port < 0:
            faults.append(f"port {self.port} is not a bus; the Pi's is 1")
        if self.rotation not in (0, 180):
            faults.append(f"rotation {self.rotation} is not 0 or 180")
        if faults:
            raise LayoutError("the screen's settings: " + "; ".join(faults))

    @property
    def glass_column(self) -> int:
        """The memory column behind the glass's left edge."""
        return GLASS_COLUMN[self.chip] if self.column is None else self.column


class Oled:
    """A ``Screen``. Making one does not touch the bus; ``open`` does, and after a failure the next call opens anew.

    Only what has changed is sent, except for the first picture after opening, after a failure and after ``forget``. One
    thread at a time.
    """

    def __init__(self, settings: OledSettings) -> None:
        self.settings = settings
        self.address = ADDRESSES[0] if settings.address is None else settings.address
        """Where the panel was last sought or found."""
        self._driver: Any = None
        self._level: int | None = None
        self._closed = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return SIZE

    def open(self) -> None:
        """Set the panel up and blank it, unless it is open. Raises PartMissing or PartFailed with the cure."""
        if self._driver is not None:
            return
        try:
            chip, faults = driver_class(self.settings.chip), bus_errors()
        except ImportError as error:
            raise PartMissing(
                f"the screen's driver is not installed ({foreign(error)}); install muggins anew"
            ) from error
        port, serial = self.settings.port, None
        self.address = self._seek()
        try:
            serial = open_serial(port, self.address)
            driver = chip(serial, column=self.settings.glass_column, rotate=self.settings.rotation // 90)
            self._set_level(driver)
        except faults as error:
            if serial is not None:
                serial.cleanup()
            raise oled_faults.at_open(error, port, self.address, self._elsewhere(error)) from error
        self._driver, self._closed = driver, False

    def show(self, image: Image.Image) -> None:
        """Show a mode "1" picture of exactly ``size``; returns when it is on the glass.

        Raises PartFailed with the cure, whereupon the next call sets the panel up and sends everything; ValueError for
        a picture of another mode or size.
        """
        if image.mode != "1" or image.size != SIZE:
            raise ValueError(f"the screen shows a mode '1' picture of {SIZE}, not mode {image.mode!r} of {image.size}")
        self._do(lambda driver: driver.display(image))

    def contrast(self, level: int) -> None:
        """Brightness 0..255; 0 switches the panel off, anything else on. Outlives a failure. Raises PartFailed."""
        if not 0 <= level <= 255:
            raise ValueError(f"brightness {level} is not within 0..255")
        self._level = level
        self._do(self._set_level)

    def forget(self) -> None:
        """Distrust the glass: the next picture sets the panel up anew, with a short blink, and is sent whole.

        For when the panel wakes: one pulled out and put back between two pictures fails neither of them.
        """
        self._drop()

    def close(self) -> None:
        """Switch the panel off and let the bus go; harmless twice, and when the panel is gone."""
        driver, self._closed = self._driver, True
        if driver is not None:
            with suppress(*bus_errors()):  # a panel that does not answer is dark, or will be with the power
                driver.hide()
            self._drop()

    def _do(self, act: Callable[[Any], object]) -> None:
        """Do one thing with the driver; after any failure the panel is taken for unknown."""
        if self._closed:
            raise PartFailed("the screen was closed; open it first")
        try:
            self.open()
        except PartMissing as error:
            raise PartFailed(str(error)) from error
        try:
            act(self._driver)
        except bus_errors() as error:
            self._drop()
            raise oled_faults.in_use(error, self.settings.port, self.address) from error

    def _set_level(self, driver: Any) -> None:
        if self._level == 0:
            driver.hide()
        elif self._level is not None:
            driver.contrast(self._level)
            driver.show()

    def _drop(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.release()

    def _seek(self) -> int:
        """The address to use: the one set, else the first that answers, else the usual one."""
        if self.settings.address is not None:
            return self.settings.address
        answers = oled_faults.probe(self.settings.port)
        return next((at for at in answers if answers[at] is Answer.PRESENT), ADDRESSES[0])

    def _elsewhere(self, error: Exception) -> list[int]:
        if oled_faults.answer(error) is not Answer.ABSENT:
            return []
        answers = oled_faults.probe(self.settings.port)
        return [at for at in answers if at != self.address and answers[at] is Answer.PRESENT]


def open_oled(settings: OledSettings) -> Oled:
    """A screen that is open and blank. Raises PartMissing where nothing is there, PartFailed where it is refused."""
    oled = Oled(settings)
    oled.open()
    return oled
