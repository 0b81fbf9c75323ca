"""Reading the pegs back from the colours of a strip: what a person at the table would say they show."""

from __future__ import annotations

from collections.abc import Sequence

from engine.state import Pegs
from firmware.laps import lap_holes
from firmware.lights import BACK, GAP, SIDE_COLOURS, lane_of
from hardware.lanes import Layout
from hardware.ports import Colour

_FAINTEST = 0.03
"""Below this the brightest hole is a mark, not a peg."""


def lane_colours(layout: Layout, colours: Sequence[Colour]) -> list[list[Colour]]:
    """The colour of each hole, 1 first, lane by lane."""
    return [
        [colours[layout.pixel(lane, hole)] for hole in range(1, layout.holes + 1)] for lane in range(layout.lane_count)
    ]


def pegs_shown(layout: Layout, colours: Sequence[Colour], side: int, target: int = 0) -> Pegs:
    """Where a side's pegs stand by the lights alone; 0 is the start, which is unlit.

    In a game longer than the lane (``target``) the lit last hole says that the front peg is a lap ahead.
    """
    lane = lane_colours(layout, colours)[lane_of(side, layout)]
    levels = [_level(colour, side, shared=layout.lane_count == 1) for colour in lane]
    lap = lap_holes(target, layout.holes)
    if not lap:
        return _on_lane(levels)
    ahead = lap if levels[-1] > BACK / 2 else 0
    pegs = _on_lane(levels[:-1])
    behind = ahead and pegs.back and pegs.back <= pegs.front
    return Pegs(pegs.front + ahead, pegs.back + (lap if behind else 0))


def _on_lane(levels: list[float]) -> Pegs:
    top = max(levels)
    if top < _FAINTEST:
        return Pegs()
    front = levels.index(top) + 1
    between = (BACK + GAP) / 2 * top
    backs = [hole for hole, level in enumerate(levels, 1) if level > between and hole != front]
    if backs:
        return Pegs(front, backs[0])
    glows = levels[0] > GAP / 2 * top
    return Pegs(front, 0 if glows or front == 1 else front)


def _level(colour: Colour, side: int, *, shared: bool) -> float:
    """How much of a side's colour a hole shows, 0 to 1. On a shared lane each side is told by a channel of its own."""
    own = SIDE_COLOURS[side]
    if shared:
        channel = 2 if side == 0 else 0
        return colour[channel] / 255
    if any(light > 8 for light, ours in zip(colour, own, strict=True) if not ours):
        return 0.0
    return min(light / ours for light, ours in zip(colour, own, strict=True) if ours)
