"""Reading pegs back from the strip itself: what the simulated lights were sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardware.lanes import PRESETS
from hardware.parts_spec import PartsSpec

DEAL = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"


@pytest.mark.parametrize("name", ["two-lanes", "one-lane", "three-lanes"])
def test_lanes_of_the_simulated_strip_show_the_scores(new_cabinet: Callable[..., Any], name: str) -> None:
    """After a play, on every built-in board, what the strip received reads back as both sides' pegs."""
    cabinet = new_cabinet(PartsSpec(layout=PRESETS[name]()))
    cabinet.tap_all(list(DEAL.replace(" ", "")))
    cabinet.settle()
    state = cabinet.board.state
    assert state.scores == (15, 10)
    assert cabinet.shown().pegs == state.pegs


def test_lanes_show_the_scores_through_a_small_supply(new_cabinet: Callable[..., Any]) -> None:
    """A supply too small for the whole brightness still shows the pegs where they are."""
    cabinet = new_cabinet(PartsSpec(max_ma=270))
    cabinet.tap_all(list(DEAL.replace(" ", "")))
    cabinet.settle()
    assert cabinet.shown().pegs == cabinet.board.state.pegs


@pytest.mark.parametrize("later", ["", "D", "D*", "C", "DD", "5"])
def test_winners_peg_is_read_whenever_one_looks(new_cabinet: Callable[..., Any], later: str) -> None:
    """Once the game is won, whatever is pressed after and however long it takes, the lanes still read the last pegs."""
    cabinet = new_cabinet()
    cabinet.tap_all(list("#2#B1#99BB1#22B" + later))
    cabinet.settle()
    pegs = cabinet.shown().pegs
    assert pegs == cabinet.board.state.pegs
    assert pegs[1].front == 121
