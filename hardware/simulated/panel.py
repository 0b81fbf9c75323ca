"""An OLED panel that turns the bytes on its I2C wire into what its glass shows.

It follows the data sheets of the SSD1306, SSD1309 and SH1106 where a driver can tell: memory holds noise after power-on
and the panel is off; an SH1106 has 132 columns of which the glass shows 2..129, knows page addressing only and takes
the SSD1306's addressing commands (0x20, 0x21, 0x22) for nothing, their arguments for commands; an SSD1306 is dark until
its charge pump runs and heeds page addresses in page mode only.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final, Literal

from PIL import Image, ImageChops, ImageOps

Chip = Literal["ssd1306", "sh1106", "ssd1309"]
WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8

_BOTH: Final = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_SSD: Final = _BOTH | {0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0xA3: 2}
_ARGUMENTS: Final[dict[Chip, dict[int, int]]] = {
    "ssd1306": _SSD | {0x8D: 1},
    "ssd1309": _SSD | {0xFD: 1},
    "sh1106": _BOTH | {0xAD: 1},
}
_VERTICAL, _PAGED = 1, 2
_LIT: Final = 255


@dataclass(slots=True)
class Traffic:
    """What has gone over the wire: ``transactions`` of ``bytes`` in all, the address byte of each counted."""

    bytes: int = 0
    transactions: int = 0

    def seconds(self, hertz: int = 400_000) -> float:
        """How long that takes at a clock: nine bit times a byte, one each for a start and a stop."""
        return (9 * self.bytes + 2 * self.transactions) / hertz


@dataclass(slots=True)
class _Registers:
    """What a reset sets."""

    lit: bool = False
    inverted: bool = False
    all_on: bool = False
    pump: bool = False
    contrast: int = 0x7F
    mode: int = _PAGED
    remapped: bool = False
    upside_down: bool = True
    start_line: int = 0
    offset: int = 0
    multiplex: int = HEIGHT
    page: int = 0
    column: int = 0
    window: list[int] = field(default_factory=lambda: [0, WIDTH - 1, 0, PAGES - 1])


class Panel:
    """A 128x64 panel with one of the three chips. ``seed`` chooses the noise in its memory at power-on."""

    def __init__(self, chip: Chip = "ssd1306", seed: int = 0) -> None:
        self.chip: Final = chip
        self.columns: Final = 132 if chip == "sh1106" else WIDTH
        self.traffic = Traffic()
        self.recording: list[bytes] | None = None
        """Set to a list to have each transaction kept, without its address byte."""
        self.changes = 0
        """Goes up with each transaction: equal means the glass cannot have changed."""
        self._noise = random.Random(seed)
        self._reg = _Registers()
        self._ram: list[bytearray] = []
        self._pending: list[int] = []
        self._seen: tuple[int, Image.Image] | None = None
        self.power_on()

    def power_on(self) -> None:
        """Take the power away and give it back: registers as after a reset, noise in the memory."""
        self._reg = _Registers()
        self._ram = [bytearray(self._noise.randbytes(self.columns)) for _ in range(PAGES)]
        self._pending = []
        self.changes += 1

    def power_off(self) -> None:
        """Take the power away: the glass is black."""
        self._reg = _Registers()
        self.changes += 1

    @property
    def on(self) -> bool:
        """Whether the glass is driven at all."""
        return self._reg.lit and (self._reg.pump or self.chip != "ssd1306")

    @property
    def contrast(self) -> int:
        """The brightness last set, 0..255."""
        return self._reg.contrast

    def write(self, payload: bytes) -> None:
        """Take one transaction: the bytes after the address, any number of control bytes among them."""
        self.traffic.transactions += 1
        self.traffic.bytes += 1 + len(payload)
        if self.recording is not None:
            self.recording.append(bytes(payload))
        at = 0
        while at < len(payload):
            control = payload[at]
            more = bool(control & 0x80)
            chunk = payload[at + 1 : at + 2] if more else payload[at + 1 :]
            for byte in chunk:
                self._data(byte) if control & 0x40 else self._command(byte)
            at += 1 + len(chunk)
            if not chunk:
                break
        self.changes += 1

    def glass(self) -> Image.Image:
        """What a person sees, as a mode "1" picture of 128x64, lit pixels 255; black when off. Not to be drawn on."""
        changes = self.changes
        if self._seen is None or self._seen[0] != changes:
            self._seen = changes, self._look()
        return self._seen[1]

    def _look(self) -> Image.Image:
        reg = self._reg
        if not self.on:
            return Image.new("1", (WIDTH, HEIGHT))
        if reg.all_on:
            return Image.new("1", (WIDTH, HEIGHT), _LIT)
        image = ImageChops.offset(self._memory(), 0, -((reg.start_line + reg.offset) % HEIGHT))
        if reg.inverted:
            image = ImageChops.logical_xor(image, Image.new("1", (WIDTH, HEIGHT), _LIT))
        if reg.multiplex < HEIGHT:
            image.paste(0, (0, reg.multiplex, WIDTH, HEIGHT))
        return ImageOps.flip(image) if reg.upside_down else image

    def _memory(self) -> Image.Image:
        """The memory behind the glass, its first row on top and its segments as the module is mounted."""
        first = (self.columns - WIDTH) // 2
        image = Image.new("1", (WIDTH, HEIGHT))
        pixels = image.load()
        assert pixels is not None
        for page, row in enumerate(self._ram):
            for x, byte in enumerate(row[first : first + WIDTH]):
                for bit in range(8):
                    if byte >> bit & 1:
                        pixels[x, page * 8 + bit] = _LIT
        # The SSD chips turn a column round as it is written, the SH1106 as it is shown.
        turned = self.chip == "sh1106" and not self._reg.remapped
        return ImageOps.mirror(image) if turned else image

    def _data(self, byte: int) -> None:
        reg = self._reg
        straight = self.chip == "sh1106" or reg.remapped
        if reg.column < self.columns:
            self._ram[reg.page][reg.column if straight else self.columns - 1 - reg.column] = byte
        if self.chip == "sh1106":
            reg.column = min(reg.column + 1, self.columns)  # stops past the last column: what follows is lost
            return
        left, right, top, bottom = reg.window if reg.mode != _PAGED else (0, WIDTH - 1, reg.page, reg.page)
        if reg.mode == _VERTICAL:
            reg.page = top if reg.page == bottom else (reg.page + 1) % PAGES
            if reg.page == top:
                reg.column = left if reg.column == right else (reg.column + 1) % WIDTH
            return
        turn = reg.column == right
        reg.column = left if turn else (reg.column + 1) % WIDTH
        if turn:
            reg.page = top if reg.page == bottom else (reg.page + 1) % PAGES

    def _command(self, byte: int) -> None:
        self._pending.append(byte)
        command, *arguments = self._pending
        if len(arguments) == _ARGUMENTS[self.chip].get(command, 0):
            self._pending = []
            self._obey(command, arguments)

    def _obey(self, command: int, arguments: list[int]) -> None:
        reg, ssd = self._reg, self.chip != "sh1106"
        match command:
            case 0x20 if ssd:
                reg.mode = arguments[0] & 0x03
            case 0x21 if ssd:
                reg.window[:2] = (argument & 0x7F for argument in arguments)
                reg.column = reg.window[0]
            case 0x22 if ssd:
                reg.window[2:] = (argument & 0x07 for argument in arguments)
                reg.page = reg.window[2]
            case 0x81:
                reg.contrast = arguments[0]
            case 0x8D if self.chip == "ssd1306":
                reg.pump = bool(arguments[0] & 0x04)
            case 0xA0 | 0xA1:
                reg.remapped = command == 0xA1
            case 0xA4 | 0xA5:
                reg.all_on = command == 0xA5
            case 0xA6 | 0xA7:
                reg.inverted = command == 0xA7
            case 0xA8:
                reg.multiplex = (arguments[0] & 0x3F) + 1
            case 0xAE | 0xAF:
                reg.lit = command == 0xAF
            case 0xC0 | 0xC8:
                reg.upside_down = command == 0xC0
            case 0xD3:
                reg.offset = arguments[0] & 0x3F
            case _ if 0x40 <= command <= 0x7F:
                reg.start_line = command & 0x3F
            case _ if command <= 0x1F or 0xB0 <= command <= 0xB7:
                self._point(command)

    def _point(self, command: int) -> None:
        """Page and column one at a time, as page mode has it."""
        reg = self._reg
        if reg.mode != _PAGED:
            return
        if command >= 0xB0:
            reg.page = command & 0x07
        elif command >= 0x10:
            reg.column = (command & 0x0F) << 4 | reg.column & 0x0F
        else:
            reg.column = reg.column & 0xF0 | command
        if self.chip != "sh1106":
            reg.column %= WIDTH
