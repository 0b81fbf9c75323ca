"""The lanes of lights: pegs, marks, sweep, pulses and blinks, and what they never do."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.apply import apply
from engine.decide import decide
from engine.intents import Deal, PegByHand
from engine.public import Public, public
from engine.state import Pegs
from firmware.lights import FRONT, SIDE_COLOURS, dark_moment, frame, next_change, scaled, settles_at
from firmware.readback import pegs_shown
from firmware.settings import Settings
from firmware.view import Moved, Preferences, View
from hardware.current import estimate_ma, limit
from hardware.lanes import PRESETS, Layout, two_lanes

STEP_S = 0.01
FASTEST_HZ = 3


def _public(*pegs: Pegs, winner: int | None = None) -> Public:
    state = apply(None, decide(None, Settings(names=("Ann", "Bob")).open_game())[0])
    return replace(public(state), pegs=pegs, winner=winner, side_names=("Ann", "Bob", "Cy")[: len(pegs)])


def _view(
    *pegs: Pegs, before: Sequence[Pegs] | None = None, at: float = 0.0, winner: int | None = None, blink: bool = True
) -> View:
    return View(
        _public(*pegs, winner=winner),
        Settings(),
        False,
        moved=None if before is None else Moved(tuple(before), at),
        preferences=Preferences(blink=blink),
    )


@st.composite
def pegs(draw: st.DrawFn) -> Pegs:
    """A side's pegs: back behind front, or both on one hole after points were put back."""
    front = draw(st.integers(0, 121))
    back = draw(st.integers(0, front))
    return Pegs(front, back)


def _unclear(one: Pegs) -> bool:
    """Both pegs in hole 1: the start has no light, so this looks like the back peg on the start."""
    return one == Pegs(1, 1)


@given(st.sampled_from(["two-lanes", "three-lanes", "one-lane"]), st.lists(pegs(), min_size=3, max_size=3))
def test_pegs_read_back_from_the_lights(name: str, stand: list[Pegs]) -> None:
    """On every built-in board the lights alone tell where each side's front and back peg stand."""
    layout = PRESETS[name]()
    stand = stand[: 3 if name == "three-lanes" else 2]
    colours = frame(_view(*stand), layout, 0.0)
    for side, one in enumerate(stand):
        if not _unclear(one):
            assert pegs_shown(layout, colours, side) == one


@given(st.lists(pegs(), min_size=2, max_size=2), st.integers(400, 1500))
def test_pegs_read_back_within_a_small_current(stand: list[Pegs], max_ma: int) -> None:
    """However small the supply, a dimmed frame still shows the same pegs, and draws no more than allowed."""
    layout = two_lanes()
    colours = limit(frame(_view(*stand), layout, 0.0), max_ma)
    assert estimate_ma(colours) <= max_ma
    assert [pegs_shown(layout, colours, side) for side in (0, 1) if not _unclear(stand[side])] == [
        one for one in stand if not _unclear(one)
    ]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_marks_are_never_mistaken_for_pegs(name: str) -> None:
    """An empty lane with all its marks reads as both pegs on the start, for every side."""
    layout = PRESETS[name]()
    sides = 3 if name == "three-lanes" else 2
    colours = frame(_view(*[Pegs()] * sides), layout, 0.0)
    assert any(colour != (0, 0, 0) for colour in colours)
    assert [pegs_shown(layout, colours, side) for side in range(sides)] == [Pegs()] * sides


def test_streets_corners_skunk_lines_and_game_hole_are_marked() -> None:
    """Every fifth hole, the corners, the hole before each skunk line and the game hole glow faintly."""
    layout = two_lanes()
    colours = frame(_view(Pegs(), Pegs()), layout, 0.0)
    lit = {hole for hole in range(1, 122) if colours[layout.pixel(0, hole)] != (0, 0, 0)}
    assert lit == {*range(5, 121, 5), 60, 90, 121}
    street, corner, skunk = (colours[layout.pixel(0, hole)] for hole in (5, 30, 60))
    assert len({street, corner, skunk}) == 3


def test_nothing_is_lit_before_the_first_game() -> None:
    """Before a game the strip is dark."""
    assert set(frame(View(None, Settings(), True), two_lanes(), 0.0)) == {(0, 0, 0)}


def test_front_peg_is_bright_back_peg_dim_and_the_gap_glows() -> None:
    """From back to front: dim, a faint glow in every hole between, bright."""
    layout = two_lanes()
    colours = frame(_view(Pegs(12, 7), Pegs()), layout, 0.0)
    blue = [colours[layout.pixel(0, hole)][2] for hole in range(7, 13)]
    assert blue[5] > blue[0] > blue[1] > 0
    assert len(set(blue[1:5])) == 1


def _front(view: View, now: float) -> int:
    """The furthest hole of side A that is at full brightness."""
    layout = two_lanes()
    colours = frame(view, layout, now)
    full = scaled(SIDE_COLOURS[0], FRONT)
    return max((hole for hole in range(1, 122) if colours[layout.pixel(0, hole)] == full), default=0)


def test_moved_stretch_sweeps_hole_by_hole() -> None:
    """The front peg runs from where it stood to where it stands, never back, then stays."""
    view = _view(Pegs(18, 10), Pegs(), before=(Pegs(10, 4), Pegs()), at=5.0)
    seen = [_front(view, 5.0 + step * STEP_S) for step in range(55)]
    assert seen[0] == 10
    assert seen == sorted(seen)
    assert set(seen) == set(range(10, 19))
    assert seen[-1] == 18


def _flips(levels: list[bool]) -> int:
    return sum(one != other for one, other in itertools.pairwise(levels))


@pytest.mark.parametrize(("side", "pulses"), [(0, 1), (1, 2)])
def test_side_a_pulses_once_and_side_b_twice(side: int, pulses: int) -> None:
    """After the sweep the front peg goes dim and bright again, once for side A, twice for side B."""
    layout = two_lanes()
    stand = [Pegs(), Pegs()]
    stand[side] = Pegs(2, 0)
    view = _view(*stand, before=(Pegs(), Pegs()), at=0.0)
    pixel, full = layout.pixel(side, 2), scaled(SIDE_COLOURS[side], FRONT)
    levels = [frame(view, layout, step * STEP_S)[pixel] == full for step in range(300)]
    dips = sum(1 for one, other in itertools.pairwise(levels) if one and not other)
    assert (dips, levels[0], levels[-1]) == (pulses, False, True)


def test_game_hole_double_blinks_for_the_winner_only() -> None:
    """The winner's game hole goes dim twice in each two seconds; the loser's peg is steady."""
    layout = two_lanes()
    view = _view(Pegs(121, 110), Pegs(60, 50), winner=0)
    frames = [frame(view, layout, 10.0 + step * STEP_S) for step in range(200)]
    winner = [colours[layout.pixel(0, 121)] for colours in frames]
    dips = sum(1 for one, other in itertools.pairwise(winner) if sum(one) > sum(other))
    assert dips == 2
    assert len({colours[layout.pixel(1, 60)] for colours in frames}) == 1


def test_dark_moments_are_those_of_the_game_hole() -> None:
    """What the board calls a dark moment is when the game hole is not at full brightness."""
    layout = two_lanes()
    view = _view(Pegs(121, 110), Pegs(60, 50), winner=0)
    for step in range(300):
        now = 7.0 + step * STEP_S
        lit = frame(view, layout, now)[layout.pixel(0, 121)] == scaled(SIDE_COLOURS[0], FRONT)
        assert dark_moment(view, now) is not lit


def _worst_flashes(view: View, layout: Layout, start: float, seconds: float) -> int:
    """The most flashes (up and down again) any pixel makes within any one second."""
    steps = round(seconds / STEP_S)
    frames = [frame(view, layout, start + step * STEP_S) for step in range(steps)]
    worst = 0
    for pixel in range(layout.pixels):
        levels = [sum(colours[pixel]) for colours in frames]
        ups = [step for step, (one, other) in enumerate(itertools.pairwise(levels)) if other > one]
        worst = max([worst, *(sum(start <= up < start + 1 / STEP_S for up in ups) for start in ups)])
    return worst


@pytest.mark.parametrize("seed", range(6))
def test_nothing_blinks_faster_than_three_hertz(seed: int) -> None:
    """Sampled a hundred times a second, no light of the strip flashes more than three times in any second."""
    rng = random.Random(seed)
    before, after = [], []
    for _ in range(2):
        front = rng.randrange(0, 100)
        before.append(Pegs(front, rng.randrange(front + 1)))
        after.append(Pegs(min(121, front + rng.randrange(30)), front))
    winner = rng.choice([None, 0, 1])
    if winner is not None:
        after[winner] = Pegs(121, before[winner].front)
    view = _view(*after, before=before, at=1.0, winner=winner)
    assert _worst_flashes(view, two_lanes(), 1.0, 6.0) <= FASTEST_HZ


def test_nothing_blinks_when_blinking_is_off() -> None:
    """With no blinking each light only ever changes once for a move: no pulse, no blink of the game hole."""
    layout = two_lanes()
    view = _view(Pegs(121, 110), Pegs(4, 0), before=(Pegs(110, 90), Pegs()), at=0.0, winner=0, blink=False)
    frames = [frame(view, layout, step * STEP_S) for step in range(500)]
    game_hole = [colours[layout.pixel(0, 121)] == scaled(SIDE_COLOURS[0], FRONT) for colours in frames]
    assert _flips(game_hole) == 1
    assert next_change(view, settles_at(view) + 0.001) is None


@given(st.lists(pegs(), min_size=2, max_size=2), st.lists(pegs(), min_size=2, max_size=2), st.floats(0, 4))
def test_current_limit_holds_for_every_frame_of_a_move(before: list[Pegs], after: list[Pegs], now: float) -> None:
    """In the middle of any move a limited frame stays within the supply."""
    colours = frame(_view(*after, before=before, at=0.0), two_lanes(), now)
    for max_ma in (300, 600, 1500):
        assert estimate_ma(limit(colours, max_ma)) <= max_ma


def test_lights_stand_still_unless_a_change_is_announced() -> None:
    """The strip shows the same frame until the moment ``next_change`` names."""
    layout = two_lanes()
    view = _view(Pegs(121, 110), Pegs(7, 2), before=(Pegs(100, 90), Pegs(2, 0)), at=3.0, winner=0)
    now = 3.0
    while now < 9.0:
        due = next_change(view, now)
        assert due is not None
        assert due > now
        if now >= settles_at(view):
            here = frame(view, layout, now + 1e-6)
            assert frame(view, layout, now + (due - now) * 0.5) == here
            assert frame(view, layout, due - 1e-6) == here
        now = due


@pytest.mark.parametrize("blink", [True, False])
def test_every_step_of_a_sweep_is_announced(blink: bool) -> None:
    """While the peg sweeps or pulses the next change is never further off than one step of the sweep."""
    view = _view(Pegs(18, 10), Pegs(), before=(Pegs(10, 4), Pegs()), at=5.0, blink=blink)
    end = settles_at(view)
    for step in range(round((end - 5.0) / STEP_S)):
        now = 5.0 + step * STEP_S
        due = next_change(view, now)
        assert due is not None
        assert now < due <= now + 0.05
    assert next_change(view, end) is None


def test_points_put_back_move_the_peg_back() -> None:
    """When points are taken back the front peg sweeps backwards to where it now stands."""
    state = apply(None, decide(None, Settings(names=("Ann", "Bob")).open_game())[0])
    for intent in (Deal(1), PegByHand(0, 9), PegByHand(0, -4)):
        before, state = state, apply(state, decide(state, intent)[0])
    view = replace(_view(*state.pegs), moved=Moved(before.pegs, 0.0))
    seen = [_front(view, step * STEP_S) for step in range(15)]
    assert seen == sorted(seen, reverse=True)
    assert (seen[0], state.pegs[0].front) == (9, 5)
