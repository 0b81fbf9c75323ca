"""A call, key by key: enter, quit, called, answer, reveal, accepted; for hands and crib, the play apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PLAY = "4S 2D 3D AH 5C 2H 4C 3C"
CRIB = "JD JS TD AS"
"""Ann's hand is worth 10, Bob's 14, his crib 9, with the QS; one for last is Bob's."""


@pytest.fixture
def called(new_table: Callable[..., Any]) -> Callable[..., Any]:
    """A table at level ``call`` by the book ``acc`` with muggins on, the play over and nothing claimed in it."""

    def make(**choices: object) -> Any:
        table = new_table(**{"level": "call", "book": "acc", "muggins": True, **choices})
        return table.press("# 2#").cards("QS").cards(PLAY).press("#")

    return make


# ENTER and QUIT


def test_number_may_be_edited_before_it_is_quitted(called: Callable[..., Any]) -> None:
    """A typed number moves nothing and can be erased; ``#`` quits it and the peg moves by the claim."""
    table = called()
    assert table.press("8").scores == (0, 1)
    assert table.press("* 12#").scores == (12, 1)


def test_wrong_claim_is_not_flagged(called: Callable[..., Any]) -> None:
    """Under ``call`` a wrong count pegs as claimed and nothing tells."""
    table = called().press("8#")
    assert table.scores == (8, 1)
    assert table.lines[1:] == ["Ann +8", "#accept  A calls", "Bob: count? n#"]


def test_hash_alone_asks_for_a_number(called: Callable[..., Any]) -> None:
    """``#`` alone at a count is refused and asks for the number: nothing is pegged by the board."""
    assert "Type Ann's count" in called().press("#").refused


def test_accepted_by_hash(called: Callable[..., Any]) -> None:
    """``#`` accepts: after it there is nothing to call."""
    table = called().press("8# #")
    assert table.state.claims == ()
    assert "Type Bob's count" in table.press("#").refused
    assert table.press("A").refused


def test_accepted_by_quitting_the_next_count(called: Callable[..., Any]) -> None:
    """The dealer's count, quitted, accepts the pone's."""
    table = called().press("8# 14#")
    assert [claim.seat for claim in table.state.claims] == [1]


def test_claimants_own_button_does_not_accept(called: Callable[..., Any]) -> None:
    """The claimant's own seat cannot accept its own claim; the other seat can."""
    table = called().press("8#")
    assert "own count" in table.press("@1").refused
    assert table.press("@2").state.claims == ()


# CALLED


def test_call_asks_too_few_by_how_many(called: Callable[..., Any]) -> None:
    """``A`` names the claim and asks too few by how many; no number is offered."""
    table = called().press("8# A")
    assert table.lines == ["Ann: 8", "too few by _", "A flips", "# calls  * drops"]
    assert table.press("2").lines[1] == "too few by 2_"


def test_a_again_turns_it_to_too_many_and_back(called: Callable[..., Any]) -> None:
    """``A`` again turns too few into too many, and once more back."""
    table = called().press("8# A A")
    assert table.lines[1].startswith("too many by")
    assert table.press("A").lines[1].startswith("too few by")


def test_muggins_off_is_too_many_at_once(called: Callable[..., Any]) -> None:
    """With muggins off ``A`` asks too many by how many at once, and ``A`` again does not turn it."""
    table = called(muggins=False).press("12# A")
    assert table.lines == ["Ann: 12", "too many by _", "", "# calls  * drops"]
    assert table.press("A").refused
    assert table.press("2# *").scores == (10, 3)


def test_star_withdraws_a_call(called: Callable[..., Any]) -> None:
    """``*`` withdraws the call: nothing has happened and the window is still open."""
    table = called().press("8# A 2 * *")
    assert (table.view.overlay, len(table.state.claims), table.scores) == (None, 1, (8, 1))


@pytest.mark.parametrize("keys", ["0#", "#", "5B", "C"])
def test_a_call_is_of_one_or_more(called: Callable[..., Any], keys: str) -> None:
    """Nothing but a number of one or more and ``#`` makes the call; anything else says how."""
    table = called().press("8# A").press(keys)
    assert "Number, then #" in table.refused
    assert table.state.claims[0].called == 0


def test_seat_button_held_is_a_from_that_seat(called: Callable[..., Any]) -> None:
    """A seat button held calls from that seat; the claimant's own is refused."""
    table = called().press("8#")
    assert "own count" in table.press("hold(@1)").refused
    assert table.press("hold(@2)").lines[0] == "Ann: 8"


def test_b_steps_to_an_older_window(called: Callable[..., Any]) -> None:
    """With several windows open the newest is named; ``B`` steps to an older one and comes round."""
    table = called().press("10# 14#").cards(CRIB).press("7# A")
    assert table.lines[0] == "Bob crib: 7"
    assert table.press("B").lines[0] == "Bob: 14"
    assert table.press("B").lines[0] == "Bob crib: 7"


def test_b_reaches_the_windows_of_either_side(called: Callable[..., Any]) -> None:
    """The last cards of both sides are open at once: the newest is Bob's, ``B`` steps to Ann's, which Bob calls."""
    table = called(book="foster").press("A")
    assert table.lines[0] == "Bob card: 0"
    assert table.press("B").lines[0] == "Ann card: 0"
    assert table.press("3# *").scores == (0, 4)


# ANSWER


def test_answer_is_asked_of_the_claimant(called: Callable[..., Any]) -> None:
    """The call is put to the claimant, with who says what by how many, and nothing is revealed yet."""
    table = called().press("8# A 3#")
    assert table.lines == ["Ann: 8", "Bob: too few", "by 3. Ann:", "#agree  *dispute"]
    assert table.scores == (8, 1)


def test_agreed_stands_as_called_without_a_reveal(called: Callable[..., Any]) -> None:
    """``#`` agrees: the number stands as called, true or not, and no count is told."""
    table = called().press("8# A 3# #")
    assert table.scores == (8, 4)
    assert "true" not in table.words + table.press("C").words
    assert "fifteen" not in table.view.why


def test_agreed_too_many_goes_back_as_called(called: Callable[..., Any]) -> None:
    """Agreed too many: that number goes back, and to the caller."""
    assert called().press("10# A A 4# #").scores == (6, 5)


def test_callers_button_does_not_agree(called: Callable[..., Any]) -> None:
    """Only the claimant agrees: the caller's own button is refused."""
    table = called().press("8# A 3#")
    assert "Ann agrees with #" in table.press("@2").refused
    assert table.press("@1").scores == (8, 4)


@pytest.mark.parametrize(
    ("claim", "call", "scores"),
    [
        ("8#", "A 2#", (8, 3)),
        ("8#", "A 1#", (8, 2)),
        ("8#", "A 5#", (8, 3)),
        ("10#", "A 2#", (12, 1)),
        ("12#", "A 2#", (10, 3)),
        ("12#", "A A 2#", (10, 3)),
        ("12#", "A A 1#", (10, 3)),
        ("10#", "A A 2#", (12, 1)),
        ("8#", "A A 2#", (10, 1)),
    ],
)
def test_verdict(called: Callable[..., Any], claim: str, call: str, scores: tuple[int, int]) -> None:
    """Disputed: the lesser of call and truth to the caller, a mistaken call to the other side; a surplus goes back."""
    assert called().press(claim).press(call).press("*").scores == scores


@pytest.mark.parametrize(("book", "scores"), [("acc", (10, 3)), ("foster", (10, 3)), ("modern", (14, 1))])
def test_over_count_called_as_too_few(called: Callable[..., Any], book: str, scores: tuple[int, int]) -> None:
    """Too few called on a count too high: put back, the surplus to the caller, where the book calls over-counts; where
    it does not, no peg goes back, and the mistaken call pays."""
    assert called(book=book).press("12# A 2# *").scores == scores


def test_reveal_explains_the_count(called: Callable[..., Any]) -> None:
    """The verdict reveals the claim and the truth, and ``C`` the whole count."""
    table = called().press("8# A 2# *")
    assert table.lines[1] == "Ann 8, true 10"
    assert "a double run of three makes ten" in table.view.why
    assert "Bob: muggins for two" in table.view.why


# ACCEPTED


def test_one_hash_after_the_crib_accepts_all(called: Callable[..., Any]) -> None:
    """One ``#`` after the crib accepts the dealer's hand and the crib."""
    table = called().press("10# 14#").cards(CRIB).press("7#")
    assert len(table.state.claims) == 2
    assert table.press("#").state.claims == ()
    assert table.phase == "deal"


def test_next_starter_accepts_all(called: Callable[..., Any]) -> None:
    """The next starter accepts what is open without a key of its own."""
    table = called().press("10# 14#").cards(CRIB).press("7#").cards("5H")
    assert (table.state.claims, table.phase) == ((), "play")


def test_dealers_hand_stays_open_through_the_crib_by_acc_and_not_by_modern(called: Callable[..., Any]) -> None:
    """acc: going on to the crib does not close the dealer's hand; modern: the next count closes it."""
    for book, open_ in (("acc", ["hand", "crib"]), ("foster", ["hand", "crib"]), ("modern", ["crib"])):
        table = called(book=book).press("10# 14#").cards(CRIB).press("7#")
        assert [claim.what for claim in table.state.claims] == open_


# What cannot be called


@pytest.mark.parametrize("book", ["modern", "onhand"])
def test_over_counts_are_not_called_by_modern(called: Callable[..., Any], book: str) -> None:
    """Where the book calls no over-counts ``A`` does not turn, and with muggins off nothing is called, with reasons."""
    assert f"the book {book} a count too high stands" in called(book=book).press("12# A A").refused
    assert "every count stands" in called(book=book, muggins=False).press("12# A").refused


def test_heels_cannot_be_called(new_table: Callable[..., Any]) -> None:
    """Heels are pegged by the board, and a call on them is refused with the reason."""
    table = new_table(level="call", book="acc", muggins=True).press("# 2#").cards("JS")
    assert table.scores == (0, 2)
    assert table.press("A").refused == "His heels cannot be called"


def test_muggins_cannot_be_called(called: Callable[..., Any]) -> None:
    """A muggins, once pegged, is no claim: calling it is refused with the reason."""
    assert called().press("8# A 1# # A").refused == "Points taken by muggins cannot be called"


def test_penalties_and_holes_lost_cannot_be_called(called: Callable[..., Any]) -> None:
    """Points moved by hand cannot be called."""
    assert called().press("8# # B 1# 5A A").refused == "Points by hand cannot be called"


# The last hole


def near(table: Any, ann: int) -> Any:
    """Ann pegged on so far by hand, and the table waiting for her hand."""
    while ann:
        table.press(f"B 1# {min(ann, 99)}A")
        ann -= min(ann, 99)
    return table


@pytest.mark.parametrize("claim", [10, 12])
def test_claim_of_the_last_hole_stops_the_table(called: Callable[..., Any], claim: int) -> None:
    """A claim that reaches the last hole stops the table until accepted or called, true or false."""
    table = near(called(), 121 - claim).press(f"{claim}#")
    assert table.words == "An 121c Bob 1c Ann claims the game #accept A calls"
    table.press("14#")
    assert table.scores == (121, 1)
    table.press("#")
    assert table.lines[0] == "Ann wins"


def test_false_claim_of_the_game_by_acc(called: Callable[..., Any]) -> None:
    """acc: back to the true hole, the surplus to the other side, fifteen back, in that order, and the play goes on."""
    table = near(called(), 109).press("12# A A 2# *")
    moves = [(one.seat, one.points) for one in table.state.ledger[table.view.public.news :] if hasattr(one, "points")]
    assert moves == [(0, -2), (1, 2), (0, -15)]
    assert (table.scores, table.phase) == ((104, 3), "show")


@pytest.mark.parametrize(("book", "back"), [("acc", 15), ("foster", 0)])
def test_false_claim_of_the_game_called_as_too_few_does_not_win(
    called: Callable[..., Any], book: str, back: int
) -> None:
    """The last hole claimed without the points is not won by being called the wrong way."""
    table = near(called(book=book), 109).press("12# A 2# *")
    assert (table.scores, table.phase) == ((119 - back, 3), "show")


def test_true_claim_of_the_game_called_wins_all_the_same(called: Callable[..., Any]) -> None:
    """A true claim of the game, called, wins; the caller's number has nowhere to go."""
    table = near(called(), 111).press("10# A A 2# *")
    assert (table.scores, table.phase, table.lines[0]) == ((121, 1), "end", "Ann wins")


def test_pegging_out_by_a_muggins_point(called: Callable[..., Any]) -> None:
    """A muggins point that reaches the last hole wins the game at once."""
    table = called()
    table.press("B 1# 99B B 1# 20B").press("8# A 2# *")
    assert (table.scores, table.lines[0]) == ((8, 121), "Bob wins")


# Points level


def test_points_level_keys_starter_and_cards_for_a_dispute(new_table: Callable[..., Any]) -> None:
    """At ``points`` a dispute asks for the starter, if it was skipped, and the hand; then the call is judged."""
    table = new_table(level="call", book="acc", muggins=True, entry="points").press("# 2# # # 8# A 2# *")
    assert table.lines == ["Ann: 8", "is disputed", "", "Starter?"]
    table.cards("QS")
    assert table.lines[1:] == ["is disputed", "4 cards to key", "hand?"]
    table.cards("4S 3D 5C")
    assert "4S" not in table.words
    assert table.scores == (8, 0)
    table.cards("4C")
    assert (table.scores, table.lines[1]) == ((8, 2), "Ann 8, true 10")


def test_points_level_settles_a_crib(new_table: Callable[..., Any]) -> None:
    """At ``points`` a disputed crib is judged as a crib, with the starter keyed before."""
    table = new_table(level="call", book="acc", muggins=True, entry="points").press("# 2#").cards("QS")
    table.press("# 10# 14# 7# A 5# *").cards(CRIB)
    assert table.scores == (12, 21)


def test_nothing_else_comes_while_a_call_waits_for_cards(new_table: Callable[..., Any]) -> None:
    """While a call waits for its cards a count is refused with what is wanted."""
    table = new_table(level="call", book="acc", muggins=True, entry="points").press("# 2# # # 8# A 2# *")
    assert "Key the cards of Ann's hand" in table.press("14#").refused


def test_club_preset(new_table: Callable[..., Any]) -> None:
    """A club night: points, call, muggins off. A deal is a few numbers; only too many can be called."""
    table = new_table(book="acc", muggins=False).press("12#")
    assert (table.view.settings.club, table.words) == (True, "six-card acc 121 muggins off Ann v Bob call points #ok")
    table.press("# 2# # 5A 3B # 10# 14# 9# #")
    assert (table.scores, table.phase, table.state.claims) == ((15, 26), "deal", ())


def test_shows_level_keys_the_cards_before_the_count(new_table: Callable[..., Any]) -> None:
    """At ``shows`` the cards are keyed before the count, never drawn under ``call``, and judge the call."""
    table = new_table(level="call", book="acc", muggins=True, entry="shows").press("# 2#").cards("QS").press("#")
    table.cards("4S 3D 5C 4C")
    assert not {"4S", "QS"} & set(table.words.split())
    assert table.press("8# A 2# *").scores == (8, 2)


# Levels per side


def test_levels_per_side(new_table: Callable[..., Any]) -> None:
    """A guest at ``teach`` is counted by the board, a member at ``call`` counts; the letters stand beside each side."""
    table = new_table(book="acc", muggins=True, levels=("teach", "call")).press("# 2#").cards("QS").cards(PLAY)
    table.press("# #")
    assert table.lines[0].split() == ["Ann", "25t", "Bob", "1c"]
    assert table.press("12#").scores == (25, 13)
    assert table.press("A 2# *").scores == (27, 13)


def test_level_is_changed_with_each_sides_consent(called: Callable[..., Any]) -> None:
    """A level changes only after each side, asked by name, has said ``#``; a ``*`` drops it."""
    table = called().press("D D 4# 2#")
    assert "Ann?" in table.words
    table.press("#")
    assert "Bob?" in table.words
    assert table.press("*").state.levels == ("call", "call")
    assert table.press("D D 4# 2# # #").state.levels == ("call", "off")
    assert table.view.undoable == "referee off"


def test_consent_is_each_sides_own(called: Callable[..., Any]) -> None:
    """The side that is asked answers: the other side's seat button does not consent for it."""
    table = called().press("D D 4# 1#")
    assert "Ann agrees" in table.press("@2").refused
    assert "Bob?" in table.press("@1").words
    assert table.press("@2").state.levels == ("off", "call")


def test_undo_of_a_quitted_claim_asks_each_side(called: Callable[..., Any]) -> None:
    """Undoing a claim quitted under ``call`` asks each side by name and takes ``#`` from each."""
    table = called().press("8# * #")
    assert table.words == "Undo Ann's hand, 8 Ann? # yes * no"
    assert table.press("#").words == "Undo Ann's hand, 8 Bob? # yes * no"
    assert table.press("*").scores == (8, 1)
    assert table.press("* # # #").scores == (0, 1)


def test_undo_of_a_verdict_asks_each_side(called: Callable[..., Any]) -> None:
    """Undoing a verdict under ``call`` asks each side too, and the window is open again."""
    table = called().press("8# A 2# *")
    assert table.press("* # #").scores == (8, 3)
    assert table.press("#").scores == (8, 1)
    assert len(table.state.claims) == 1


def test_undo_of_an_acceptance_asks_each_side(called: Callable[..., Any]) -> None:
    """Undoing an acceptance under ``call`` asks each side."""
    table = called().press("8# # * # #")
    assert table.state.claims == ()
    assert len(table.press("#").state.claims) == 1


def test_other_acts_are_undone_as_ever(called: Callable[..., Any]) -> None:
    """A card keyed under ``call`` is taken back with one ``#``."""
    table = called().press("10# 14#").cards("JD").press("* #")
    assert table.state.deal.turned == ()
