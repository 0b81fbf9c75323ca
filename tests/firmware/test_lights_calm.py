"""What the lights never do: flash more than three times a second, or, with blinking off, go out again once lit."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.apply import apply
from engine.decide import decide
from engine.public import Public, public
from engine.state import Pegs
from firmware.lights import frame, next_change
from firmware.moves import follow
from firmware.settings import Settings
from firmware.view import Preferences, View
from hardware.lanes import PRESETS, Layout, one_lane, three_lanes, two_lanes
from hardware.ports import Colour

STEP_S = 0.01
WATCHED_S = 10.0
MOST_IN_A_SECOND = 3
HOLES = 24
"""As far as these games go: pegs that meet the same lights again and again."""

Act = tuple[float, int, int]
"""Seconds since the act before, the side, and the hole its front peg goes to."""
acts = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.15, 0.2, 0.21, 0.3, 0.45, 0.7, 1.0, 1.3, 2.0]),
        st.integers(0, 2),
        st.integers(0, HOLES),
    ),
    min_size=1,
    max_size=14,
)


def _public(sides: int) -> Public:
    state = apply(None, decide(None, Settings(names=("Ann", "Bob")).open_game())[0])
    return replace(public(state), side_names=("Ann", "Bob", "Cal")[:sides], target=121)


def _gone(pegs: Pegs, hole: int) -> Pegs:
    """The front peg at another hole: a peg put back takes the back peg along where it must."""
    return Pegs(hole, pegs.front) if hole > pegs.front else Pegs(hole, min(pegs.back, hole))


def watched(
    layout: Layout, todo: Iterable[Act], *, blink: bool, sides: int = 2, winner: int | None = None
) -> list[list[Colour]]:
    """The frames of these acts, a hundred a second, until ten seconds after the last of them."""
    table = _public(sides)
    pegs = (Pegs(),) * sides
    view = View(replace(table, pegs=pegs), Settings(), False, preferences=Preferences(blink=blink))
    frames: list[list[Colour]] = []
    at = 0.0
    for wait, side, hole in todo:
        at += wait
        while len(frames) * STEP_S < at:
            frames.append(frame(view, layout, len(frames) * STEP_S))
        after = tuple(_gone(one, hole) if place == side else one for place, one in enumerate(pegs))
        moved = follow(view.moved, pegs, after, at, blink=blink)
        pegs = after
        view = replace(view, public=replace(table, pegs=pegs), moved=moved)
    if winner is not None:
        view = replace(view, public=replace(table, pegs=pegs, winner=winner))
    last = at + WATCHED_S
    while len(frames) * STEP_S < last:
        now = len(frames) * STEP_S
        frames.append(frame(view, layout, now))
        if next_change(view, now) is None:
            return frames + [frames[-1]] * 100
    return frames


def changes(frames: Sequence[Sequence[Colour]], pixel: int) -> list[tuple[int, int]]:
    """Each change of a light: the step it comes at, and 1 for brighter or -1 for darker."""
    levels = [sum(colours[pixel]) for colours in frames]
    return [(step, 1 if new > old else -1) for step, (old, new) in enumerate(itertools.pairwise(levels)) if new != old]


def flashes(frames: Sequence[Sequence[Colour]]) -> int:
    """The most flashes of one light within any one second: pairs of opposite changes, as WCAG 2.3.1 counts them."""
    worst = 0
    for pixel in range(len(frames[0])):
        seen = changes(frames, pixel)
        turns = [one for place, one in enumerate(seen) if not place or one[1] != seen[place - 1][1]]
        for start, _ in turns:
            inside = [one for one in turns if start <= one[0] < start + 1 / STEP_S]
            worst = max(worst, len(inside) // 2)
    return worst


def goes_out(frames: Sequence[Sequence[Colour]]) -> list[int]:
    """The lights that become brighter, then darker, or darker, then brighter."""
    return [pixel for pixel in range(len(frames[0])) if len({way for _, way in changes(frames, pixel)}) > 1]


@settings(max_examples=20)
@given(acts, st.sampled_from([None, 0, 1]), st.sampled_from(sorted(PRESETS)))
def test_no_light_flashes_more_than_three_times_a_second(todo: list[Act], winner: int | None, name: str) -> None:
    """However quickly acts follow each other, forwards or back, and after them the winner's double blink."""
    layout = PRESETS[name]()
    sides = 3 if layout.lane_count == 3 else 2
    here = [(wait, side % sides, hole) for wait, side, hole in todo]
    assert flashes(watched(layout, here, blink=True, sides=sides, winner=winner)) <= MOST_IN_A_SECOND


@pytest.mark.parametrize("between", [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.9])
@pytest.mark.parametrize("blink", [True, False])
def test_undone_and_done_again_as_fast_as_can_be(between: float, blink: bool) -> None:
    """An award taken back and given again, over and over, does not flash more than three times a second either."""
    todo = [(between, 0, hole) for hole in (3, 0) * 12]
    for layout in (two_lanes(), one_lane()):
        assert flashes(watched(layout, todo, blink=blink)) <= MOST_IN_A_SECOND


@pytest.mark.parametrize("between", [0.0, 0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_two_sides_go_to_and_fro_in_turn(between: float, name: str) -> None:
    """The same holds where two sides are given points and lose them in turn, on lanes of their own or a shared one."""
    layout = PRESETS[name]()
    sides = 3 if layout.lane_count == 3 else 2
    todo = [(between, side, hole) for hole in (3, 0) * 10 for side in (0, 1)]
    assert flashes(watched(layout, todo, blink=True, sides=sides)) <= MOST_IN_A_SECOND


@pytest.mark.parametrize("side", [0, 1, 2])
def test_two_awards_in_a_fifth_of_a_second(side: int) -> None:
    """The second of two quick awards jumps to its place; the pegs stand right at once and nothing flickers."""
    layout = three_lanes()
    frames = watched(layout, [(0.0, side, 2), (0.2, side, 14)], blink=True, sides=3)
    assert flashes(frames) <= 1
    there = [sum(colours[layout.pixel(side, 14)]) for colours in frames]
    assert len(set(there[21:])) == 1
    assert there[21] > 0


@settings(max_examples=30)
@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(sorted(PRESETS)), st.integers(0, 1))
def test_no_blinking_changes_each_light_once(first: int, second: int, name: str, side: int) -> None:
    """With blinking off a move, forwards or back, makes no light go on and off again, nor off and on."""
    layout = PRESETS[name]()
    todo = [(0.0, side, first), (5.0, side, second)]
    before = watched(layout, todo[:1], blink=False)
    whole = watched(layout, todo, blink=False)
    assert goes_out(before) == []
    assert goes_out(whole[round(4.9 / STEP_S) :]) == []


def test_no_blinking_stands_still_for_a_winner() -> None:
    """With blinking off the winner's game hole is steady."""
    frames = watched(two_lanes(), [(0.0, 0, 121)], blink=False, winner=0)
    assert goes_out(frames) == []


@pytest.mark.parametrize("blink", [True, False])
def test_a_move_fills_its_stretch_hole_by_hole(blink: bool) -> None:
    """With and without blinking the stretch lights up in the order of its holes, none before the one behind it."""
    layout = two_lanes()
    frames = watched(layout, [(0.0, 0, 10)], blink=blink)
    first = [changes(frames, layout.pixel(0, hole))[0][0] for hole in range(1, 11)]
    assert first == sorted(first)
    assert len(set(first)) == 10


def test_board_shows_quick_acts_calmly(table: Any) -> None:
    """At the table: points given, taken back and given again by hand within a second jump, later ones sweep."""
    board = table.press("# 2#").board
    now = 100.0
    seen = []
    for keys in ("B1#5A", "*#", "B1#5A"):
        for key in keys:
            now += 0.03
            board.press(key, now)
        moved = board.view().moved
        assert moved is not None
        seen.append((moved.calm, moved.at >= now))
    assert seen == [(False, True), (True, True), (True, True)]
    now += 10.0
    for key in "B1#5A":
        board.press(key, now)
    assert board.view().moved == replace(board.view().moved, calm=False, at=now)
