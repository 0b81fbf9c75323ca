"""Entry levels ``shows`` and ``points``: cards at the show only, or none at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_shows_pegs_the_play_by_number_and_letter(new_table: Callable[..., Any]) -> None:
    """At ``shows`` a number and A or B pegs that many points in the play for seat 1 or 2; ``#`` alone ends it."""
    table = new_table(entry="shows").press("# 2#").cards("QS")
    assert table.lines[1:] == ["starter QS", "2A: 2 for Ann", "# ends the play"]
    table.press("15A 10B")
    assert (table.scores, table.lines[1]) == ((15, 10), "Bob +10")
    assert "1 to 2" in table.press("2C").refused
    assert table.press("#").phase == "show"


def test_shows_hint_is_true(new_table: Callable[..., Any]) -> None:
    """The hint on the glass does what it says: ``2A`` pegs two for seat 1."""
    table = new_table(entry="shows", names=("Maximilianus", "Bo")).press("# 2#").cards("QS").press("2A")
    assert table.scores == (2, 0)
    assert table.lines[2].startswith("2A: 2 for Maxim")


def test_shows_asks_for_every_card_of_every_hand(new_table: Callable[..., Any]) -> None:
    """At ``shows`` each hand's cards are keyed before its count, which the board then checks."""
    table = new_table(entry="shows").press("# 2#").cards("QS").press("15A 10B #")
    assert table.lines[3] == "key card 1 of 4"
    assert table.press("10#").refused == "Key Ann's cards first: 4 to go"
    table.cards("4S 3D 5C 4C").press("10#").cards("2D AH 2H 3C").press("14#").cards("JD JS TD AS").press("9#")
    assert (table.scores, table.phase) == ((25, 33), "deal")


def test_shows_flags_a_wrong_count(new_table: Callable[..., Any]) -> None:
    """At ``shows`` a hand keyed and counted wrong is flagged as at ``full``."""
    table = new_table(entry="shows").press("# 2#").cards("QS").press("#").cards("4S 3D 5C 4C").press("8#")
    assert table.lines[1:] == ["Ann 8, true 10", "A takes 2 #leave", "hand card 1 of 4"]
    assert table.press("A").scores == (8, 2)


def test_shows_refuses_a_card_of_the_other_hand(new_table: Callable[..., Any]) -> None:
    """At ``shows`` a card seen in the other hand is refused with its place; a fifth card of a hand too."""
    table = new_table(entry="shows").press("# 2#").cards("QS").press("#").cards("4S 3D 5C 4C")
    assert "one card too many" in table.cards("6C").refused
    assert table.press("10#").cards("4S").refused == "4S is in Ann's hand"


def test_points_needs_no_cards_and_eight_presses_of_hash(new_table: Callable[..., Any]) -> None:
    """At ``points`` a deal is the play's points, ``#``, and three counts; the starter is skipped with ``#``."""
    table = new_table(entry="points").press("# 2# # 15A 10B # 10# 14# 9#")
    assert (table.scores, table.phase) == ((25, 33), "deal")


def test_points_begins_the_next_deal_with_one_hash(new_table: Callable[..., Any]) -> None:
    """At ``points`` one ``#`` after the crib begins the next deal and skips its starter."""
    table = new_table(entry="points").press("# 2# # # 10# 14# 9#")
    assert table.lines[3] == "Starter? #skip"
    table.press("#")
    assert (table.phase, table.state.deal.dealer) == ("play", 0)
    assert table.press("2B").scores == (10, 25)


def test_points_takes_the_starter_too(new_table: Callable[..., Any]) -> None:
    """At ``points`` a starter may be keyed, and a jack is two for his heels."""
    assert new_table(entry="points").press("# 2#").cards("JS").scores == (0, 2)


def test_points_keys_cards_to_settle_a_dispute(new_table: Callable[..., Any]) -> None:
    """At ``points`` a hand's cards may be keyed before its count; then the board checks it."""
    table = new_table(entry="points").press("# 2#").cards("QS").press("#").cards("4S 3D 5C 4C").press("8#")
    assert table.lines[1] == "Ann 8, true 10"


def test_points_under_off_and_teach_pegs_what_is_typed(new_table: Callable[..., Any]) -> None:
    """Without cards every level pegs the number typed."""
    for level in ("teach", "flag", "off"):
        assert new_table(entry="points", level=level).press("# 2# # # 10# 14# 9#").scores == (10, 23)


def test_count_in_the_play_needs_a_side(new_table: Callable[..., Any]) -> None:
    """At ``points`` a number and ``#`` in the play is refused with the way to say it."""
    assert "A or B" in new_table(entry="points").press("# 2# # 2#").refused
