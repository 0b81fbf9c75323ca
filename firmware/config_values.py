"""The configuration in force: frozen values, and what each part of the program makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from engine.book_data import book_from_dict
from engine.intents import Level
from engine.rules import BOOKS, GAMES, RuleBook
from firmware.settings import KNOWN_NAMES, Choices, EntryLevel, Settings, choices_of
from firmware.view import USUAL_RATE, Preferences, Theme
from firmware.words import Language
from hardware.debounce import DEBOUNCE_MS, HOLD_MS
from hardware.lanes import GAME_HOLE, Layout, preset
from hardware.oled import Chip, OledSettings
from hardware.parts_spec import MAX_MA, NumpadPart, PartsSpec, PinPart, SpeakerPart, StripPart
from hardware.wiring import KEYPAD, Wiring

SPI_PIN: Final = 10
"""The data pin of a strip over SPI."""
PAGE_PORT: Final = 8121
BOOK: Final = "book"
"""The table that holds a rule book of the table's own."""
OWN: Final = "own"
"""The layout's name where the [layout] table describes it."""

BUZZER_PIN: Final = 26
_WIRING: Final = Wiring()
_TABLE: Final = Settings()


@dataclass(frozen=True)
class Config:
    """Everything that can be set, by the names of firmware/config_schema.py. The defaults are a board wholly simulated.

    Made by ``load_config``, which checks it; ``file`` is where it was read, and does not count when two are compared.
    """

    strip: StripPart = "simulated"
    screen: Literal["simulated", "oled", "none"] = "simulated"
    keypad: PinPart = "simulated"
    buttons: PinPart = "simulated"
    numpad: NumpadPart = "none"
    buzzer: PinPart = "simulated"
    speaker: SpeakerPart = "espeak"
    """Silent until ``speech`` is on, and any machine may have a sound card: real everywhere."""
    layout_name: str = "two-lanes"
    own_layout: Layout | None = None
    own_book: Mapping[str, Any] | None = None
    """The [book] table as it was written, checked."""
    holes: int = GAME_HOLE
    colour_order: str = "GRB"
    skip_first: int = 0
    max_ma: int = MAX_MA
    spi_bus: int = 0
    spi_device: int = 0
    spi_bits: int = 3
    strip_pin: int = SPI_PIN
    chip: Chip = "ssd1309"
    address: int | None = None
    i2c_port: int = 1
    column: int | None = None
    rotate: Literal[0, 180] = 0
    theme: Theme = "normal"
    debounce_ms: int = DEBOUNCE_MS
    hold_ms: int = HOLD_MS
    numpad_device: str | None = None
    rows: tuple[int, ...] = _WIRING.rows
    columns: tuple[int, ...] = _WIRING.columns
    keys: tuple[str, ...] = KEYPAD
    seats: tuple[int, ...] = _WIRING.seats
    buzzer_pin: int = BUZZER_PIN
    i2c_pins: tuple[int, ...] = _WIRING.i2c
    spi_pins: tuple[int, ...] = _WIRING.spi
    page: bool = True
    page_port: int = PAGE_PORT
    host: str = "127.0.0.1"
    page_names: tuple[str, ...] = ()
    certificate: str = ""
    certificate_key: str = ""
    mdns: bool = True
    language: Language = "en-US"
    blink: bool = True
    sound: bool = True
    speech: bool = False
    speech_rate: int = USUAL_RATE
    lights_on_stop: Literal["blank", "leave"] = "blank"
    names: tuple[str, ...] = _TABLE.names
    game: str = _TABLE.game
    book: str = _TABLE.book
    target: int = _TABLE.target
    muggins: bool = _TABLE.muggins
    level: Level = _TABLE.level
    entry: EntryLevel = _TABLE.entry
    file: Path | None = field(default=None, compare=False)

    @property
    def port(self) -> int | None:
        """The page's port; None for the usual one, which gives way to the next that is free."""
        return None if self.page_port == PAGE_PORT else self.page_port

    @cached_property
    def layout(self) -> Layout:
        """Which light is which hole. Raises LayoutError where it cannot be."""
        if self.own_layout is not None:
            return self.own_layout
        return preset(self.layout_name, holes=self.holes, skip_first=self.skip_first, colour_order=self.colour_order)

    @property
    def wiring_values(self) -> dict[str, object]:
        """The wiring without the pins of parts that are not there."""
        keypad = self.keypad != "none"
        spi = self.strip in ("simulated", "spidev") or (self.strip == "ws281x" and self.strip_pin == SPI_PIN)
        return {
            "rows": self.rows if keypad else (),
            "columns": self.columns if keypad else (),
            "keys": self.keys,
            "seats": self.seats if self.buttons != "none" else (),
            "buzzer": self.buzzer_pin if self.buzzer != "none" else None,
            "i2c": self.i2c_pins if self.screen != "none" else (),
            "spi": self.spi_pins if spi else (),
            "strip": self.strip_pin if self.strip == "ws281x" and not spi else None,
        }

    @property
    def wiring(self) -> Wiring:
        """The pins of the parts that are there. Raises LayoutError where two want the same one."""
        return Wiring(**self.wiring_values)  # type: ignore[arg-type]

    def parts_spec(self) -> PartsSpec:
        """The board's parts, for ``open_devices``."""
        return PartsSpec(
            strip=self.strip,
            screen=self.chip if self.screen == "oled" else self.screen,
            keypad=self.keypad,
            buttons=self.buttons,
            numpad=self.numpad,
            buzzer=self.buzzer,
            speaker=self.speaker,
            layout=self.layout,
            max_ma=self.max_ma,
            spi_bus=self.spi_bus,
            spi_device=self.spi_device,
            spi_bits=self.spi_bits,
            oled=OledSettings(self.chip, self.i2c_port, self.address, self.column, self.rotate),
            numpad_device=self.numpad_device,
            wiring=self.wiring,
            debounce_ms=self.debounce_ms,
            hold_ms=self.hold_ms,
        )

    def settings(self) -> Settings:
        """What a table is offered before its first game here."""
        seats = len(GAMES[self.game].sides)
        names = KNOWN_NAMES[:seats] if self.names == _TABLE.names else self.names
        return Settings(self.game, self.book, self.target, self.muggins, self.level, self.entry, names)

    @cached_property
    def books(self) -> dict[str, RuleBook]:
        """The rule books known here by name: the sources', and the table's own."""
        if self.own_book is None:
            return dict(BOOKS)
        own = book_from_dict(self.own_book, path=BOOK)
        return {**BOOKS, own.name: own}

    def choices(self) -> Choices:
        """What this board lets a table choose."""
        return choices_of(self.layout, self.books)

    def preferences(self) -> Preferences:
        """How the board shows and sounds until it is told otherwise."""
        return Preferences(self.theme, self.blink, self.sound, self.speech, self.speech_rate)


def simulated_only(config: Config) -> Config:
    """The same board with every real part simulated; parts that are not fitted stay away."""
    return replace(
        config,
        strip=config.strip if config.strip == "none" else "simulated",
        screen=config.screen if config.screen == "none" else "simulated",
        keypad=config.keypad if config.keypad == "none" else "simulated",
        buttons=config.buttons if config.buttons == "none" else "simulated",
        numpad=config.numpad if config.numpad == "none" else "simulated",
        buzzer=config.buzzer if config.buzzer == "none" else "simulated",
        speaker=config.speaker if config.speaker == "none" else "simulated",
    )
