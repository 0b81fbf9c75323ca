"""Lanes: which light is which hole."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import LayoutError
from hardware.lanes import PRESETS, Jump, Layout, preset
from hardware.layout_data import from_dict


def straight(first_pixel: int, last: int = 10, **more: int) -> dict[str, Any]:
    return {"segments": [{"from": 1, "to": last, "first_pixel": first_pixel, **more}]}


def board(*lanes: object, **more: object) -> dict[str, Any]:
    return {"holes": 10, "pixels": 30, "lanes": list(lanes), **more}


def faults(data: dict[str, Any], path: str = "") -> tuple[str, ...]:
    with pytest.raises(LayoutError) as caught:
        from_dict(data, path=path)
    return caught.value.faults


@pytest.mark.parametrize(("name", "lanes"), [("two-lanes", 2), ("one-lane", 1), ("three-lanes", 3)])
def test_a_built_in_board_has_121_lit_holes_a_lane_and_no_pixel_to_spare(name: str, lanes: int) -> None:
    """Each built-in board gives every hole of every lane one pixel of its own, and every pixel a hole."""
    layout = PRESETS[name]()
    assert (layout.name, layout.lane_count, layout.holes, layout.pixels) == (name, lanes, 121, 121 * lanes)
    assert {layout.pixel(lane, hole) for lane in range(lanes) for hole in range(1, 122)} == set(range(121 * lanes))


def test_the_second_lane_runs_back() -> None:
    """On the default board the strip goes up lane 0 and down lane 1, so the game holes are neighbours."""
    layout = preset()
    assert [layout.pixel(0, 1), layout.pixel(0, 121), layout.pixel(1, 121), layout.pixel(1, 1)] == [0, 120, 121, 241]


def test_hole_of_undoes_pixel() -> None:
    """hole_of gives the lane and hole that a pixel was given for, and None where no hole is."""
    layout = from_dict(board(straight(0), straight(12)))
    assert all(layout.hole_of(layout.pixel(lane, hole)) == (lane, hole) for lane in (0, 1) for hole in range(1, 11))
    assert layout.hole_of(11) is None


def test_a_board_may_have_another_number_of_holes() -> None:
    """The number of holes is a value: a lane of 61 ends at pixel 60."""
    assert preset("three-lanes", holes=61).pixels == 183


def test_skipped_pixels_lie_before_the_frame() -> None:
    """Sacrificed first pixels lengthen the wire and move no hole."""
    layout = preset("two-lanes", skip_first=2, colour_order="RGB")
    assert (layout.pixels, layout.wire_pixels, layout.pixel(0, 1), layout.colour_order) == (242, 244, 0, "RGB")


@pytest.mark.parametrize(("lane", "hole"), [(0, 0), (0, 122), (2, 1), (-1, 1)])
def test_the_start_and_what_is_off_the_board_have_no_pixel(lane: int, hole: int) -> None:
    """Hole 0 is the start and unlit; it and places off the board are refused."""
    with pytest.raises(LayoutError):
        preset().pixel(lane, hole)


def test_an_unknown_board_is_answered_with_the_nearest() -> None:
    """A misspelt built-in board is refused, naming the one that was probably meant."""
    with pytest.raises(LayoutError, match="did you mean 'three-lanes'"):
        preset("three-lane")


def test_segments_may_run_back_and_leave_a_gap() -> None:
    """Segments lay holes on pixels as written, forwards and backwards, with a declared jump between."""
    segments = [{"from": 1, "to": 4, "first_pixel": 2}, {"from": 5, "to": 10, "first_pixel": 20, "step": -1}]
    layout = from_dict(board({"segments": segments, "jumps": [4]}))
    assert layout.lanes == ((2, 3, 4, 5, 20, 19, 18, 17, 16, 15),)
    assert layout.jumps == {Jump(0, 4)}


def test_serpentine_rows_turn_and_leave_gaps() -> None:
    """Rows of a serpentine segment run to and fro with unused pixels between; their ends need no declaring."""
    layout = from_dict(board(straight(1, row=4, gap=2)))
    assert layout.lanes == ((1, 2, 3, 4, 10, 9, 8, 7, 13, 14),)
    assert layout.jumps == {Jump(0, 4), Jump(0, 8)}


def test_every_second_pixel_may_be_a_hole() -> None:
    """With spacing 2 two lanes can share one strip, turn about, without a jump."""
    layout = from_dict(board(straight(0), straight(1), spacing=2))
    assert [layout.pixel(lane, 10) for lane in (0, 1)] == [18, 19]
    assert not layout.jumps


def test_a_built_in_board_by_data() -> None:
    """A table that only names a built-in board gives that board, with what else it says."""
    layout = from_dict({"preset": "one-lane", "holes": 60, "skip_first": 1, "colour_order": "GRBW"})
    assert layout == preset("one-lane", holes=60, skip_first=1, colour_order="GRBW")


def test_missing_holes_are_named() -> None:
    """Holes that no segment lays are told in spans, with the lane."""
    lane = {"segments": [{"from": 1, "to": 3, "first_pixel": 0}, {"from": 7, "to": 9, "first_pixel": 3}]}
    assert faults(board(lane)) == ("lanes[0]: holes 4-6, 10 are missing; the lane's holes are 1 to 10",)


def test_a_hole_used_twice_is_named() -> None:
    """A hole that a second segment lays again is a fault of that segment."""
    lane = {"segments": [{"from": 1, "to": 6, "first_pixel": 0}, {"from": 6, "to": 10, "first_pixel": 6}]}
    assert faults(board({**lane, "jumps": [6]}))[0] == "lanes[0].segments[1]: hole 6 is used twice in this lane"


def test_a_pixel_used_twice_is_named() -> None:
    """Two holes on one pixel are a fault, naming both."""
    (fault,) = faults(board(straight(0), straight(9)))
    assert fault == "lanes[1]: hole 1 is on pixel 9, used by lanes[0] hole 10"


def test_a_pixel_past_the_strip_is_named() -> None:
    """A hole past the strip's end is a fault, naming the pixels there are."""
    (fault,) = faults(board(straight(22)))
    assert fault == "lanes[0]: holes 9-10 are on pixel 30 to 31, past the strip, whose pixels are 0 to 29"


def test_an_undeclared_jump_is_named() -> None:
    """Where consecutive holes are not neighbours and no jump is declared, the place and the cure are told."""
    lane = {"segments": [{"from": 1, "to": 5, "first_pixel": 0}, {"from": 6, "to": 10, "first_pixel": 6}]}
    (fault,) = faults(board(lane))
    assert fault.startswith("lanes[0].jumps: holes 5 and 6 are on pixels 4 and 6; declare the jump by adding 5")


@pytest.mark.parametrize("hole", [3, 10, 99])
def test_a_declared_jump_that_is_none_is_named(hole: int) -> None:
    """A jump declared where the strip simply goes on, or where the lane ends, is a fault."""
    (fault,) = faults(board({**straight(0), "jumps": [hole]}))
    assert fault.startswith(f"lanes[0].jumps: {hole} is no jump")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (board(straight(0), colour_order="BRGX"), "colour_order: 'BRGX' is no colour order; did you mean 'BRG'?"),
        (board(straight(0), colour_ordr="GRB"), "colour_ordr: 'colour_ordr' is no setting here; did you mean"),
        (board(straight(0, stp=1)), "lanes[0].segments[0].stp: 'stp' is no setting here; did you mean 'step'?"),
        (board(straight(0), skip_first=-1), "skip_first: wants a whole number from 0"),
        (board(straight(0), spacing=0), "spacing: wants a whole number from 1"),
        (board(straight(0), pixels=True), "pixels: wants a whole number from 1"),
        (board(straight(0), name=7), "name: wants words, not 7"),
        (board(straight(0, step=0)), "lanes[0].segments[0].step: 0 would put every hole on one pixel"),
        (board(straight(5, step=-1)), "lanes[0].segments[0]: hole 7 would be on pixel -1, before the strip begins"),
        (board(straight(0, last=11)), "lanes[0].segments[0].to: hole 11 is past the last hole, 10"),
        (board(straight(0, gap=1)), "lanes[0].segments[0].gap: only rows have gaps"),
        (board({"segments": [{"from": 4, "to": 1, "first_pixel": 0}]}), "lanes[0].segments[0]: from 4 to 1 runs back"),
        (board({"segments": [{"to": 10, "first_pixel": 0}]}), "lanes[0].segments[0].from: is missing"),
        (board({**straight(0), "jumps": 4}), "lanes[0].jumps: wants a list of hole numbers, not 4"),
        (board({"segments": 3}), "lanes[0].segments: wants a list of tables, not 3"),
        ({"holes": 10, "pixels": 10, "lanes": 3}, "lanes: wants a list of tables, not 3"),
        (board(), "lanes: a board needs at least one lane"),
        ({"preset": "two-lane"}, "preset: 'two-lane' is no built-in board; did you mean 'two-lanes'?"),
        ({"preset": "two-lanes", "holes": 10**12}, "holes: wants a whole number from 1 to 10000"),
    ],
)
def test_each_wrong_setting_has_its_line(data: dict[str, Any], fault: str) -> None:
    """Every setting that cannot be is told by its key path, with a near miss where there is one."""
    assert faults(data)[0].startswith(fault)


def test_all_faults_are_told_at_once_below_their_path() -> None:
    """Five faults in one table make five lines, each below the path the table was read from."""
    data = board(
        {"segments": [{"from": 1, "to": 5, "first_pixel": 0}, {"from": 6, "to": 10, "first_pixel": 10}]},
        {"segments": [{"from": 2, "to": 10, "first_pixel": 22}], "jmps": []},
        colour_order="GRX",
    )
    starts = [
        "lights.colour_order:",
        "lights.lanes[1].jmps:",
        "lights.lanes[1]: hole 1 is missing",
        "lights.lanes[1]: hole 10 is on pixel 30, past the strip",
        "lights.lanes[0].jumps: holes 5 and 6",
    ]
    found = faults(data, path="lights")
    assert len(found) == len(starts)
    assert all(fault.startswith(start) for fault, start in zip(found, starts, strict=True))


def test_a_layout_checks_itself() -> None:
    """A Layout made by hand is held to the same checks, all at once."""
    with pytest.raises(LayoutError) as caught:
        Layout("bad", 4, ((0, 1, 3), (3, 2)), frozenset({Jump(1, 1)}), skip_first=-1, colour_order="XYZ")
    assert [fault.split(":")[0] for fault in caught.value.faults] == [
        "skip_first",
        "colour_order",
        "lanes[1]",
        "lanes[1]",
        "lanes[0].jumps",
        "lanes[1].jumps",
    ]
