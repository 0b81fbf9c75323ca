"""His heels at ``off``, where the dealer claims them: by each book as long as it lets him, with the keys there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.record_write import write
from engine.replay import replay


@pytest.fixture
def jack(new_table: Callable[..., Any]) -> Callable[..., Any]:
    """A table at ``off`` by the book ``acc``: Bob deals and the jack of spades is turned up."""

    def make(**choices: object) -> Any:
        return new_table(**{"level": "off", "book": "acc", **choices}).press("# 2#").cards("JS")

    return make


def test_heels_are_claimed_at_once(jack: Callable[..., Any]) -> None:
    """A number keyed after the jack is the dealer's, and the glass asks for it."""
    table = jack()
    assert table.lines[2] == "heels: n#"
    assert table.press("2#").scores == (0, 2)
    assert table.lines[2] == "+2 heels"


def test_heels_are_claimed_after_the_lead_by_acc(jack: Callable[..., Any]) -> None:
    """acc: until the dealer plays. A lead counts nothing, so a number after it is for the heels."""
    table = jack().cards("7C")
    assert table.lines[2] == "heels: n#"
    assert table.press("2#").scores == (0, 2)
    assert table.cards("8D").press("2#").scores == (0, 4)
    assert table.folded() == table.state


@pytest.mark.parametrize("key", ["2@2", "2#"])
def test_the_dealers_button_claims_them_too(jack: Callable[..., Any], key: str) -> None:
    """The dealer's own button says the same as ``#``."""
    assert jack().cards("7C").press(key).scores == (0, 2)


def test_heels_are_not_the_pones(jack: Callable[..., Any]) -> None:
    """The pone's button claims nothing for a lead, and never the heels."""
    table = jack().cards("7C").press("2@1")
    assert table.refused == "His heels are Bob's to claim"
    assert table.scores == (0, 0)


def test_nothing_claimed_for_the_lead_leaves_the_heels(jack: Callable[..., Any]) -> None:
    """``0#`` is for the lead: the heels can still be claimed."""
    assert jack().cards("7C").press("0# 2#").scores == (0, 2)


@pytest.mark.parametrize("points", [1, 3, 12])
def test_heels_are_two(jack: Callable[..., Any], points: int) -> None:
    """Any other number is refused and leaves them open."""
    table = jack().cards("7C").press(f"{points}#")
    assert "heels are two" in table.refused
    assert table.press("2#").scores == (0, 2)


def test_heels_are_lost_once_the_dealer_plays(jack: Callable[..., Any]) -> None:
    """acc: the dealer's card ends them; a number after it is for that card."""
    table = jack().cards("7C 8D").press("2#")
    assert table.scores == (0, 2)
    assert table.press("2#").refused
    assert table.scores == (0, 2)


@pytest.mark.parametrize("book", ["modern", "foster", "onhand"])
def test_heels_are_lost_with_the_lead_by_the_other_books(jack: Callable[..., Any], book: str) -> None:
    """Where they are to be claimed before a card is played, a number after the lead is the pone's claim for it."""
    assert jack(book=book).press("2#").scores == (0, 2)
    assert jack(book=book).cards("7C").press("2#").scores == (2, 0)


def test_heels_are_claimed_once(jack: Callable[..., Any]) -> None:
    """Claimed before the lead they cannot be claimed after it."""
    table = jack().press("2#").cards("7C").press("2#")
    assert table.scores == (2, 2)


def test_late_heels_may_win(jack: Callable[..., Any]) -> None:
    """They may be the winning points, after the lead too."""
    table = jack().press("B 1# 99B B 1# 20B").cards("7C").press("2#")
    assert (table.scores, table.phase) == ((0, 121), "end")


def test_late_heels_are_taken_back(jack: Callable[..., Any]) -> None:
    """Undone, they can be claimed again."""
    table = jack().cards("7C").press("2# * #")
    assert table.scores == (0, 0)
    assert table.press("2#").scores == (0, 2)


def test_late_heels_stand_with_the_starter_in_the_record(jack: Callable[..., Any]) -> None:
    """The record has them on the starter's line, and replays to the same scores."""
    table = jack().cards("7C").press("2#").cards("8D").press("2#")
    record = write(table.board.history.events())
    assert "starter JS peg 2" in record.splitlines()
    *_, end = replay(record)
    assert end["scores"] == {"Ann": 0, "Bob": 4}


def test_late_heels_at_points(jack: Callable[..., Any]) -> None:
    """At ``points`` a number and ``#`` is the heels, until the play is over."""
    assert jack(entry="points").press("5A 2#").scores == (5, 2)
    assert jack(entry="points").press("5A #").press("2#").scores == (7, 0)


def test_a_dealer_at_off_against_a_pone_at_flag(jack: Callable[..., Any]) -> None:
    """The dealer's level decides: with the pone at ``flag`` his heels are claimed late all the same."""
    table = jack(levels=("flag", "off")).cards("7C")
    assert table.press("2#").scores == (0, 2)
