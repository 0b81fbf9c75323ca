"""The lanes of lights: a pure function of the pegs, how they last moved, and the time.

The front peg is steady and bright, the back peg dim, the gap between them glows: each at least three times as bright as
the next to an eye that sees no colour, and the marks are fainter than all. The stretch just moved sweeps; then side A's
front peg pulses once, side B's twice, the third three times. A winner's game hole double-blinks. Nothing blinks faster
than three times a second. With blinking off nothing that has lit up goes out again: the stretch fills up hole by hole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.public import Public
from engine.state import Pegs
from firmware.laps import lap_holes, lap_of, on_lane
from firmware.moves import PULSE_S, pulses, rests_at, sweep_s
from firmware.view import View
from hardware.lanes import Layout
from hardware.ports import OFF, Colour

SIDE_COLOURS: Final[tuple[Colour, ...]] = ((0, 0, 255), (255, 140, 0), (255, 255, 255))
"""Blue, amber, white: every pair at least 60 apart also for protan, deutan and tritan eyes."""
FRONT: Final = 1.0
BACK: Final = 0.25
GAP: Final = 0.06
STREET: Final[Colour] = (1, 0, 3)
CORNER: Final[Colour] = (2, 0, 6)
SKUNK: Final[Colour] = (4, 0, 1)
"""Marks have no green: they are fainter than the gap even of the blue lane, which is the darkest of the three."""
STREET_HOLES: Final = 5
CORNER_HOLES: Final = 30

SWEEP_STEP_S: Final = 0.025
BLINK_S: Final = 2.0
"""One double blink of the game hole, and the rest after it."""


def lane_of(side: int, layout: Layout) -> int:
    """The lane a side pegs on: its own, or the one shared by all."""
    return side if layout.lane_count > 1 else 0


def frame(view: View, layout: Layout, now: float) -> list[Colour]:
    """One colour a pixel for the whole strip at ``now`` (seconds on the board's clock)."""
    colours = [OFF] * layout.pixels
    public = view.public
    if public is None:
        return colours
    for lane in range(layout.lane_count):
        for hole, colour in _marks(public, layout.holes):
            colours[layout.pixel(lane, hole)] = colour
    lit: dict[int, Colour] = {}
    lap = lap_holes(public.target, layout.holes)
    for side, pegs in enumerate(public.pegs):
        lane = lane_of(side, layout)
        levels = {on_lane(hole, lap): level for hole, level in _pegged(view, public, side, pegs, now).items()}
        if lap_of(pegs.front, lap):
            levels[layout.holes] = BACK
        for hole, level in levels.items():
            if 1 <= hole <= layout.holes:
                pixel = layout.pixel(lane, hole)
                lit[pixel] = _sum(lit.get(pixel, OFF), scaled(SIDE_COLOURS[side], level))
    for pixel, colour in lit.items():
        colours[pixel] = colour
    return colours


def settles_at(view: View) -> float:
    """When (seconds) nothing but a blink will change any more; 0.0 where nothing moves."""
    if view.moved is None or view.public is None:
        return 0.0
    return rests_at(view.moved, view.public.pegs, blink=view.preferences.blink)


def dark_moment(view: View, now: float) -> bool:
    """Whether a winner's game hole is in the dark part of its blink at ``now`` (seconds)."""
    if view.public is None or view.public.winner is None or not view.preferences.blink or now < settles_at(view):
        return False
    return not _double_blink(now - settles_at(view))


def next_change(view: View, now: float) -> float | None:
    """When the lights next look different, or None while they stand still."""
    if view.public is None:
        return None
    if view.moved is not None and now < settles_at(view):
        return now + SWEEP_STEP_S
    if view.public.winner is not None and view.preferences.blink:
        step = PULSE_S / 2
        done = math.floor((now - settles_at(view)) / step + 1e-6)  # a hair past the change counts as past it
        return (done + 1) * step + settles_at(view)
    return None


def scaled(colour: Colour, level: float) -> Colour:
    """A colour at a fraction of its brightness."""
    red, green, blue = (round(channel * level) for channel in colour)
    return red, green, blue


def _sum(one: Colour, other: Colour) -> Colour:
    """Two pegs on one hole of a shared lane show both colours at once."""
    return min(255, one[0] + other[0]), min(255, one[1] + other[1]), min(255, one[2] + other[2])


def _marks(public: Public, holes: int) -> Iterator[tuple[int, Colour]]:
    lap = lap_holes(public.target, holes)
    for hole in range(STREET_HOLES, (lap or min(holes, public.target)) + 1, STREET_HOLES):
        yield hole, CORNER if hole % CORNER_HOLES == 0 else STREET
    for line in public.skunk_lines:
        if 1 < line <= public.target:
            yield on_lane(line - 1, lap), SKUNK
    yield on_lane(public.target, lap), CORNER


def _pegged(view: View, public: Public, side: int, pegs: Pegs, now: float) -> dict[int, float]:
    """The holes one side lights, with their levels."""
    moved, blink = view.moved, view.preferences.blink
    if moved is not None and moved.before[side] != pegs:
        before = moved.before[side]
        age, sweep = now - moved.at, sweep_s(moved, side, pegs)
        if age < 0:
            return _levels(before)
        if age < sweep:
            reached = before.front + round((pegs.front - before.front) * age / sweep)
            return _levels(Pegs(reached, pegs.back)) if blink else _filling(before, pegs, reached)
        if age < sweep + pulses(moved, side, blink=blink) * PULSE_S:
            return _levels(pegs, lit=(age - sweep) % PULSE_S < PULSE_S / 2)
    if public.winner == side and blink and now >= settles_at(view):
        return _levels(pegs, lit=_double_blink(now - settles_at(view)))
    return _levels(pegs)


def _levels(pegs: Pegs, *, lit: bool = True) -> dict[int, float]:
    """Gap, back peg and front peg; the front peg last, so that it wins."""
    levels = dict.fromkeys(range(min(pegs.front, pegs.back) + 1, max(pegs.front, pegs.back)), GAP)
    levels[pegs.back] = BACK
    levels[pegs.front] = FRONT if lit else BACK
    return levels


def _filling(before: Pegs, after: Pegs, reached: int) -> dict[int, float]:
    """A sweep without a light that comes and goes: each hole changes once, the old front peg last."""
    old, new = _levels(before), _levels(after)
    way = 1 if after.front > before.front else -1
    still = range(reached + way, after.front + way, way)
    holes = old.keys() | new.keys()
    kept = {hole for hole in holes if hole in still or hole == before.front}
    return {hole: level for hole in holes if (level := (old if hole in kept else new).get(hole, 0.0))}


def _double_blink(age: float) -> bool:
    """Lit but for two dark moments in each cycle."""
    place = age % BLINK_S
    return not (PULSE_S / 2 <= place < PULSE_S or PULSE_S * 1.5 <= place < PULSE_S * 2)
