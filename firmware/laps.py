"""Games longer than the lanes: the pegs go round again, and the last hole of the lane is lit as the lap's lamp."""

from __future__ import annotations

from typing import Final

STREET: Final = 30
"""Holes of a street of the wooden board; a lap is a whole number of two streets."""


def lap_holes(target: int, holes: int) -> int:
    """Holes of one lap on lanes of ``holes``; 0 where the game hole lies on the lane and no lap is needed.

    >>> lap_holes(121, 121), lap_holes(181, 121), lap_holes(121, 61)
    (0, 120, 60)
    """
    return 0 if target <= holes else (holes - 1) // (2 * STREET) * (2 * STREET)


def fits(target: int, holes: int) -> bool:
    """Whether a game to that hole can be shown on lanes of ``holes``."""
    return target <= holes or lap_holes(target, holes) > 0


def on_lane(hole: int, lap: int) -> int:
    """The hole of the lane that shows a hole of the game; 0 is the start.

    >>> on_lane(120, 120), on_lane(121, 120), on_lane(7, 0)
    (120, 1, 7)
    """
    return hole if not lap or hole <= 0 else (hole - 1) % lap + 1


def lap_of(hole: int, lap: int) -> int:
    """How many laps lie behind a hole."""
    return 0 if not lap or hole <= 0 else (hole - 1) // lap
