"""Writes the tables of docs/building.md from the data that the drivers use, and draws its pictures.

`python docs/building.py` in the checkout's environment writes the tables; `make pictures` draws the pictures too.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from typing import Final

from firmware.cabinet import Cabinet
from firmware.config import Config
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.settings import Settings
from firmware.template.svg import to_svg
from firmware.template_command import board_pages, keypad_pages, wiring_pages
from hardware.current import FULL_CHANNEL_MA, REST_MA, estimate_ma, limit
from hardware.header import header_pin, kept_free, wires
from hardware.lanes import three_lanes, two_lanes
from hardware.oled import SIZE
from hardware.open_devices import open_devices
from hardware.parts_spec import MAX_MA, PartsSpec
from hardware.ports import Frame
from hardware.wiring import Wiring

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "building.md"
PICTURES: Final = HERE / "pictures"

SCREENS: Final = ((0.96, "SSD1306"), (1.3, "SH1106, SSD1306"), (2.42, "SSD1309"))
"""Diagonal in inches, and the chips such panels usually have."""
SMALL, LARGE = 16, 48
"""Dots of the smallest letters, and of the big theme's numerals."""
DEAL: Final = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 0D 1A 9#"
"""The README's deal, for a frame as it is seen in a game."""
SHORT_PITCH: Final = 1000 / 144
WHITE: Final = (255, 255, 255)


def screens() -> Iterator[str]:
    """How tall letters are on each panel."""
    yield f"| diagonal | usual chip | glass | {SMALL} dots | {LARGE} dots |"
    yield "|---|---|---|---|---|"
    width, height = SIZE
    for inches, chip in SCREENS:
        dot = inches * 25.4 / sqrt(width**2 + height**2)
        sizes = f"{width * dot:.0f} x {height * dot:.0f} mm | {SMALL * dot:.1f} mm | {LARGE * dot:.0f} mm"
        bold = "**" if inches == max(SCREENS)[0] else ""
        yield f"| {bold}{inches} inch{bold} | {chip} | {sizes} |"


def pins(wiring: Wiring) -> Iterator[str]:
    """Every wire of the header, by the number along it."""
    yield "| pin | GPIO | part | there |"
    yield "|---|---|---|---|"
    for wire in sorted(wires(wiring), key=lambda wire: header_pin(wire.bcm)):
        signal = wire.signal.replace("*", "\\*")
        yield f"| {header_pin(wire.bcm)} | {wire.bcm} | {wire.part} | {signal} |"
    free = ", ".join(f"{header_pin(bcm)} (GPIO{bcm})" for bcm in kept_free(wiring))
    yield f"\nLeave free, the SPI has them: pins {free}."


def power() -> Iterator[str]:
    """Currents of whole frames, as the limit reckons them."""
    two, three = two_lanes().pixels, three_lanes().pixels
    yield f"| lights | {two} (two lanes) | {three} (three lanes) |"
    yield "|---|---|---|"
    yield f"| dark, {REST_MA} mA each | {_amperes([(0, 0, 0)] * two)} | {_amperes([(0, 0, 0)] * three)} |"
    yield f"| a game, after one deal | {_amperes(_played())} | |"
    pegs = {two: 4, three: 6}
    lit = {n: [WHITE] * pegs[n] + [(0, 0, 0)] * (n - pegs[n]) for n in (two, three)}
    yield f"| all pegs white, {3 * FULL_CHANNEL_MA} mA more each | {_amperes(lit[two])} | {_amperes(lit[three])} |"
    yield f"| every light white, without the limit | {_amperes([WHITE] * two)} | {_amperes([WHITE] * three)} |"
    held = (_amperes(limit([WHITE] * n, MAX_MA)) for n in (two, three))
    yield f"| every light white, `strip.max_ma = {MAX_MA}` (the default) | {' | '.join(held)} |"


def _amperes(frame: Frame) -> str:
    return f"{estimate_ma(frame) / 1000:.2f} A"


def _played() -> Frame:
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder), now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        cabinet = Cabinet(open_devices(PartsSpec()), journal, Settings(names=("Ann", "Bob")))
        try:
            cabinet.tap_all(split_keys(DEAL))
            cabinet.settle()
            return cabinet.shown().colours
        finally:
            cabinet.close()
            journal.close()


def layout() -> Iterator[str]:
    """The configuration of two lanes in rows of thirty."""
    _, answer = board_pages(Config(), SHORT_PITCH, 30, None, "none")
    yield f"```toml\n{answer['toml'].strip()}\n```"


def page(text: str) -> str:
    """The text of docs/building.md with its tables made anew."""
    made = {"screens": screens(), "pins": pins(Wiring()), "power": power(), "layout": layout()}
    for name, lines in made.items():
        block = f"<!-- {name} -->\n" + "\n".join(lines) + "\n<!-- end -->"
        text, found = re.subn(
            rf"<!-- {name} -->\n.*?<!-- end -->", lambda _, b=block: b, text, count=1, flags=re.DOTALL
        )
        if not found:
            raise LookupError(f"docs/building.md has no place for its table: <!-- {name} -->")
    return text


def pictures() -> dict[str, str]:
    """The pictures of docs/building.md, by file name: SVG on white paper."""
    config = Config()
    pages = {
        "wiring.svg": wiring_pages(config, "none")[0],
        "board.svg": board_pages(config, SHORT_PITCH, 30, None, "none")[0],
        "keypad.svg": keypad_pages(config, 17.0, "none")[0],
    }
    return {name: to_svg(sheets[0], paper="#ffffff") for name, sheets in pages.items()}


def draw_building() -> None:
    """Write the pictures and the tables."""
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    draw_building()
    print(f"written: {PAGE}")
