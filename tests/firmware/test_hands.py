"""Several hands at once: one owner of every moment, no press lost, and whoever was late is told who was first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board import Board
from firmware.entry import split_keys
from firmware.hands import KEYPAD, MOST, Presser
from firmware.journal import open_journal
from firmware.overlay import UndoOffer
from firmware.screens.pages import more
from firmware.settings import Settings

ANN, BOB = Presser("a", 0), Presser("b", 1)
PLAYED = "QS 4S 2S 3S AS 6S 2D 8S 3D"
"""A starter and a whole play, Ann leading; her hand is worth two."""
ONE, TWO = Presser("1", None, "Phone 1"), Presser("2", None, "Phone 2")


@pytest.fixture
def play(table: Any) -> Any:
    """Bob deals, the queen of spades is up, Ann leads."""
    return table.press("# 2# 12A")


def test_two_phones_never_mix_their_digits(play: Any) -> None:
    """What one phone types is no part of what another types."""
    play.press("1", ONE).press("3", TWO).press("2A", ONE)
    assert play.refused != ""
    play.press("* 1 1 A", ONE)
    assert [str(card.card) for card in play.view.public.played] == ["JS"]


def test_the_glass_shows_what_the_newest_presser_types(play: Any) -> None:
    """The digits on the glass are those of the hand that pressed last."""
    assert play.press("1", ONE).view.typed == "1"
    assert play.press("3", TWO).view.typed == "3"
    assert play.press("2", ONE).view.typed == "12"


def test_a_press_meant_for_another_moment_is_refused_by_name(play: Any) -> None:
    """Who presses on a screen that another hand has changed is told whose press was first, and what it did."""
    seen = play.view.moment
    play.press("4A", ANN, seen)
    acts = play.acts()
    play.press("4B", BOB, seen)
    assert play.late == play.refused == "Ann's phone was first: Ann played 4S. Look, press again"
    assert play.acts() == acts
    assert play.view.typed == ""


def test_an_entry_belongs_to_the_moment_it_was_begun(play: Any) -> None:
    """Digits typed before another hand's act are not completed after it, even by a press that saw that act."""
    play.press("1", BOB, play.view.moment)
    play.press("4A", ANN, play.view.moment)
    play.press("2 B", BOB, play.view.moment)
    assert "Ann's phone was first" in play.late
    assert play.press("12B", BOB, play.view.moment).late == ""
    assert play.view.public.count == 14


def test_one_phone_types_as_fast_as_it_likes(play: Any) -> None:
    """A phone whose page lags behind its own acts is never refused for it."""
    play.press("4A 4B 5A 5B D D * *", ONE, play.view.moment)
    assert play.late == ""
    assert len(play.view.public.played) == 4


def test_the_keypad_is_always_taken(play: Any) -> None:
    """The board's own keys see the glass itself: they are never late."""
    play.press("1")
    play.press("4A", ONE, play.view.moment)
    assert play.press("2B").late == ""
    assert play.view.public.count == 14


def test_an_act_of_the_keypad_is_first_too(play: Any) -> None:
    """A phone is told when it was the keypad that was first."""
    seen = play.view.moment
    play.press("4A").press("#", ONE, seen)
    assert play.late.startswith("The keypad was first: Ann played 4S")


@pytest.mark.parametrize(
    ("keys", "said"), [("D", "another screen"), ("* #", "starter QS undone"), ("D *", "another screen")]
)
def test_screens_and_undos_are_moves_as_well(play: Any, keys: str, said: str) -> None:
    """What another hand opened, left or took back changes what a key means."""
    seen = play.view.moment
    play.press(keys, ONE).press("#", TWO, seen)
    assert said in play.late


def test_a_changed_set_up_is_a_move(table: Any) -> None:
    """Nobody accepts a set-up that another hand has just changed."""
    seen = table.view.moment
    table.press("5#", ONE).press("#", TWO, seen)
    assert table.late == "Phone 1 was first: the set-up. Look, press again"
    assert table.phase == "set-up"


def test_refusals_and_digits_are_no_moves(play: Any) -> None:
    """What changes nothing makes nobody late."""
    seen = play.view.moment
    play.press("1", ONE).press("99A", KEYPAD).press("77#", KEYPAD)
    assert play.press("4A", TWO, seen).late == ""


def test_the_number_of_the_moment_outlives_an_undo(play: Any) -> None:
    """An undo is an act too: the number never comes back."""
    seen = [play.press(keys).view.moment for keys in ("", "4A", "*", "#")]
    assert seen == sorted(set(seen))


def test_a_page_of_before_a_restart_looks_again(play: Any) -> None:
    """A press that was meant for a screen of before the board was started anew is never taken, however far it is."""
    seen = play.press("D D * D D *").view.moment
    play.reopen().press("#", ONE, seen)
    assert "started anew" in play.late
    play.press("D D * D D * D D * *", TWO)
    assert isinstance(play.view.overlay, UndoOffer)
    acts = play.acts()
    play.press("#", ONE, seen)
    assert "started anew" in play.late
    assert play.acts() == acts


def test_the_late_ones_digits_leave_an_offer_alone(play: Any) -> None:
    """A digit drops the offer to undo only if its page showed the offer."""
    seen = play.view.moment
    play.press("*", ONE, seen).press("1", TWO, seen)
    assert isinstance(play.view.overlay, UndoOffer)
    play.press("1", Presser("3", None, "Phone 3"), play.view.moment)
    assert play.view.overlay is None
    assert "Phone 3 was first" in play.press("#", ONE, play.view.moment - 1).late


def test_a_notice_takes_the_press_of_nobody_who_has_not_seen_it(play: Any) -> None:
    """A long notice is turned by who saw it; a press on its way means what it meant."""
    seen = play.view.moment
    long = Presser("1", None, "The phone with a long name on the sill")
    play.press("D", long, seen).press("#", TWO, seen)
    assert more(play.view.notice)
    assert play.press("#", long, seen).view.notice is None
    assert play.late == ""
    play.press("#", TWO, seen).press("#", TWO, play.view.moment)
    assert play.view.notice.page == 1


def test_who_was_late_stays_late_until_its_page_is_there(play: Any) -> None:
    """Pressing again and again on the old screen is refused each time, whatever that does to the notice."""
    seen = play.view.moment
    play.press("D", Presser("1", None, "The phone with a long name on the sill"), seen)
    for _ in range(4):
        assert "was first" in play.press("#", TWO, seen).late


def test_a_forgotten_hand_costs_no_memory(play: Any) -> None:
    """Of very many half-typed entries the oldest is forgotten, and nothing else happens."""
    for number in range(MOST + 1):
        play.press("1", Presser(f"window {number}"), play.view.moment)
    assert play.press("A", Presser("window 0")).view.public.count == 0
    assert play.press("1 A", Presser(f"window {MOST}")).view.public.count == 10


# Keys bound to a seat.


def test_the_keys_of_a_seat_are_its_button(new_table: Callable[..., Any]) -> None:
    """``#`` is the seat's tap, so a count is that seat's count, and the other seat's is not typed on it."""
    table = new_table().press("# 2#").cards(PLAYED)
    acts = table.acts()
    assert "Bob" in table.press("9#", BOB).refused
    assert table.acts() == acts
    assert table.press("2#", ANN).refused == ""
    assert table.press("7#", BOB).refused == ""
    assert len(table.acts()) == len(acts) + 2


def test_bare_a_is_that_seats_hold(new_table: Callable[..., Any]) -> None:
    """``A`` alone on a seat's keys calls for that seat: who made the claim cannot call it."""
    table = new_table().press("# 2#").cards(PLAYED).press("0#", ANN)
    assert "the other side takes it" in table.press("A", ANN).refused
    before = table.scores[1]
    assert table.press("A", BOB).scores[1] > before


def test_no_seats_keys_press_another_seats_button(play: Any) -> None:
    """The button of another seat is refused, tapped or held."""
    for key in ("@2", "hold(@2)"):
        assert play.press(key, ANN).refused == "These keys are seat 1's alone"
    assert play.press("D", ANN).press("@1", ANN).refused == ""


@pytest.mark.parametrize("keys", ["4A", "#"])
def test_cards_and_goes_of_a_seat_wait_for_its_turn(play: Any, keys: str) -> None:
    """In the play a card or a go from the keys of a seat that is not to act is refused with whose turn it is."""
    play.press(keys, BOB)
    assert "Ann's turn" in play.refused
    assert play.view.public.count == 0
    assert play.press("4A", ANN).view.public.count == 4


def test_a_seat_that_is_not_in_the_game_only_watches(play: Any) -> None:
    """Keys of a seat that nobody sits at do nothing but say so."""
    for keys in ("4A", "#", "D", "*"):
        assert play.press(keys, Presser("c", 2)).refused == "No seat 3 here: 1 to 2"


def test_points_are_pegged_by_their_own_side(new_table: Callable[..., Any]) -> None:
    """Where the play is pegged by number, the keys of a seat peg for its side alone."""
    table = new_table(entry="points").press("# 2# #")
    assert table.press("2A", BOB).refused == "Ann's own keys peg for Ann"
    assert table.press("2B", BOB).scores == (0, 2)


def test_only_the_claimant_answers_a_call(new_table: Callable[..., Any]) -> None:
    """A called claim is answered by its own side's keys, and its number comes from the caller's."""
    table = new_table(level="call", book="acc", muggins=True).press("# 2#")
    table.cards(PLAYED).press("#").press("8#", ANN).press("A", BOB)
    assert table.press("2#", ANN).refused == "Bob is calling: wait for the number"
    table.press("2#", BOB)
    acts = table.acts()
    for key in "#*":
        assert "Ann agrees with #" in table.press(key, BOB).refused
    assert table.acts() == acts
    assert table.press("#", ANN).acts() != acts


# Any interleaving.

MINE, YOURS = (Presser(one, None, f"Phone {one} that has a name of two pages") for one in "12")
ENTRIES = "# 2# 12A 4A 4B 5C 7D 0B 11C 13D 9# 0# A B C D * 1* 99A 3# 1#".split()
_folder = count()


@pytest.fixture(scope="module")
def fast() -> Iterator[Path]:
    """A folder in memory for many small journals."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="muggins-hands-", dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def laid(folder: Path) -> Board:
    """A board with the play begun."""
    journal = open_journal(folder / str(next(_folder)), now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    board = Board(journal, Settings(names=("Ann", "Bob")))
    for key in split_keys("# 2# 12A"):
        board.press(key, 0.0)
    return board


def standing(board: Board) -> tuple[object, ...]:
    """What a board has come to."""
    view = board.view()
    return board.state, view.overlay, view.setting_up, view.settings, view.preferences


@given(
    st.lists(st.sampled_from(ENTRIES), max_size=8),
    st.lists(st.sampled_from(ENTRIES), max_size=8),
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=40, max_size=40),
)
def test_any_interleaving_comes_to_some_order(
    fast: Path, ones: list[str], twos: list[str], order: list[tuple[bool, int]]
) -> None:
    """However the presses of two phones fall between each other and behind their pages, each entry is taken whole, with
    no other hand's move since it was begun, or its hand is told; the table stands as after the taken ones in turn."""
    board = laid(fast)
    begun: dict[Presser, int] = {}
    moves: list[tuple[int, Presser]] = []
    hands = {MINE: [split_keys(entry) for entry in ones], YOURS: [split_keys(entry) for entry in twos]}
    left = {
        hand: [(key, at, entry) for entry in entries for at, key in enumerate(entry)] for hand, entries in hands.items()
    }
    seen = dict.fromkeys(hands, board.view().moment)
    taken: list[list[str]] = []
    for first, lag in order:
        hand = MINE if first else YOURS
        if not left[hand]:
            continue
        key, at, entry = left[hand].pop(0)
        before = board.view()
        seen[hand] = max(seen[hand], before.moment - lag)
        begun[hand] = seen[hand] if at == 0 else begun[hand]
        stood = standing(board)
        late = board.press(key, 1.0, hand, seen[hand])
        overtaken = any(by != hand and moment > begun[hand] for moment, by in moves)
        if standing(board) != stood or more(before.notice):
            moves.append((board.view().moment, hand))
        notice, last = before.notice, at + 1 == len(entry)
        if late:
            assert last
            assert overtaken
            assert board.view().notice.text == late
        elif more(notice) and board.view().notice is not None and board.view().notice.page > notice.page:
            pass  # it turned the page of a notice that it had seen
        elif last:
            assert not overtaken or entry == ["1", "*"]
            taken.append(entry)
        elif isinstance(before.overlay, UndoOffer) and board.view().overlay is None:
            taken.append([key, "*"])  # its digit dropped an offer at once
    alone = laid(fast)
    for entry in taken:
        if more(alone.view().notice):
            alone.tell(alone.view().notice.kind, "")
        for key in entry:
            alone.press(key, 1.0)
    assert standing(board) == standing(alone)
