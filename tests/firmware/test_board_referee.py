"""The referee at the table: flag with muggins on and off, off, and the claims of the play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PLAY = "4S 2D 3D AH 5C 2H 4C 3C"
CRIB = "JD JS TD AS"


def shown(table: Any) -> Any:
    """Foster's deal, played out: Ann 15, Bob 10; Ann's hand is worth 10, Bob's 14, his crib 9."""
    return table.press("# 2#").cards("QS").cards(PLAY)


def test_wrong_claim_is_flagged_at_once_with_the_true_count(table: Any) -> None:
    """Under ``flag`` a claim too low pegs as claimed and is flagged with the truth and the offer."""
    shown(table).press("8#")
    assert table.scores == (23, 10)
    assert table.lines[1:] == ["Ann 8, true 10", "A takes 2 #leave", "Bob: count? n#"]


def test_a_takes_the_missed_points(table: Any) -> None:
    """``A`` takes the missed points for the other side."""
    assert shown(table).press("8# A").scores == (23, 12)
    assert table.press("A").refused == "No miscount is open: nothing to take"


def test_hash_leaves_the_missed_points(table: Any) -> None:
    """``#`` leaves a flagged miscount: after it there is nothing to take."""
    assert shown(table).press("8# #").scores == (23, 10)
    assert table.press("A").refused
    assert table.press("14#").scores == (23, 24)


def test_typing_the_next_count_leaves_it_too(table: Any) -> None:
    """The next side's count leaves a flagged miscount without a ``#`` of its own."""
    assert shown(table).press("8# 14#").scores == (23, 24)
    assert table.press("A").refused


def test_other_sides_seat_button_takes_and_the_claimants_own_does_not(table: Any) -> None:
    """Held by the other seat a button takes; held by the claimant's own seat it is refused."""
    shown(table).press("8#")
    assert "own count" in table.press("hold(@1)").refused
    assert table.press("hold(@2)").scores == (23, 12)


def test_claimants_own_button_does_not_leave_its_miscount(table: Any) -> None:
    """The claimant cannot wave its own miscount away from its own seat; the other side can."""
    shown(table).press("8#")
    assert "own count" in table.press("@1").refused
    assert table.press("A").scores == (23, 12)


def test_flagged_dealers_hand_is_offered_before_the_crib(table: Any) -> None:
    """A miscount of the dealer's hand is offered while the crib is keyed, and keying on does not hide the offer."""
    shown(table).press("10# 12#")
    assert table.lines[1:] == ["Bob 12, true 14", "A takes 2 #leave", "crib card 1 of 4"]
    table.cards("JD")
    assert table.lines[1:] == ["JD QS", "A takes 2 #leave", "crib card 2 of 4"]
    assert table.press("A").scores == (27, 22)


def test_flagged_crib_is_offered_until_the_starter(table: Any) -> None:
    """A miscount of the crib can be taken until the next starter, which leaves it."""
    shown(table).press("10# 14#").cards(CRIB).press("8#")
    assert table.lines[1:] == ["Bob 8, true 9", "A takes 1 #leave", "key the starter"]
    table.cards("5D")
    assert table.press("A").refused


def test_two_digits_missed_are_offered_in_full(table: Any) -> None:
    """An offer of ten points and more is not cut."""
    shown(table).press("10# 2#")
    assert table.lines[1:3] == ["Bob 2, true 14", "A takes 12 #skip"]


@pytest.mark.parametrize("name", ["Oliver", "Charlotte", "Maximilianus"])
def test_long_names_never_cut_the_true_count(new_table: Callable[..., Any], name: str) -> None:
    """However long the name, the claim, the truth, the scores and the levels stand on the glass whole."""
    table = shown(new_table(names=(name, f"{name[:-1]}x"))).press("10# 12#")
    assert table.lines[1].endswith(" 12, true 14")
    assert table.lines[1].startswith(name[:3])
    assert " 25f" in table.lines[0]
    assert table.lines[0].endswith(" 22f")


def test_over_count_pegs_the_truth_and_is_flagged(table: Any) -> None:
    """By the book ``modern`` an over-count is put back to the truth; the flag is on the glass, nothing is to take."""
    shown(table).press("12#")
    assert table.scores == (25, 10)
    assert table.lines[1] == "Ann 12, true 10"
    assert table.press("A").refused


def test_muggins_off_gives_the_missed_points_to_the_claimant(new_table: Callable[..., Any]) -> None:
    """With muggins off the book ``modern`` mends an under-count; the flag still stands on the glass."""
    table = shown(new_table(muggins=False)).press("8#")
    assert table.scores == (25, 10)
    assert table.lines[1] == "Ann 8, true 10"
    assert table.press("A").refused


def test_right_claim_is_not_flagged(table: Any) -> None:
    """A right claim pegs, and the next hand is asked for with no flag."""
    assert shown(table).press("10#").lines[1:] == ["Bob's hand", "2D AH 2H 3C QS", "count? n#"]
    assert table.scores == (25, 10)


def test_zero_is_a_claim(table: Any) -> None:
    """``0#`` claims nothing: all ten points are missed."""
    shown(table).press("0#")
    assert table.lines[1:3] == ["Ann 0, true 10", "A takes 10 #skip"]


def test_false_go_is_shown_after_the_play_and_never_before(table: Any) -> None:
    """A go said with a card that fitted is not hinted at in the play and named once every hand is known."""
    table.press("# 2#").cards("QS TC KD 5H").press("#")
    assert "false" not in table.words
    table.press("#").cards("2S")  # Bob held the two: it made 27
    assert "false" not in table.words
    table.cards("9C 4D 7S 3D")
    assert table.phase == "show"
    assert table.lines[1] == "Bob false go 25"
    said = table.press("C").words
    while table.press("#").view.overlay is not None:
        said += " " + table.words
    assert said.endswith("Bob's go at 25: 2S 4D 3D fitted")


# off


def test_off_moves_pegs_by_the_claims_alone(new_table: Callable[..., Any]) -> None:
    """Under ``off`` a card pegs nothing by itself; a number claims for it; the show pegs what is typed."""
    table = new_table(level="off").press("# 2#").cards("QS 7C 8D")
    assert table.scores == (0, 0)
    assert table.lines[2] == "claim: n#"
    assert table.press("2#").scores == (0, 2)


def test_off_claims_before_any_other_act(new_table: Callable[..., Any]) -> None:
    """Under ``off`` the next card closes the claim for the one before."""
    table = new_table(level="off").press("# 2#").cards("QS 7C 8D 9H")
    assert table.press("3#").scores == (3, 0)
    assert "no card waits" in table.press("2#").refused


def test_off_last_card_is_claimed_for_or_passed_by_hash(new_table: Callable[..., Any]) -> None:
    """After the last card a number claims for that card, and ``#`` alone goes on to the show."""
    for keys, bob in (("6#", 6), ("#", 0)):
        table = shown(new_table(level="off"))
        assert table.lines[1:] == ["3C Bob", "claim? # none", "points for it"]
        table.press(keys)
        assert table.scores == (0, bob)
        assert table.lines[3] == "count? n#"
        assert table.press("10#").scores == (10, bob)


def test_off_heels_are_claimed(new_table: Callable[..., Any]) -> None:
    """Under ``off`` his heels are claimed like a card; nothing but two can be."""
    table = new_table(level="off").press("# 2#").cards("JS")
    assert table.scores == (0, 0)
    assert "his heels are two" in table.press("3#").refused
    assert table.press("2#").scores == (0, 2)


def test_off_checks_cards_and_turns_all_the_same(new_table: Callable[..., Any]) -> None:
    """Under ``off`` a card seen, past 31, or a go at 21 or less is refused."""
    table = new_table(level="off").press("# 2#").cards("QS TC")
    assert table.cards("TC").refused == "TC is in Ann's hand: already played"
    assert "21 or less" in table.press("#").refused


def test_off_takes_any_count_at_the_show(new_table: Callable[..., Any]) -> None:
    """Under ``off`` a wrong count is neither flagged nor put right."""
    table = shown(new_table(level="off")).press("# 19#")
    assert table.scores == (19, 0)
    assert table.press("A").refused
