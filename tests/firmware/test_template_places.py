"""Where the template puts each hole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.template.places import folded, pieces
from hardware.lanes import PRESETS, Layout, one_lane, preset, two_lanes
from hardware.layout_data import from_dict

PITCH = 10.0


def at(layout: Layout, row: int | None = None) -> dict[tuple[int, int], tuple[float, float]]:
    """Where each (lane, hole) is."""
    return {(p.lane, p.hole): (p.x, p.y) for piece in pieces(layout, PITCH, row) for p in piece.places}


def test_two_lanes_are_two_rows_with_the_same_holes_below_each_other() -> None:
    """Unfolded, both lanes run from left to right, hole under hole, a pitch apart, though the strip runs back."""
    where = at(two_lanes())
    assert [where[0, hole][0] for hole in (1, 2, 121)] == [0, 10, 1200]
    assert all(where[0, hole][0] == where[1, hole][0] for hole in range(1, 122))
    assert where[1, 1][1] == 15
    assert [piece.forth for piece in pieces(two_lanes(), PITCH)] == [True, False]


def test_a_row_of_the_whole_lane_folds_nothing() -> None:
    """Folded into rows as long as the lane, each built-in board is what it was."""
    for name in PRESETS:
        assert folded(preset(name), 121).lanes == preset(name).lanes


def test_rows_of_thirty_lie_as_one_would_cut_the_strip() -> None:
    """Two lanes in rows of thirty: each end of every piece has the pixel that counting along the strip gives."""
    board = folded(two_lanes(), 30)
    first = {hole: board.pixel(0, hole) for hole in (1, 30, 60, 31, 61, 90, 121, 91)}
    second = {hole: board.pixel(1, hole) for hole in (30, 1, 31, 60, 90, 61, 91, 121)}
    assert first == {1: 0, 30: 29, 60: 60, 31: 89, 61: 120, 90: 149, 121: 180, 91: 210}
    assert second == {30: 30, 1: 59, 31: 90, 60: 119, 90: 150, 61: 179, 91: 211, 121: 241}


def test_the_game_hole_stands_out_and_streets_lie_below_each_other() -> None:
    """In rows of thirty hole 120 is below 61 and hole 91 below 90; the game hole is one pitch past hole 120."""
    where = at(folded(two_lanes(), 30), 30)
    assert where[0, 120][0] == where[0, 61][0] == where[0, 1][0] == 0
    assert where[0, 91][0] == where[0, 90][0] == 290
    assert where[0, 121][0] == where[1, 121][0] == -10


def test_one_lane_is_folded_though_its_strip_simply_goes_on() -> None:
    """One lane in rows of thirty needs no jumps, and still lies in four rows that run forth and back."""
    board = folded(one_lane(), 30)
    assert (board.lanes, board.jumps) == (one_lane().lanes, frozenset())
    where = at(board, 30)
    assert [where[0, hole] for hole in (30, 31, 60, 61)] == [(290, 0), (290, 28), (0, 28), (0, 56)]


def test_unused_lights_at_a_bend_are_told() -> None:
    """A layout of one's own with lights lost at each bend lies in its rows, and says how many are lost."""
    segment = {"from": 1, "to": 60, "first_pixel": 0, "row": 30, "gap": 4}
    board = from_dict({"holes": 60, "pixels": 64, "lanes": [{"segments": [segment]}]})
    laid = pieces(board, PITCH)
    assert [piece.unused for piece in laid] == [0, 4]
    assert [(piece.places[0].hole, piece.places[-1].hole) for piece in laid] == [(1, 30), (31, 60)]


def test_every_second_light_is_two_pitches_away() -> None:
    """Where every second pixel is a hole the holes are two pitches apart."""
    data = {"holes": 5, "pixels": 9, "spacing": 2, "lanes": [{"segments": [{"from": 1, "to": 5, "first_pixel": 0}]}]}
    assert [x for x, _ in at(from_dict(data)).values()] == [0, 20, 40, 60, 80]


@given(st.sampled_from(sorted(PRESETS)), st.integers(1, 200), st.integers(1, 60))
def test_any_fold_is_a_strip_that_can_be_laid(name: str, holes: int, row: int) -> None:
    """However a board is folded, each hole is there once, lights of a piece are a pitch apart, and joints are short."""
    board = folded(preset(name, holes=holes), row)
    laid = pieces(board, PITCH, row)
    seen = [(p.lane, p.hole) for piece in laid for p in piece.places]
    assert sorted(seen) == [(lane, hole) for lane in range(board.lane_count) for hole in range(1, holes + 1)]
    for piece in laid:
        assert all(b.x - a.x == pytest.approx(PITCH * abs(b.pixel - a.pixel)) for a, b in pairwise(piece.places))
        assert len({p.y for p in piece.places}) == 1
    for a, b in pairwise(laid):
        assert b.first.pixel == a.last.pixel + 1
        assert abs(b.first.x - a.last.x) <= PITCH + 1e-9
        assert 15 <= b.y - a.y <= 30


@given(st.sampled_from(sorted(PRESETS)), st.integers(6, 200), st.integers(5, 60))
def test_a_column_of_holes_is_a_column(name: str, holes: int, row: int) -> None:
    """However a board is folded, no hole lies between two columns: all are whole pitches from the first."""
    places = at(folded(preset(name, holes=holes), row), row).values()
    assert all(x / PITCH == pytest.approx(round(x / PITCH)) for x, _ in places)
