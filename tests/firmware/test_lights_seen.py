"""The lights as eyes see them: side colours that every eye tells apart, pegs that need no colour to be told apart.

A WS2812 is linear: a channel at half its number gives half the light. The luminance of a light is therefore the
weighted sum of its three numbers (IEC 61966-2-1), which is also what an eye without colours has to go by.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.apply import apply
from engine.decide import decide
from engine.public import public
from engine.state import Pegs
from firmware.lights import CORNER, SIDE_COLOURS, SKUNK, STREET, frame
from firmware.settings import Settings
from firmware.view import Moved, View
from hardware.current import limit
from hardware.lanes import PRESETS, Layout, one_lane, two_lanes
from hardware.ports import Colour

PAGE = Path(__file__).parents[2] / "firmware" / "web" / "static" / "light.js"
STEPS = 3
"""How many times brighter each of front peg, back peg and gap is than the next, at least."""


# Colours that every eye can tell apart. Linear RGB by IEC 61966-2-1; Lab under D65; CIE76; Machado, Oliveira and
# Fernandes 2009, severity 1.0.
MACHADO = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.95047, 1.0, 1.08883)


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix]


def _lab(colour: Colour, eye: str) -> tuple[float, float, float]:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (one / 255 for one in colour)]
    seen = [min(1.0, max(0.0, one)) for one in _times(MACHADO[eye], linear)]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (one / white for one, white in zip(_times(TO_XYZ, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", sorted(MACHADO))
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(range(3), 2)))
def test_sides_can_be_told_apart_by_every_eye(eye: str, one: int, other: int) -> None:
    """Every pair of side colours is at least 60 apart for protan, deutan, tritan and usual eyes."""
    first, second = _lab(SIDE_COLOURS[one], eye), _lab(SIDE_COLOURS[other], eye)
    assert sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5 >= 60


@pytest.mark.parametrize(
    ("colour", "lab"),
    [((255, 255, 255), (100.0, 0.0, 0.0)), ((0, 0, 255), (32.3, 79.2, -107.9)), ((255, 0, 0), (53.2, 80.1, 67.2))],
)
def test_the_measure_itself(colour: Colour, lab: tuple[float, float, float]) -> None:
    """White, blue and red have the Lab values that are published for sRGB: the distances are measured rightly."""
    assert _lab(colour, "usual") == pytest.approx(lab, abs=0.1)


@pytest.mark.parametrize("eye", sorted(MACHADO))
def test_the_page_can_be_told_apart_by_every_eye(eye: str) -> None:
    """The page lifts its blue, to be read as text: the three are still fifty apart, and have shapes of their own."""
    found = re.findall(r'(?:blue|amber|white): "#([0-9a-f]{6})"', PAGE.read_text("utf-8"))
    colours = [tuple(bytes.fromhex(one)) for one in found]
    assert len(colours) == 3
    for one, other in itertools.combinations(colours, 2):
        first, second = _lab(one, eye), _lab(other, eye)  # type: ignore[arg-type]
        assert sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5 >= 50


def luminance(colour: Colour) -> float:
    """Relative luminance of a light, 1.0 for all three channels at full."""
    return sum(weight * channel / 255 for weight, channel in zip(TO_XYZ[1], colour, strict=True))


def _view(pegs: Sequence[Pegs], moved: Moved | None = None) -> View:
    state = apply(None, decide(None, Settings(names=("Ann", "Bob")).open_game())[0])
    return View(replace(public(state), pegs=tuple(pegs)), Settings(), False, moved=moved)


def _levels(layout: Layout, side: int, lane: int, max_ma: int) -> tuple[float, float, float, float]:
    """Luminances of front peg, back peg, gap and the brightest mark of a lane, under a current limit."""
    pegs = [Pegs()] * (3 if layout.lane_count == 3 else 2)
    pegs[side] = Pegs(44, 41)
    colours = limit(frame(_view(pegs), layout, 0.0), max_ma)
    at = [luminance(colours[layout.pixel(lane, hole)]) for hole in range(1, layout.holes + 1)]
    return at[43], at[40], min(at[41:43]), max(level for hole, level in enumerate(at, 1) if not 41 <= hole <= 44)


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize("spare_ma", [15, 40, 100, 10_000])
def test_front_back_and_gap_are_told_apart_without_colour(name: str, spare_ma: int) -> None:
    """Front peg, back peg, gap and marks: each brighter than the next on every lane, however small the supply."""
    layout = PRESETS[name]()
    for side in range(3 if layout.lane_count == 3 else 2):
        lane = side if layout.lane_count > 1 else 0
        front, back, gap, mark = _levels(layout, side, lane, layout.pixels + spare_ma)
        assert front >= STEPS * back
        assert back >= STEPS * gap
        assert gap > mark


@given(st.integers(1, 116), st.integers(15, 2000))
def test_a_peg_on_a_mark_is_no_mark(hole: int, spare_ma: int) -> None:
    """Wherever a back peg stands, on a street line or a corner too, it is three times as bright as any mark."""
    layout = two_lanes()
    colours = limit(frame(_view([Pegs(hole + 5, hole), Pegs()]), layout, 0.0), layout.pixels + spare_ma)
    marks = [luminance(colours[layout.pixel(1, one)]) for one in range(1, 122)]
    assert luminance(colours[layout.pixel(0, hole)]) >= STEPS * max(marks)


def test_marks_are_three_kinds() -> None:
    """A street line, a corner and a skunk line differ, and are lit at all."""
    assert len({STREET, CORNER, SKUNK, (0, 0, 0)}) == 4


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_who_has_moved_is_told_without_colour(name: str, side: int) -> None:
    """On an own lane or a shared one the front peg dims once for side A, twice for B, by two thirds at least."""
    layout = PRESETS[name]()
    before, pegs = [Pegs(50, 44)] * 2, [Pegs(50, 44)] * 2
    pegs[side] = Pegs(53, 50)
    if layout.lane_count == 3:
        before, pegs = [*before, Pegs()], [*pegs, Pegs()]
    pixel = layout.pixel(side if layout.lane_count > 1 else 0, 53)
    view = _view(pegs, Moved(tuple(before), 0.0))
    seen = [luminance(frame(view, layout, step / 100)[pixel]) for step in range(20, 300)]
    dims = [(one, other) for one, other in itertools.pairwise(seen) if other < one]
    assert len(dims) == side + 1
    assert all(one >= STEPS * other for one, other in dims)


def test_two_front_pegs_in_one_hole_are_brighter_than_either() -> None:
    """On a shared lane a hole that holds both front pegs shows both colours at once, brighter than each alone."""
    layout = one_lane()
    pixel = layout.pixel(0, 53)
    both, blue, amber = (
        luminance(frame(_view(pegs), layout, 0.0)[pixel])
        for pegs in ([Pegs(53, 40), Pegs(53, 41)], [Pegs(53, 40), Pegs(60, 41)], [Pegs(60, 40), Pegs(53, 41)])
    )
    assert both > max(blue, amber)
