"""What is printed and laid over the keypad: each key with its suit, and what it does alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from firmware.template.shapes import (
    CUT,
    FINE,
    NOTE,
    RED,
    TEXT,
    Ink,
    Outline,
    Page,
    Shape,
    Step,
    Words,
    box,
    moved,
    ruler,
)

KEY_PITCH: Final = 17.0
"""From the middle of one key to the next where nothing else is said, in millimetres; keypads differ: measure."""
LEGEND: Final = (
    "number + suit: that card (1 ace, 11 jack, 12 queen, 13 king, 0 ten)",
    "number + #: that many points; # alone: yes, next, go",
    "* erases what is typed; alone: undo",
)
ALONE: Final = {
    "A": "muggins",
    "B": "adjust",
    "C": "why?",
    "D": "scores",
    "*": "undo",
    "#": "yes, go",
    "1": "ace",
    "0": "ten",
}
"""What the smaller words of a key say."""

# Each suit in a square of one unit around 0, 0.
_HALF_HEART: Final[tuple[Step, ...]] = (
    (-0.1, 0.28, -0.5, 0.12, -0.5, -0.16),
    (-0.5, -0.5, -0.08, -0.54, 0.0, -0.2),
    (0.08, -0.54, 0.5, -0.5, 0.5, -0.16),
    (0.5, 0.12, 0.1, 0.28, 0.0, 0.5),
)
_SPADE: Final[tuple[Step, ...]] = (
    (0.1, -0.26, 0.48, -0.1, 0.48, 0.14),
    (0.48, 0.42, 0.12, 0.42, 0.04, 0.2),
    (0.05, 0.36, 0.1, 0.46, 0.2, 0.5),
    (-0.2, 0.5),
    (-0.1, 0.46, -0.05, 0.36, -0.04, 0.2),
    (-0.12, 0.42, -0.48, 0.42, -0.48, 0.14),
    (-0.48, -0.1, -0.1, -0.26, 0.0, -0.5),
)
_CLUB: Final[tuple[Step, ...]] = (
    (0.3, -0.5, 0.32, -0.18, 0.14, -0.06),
    (0.3, -0.16, 0.52, -0.06, 0.5, 0.14),
    (0.48, 0.38, 0.12, 0.42, 0.04, 0.14),
    (0.05, 0.34, 0.1, 0.46, 0.2, 0.5),
    (-0.2, 0.5),
    (-0.1, 0.46, -0.05, 0.34, -0.04, 0.14),
    (-0.12, 0.42, -0.48, 0.38, -0.5, 0.14),
    (-0.52, -0.06, -0.3, -0.16, -0.14, -0.06),
    (-0.32, -0.18, -0.3, -0.5, 0.0, -0.5),
)
SUITS: Final[dict[str, Outline]] = {
    "A": Outline(0.0, -0.5, _SPADE, TEXT, "spade"),
    "B": Outline(0.0, 0.5, _HALF_HEART, RED, "heart"),
    "C": Outline(0.0, -0.5, _CLUB, TEXT, "club"),
    "D": Outline(0.0, -0.5, ((0.4, 0.0), (0.0, 0.5), (-0.4, 0.0)), RED, "diamond"),
}
"""The suit of each lettered key."""


def keypad_overlay(keys: Sequence[str], pitch: float, paper: tuple[float, float] | None) -> Page | None:
    """The overlay of a keypad with those keys, a word a row, ``pitch`` millimetres from middle to middle.

    On paper of that size held upright, or, with None, on a sheet just large enough. None where it does not fit.
    """
    width, height = pitch * max(map(len, keys)), pitch * len(keys)
    legend = len(LEGEND) * 4.5 + 3
    room_x, room_y = max(width, 90.0) + 20, height + legend + 40
    if paper is not None and (room_x > paper[0] or room_y > paper[1]):
        return None
    page_x, page_y = paper or (max(room_x, 150.0), room_y)
    left, top = (page_x - width) / 2, 15.0
    shapes: list[Shape] = [box(left, top, width, height, CUT, round_by=2.5, name="overlay")]
    for row, names in enumerate(keys):
        for column, key in enumerate(names):
            x, y = left + (column + 0.5) * pitch, top + (row + 0.5) * pitch
            shapes += _key(key, x, y, pitch, f"key-{row + 1}-{column + 1}")
    for index, line in enumerate(LEGEND):
        shapes.append(Words(page_x / 2, top + height + 6 + index * 4.5, 2.8, line, "middle"))
    shapes += ruler(10, page_y - 10)
    return Page(page_x, page_y, tuple(shapes), "Muggins: what the keys do")


def _key(key: str, x: float, y: float, pitch: float, name: str) -> Iterator[Shape]:
    size = pitch * 0.84
    yield box(x - size / 2, y - size / 2, size, size, FINE, round_by=pitch * 0.1, name=name)
    word = ALONE.get(key, "")
    if key in SUITS:
        yield suit(key, x + pitch * 0.13, y - pitch * 0.08, pitch * 0.38)
        yield Words(x - pitch * 0.3, y - pitch * 0.14, pitch * 0.2, key, ink=TEXT)
    else:
        # The star of Helvetica hangs high.
        drop = 0.28 if key == "*" else 0.1
        yield Words(x, y + pitch * drop, pitch * (0.6 if key == "*" else 0.42), key, "middle")
    yield Words(x, y + pitch * 0.32, pitch * 0.15, word, "middle", NOTE if key.isdigit() else TEXT)


def suit(key: str, x: float, y: float, size: float, ink: Ink | None = None) -> Outline:
    """The suit of a lettered key in a square of ``size`` around a point."""
    unit = SUITS[key]
    steps = tuple(tuple(n * size for n in step) for step in unit.steps)
    scaled = replace(unit, x=unit.x * size, y=unit.y * size, steps=steps, ink=ink or unit.ink, name="")
    placed = moved(scaled, x, y)
    assert isinstance(placed, Outline)
    return placed
