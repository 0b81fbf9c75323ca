"""Pairing at the board: a code for one phone, while it is shown, and five tries; whose keys, and how it is let go."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.overlay import Pairing
from firmware.pairing import ALL_MOST, EACH_MOST, WINDOW_S, Paired, Tries, Unpaired

ADDRESS = "http://192.0.2.7:8121/"
RIGHT, WRONG = "482913", "482914"


class Room:
    """A board whose page the network reaches, and phones around it."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.codes = iter([RIGHT, "000017", "999999"])
        table.board.phones.digits = lambda: next(self.codes)
        table.board.address = ADDRESS
        self.now = 1000.0

    def open(self, keys: str = "") -> Room:
        """Open the pairing screen from the menu."""
        self.table.press(f"D D 10# {keys}")
        return self

    def type(self, code: str, phone: str = "192.0.2.50") -> Paired | Unpaired:
        """Type a code on the phone at that address, a while after the last one."""
        self.now += WINDOW_S
        return self.table.board.pair(code, phone, self.now)  # type: ignore[no-any-return]


@pytest.fixture
def room(table: Any) -> Room:
    """Ann and Bob in the play, Ann to lead."""
    return Room(table.press("# 2# 12A"))


def test_the_code_pairs_a_phone_with_the_table(room: Room) -> None:
    """The code on the screen, typed on a phone, gives it the table's keys; the screen closes and says so."""
    answer = room.open().type(RIGHT)
    assert isinstance(answer, Paired)
    assert (answer.phone.number, answer.phone.seat) == (1, None)
    assert room.table.view.overlay is None
    assert room.table.view.notice.text == "Phone 1 has the keys of the table"
    assert room.table.board.phones.of(answer.cookie) == answer.phone.presser


@pytest.mark.parametrize(("keys", "seat"), [("1#", 0), ("2#", 1), ("2# 0#", None)])
def test_whose_keys_is_chosen_at_the_board(room: Room, keys: str, seat: int | None) -> None:
    """A number on the pairing screen binds the phone to that seat, 0 to the table."""
    answer = room.open(keys).type(RIGHT)
    assert isinstance(answer, Paired)
    assert answer.phone.seat == seat


def test_a_seat_that_is_not_there_is_refused(room: Room) -> None:
    """No phone is bound to a seat that nobody sits at."""
    room.open("3#")
    assert room.table.refused == "No seat 3 here: 1 to 2"
    assert room.table.view.overlay == Pairing(RIGHT)


def test_a_code_holds_once(room: Room) -> None:
    """A second phone needs a code of its own."""
    room.open().type(RIGHT)
    assert room.type(RIGHT) == Unpaired(409, "The board shows no code now: ask at the board for one (D D 10 #)")
    assert room.open().table.view.overlay.code == "000017"
    assert isinstance(room.type("000017"), Paired)


@pytest.mark.parametrize("keys", ["*", "4A", "D", "B", "C"])
def test_a_code_holds_only_while_it_is_shown(room: Room, keys: str) -> None:
    """Whatever key leaves the screen ends the code."""
    room.open().table.press(keys)
    assert not isinstance(room.table.view.overlay, Pairing)
    answer = room.type(RIGHT)
    assert isinstance(answer, Unpaired)
    assert answer.status == 409
    assert room.table.board.phones.paired == ()


def test_five_wrong_tries_make_it_void(room: Room) -> None:
    """After five wrong codes the right one holds no more; the screen says so, and # there gives a new one."""
    room.open("1#")
    for left in (4, 3, 2, 1):
        assert room.type(WRONG) == Unpaired(403, f"That is not the code on the board. Tries left: {left}")
        assert room.table.words == f"482 913 tries left: {left}"
    for code in (WRONG, RIGHT):
        answer = room.type(code)
        assert isinstance(answer, Unpaired)
        assert (answer.status, "void" in answer.text) == (410, True)
    assert room.table.words == "5 wrong tries: code void # a new code * leaves"
    room.table.press("#")
    assert room.table.view.overlay == Pairing("000017", 0)
    assert isinstance(room.type("000017"), Paired)


def test_wrong_tries_disturb_nobody_at_the_table(room: Room) -> None:
    """Who types wrong codes from afar neither moves the game nor makes a press at the table come late."""
    room.open()
    view = room.table.view
    room.type(WRONG)
    assert room.table.view.moment == view.moment
    assert room.table.view.notice is None
    assert room.table.view.pressed_at == view.pressed_at


def test_no_pairing_where_no_phone_can_come(room: Room) -> None:
    """Where no page is served, or only to this machine, the board says so and shows no code."""
    for address, words in (("", "No page is served"), ("http://127.0.0.1:8121/", "The page is here only")):
        room.table.board.address = address
        for number in (9, 10):
            assert room.table.press(f"D D {number}#").words.startswith(words)
            room.table.press("*")


def test_phones_are_listed_and_let_go_by_their_number(room: Room) -> None:
    """The menu lists who is paired, and a number there lets that phone go at once."""
    room.open("1#").type(RIGHT)
    second = room.open().type("000017")
    assert isinstance(second, Paired)
    assert room.table.press("D D 11#").lines == ["1 Ann", "2 the table", "", "n# let go"]
    assert room.table.press("3#").refused == "No phone 3 is paired"
    before = room.table.view.phones_moved
    assert room.table.press("1#").view.notice.text == "Phone 1 is let go"
    assert room.table.view.phones_moved > before
    assert room.table.press("7").lines[0] == "2 the table"
    room.table.press("* 2#")
    assert room.table.board.phones.of(second.cookie) is None
    assert room.table.view.overlay is None
    assert room.table.press("D D 11#").refused == "No phone is paired. 10# here pairs one"


def test_a_phone_that_lets_go_leaves_the_table_alone(room: Room) -> None:
    """A phone that gives its keys back closes no screen that others have opened."""
    answer = room.open().type(RIGHT)
    assert isinstance(answer, Paired)
    overlay = room.table.press("B").view.overlay
    room.table.board.unpair(answer.phone.id)
    assert room.table.view.overlay == overlay
    assert room.table.board.phones.paired == ()


def test_a_register_that_cannot_be_kept_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone is paired though its register cannot be written, and the board says what that means."""

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(room.table.board.phones, "_write", full)
    assert isinstance(room.open().type(RIGHT), Paired)
    told = room.table.view.notice.text
    assert told.startswith("Phone 1 has the keys of the table. Paired phones are not kept")


# How often.


def test_one_address_tries_five_times_a_minute(room: Room) -> None:
    """The sixth try of one address within a minute is not looked at, be it right; after the minute it is."""
    room.open()
    board, now = room.table.board, 5000.0
    for at in range(EACH_MOST - 1):
        assert board.pair(WRONG, "a", now + at).status == 403
    board.pair(WRONG, "a", now + 4)
    room.table.press("#")
    answer = board.pair("000017", "a", now + 10)
    assert (answer.status, answer.wait_s) == (429, 50)
    assert "50 seconds" in answer.text
    assert isinstance(board.pair("000017", "a", now + WINDOW_S), Paired)


@given(st.lists(st.tuples(st.floats(0, 30), st.sampled_from("abcdefghij")), max_size=120))
def test_no_minute_has_more_tries_than_it_may(steps: list[tuple[float, str]]) -> None:
    """However they come, no minute sees more tries than five from one address and twenty in all; who waits as long as
    he is told may try then, if nobody else has; and nothing more is remembered."""
    tries, now = Tries(), 0.0
    made: list[tuple[float, str]] = []
    for step, address in steps:
        now += step
        wait = tries.take(address, now)
        recent = [(at, one) for at, one in made if at + WINDOW_S > now]
        if wait:
            assert len(recent) >= ALL_MOST or sum(one == address for _, one in recent) >= EACH_MOST
            assert 1 <= wait <= WINDOW_S
        else:
            made.append((now, address))
            recent.append((now, address))
        assert len(recent) <= ALL_MOST
        assert sum(one == address for _, one in recent) <= EACH_MOST
        assert len(tries._tries) <= ALL_MOST
