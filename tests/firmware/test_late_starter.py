"""At entry ``points`` the starter may be keyed at any time before the crib is counted, or never: records agree."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from engine.cards import parse_card
from engine.events import GameOpened, StarterTurned
from engine.record_write import write
from engine.replay import outcome_values, replay
from engine.state import Revealed

PLACES = ("never", "at once", "before the counts", "after one", "before the crib")


def play(table: Any, place: str, starter: str, *, crib: bool) -> bool:
    """One deal with the starter keyed there; whether the board took it."""

    def here(where: str) -> None:
        if where == place:
            table.cards(starter)
            if table.phase not in ("show", "crib") or table.state.deal.claimable:
                table.press("2#" if starter[0] == "J" and table.state.deal.claimable else "")

    here("at once")
    while table.phase in ("deal", "starter"):
        table.press("#")  # accepts what is open, then leaves the starter out
    table.press("3A 2B #")
    here("before the counts")
    table.press("8#")
    here("after one")
    table.press("6#")
    here("before the crib")
    if crib and table.state.deal.starter is not None:
        table.cards("2C 3C 4D 8S")
    table.press("5#")
    deal = table.state.deal
    return bool(deal.starter == parse_card(starter) if deal else False)


def told(table: Any) -> list[dict[str, Any]]:
    """What the board pegged and found, as a replay tells it."""
    state = table.state
    return [outcome_values(state, one) for one in state.ledger if not isinstance(one, Revealed)]


def replayed(table: Any) -> list[dict[str, Any]]:
    """What the record of the board's game tells."""
    record = write(table.board.history.events())
    return [{key: line[key] for key in line if key != "line"} for line in replay(record)][:-1]


@pytest.mark.parametrize("level", ["teach", "flag", "call", "off"])
@pytest.mark.parametrize("place", PLACES)
def test_a_starter_keyed_at_any_time_replays_to_the_same_awards(
    new_table: Callable[..., Any], level: str, place: str
) -> None:
    """Two deals, the starter keyed wherever the board takes it: the record tells the same awards, in the same order."""
    for starter, crib, book in itertools.product(("QS", "JD"), (False, True), ("modern", "acc")):
        table = new_table(entry="points", level=level, book=book).press("# 2#")
        taken = play(table, place, starter, crib=crib)
        assert taken == (place != "never"), table.refused
        play(table, place, starter, crib=crib)
        events = table.board.history.events()
        assert sum(isinstance(event, StarterTurned) for event in events) == 2 * taken
        assert replayed(table) == told(table)
        assert isinstance(events[0], GameOpened)
