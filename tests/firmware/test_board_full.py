"""A deal at the table, key by key, at the entry level ``full``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.state import Pegs

FOSTER_PLAY = "4S 2D 3D AH 5C 2H 4C 3C"
FOSTER_CRIB = "JD JS TD AS"


def foster(table: Any, *, to: str = "crib") -> Any:
    """Foster's deal keyed up to the end of the play, of the hands, or of the crib."""
    table.press("# 2#").cards("QS").cards(FOSTER_PLAY)
    if to in ("hands", "crib"):
        table.press("10# 14#")
    if to == "crib":
        table.cards(FOSTER_CRIB).press("9#")
    return table


def test_hash_takes_the_whole_agreement(table: Any) -> None:
    """The last settings are offered; ``#`` takes them all and the table cuts for deal."""
    assert table.phase == "set-up"
    assert table.press("#").phase == "cut"
    assert (table.state.names, table.state.muggins, table.state.levels) == (("Ann", "Bob"), True, ("flag", "flag"))


def test_number_and_hash_steps_a_line_of_the_agreement(table: Any) -> None:
    """In the set-up a number and ``#`` puts that line on its next choice."""
    table.press("3# 4# 5# 6#")
    assert table.words == "six-card modern 61 muggins off Ann v Bob teach shows #ok"
    table.press("#")
    assert (table.state.rules.target, table.state.muggins, table.state.levels) == (61, False, ("teach", "teach"))


def test_names_are_picked_from_those_known_and_come_round_again(table: Any) -> None:
    """A name steps through the colours and back to the one it was; two seats never have the same."""
    names = [table.press("7#").view.settings.names for _ in range(7)]
    assert ("Ann", "Bob") in names
    assert all(first != second for first, second in names)


@pytest.mark.parametrize("line", ["0#", "13#", "99#"])
def test_lines_that_the_agreement_lacks_are_refused(table: Any, line: str) -> None:
    """A line that is not there is refused, naming how many there are."""
    assert "1 to 12" in table.press(line).refused


def test_lowest_cut_deals(table: Any) -> None:
    """Each seat's cut card is keyed, seat 1 first; low deals."""
    table.press("#").cards("9S 8H")
    assert (table.phase, table.state.deal.dealer) == ("starter", 1)


def test_equal_lowest_cut_is_cut_again_and_says_so(table: Any) -> None:
    """Equal lowest cards cut again; the screen says why it asks for Ann's card anew, and after a restart too."""
    table.press("#").cards("5S 5H")
    assert "Equal: cut again" in table.lines
    assert "Ann's card" in table.reopen().lines
    assert "Equal: cut again" in table.lines
    table.cards("5S 4H")
    assert table.state.deal.dealer == 1


def test_cut_cards_go_back_to_the_pack(table: Any) -> None:
    """A card cut for deal can be the starter."""
    table.press("#").cards("9S 8H").cards("8H")
    assert str(table.state.deal.starter) == "8H"


def test_dealer_by_seat_number(table: Any) -> None:
    """``2#`` at the cut: seat 2 deals."""
    assert table.press("# 2#").state.deal.dealer == 1


def test_jack_turned_is_two_for_his_heels(table: Any) -> None:
    """A jack as starter pegs two for the dealer by itself, and the screen says so."""
    table.press("# 2#").cards("JS")
    assert table.scores == (0, 2)
    assert "+2 heels" in table.lines


def test_board_counts_the_play_card_by_card(table: Any) -> None:
    """Under ``flag`` the play is counted and pegged by the board, and the screen shows why."""
    table.press("# 2#").cards("QS 7C 8D")
    assert table.lines == ["Ann 0f  Bob 2f", "15 8D Bob", "+2 15", "Ann plays"]
    assert table.state.pegs == (Pegs(), Pegs(2, 0))
    assert table.press("2#").refused


def test_fosters_deal_in_45_presses(table: Any, new_cabinet: Callable[..., Any]) -> None:
    """Foster's deal keyed with right claims ends 25 and 33 in at most 45 key presses, the set-up included."""
    keys = f"# 2# {table.keys_for('QS')} {table.keys_for(FOSTER_PLAY)} 10# 14# {table.keys_for(FOSTER_CRIB)} 9#"
    pressed = keys.replace(" ", "")
    assert len(pressed) <= 45
    table.press(keys)
    assert (table.scores, table.phase) == ((25, 33), "deal")


def test_play_awards_of_fosters_deal_stand_on_the_glass(table: Any) -> None:
    """Every card of Foster's play shows the count, whose card it was, and what it pegged."""
    table.press("# 2#").cards("QS")
    seen = []
    for code in FOSTER_PLAY.split()[:-1]:
        table.cards(code)
        seen.append(" | ".join(table.lines[1:3]))
    assert seen == [
        "4 4S Ann | ",
        "6 2D Bob | ",
        "9 3D Ann | +3 run 3",
        "10 AH Bob | +4 run 4",
        "15 5C Ann | +7 15 run 5",
        "17 2H Bob | ",
        "21 4C Ann | +5 run 5",
    ]


def test_go_at_21_or_less_is_refused(table: Any) -> None:
    """``#`` alone is go; at 21 or less every card fits and it is refused, above it is taken."""
    table.press("# 2#").cards("QS TC TD")
    assert "21 or less" in table.cards("AH").press("#").refused
    table.cards("AD")
    assert table.press("#").refused == ""
    assert table.state.deal.gone == (0,)


def test_count_that_nobody_can_add_to_closes_by_itself(table: Any) -> None:
    """After a go from the last seat with cards the last card takes one, and the other side leads at 0."""
    table.press("# 2#").cards("QS TC KD 9H").press("# #")
    assert (table.state.deal.count, table.state.deal.turn, table.scores) == (0, 1, (1, 0))
    assert "+1 go" in table.lines


def test_one_go_a_seat_a_count(table: Any) -> None:
    """Once a seat has said go the other plays on alone without being asked for more goes."""
    table.press("# 2#").cards("QS TC KD 7H").press("#").cards("AS")
    assert (table.state.deal.turn, table.state.deal.gone) == (0, (1,))


def test_seats_without_cards_are_passed_over_silently(table: Any) -> None:
    """When a seat has no cards left the other is asked for card after card."""
    table.press("# 2# B 5# 1A").cards("QS TC KD 2H 3H")
    assert [play.seat for play in table.state.deal.played] == [0, 1, 1, 1]
    assert (table.refused, table.state.deal.turn) == ("", 1)


def test_card_past_31_is_refused(table: Any) -> None:
    """A card past 31 is refused, saying what it makes and what may be done."""
    refused = table.press("# 2#").cards("QS TC TD 9H 3C").refused
    assert refused.startswith("3C makes 32: past 31")
    assert refused.endswith("go")


def test_seen_card_is_refused_where_it_is(table: Any) -> None:
    """A card already seen in this deal is refused with its place."""
    table.press("# 2#").cards("QS 5H")
    assert table.cards("5H").refused == "5H is in Ann's hand: already played"
    assert table.cards("QS").refused == "QS is the starter"


def test_card_out_of_turn_by_its_seat_button_is_refused(table: Any) -> None:
    """A go from the seat that is not to play is refused, and the screen still asks the right one."""
    table.press("# 2#").cards("QS TC TD 9H")
    assert "Ann" in table.press("@1").refused
    assert table.press("@2").refused == ""


def test_played_hands_are_known_at_the_show(table: Any) -> None:
    """After the play the pone is asked for a count straight away, its cards and the starter on the glass."""
    foster(table, to="play")
    assert table.lines[1:] == ["Ann's hand Bob+6", "4S 3D 5C 4C QS", "count? n#"]
    assert table.cards("4S").refused == "Ann's cards are known: type the count, then #"


def test_hash_alone_asks_for_a_number_but_under_teach(table: Any, new_table: Callable[..., Any]) -> None:
    """At the show ``#`` alone asks for a number; under ``teach`` it pegs the true count."""
    assert "Type Ann's count" in foster(table, to="play").press("#").refused
    teach = foster(new_table(level="teach"), to="play")
    assert teach.lines[3] == "# counts"
    assert teach.press("# #").cards(FOSTER_CRIB).press("#").scores == (25, 33)


def test_teach_pegs_the_truth_of_a_wrong_claim_and_says_so(new_table: Callable[..., Any]) -> None:
    """Under ``teach`` a wrong claim pegs the true count, and the glass has both."""
    table = foster(new_table(level="teach"), to="play").press("8#")
    assert table.scores == (25, 10)
    assert table.lines[1] == "Ann 8, true 10"


def test_crib_cards_are_keyed_before_the_cribs_count(table: Any) -> None:
    """The crib's four cards are asked for one by one; a count before them is refused, saying how many are to go."""
    foster(table, to="hands")
    assert table.lines[3] == "key card 1 of 4"
    assert table.press("9#").refused == "Key the crib's cards first: 4 to go"
    table.cards("JD JS")
    assert table.lines[3] == "key card 3 of 4"
    assert table.press("#").refused == "Key the crib's cards first: 2 to go"


def test_deal_passes_on(table: Any) -> None:
    """After the crib the other side deals; keying the starter begins it."""
    foster(table)
    assert table.lines[2] == "Ann deals"
    assert table.cards("5D").state.deal.dealer == 0
    assert (table.phase, table.view.public.turn) == ("play", 1)


def test_seat_button_counts_for_its_own_seat(table: Any) -> None:
    """A number and a seat's own button is that seat's claim; from the wrong seat it is refused."""
    foster(table, to="play")
    assert table.press("10@2").refused == "Ann's hand is counted before Bob's"
    assert table.press("10@1").scores == (25, 10)


def test_game_ends_at_heels(table: Any) -> None:
    """His heels can end the game: the rest of the deal is not asked for."""
    table.press("# 2#").press("B 1# 99B B 1# 20B").cards("JS")
    assert (table.phase, table.state.winner, table.scores) == ("end", 1, (0, 121))


def test_game_ends_in_the_play_at_the_very_award(table: Any) -> None:
    """A card that reaches the last hole ends the game there; surplus points stay unpegged."""
    table.press("# 2#").cards("QS").press("B 1# 99B B 1# 21B").cards("7C 8D")
    assert (table.phase, table.state.winner, table.scores) == ("end", 1, (0, 121))


def test_game_ends_at_the_pones_hand(table: Any) -> None:
    """The pone's count can end the game before the dealer counts, however much more the dealer holds."""
    foster(table, to="play").press("B 1# 99A B 1# 99B").press("10#")
    assert (table.phase, table.state.winner, table.scores) == ("end", 0, (121, 109))


def test_game_ends_at_the_crib(table: Any) -> None:
    """The crib's count can end the game."""
    foster(table, to="hands").press("B 1# 90B").cards(FOSTER_CRIB).press("9#")
    assert (table.phase, table.state.winner, table.scores) == ("end", 1, (25, 121))
    assert table.words == "Bob wins 121-25 dbl skunk games 0-2 # again B set-up"


@pytest.mark.parametrize(
    ("loser", "said"), [(91, "121-91"), (90, "121-90 skunk"), (61, "121-61 skunk"), (60, "121-60 dbl skunk")]
)
def test_skunks_by_the_book(table: Any, loser: int, said: str) -> None:
    """A loser who has not reached hole 91 is skunked, before 61 doubly; the end screen says so in full."""
    table.press("# 2#")
    for part in (loser // 2, loser - loser // 2):
        table.press(f"B 1# {part}A")
    table.press("B 1# 99B B 1# 22B")
    assert table.phase == "end"
    assert table.lines[1] == said


def test_rematch_with_hash_and_the_loser_deals_first(table: Any) -> None:
    """``#`` at the end plays again with the match tally kept; nobody cuts, the loser deals."""
    table.press("# 2# B 1# 99B B 1# 22B").press("#")
    assert (table.phase, table.scores, table.state.games_won) == ("deal", (0, 0), (0, 2))
    assert table.lines[2] == "Ann deals"


def test_stopped_game_is_cut_for_again(table: Any) -> None:
    """After a stopped game there is no loser: the next one is cut for."""
    table.press("# 2# B 8# #")
    assert (table.phase, table.lines[0]) == ("end", "Game stopped")
    assert table.press("#").phase == "cut"


def test_set_up_of_the_next_match_is_left_by_star(table: Any) -> None:
    """``B`` at the end opens the set-up, and ``*`` leaves it without undoing anything."""
    table.press("# 2# B 8# #").press("B")
    assert table.phase == "set-up"
    assert table.press("*").phase == "end"
    assert table.view.overlay is None
