"""Calls in the play: claims belong to the card just laid, windows close by acts alone, and false goes are taken."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.record_write import write
from engine.replay import replay
from firmware.calling import claims_against


@pytest.fixture
def playing(new_table: Callable[..., Any]) -> Callable[..., Any]:
    """A table at level ``call``, acc with muggins on, Bob dealing and the QS turned."""

    def make(**choices: object) -> Any:
        return new_table(**{"level": "call", "book": "acc", "muggins": True, **choices}).press("# 2#").cards("QS")

    return make


def windows(table: Any) -> list[tuple[int, str, int]]:
    """The open claims: seat, what, how many."""
    return [(claim.seat, claim.what, claim.claimed) for claim in table.state.claims]


def test_card_pegs_nothing_until_it_is_claimed_for(playing: Callable[..., Any]) -> None:
    """A card pegs nothing by itself; a number typed next claims for it."""
    table = playing().cards("7C 8D")
    assert table.scores == (0, 0)
    assert table.lines[2].endswith("claim: n#")
    assert table.press("2#").scores == (0, 2)


def test_claim_comes_before_any_other_act(playing: Callable[..., Any]) -> None:
    """After the next card, a call or a claim, a number claims no longer for the card before."""
    table = playing().cards("7C 8D 9H")
    assert table.press("3# 2#").refused
    assert table.scores == (3, 0)
    called = playing().cards("7C 8D").press("A 2# *")
    assert called.scores == (2, 0)
    assert "right after its card" in called.press("2#").refused


def test_wrong_claim_of_a_card_is_silent(playing: Callable[..., Any]) -> None:
    """A wrong claim in the play pegs as claimed and is silent."""
    table = playing().cards("7C 8D").press("5#")
    assert table.scores == (0, 5)
    assert "true" not in table.words + table.screen.spoken


def test_the_two_for_thirty_one_are_a_claim(playing: Callable[..., Any]) -> None:
    """Thirty-one is claimed with its card, after the count has closed; no go is pegged on top."""
    table = playing().cards("TC KD 5H 6S")
    assert (table.state.deal.count, table.scores) == (0, (0, 0))
    assert table.press("2#").scores == (0, 2)


def test_go_and_last_are_pegged_by_the_board(playing: Callable[..., Any]) -> None:
    """Go and last are never part of a claim: the board pegs them."""
    table = playing().cards("TC KD 5H").press("# #")
    assert table.scores == (1, 0)
    assert playing().cards("4S 2D 3D AH 5C 2H 4C 3C").scores == (0, 1)


def test_last_card_is_claimed_for_by_a_number_or_passed_by_hash(playing: Callable[..., Any]) -> None:
    """After the last card a number claims for it, and ``#`` alone goes on to the show."""
    table = playing().cards("4S 2D 3D AH 5C 2H 4C 3C").press("4#")
    assert (table.scores, table.phase) == ((0, 5), "show")
    assert playing().cards("4S 2D 3D AH 5C 2H 4C 3C").press("# 10#").scores == (10, 1)


def test_hash_stays_go(playing: Callable[..., Any]) -> None:
    """In the play ``#`` is go and accepts nothing: the window stays open."""
    table = playing().cards("TC KD 5H").press("2# #")
    assert table.state.deal.gone == (1,)
    assert windows(table) == [(0, "card", 2)]


def test_card_is_called_by_a(playing: Callable[..., Any]) -> None:
    """A claim in the play is called as in the show, and the verdict told with its reason."""
    table = playing().cards("7C 8D").press("A")
    assert table.lines[0] == "Bob card: 0"
    table.press("2# *")
    assert table.scores == (2, 0)
    assert "fifteen" in table.view.why


def test_over_count_of_a_card(playing: Callable[..., Any]) -> None:
    """Too many for a card goes back, and the surplus to the caller."""
    assert playing().cards("7C 8D").press("5# A A 3# *").scores == (3, 2)


def test_window_by_acc(playing: Callable[..., Any]) -> None:
    """acc: open until the caller plays the next card; a go is no card."""
    table = playing().cards("7C 8D")
    assert (1, "card", 0) in windows(table)
    assert (1, "card", 0) not in windows(table.cards("9H"))
    gone = playing().cards("TC KD 5H").press("#")
    assert windows(gone) == [(0, "card", 0)]


def test_window_of_the_last_cards_by_acc(playing: Callable[..., Any]) -> None:
    """acc: the last card's window outlives ``#`` and closes when the first show is quitted."""
    table = playing().cards("4S 2D 3D AH 5C 2H 4C 3C").press("#")
    assert windows(table) == [(1, "card", 0)]
    table.press("#")
    assert windows(table) == [(1, "card", 0)]
    assert windows(table.press("10#")) == [(0, "hand", 10)]


def three_open(table: Any) -> Any:
    """Bob says go twice: three cards of Ann's are open to him. The KH misses a pair, the AS thirty-one."""
    return table.cards("TC KD KH").press("#").cards("AS")


def test_every_open_card_of_a_seat_is_called_in_its_order(playing: Callable[..., Any]) -> None:
    """The newest card is named first, ``B`` steps to the older ones and comes round; the place in the play tells them
    apart, never the card."""
    table = three_open(playing())
    assert windows(table) == [(0, "card", 0), (0, "card", 0)]
    shown = [table.press("A").lines[0], *(table.press("B").lines[0] for _ in range(2))]
    assert shown == ["Ann card 4: 0", "Ann card 3: 0", "Ann card 4: 0"]


@pytest.mark.parametrize("answer", ["*", "#"])
def test_older_card_is_called_and_the_newer_stays_open(playing: Callable[..., Any], answer: str) -> None:
    """A call on the older of two cards is judged by that card, and the newer can be called after it."""
    table = three_open(playing()).press(f"A B 2# {answer}")
    assert table.scores == (0, 2)
    assert [claim.plays for claim in table.state.claims] == [4]
    assert table.press(f"A 2# {answer}").scores == (0, 4)
    assert table.state.claims == ()
    assert table.folded() == table.state
    assert table.reopen().scores == (0, 4)


def test_call_on_an_older_card_is_written_into_the_record(playing: Callable[..., Any]) -> None:
    """The record names the card that was called, and replays to the same scores."""
    table = three_open(playing()).press("A B 2# *")
    record = write(table.board.history.events())
    assert "muggins Bob 2 on Ann card KH" in record.splitlines()
    *_, end = replay(record)
    assert end["scores"] == {"Ann": 0, "Bob": 2}


@pytest.mark.parametrize("book", ["acc", "foster"])
@pytest.mark.parametrize("seed", range(12))
def test_b_steps_through_every_window_there_is(playing: Callable[..., Any], book: str, seed: int) -> None:
    """Wherever the play stands, ``A`` and ``B`` name each count that the other side may call once, newest first."""
    chance, most = random.Random(seed), 0
    table = playing(book=book)
    cards = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CDH"]
    for _ in range(40):
        table.press("D *")
        before = table.state
        table.press(table.keys_for(chance.choice(cards)) if chance.random() < 0.7 else "#")
        public = table.view.public
        if table.state is before or public is None or table.phase != "play":
            continue
        for caller in (0, 1):
            mine = [claim for claim in reversed(public.claims) if claim.seat != caller]
            assert claims_against(public, caller) == mine
            if mine:
                table.press("D *")
                named = [table.press(f"hold(@{caller + 1})").lines[0]]
                named += [table.press("B").lines[0] for _ in mine[1:]]
                assert len(set(named)) == len(mine)
                assert table.press("B").lines[0] == named[0]
                most = max(most, len(mine))
    assert most > 0


def test_window_by_foster(playing: Callable[..., Any]) -> None:
    """foster: opens once the caller has played his own card, closes when the claimant next plays."""
    table = playing(book="foster").cards("7C 8D").press("A 2#")
    assert "own card" in table.refused
    table.press("*").cards("QD").press("A B")
    assert table.lines[0] == "Bob card: 0"
    assert table.press("2# *").scores == (2, 0)
    assert (1, "card", 0) not in windows(playing(book="foster").cards("7C 8D QD 2S"))[:-1]


def test_over_count_by_foster_is_called_at_once(playing: Callable[..., Any]) -> None:
    """foster: an over-count of a card is called at once."""
    assert playing(book="foster").cards("7C 8D").press("3# A A 1# *").scores == (1, 2)


@pytest.mark.parametrize("book", ["modern", "onhand"])
def test_no_window_for_a_card(playing: Callable[..., Any], book: str) -> None:
    """Where the book calls no card of the play ``A`` is refused with the reason."""
    table = playing(book=book).cards("7C 8D")
    assert windows(table) == []
    assert table.press("A").refused == f"Missed points in play are gone: {book} calls hands and cribs"


def test_no_window_for_a_card_by_victorian(new_table: Callable[..., Any]) -> None:
    """victorian: a card of the play has no window either."""
    table = new_table(game="five-card", book="victorian", target=61, muggins=True, level="call").press("# 2#")
    assert windows(table.cards("QS 7C 8D")) == []


def false_go(table: Any) -> Any:
    """Bob says go at 25 with three cards that fitted, and plays them later; nothing is claimed."""
    return table.cards("TC KD 5H").press("# #").cards("2S 9C 4D 7S 3D")


def test_false_go_is_told_and_its_price_taken_by_a(playing: Callable[..., Any]) -> None:
    """A proved false go is told under ``call`` too, and its price taken by ``A``: no call, no answer."""
    table = false_go(playing())
    before = table.scores
    table.press("#")
    assert table.lines[2] == "A takes 6 #leave"
    assert table.press("A").scores == (before[0] + 6, before[1])


def test_false_go_is_taken_with_muggins_off(playing: Callable[..., Any]) -> None:
    """A false go is taken, not mugged: with muggins off too."""
    table = false_go(playing(muggins=False)).press("#")
    before = table.scores
    assert table.press("A").scores == (before[0] + 6, before[1])


def test_false_go_outlives_an_acceptance(playing: Callable[..., Any]) -> None:
    """Accepting a count leaves a false go's price due; the next starter ends it."""
    table = false_go(playing()).press("# 8# #")
    assert windows(table) == [(1, "go", 0)]
    table.press("6#").cards("JD JS TH AS").press("9# #")
    assert windows(table) == [(1, "go", 0)]
    before = table.scores
    assert table.press("A").scores == (before[0] + 6, before[1])


def test_claim_of_the_last_hole_in_the_play(playing: Callable[..., Any]) -> None:
    """A card's claim that reaches the last hole stops the table; called false by acc, three steps, and play goes on."""
    table = playing().press("B 1# 99B B 1# 20B").cards("7C 9D").press("2#")
    assert "Bob claims the" in table.words
    table.press("A A 2# *")
    assert (table.scores, table.phase) == ((2, 104), "play")
    assert table.cards("TH").state.deal.count == 26


def three(new_table: Callable[..., Any]) -> Any:
    """Ann, Bob and Cal under ``call``; Cal deals, so Ann leads."""
    names = ("Ann", "Bob", "Cal")
    table = new_table(sides=3, game="three-handed", book="foster", level="call", names=names)
    return table.press("# 3#").cards("QS")


def test_three_players_say_who_calls(new_table: Callable[..., Any]) -> None:
    """With several opponents the caller's seat number and ``#`` come first; the points go to the caller."""
    table = three(new_table).cards("7C 9S 8D").press("5# A")
    assert table.lines[0] == "Cal card: 5"
    assert "Who calls?" in table.words
    assert table.press("3#").lines[0] == "Bob card: 0"  # not his own: the newest that he can call
    table.press("* A 2#")
    assert table.lines[:2] == ["Cal card: 5", "too few by _"]
    assert table.press("A 5# *").scores == (0, 2, 3)


def test_three_players_seat_button_says_who_calls(new_table: Callable[..., Any]) -> None:
    """A seat button held calls from that seat, and tapped it answers who calls."""
    table = three(new_table).cards("7C 9S 8D").press("5# hold(@1)")
    assert table.lines[1].startswith("too few")
    assert table.press("* A @1").lines[1].startswith("too few")


def test_three_players_one_hash_accepts_for_all(new_table: Callable[..., Any]) -> None:
    """``#`` accepts for all: after it nobody can call."""
    table = three(new_table)
    for count in ("TC TD JC", "TH TS JD", "KC KD KH"):
        table.cards(count).press("# # #")
    table.cards("2C 3S 4D").press("# 8#")
    assert "Who calls?" in table.press("A").words
    table.press("* #")
    assert table.state.claims == ()
    assert table.press("hold(@2)").refused
    assert table.press("hold(@3)").refused
