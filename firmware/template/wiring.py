"""The wiring as a picture: the header with every wire of the configured pins, and how the strip is fed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from firmware.template.shapes import HEAVY, MARK, NOTE, TEXT, Anchor, Circle, Ink, Line, Page, Shape, Words, box, moved
from hardware.header import HEADER, header_pin, kept_free, wires
from hardware.wiring import Wiring

SIZE: Final = (260.0, 158.0)
STEP: Final = 5.8
"""From one pin of the header to the next, drawn larger than it is."""
ODD_X: Final = 72.0
EVEN_X: Final = 78.5
FIRST_Y: Final = 26.0

COLOURS: Final = {
    "strip": "#7cc4ff",
    "screen": "#8fe0b0",
    "keypad": "#ffd76a",
    "buttons": "#e0b0ff",
    "buzzer": "#ffb38a",
    "5V": "#ff8080",
    "3V3": "#ffc0c0",
    "GND": "#c8c8c8",
}
"""A filling for every part and supply; numbers and words say the same."""
FIVE_VOLTS: Final = Ink("five-volts", "#d00000", 0.6)
GROUND: Final = Ink("ground", "#000000", 0.6)
DATA: Final = Ink("data", "#0060c0", 0.6)


def wiring_picture(wiring: Wiring, paper: tuple[float, float] | None = None) -> Page:
    """The picture of that wiring on a sheet just large enough, or in the middle of paper held crosswise."""
    shapes = [Words(8, 12, 5, "Muggins: the wiring"), *_header(wiring), *_strip(wiring), *_notes(wiring)]
    if paper is None:
        return Page(*SIZE, tuple(shapes), "Muggins: the wiring")
    width, height = max(paper), min(paper)
    dx, dy = (width - SIZE[0]) / 2, (height - SIZE[1]) / 2
    return Page(width, height, tuple(moved(shape, dx, dy) for shape in shapes), "Muggins: the wiring")


def _header(wiring: Wiring) -> Iterator[Shape]:
    used = {wire.bcm: wire for wire in wires(wiring)}
    free = kept_free(wiring)
    yield box(ODD_X - 3.6, FIRST_Y - 3.6, EVEN_X - ODD_X + 7.2, 19 * STEP + 7.2, MARK, round_by=1, name="header")
    yield Words((ODD_X + EVEN_X) / 2, FIRST_Y - 6, 2.8, "edge of the board with the SD card: up", "middle", NOTE)
    for pin, what in enumerate(HEADER, 1):
        odd = pin % 2 == 1
        x, y = ODD_X if odd else EVEN_X, FIRST_Y + (pin - 1) // 2 * STEP
        colour, words = "#ffffff", ""
        if isinstance(what, str):
            colour, words = COLOURS[what], {"5V": "5 V", "3V3": "3.3 V", "GND": "ground"}[what]
        elif what in used:
            wire = used[what]
            colour, words = COLOURS[wire.part], f"GPIO{what}  {wire.part}: {wire.signal}"
        elif what in free:
            words = f"GPIO{what}  leave free"
        yield Circle(x, y, 2.4, Ink("pin", "#000000", 0.2, colour), f"pin-{pin}")
        yield Words(x, y + 0.9, 2.6, str(pin), "middle")
        if words:
            anchor: Anchor = "end" if odd else "start"
            taken = what in used
            yield Words(x + (-5 if odd else 5), y + 1, 3 if taken else 2.6, words, anchor, TEXT if taken else NOTE)


def _strip(wiring: Wiring) -> Iterator[Shape]:
    data = next((wire.bcm for wire in wires(wiring) if wire.part == "strip"), None)
    if data is None:
        return
    yield from (
        *_way(FIVE_VOLTS, (215, 26), (250, 26), (250, 120), (243, 120)),
        *_way(FIVE_VOLTS, (250, 62), (215, 62)),
        *_way(FIVE_VOLTS, (250, 110), (190, 110), (190, 116)),
        *_way(GROUND, (180, 32), (162, 32), (162, 138), (250, 138), (250, 126), (243, 126)),
        *_way(GROUND, (162, 82), (180, 82)),
        *_way(GROUND, (162, 78), (180, 78)),
        *_way(GROUND, (162, 126), (175, 126)),
        *_way(DATA, (155, 70), (180, 70)),
        *_way(DATA, (215, 70), (221, 70)),
        *_way(DATA, (237, 70), (243, 70), (243, 100), (169, 100), (169, 120), (175, 120)),
    )
    for x, y in ((250, 62), (250, 110), (162, 78), (162, 82), (162, 126)):
        yield Circle(x, y, 0.9, Ink("joint", None, fill="#000000"))
    for x, y, width, height, words in (
        (180, 20, 35, 18, "5 V supply"),
        (180, 54, 35, 34, "74AHCT125"),
        (221, 67, 16, 6, "330 ohm"),
        (175, 116, 68, 13, "strip"),
    ):
        yield box(x, y, width, height, Ink("box", "#000000", 0.4, "#f4f4f4"), round_by=1)
        yield Words(x + width / 2, y + height / 2 + 1.2, 3.4 if width > 20 else 2.8, words, "middle")
    for at_x, at_y, words, side in _ENDS:
        yield Words(at_x, at_y, 2.6, words, side, NOTE)
    yield Words(154, 69, 3, f"pin {header_pin(data)}", "end")
    yield Words(154, 73, 3, f"GPIO{data}", "end")
    yield Words(250, 23.5, 3, "5 V: also to pin 2", "end")
    yield Words(160, 33, 3, "also to pin 6", "end")
    yield Words(209, 135.5, 2.8, "feed both ends", "middle", NOTE)


_ENDS: Final[tuple[tuple[float, float, str, Anchor], ...]] = (
    (214, 63, "VCC", "end"),
    (181, 71, "1A", "start"),
    (214, 71, "1Y", "end"),
    (181, 79, "1OE", "start"),
    (181, 83, "GND", "start"),
    (176, 121, "DIN", "start"),
    (176, 127, "GND", "start"),
    (190, 119.5, "5 V", "middle"),
    (242, 121, "5 V", "end"),
    (242, 127, "GND", "end"),
)
"""The names of the parts' own pins."""


def _way(ink: Ink, *points: tuple[float, float]) -> Iterator[Line]:
    for (x1, y1), (x2, y2) in pairwise(points):
        yield Line(x1, y1, x2, y2, ink)


def _notes(wiring: Wiring) -> Iterator[Shape]:
    lines = []
    if wiring.i2c:
        lines.append("Screen: VCC to pin 1 (3.3 V), GND to pin 9.")
    if wiring.seats:
        lines.append("Buttons: each between its pin and ground; no resistors.")
    if wiring.rows:
        lines.append("Keypad: only its rows and columns; no ground, no resistors.")
    yield Line(8, 146, SIZE[0] - 8, 146, HEAVY)
    yield Words(8, 152, 3, "  ".join(lines))
