"""Debouncing over recorded trains of contact edges: one edge each way, the last level wins, holding noticed once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import Debouncer
from hardware.ports import Edge

DOWN, UP, HOLD = Edge.DOWN, Edge.UP, Edge.HOLD


def run(flips_ms: Sequence[float], *, every_ms: float = 1, until_ms: float = 1000) -> list[tuple[float, Edge]]:
    """Sample a contact that starts open and flips at the given moments; return what was reported and when, in ms."""
    debouncer, heard = Debouncer(debounce_ms=25, hold_ms=600), []
    for step in range(int(until_ms / every_ms) + 1):
        at = step * every_ms
        edge = debouncer.sample(sum(flip <= at for flip in flips_ms) % 2 == 1, at / 1000)
        if edge is not None:
            heard.append((at, edge))
    return heard


def test_short_tap_is_down_and_up() -> None:
    """A clean tap of 60 ms is reported at its own edges, without delay."""
    assert run([100, 160]) == [(100, DOWN), (160, UP)]


def test_tap_shorter_than_the_window_is_not_lost() -> None:
    """A tap of 8 ms is down at once, and up when the window ends."""
    assert run([100, 108]) == [(100, DOWN), (125, UP)]


def test_chatter_on_press_is_one_down() -> None:
    """Six flips in the 14 ms after the first contact add nothing, and the first contact is the one reported."""
    assert run([100, 101, 103, 104, 108, 112, 114, 300]) == [(100, DOWN), (300, UP)]


def test_chatter_on_release_is_one_up() -> None:
    """A contact that closes again for moments while it is let go is up once."""
    assert run([100, 300, 302, 305, 309, 312]) == [(100, DOWN), (300, UP)]


def test_level_that_flips_and_settles_down_stays_down() -> None:
    """After the window the level that remains is the one reported: here down, so nothing is added."""
    assert run([100, 105, 110], until_ms=500) == [(100, DOWN)]


def test_level_that_flips_and_settles_up_comes_up() -> None:
    """After the window the level that remains is the one reported: here up."""
    assert run([100, 105, 110, 120], until_ms=500) == [(100, DOWN), (125, UP)]


def test_long_hold_is_told_once() -> None:
    """HOLD comes 600 ms after DOWN, once, and UP still follows."""
    assert run([100, 900]) == [(100, DOWN), (700, HOLD), (900, UP)]


def test_press_just_short_of_the_hold_is_no_hold() -> None:
    """A finger that leaves a millisecond before the hold time has tapped."""
    assert run([100, 699]) == [(100, DOWN), (699, UP)]


def test_hold_of_a_second_press_counts_from_its_own_start() -> None:
    """Time spent on an earlier press does not count towards a hold."""
    assert run([100, 500, 600]) == [(100, DOWN), (500, UP), (600, DOWN)]


def test_every_press_can_be_held_again() -> None:
    """A key held, let go and held again says HOLD twice."""
    heard = run([0, 700, 800, 1500], until_ms=1600)
    assert [edge for _, edge in heard] == [DOWN, HOLD, UP, DOWN, HOLD, UP]


def test_contact_open_when_the_hold_falls_due_is_not_held() -> None:
    """A press that already ended inside a stretch nobody sampled is up, not held."""
    debouncer = Debouncer(debounce_ms=25, hold_ms=600)
    assert debouncer.sample(True, 0.0) is DOWN
    assert debouncer.sample(False, 2.0) is UP


@pytest.mark.parametrize("start", [0.0, 3.5, 4.2, 86_400.1])
def test_fifty_hertz_drift_does_not_delay_the_hold(start: float) -> None:
    """Sums of 0.02 s, which are not exact, still find the hold in the very poll where it falls due."""
    debouncer, now, heard = Debouncer(debounce_ms=20, hold_ms=600), start, []
    for step in range(35):
        edge = debouncer.sample(step < 33, now)
        if edge is not None:
            heard.append((step, edge))
        now += 0.02
    assert heard == [(0, DOWN), (30, HOLD), (33, UP)]


@pytest.mark.parametrize("every_ms", [1, 5, 20])
@given(
    press=st.sets(st.integers(1, 15), max_size=8),
    release=st.sets(st.integers(1, 15), max_size=8),
    at=st.integers(0, 40),
)
def test_any_chatter_below_the_window_is_one_tap(every_ms: int, press: set[int], release: set[int], at: int) -> None:
    """Whatever a contact does in 15 ms on either side of a 60 ms tap, it is one DOWN and one UP at any polling rate."""
    down, up = sorted(press), sorted(release)
    flips = [at, *(at + ms for ms in down[: len(down) // 2 * 2])]
    flips += [at + 60, *(at + 60 + ms for ms in up[: len(up) // 2 * 2])]
    assert [edge for _, edge in run(flips, every_ms=every_ms, until_ms=300)] == [DOWN, UP]


@given(flips=st.lists(st.integers(0, 400), max_size=30))
def test_last_level_wins(flips: list[int]) -> None:
    """After any train of flips, long enough after, the level reported is the contact's level."""
    heard = [edge for _, edge in run(sorted(flips), until_ms=460) if edge is not HOLD]
    assert heard == [DOWN, UP] * (len(heard) // 2) + [DOWN] * (len(heard) % 2)
    assert len(heard) % 2 == len(flips) % 2
