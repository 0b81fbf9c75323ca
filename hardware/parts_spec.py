"""Which parts a board has and how they are set: frozen, so that the same board can be opened again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hardware.debounce import DEBOUNCE_MS, HOLD_MS
from hardware.lanes import Layout, two_lanes
from hardware.oled import OledSettings
from hardware.wiring import Wiring

StripPart = Literal["simulated", "spidev", "ws281x", "none"]
ScreenPart = Literal["simulated", "ssd1306", "sh1106", "ssd1309", "none"]
PinPart = Literal["simulated", "gpio", "none"]
NumpadPart = Literal["simulated", "usb", "none"]
SpeakerPart = Literal["simulated", "espeak", "none"]
PartName = Literal["strip", "screen", "keypad", "buttons", "numpad", "buzzer", "speaker"]

MAX_MA: Final = 1500
"""What a strip may draw unless told otherwise: under the 2.5 A of a small supply that feeds a Pi too."""

SCREEN: Final = OledSettings("ssd1309")


@dataclass(frozen=True, slots=True)
class PartsSpec:
    """One board. The defaults are a board wholly simulated, without a numpad.

    ``max_ma`` caps the strip's current. ``spi_bits`` is how many SPI bits make a data bit, 3 or 4 (``spidev`` only).
    ``screen`` names a real panel's chip; ``oled`` has all else about it, and the chip of a simulated one.
    ``wiring.strip`` is the pin of a ``ws281x`` strip, GPIO10 where it is None; ``numpad_device`` a numpad's node, None
    for the first that is found. ``debounce_ms`` and ``hold_ms`` are for keypad and buttons alike.
    """

    strip: StripPart = "simulated"
    screen: ScreenPart = "simulated"
    keypad: PinPart = "simulated"
    buttons: PinPart = "simulated"
    numpad: NumpadPart = "none"
    buzzer: PinPart = "simulated"
    speaker: SpeakerPart = "simulated"
    layout: Layout = field(default_factory=two_lanes)
    max_ma: int = MAX_MA
    spi_bus: int = 0
    spi_device: int = 0
    spi_bits: int = 3
    oled: OledSettings = SCREEN
    numpad_device: str | None = None
    wiring: Wiring = field(default_factory=Wiring)
    debounce_ms: float = DEBOUNCE_MS
    hold_ms: float = HOLD_MS

    def keys_wiring(self, keypad: bool, buttons: bool) -> Wiring:
        """The wiring of the keypad, the buttons, both or neither, and of nothing else."""
        return replace(
            self.wiring,
            rows=self.wiring.rows if keypad else (),
            columns=self.wiring.columns if keypad else (),
            seats=self.wiring.seats if buttons else (),
            buzzer=None,
        )

    def real_oled(self) -> OledSettings:
        """The settings of the panel that ``screen`` names. Raises LayoutError where they do not go with its chip."""
        if self.screen == "simulated" or self.screen == "none":
            return self.oled
        return replace(self.oled, chip=self.screen)
