"""The register of paired phones: who is in it, whose cookie holds, and that nobody else reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer

from firmware.phones import LASTS_S, MOST, NAME, Phone, Phones, PhonesFull

DAY = 24 * 3600


class Wall:
    """A wall clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_paired_phones_cookie_names_its_hand(tmp_path: Path) -> None:
    """The cookie of a phone gives back its name and its seat, after the next start too."""
    phones = Phones(tmp_path)
    ann, table = phones.add(0), phones.add(None)
    again = Phones(tmp_path)
    for one in (phones, again):
        for phone in (ann, table):
            by = one.of(phones.cookie(phone))
            assert by is not None
            assert (by.id, by.seat, by.name) == (phone.id, phone.seat, f"Phone {phone.number}")
    assert [phone.number for phone in again.paired] == [1, 2]
    assert again.trouble == ""


def test_a_number_that_is_free_is_given_again() -> None:
    """Phones are numbered from 1, the lowest free number first; a number is nobody else's meanwhile."""
    phones = Phones()
    first, second = phones.add(0), phones.add(1)
    assert phones.remove(first.id) == first
    assert (second.number, phones.add(None).number, phones.add(None).number) == (2, 1, 3)


def test_a_phone_that_was_let_go_cannot_come_back(tmp_path: Path) -> None:
    """The cookie of a phone that was let go holds no more, though it is signed, and not after a start either."""
    phones = Phones(tmp_path)
    phone = phones.add(0)
    cookie = phones.cookie(phone)
    phones.remove(phone.id)
    phones.add(0)
    assert phones.of(cookie) is None
    assert Phones(tmp_path).of(cookie) is None
    assert phones.remove(phone.id) is None


def test_a_cookie_holds_thirty_days() -> None:
    """A phone presses until thirty days after it was paired, and its number is then free."""
    wall = Wall()
    phones = Phones(wall=wall)
    phone = phones.add(0)
    cookie = phones.cookie(phone)
    assert LASTS_S == 30 * DAY
    wall.now += 30 * DAY - 1
    assert phones.of(cookie) is not None
    wall.now += 1
    assert phones.of(cookie) is None
    assert phones.paired == ()
    assert phones.add(None).number == 1


def test_a_clock_that_was_set_back_unpairs_nobody() -> None:
    """A board without a clock of its own may wake up in the past: its phones are still paired."""
    wall = Wall()
    phones = Phones(wall=wall)
    cookie = phones.cookie(phones.add(0))
    wall.now -= 400 * DAY
    assert phones.of(cookie) is not None


@given(st.data())
def test_no_changed_cookie_holds(data: st.DataObject) -> None:
    """Whatever single character of a cookie is changed, it says nothing, and nothing breaks."""
    phones = Phones()
    cookie = phones.cookie(phones.add(1))
    at = data.draw(st.integers(0, len(cookie) - 2))  # the last one may hold bits that count for nothing
    other = data.draw(st.characters(codec="utf-8").filter(lambda one: one != cookie[at]))
    assert phones.of(cookie[:at] + other + cookie[at + 1 :]) is None


@pytest.mark.parametrize("told", [None, [], {}, "x", ["id"], ["id", 0, 0], [["id"], 0, 0], 7])
def test_no_cookie_of_another_key_or_shape_holds(told: object) -> None:
    """A cookie signed with another key, or signed by us with something else in it, says nothing."""
    phones = Phones()
    phone = phones.add(0)
    assert phones.of(URLSafeSerializer("0" * 64, salt="muggins phone").dumps([phone.id, phone.seat, phone.at])) is None
    assert phones.of(phones._signer.dumps(told)) is None
    assert phones.of("") is None


def test_a_seat_is_not_changed_by_its_cookie() -> None:
    """What seat a phone has is for the register to say: a cookie of another seat is nobody's."""
    phones = Phones()
    phone = phones.add(0)
    assert phones.of(phones.cookie(Phone(phone.id, phone.number, 1, phone.at))) is None
    assert phones.of(phones.cookie(Phone(phone.id, phone.number, None, phone.at))) is None


def test_there_is_an_end_to_phones() -> None:
    """So many phones are paired and no more, until one is let go."""
    phones = Phones()
    paired = [phones.add(None) for _ in range(MOST)]
    with pytest.raises(PhonesFull):
        phones.add(None)
    phones.remove(paired[3].id)
    assert phones.add(None).number == 4


def test_nobody_else_reads_the_register(tmp_path: Path) -> None:
    """The file, which holds the key, is for this user's eyes alone, whatever the mask is."""
    before = os.umask(0)
    try:
        Phones(tmp_path).add(0)
    finally:
        os.umask(before)
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"key": "00", "phones": []}',
        '{"key": "zz", "phones": []}',
        '{"key": 7, "phones": []}',
        '{"key": "KEY", "phones": 7}',
        '{"key": "KEY", "phones": [7]}',
        '{"key": "KEY", "phones": [{"id": "x", "number": 1, "seat": 4, "at": 1}]}',
        '{"key": "KEY", "phones": [{"id": 1, "number": 1, "seat": 0, "at": 1}]}',
        '{"key": "KEY", "phones": [{"id": "x", "number": 0, "seat": 0, "at": 1}]}',
        '{"key": "KEY", "phones": [{"id": "x", "number": 1, "seat": 0, "at": "1"}]}',
        '{"key": "KEY", "phones": [{"id": "x", "number": 1, "seat": 0}]}',
        '{"key": "KEY", "phones": [{"id": "x", "number": 1, "seat": 0, "at": 1, "more": 1}]}',
    ],
)
def test_a_damaged_register_begins_anew(tmp_path: Path, text: str) -> None:
    """A file that is not understood is replaced: a new key, nobody paired, and the person is told."""
    phones = Phones(tmp_path)
    cookie = phones.cookie(phones.add(0))
    file = tmp_path / NAME
    key = json.loads(file.read_text())["key"]
    file.write_text(text.replace("KEY", key))
    again = Phones(tmp_path)
    assert again.of(cookie) is None
    assert again.paired == ()
    assert "pair them anew" in again.trouble
    assert json.loads(file.read_text())["key"] != key
    assert Phones(tmp_path).trouble == ""


def test_a_key_that_others_could_read_is_a_key_no_more(tmp_path: Path) -> None:
    """A file that was open to others is replaced, and everybody is unpaired: who read it could sign cookies."""
    phones = Phones(tmp_path)
    cookie = phones.cookie(phones.add(0))
    (tmp_path / NAME).chmod(0o640)
    again = Phones(tmp_path)
    assert again.of(cookie) is None
    assert again.trouble
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_keeps_phones_until_the_end(tmp_path: Path) -> None:
    """Where the register cannot be written phones are paired all the same, and the person is told."""
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    phones = Phones(blocked)
    assert phones.of(phones.cookie(phones.add(0))) is not None
    assert "not kept" in phones.trouble
