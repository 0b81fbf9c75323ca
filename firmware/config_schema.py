"""Every setting there is: its key in the file, the field that keeps it, what it takes and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from firmware.config_kinds import Flag, Kind, Listed, Names, Node, OneOf, Whole
from firmware.config_network import Host, HostNames, PemFile
from firmware.config_values import BOOK, OWN, Config
from firmware.settings import ENTRY_LEVELS, TABLE_BOOKS, TABLE_GAMES, TABLE_LEVELS, TARGETS
from firmware.view import FASTEST, SLOWEST
from firmware.words import LANGUAGES
from hardware.lanes import COLOUR_ORDERS, PRESETS
from hardware.layout_data import MOST
from hardware.oled import CHIPS
from hardware.wiring import LAST_PIN

PIN_PARTS: Final = OneOf(("simulated", "gpio", "none"))
PINS: Final = Listed(int, f"BCM pin numbers, 0 to {LAST_PIN}")
LAYOUT_TABLE: Final = "layout"
"""The table of a layout of one's own; hardware/layout_data.py reads it."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: ``path`` in the file, ``field`` of Config."""

    path: str
    field: str
    kind: Kind
    meaning: str

    @property
    def table(self) -> str:
        """The table it stands in."""
        return self.path.partition(".")[0]

    @property
    def name(self) -> str:
        """Its name in that table."""
        return self.path.partition(".")[2]

    def plain(self, config: Config) -> Any:
        """Its value in a configuration, as TOML and JSON have it."""
        return self.kind.plain(getattr(config, self.field))


KEYS: Final = (
    Key("parts.strip", "strip", OneOf(("simulated", "spidev", "ws281x", "none")), "the lights, and what drives them"),
    Key("parts.screen", "screen", OneOf(("simulated", "oled", "none")), "the OLED"),
    Key("parts.keypad", "keypad", PIN_PARTS, "the sixteen keys"),
    Key("parts.buttons", "buttons", PIN_PARTS, "the seats' buttons"),
    Key("parts.numpad", "numpad", OneOf(("simulated", "usb", "none")), "a USB numpad, which says what the keys say"),
    Key("parts.buzzer", "buzzer", PIN_PARTS, "the buzzer"),
    Key("parts.speaker", "speaker", OneOf(("simulated", "espeak", "none")), "the voice: espeak-ng on the sound card"),
    Key("strip.layout", "layout_name", OneOf((*PRESETS, OWN)), "the board's lanes; own: the [layout] table has them"),
    Key("strip.holes", "holes", Whole(1, 1000), "lit holes of every lane of a built-in layout"),
    Key("strip.colour_order", "colour_order", OneOf(COLOUR_ORDERS), "the order in which the strip takes its colours"),
    Key("strip.skip_first", "skip_first", Whole(0, MOST), "pixels before the board that stay dark"),
    Key("strip.max_ma", "max_ma", Whole(1, 60_000), "the strip never draws more milliamperes than this"),
    Key("strip.spi_bus", "spi_bus", Whole(0, 9), "spidev: the 0 of /dev/spidev0.1"),
    Key("strip.spi_device", "spi_device", Whole(0, 9), "spidev: the 1 of /dev/spidev0.1"),
    Key("strip.spi_bits", "spi_bits", OneOf((3, 4)), "spidev: SPI bits a data bit; 4 for strips that want short zeros"),
    Key("strip.pin", "strip_pin", OneOf((10, 12, 13, 18, 19, 21)), "ws281x: the data pin; all but 10 need root"),
    Key("screen.chip", "chip", OneOf(CHIPS), "the panel's chip; a wrong one shows a shifted or torn border"),
    Key("screen.address", "address", Whole(0x08, 0x77, auto=True), "I2C address; auto tries 60 (0x3c), then 61 (0x3d)"),
    Key("screen.port", "i2c_port", Whole(0, 99), "the 1 of /dev/i2c-1"),
    Key("screen.column", "column", Whole(0, 4, auto=True), "memory column at the glass's left edge; auto: the chip's"),
    Key("screen.rotate", "rotate", OneOf((0, 180)), "degrees the panel is turned by"),
    Key("screen.theme", "theme", OneOf(("normal", "big")), "big: numerals 48 pixels tall"),
    Key("keys.debounce_ms", "debounce_ms", Whole(1, 100), "how long a contact may chatter, in milliseconds"),
    Key("keys.hold_ms", "hold_ms", Whole(200, 5000), "a seat's button down this long is held, in milliseconds"),
    Key("numpad.device", "numpad_device", Node(), "its node under /dev/input/by-id; auto: the first with keypad keys"),
    Key("wiring.rows", "rows", PINS, "pins of the keypad's rows, top first"),
    Key("wiring.columns", "columns", PINS, "pins of the keypad's columns, left first"),
    Key("wiring.keys", "keys", Listed(str, "words, one a row of keys"), "what is printed on the keys, row by row"),
    Key("wiring.seats", "seats", PINS, "pins of the seats' buttons, seat 1 first"),
    Key("wiring.buzzer", "buzzer_pin", Whole(0, LAST_PIN), "pin of the buzzer"),
    Key("wiring.i2c", "i2c_pins", PINS, "pins kept for the screen's bus"),
    Key("wiring.spi", "spi_pins", PINS, "pins kept for the strip's SPI bus"),
    Key("page.enabled", "page", Flag(), "whether the page is served"),
    Key("page.port", "page_port", Whole(0, 65_535), "its port; 8121 gives way to the next free one, 0 is any free one"),
    Key("page.host", "host", Host(), "where it is served: 127.0.0.1 to this machine only, 0.0.0.0 to its network too"),
    Key("page.names", "page_names", HostNames(), "more names by which it may be asked for, off this machine"),
    Key("page.certificate", "certificate", PemFile(), "PEM file of its certificate chain; with it the page is https"),
    Key("page.key", "certificate_key", PemFile(), "PEM file of the certificate's key, without a password"),
    Key("page.mdns", "mdns", Flag(), "whether it is found as muggins.local, where it is served to the network"),
    Key("board.language", "language", OneOf(LANGUAGES), "en-GB says box where en-US says crib"),
    Key("board.blink", "blink", Flag(), "false: no light ever blinks"),
    Key("board.sound", "sound", Flag(), "whether the buzzer sounds"),
    Key("board.speech", "speech", Flag(), "whether the board speaks"),
    Key("board.speech_rate", "speech_rate", Whole(SLOWEST, FASTEST), "how fast it speaks, in words a minute"),
    Key("board.lights_on_stop", "lights_on_stop", OneOf(("blank", "leave")), "the lights when the program ends"),
    Key("table.names", "names", Names(), "the players, seat 1 first"),
    Key("table.game", "game", OneOf(TABLE_GAMES), "the game"),
    Key("table.rules", "book", OneOf(TABLE_BOOKS), "the rule book; the name of the [book] table's where there is one"),
    Key("table.to", "target", OneOf(TARGETS), "the game hole"),
    Key("table.muggins", "muggins", Flag(), "whether missed points may be taken"),
    Key("table.referee", "level", OneOf(TABLE_LEVELS), "who counts, and what the board says"),
    Key("table.entry", "entry", OneOf(ENTRY_LEVELS), "which cards are keyed"),
)
"""In the order in which they are printed. The [table] settings are what is offered before the first game here."""

BY_PATH: Final = {key.path: key for key in KEYS}
TABLES: Final = (*dict.fromkeys(key.table for key in KEYS), LAYOUT_TABLE, BOOK)
