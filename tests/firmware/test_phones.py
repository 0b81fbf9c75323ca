"""The register of paired phones: who is in it, whose cookie holds, and that nobody else reads it."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer

from firmware.board import Board
from firmware.phones import LASTS_S, MOST, NAME, Phone, Phones, PhonesFull
from firmware.settings import Settings
from firmware.view import Notice, Noticed

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


def _shut(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let no more be written: these calls of the system fail as on a full disk."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in names:
        monkeypatch.setattr(os, name, full)


def test_a_phone_let_go_on_a_full_disk_stays_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the letting go cannot be written the file is removed: after a start nobody is paired, and it is said."""
    phones = Phones(tmp_path)
    gone, stays = phones.add(0), phones.add(1)
    cookies = [phones.cookie(phone) for phone in (gone, stays)]
    with monkeypatch.context() as full:
        _shut(full, "fdopen")
        phones.remove(gone.id)
        assert phones.trouble == "Paired phones are not kept past the next start: No space left on device"
        assert not phones.saved
        assert not phones.retry()
        assert [Phones(tmp_path).of(cookie) for cookie in cookies] == [None, None]
    assert phones.of(cookies[1]) == stays.presser
    assert phones.retry()
    assert phones.saved
    assert not phones.retry()
    assert phones.trouble == ""
    assert [Phones(tmp_path).of(cookie) for cookie in cookies] == [None, stays.presser]


def test_a_phone_let_go_on_a_shut_disk_is_said_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file can neither be written nor removed, that is what is said, until it can."""
    phones = Phones(tmp_path)
    cookie = phones.cookie(gone := phones.add(0))
    with monkeypatch.context() as shut:
        _shut(shut, "fdopen", "unlink")
        phones.remove(gone.id)
        assert phones.trouble.startswith("NOT SAVED: a phone let go may press again after the next start.")
        assert phones.of(cookie) is None
        assert Phones(tmp_path).of(cookie) is not None
    assert phones.retry()
    assert Phones(tmp_path).of(cookie) is None


def test_a_phone_paired_on_a_full_disk_unpairs_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a pairing cannot be written those of before are still paired after a start."""
    phones = Phones(tmp_path)
    first = phones.cookie(phones.add(0))
    with monkeypatch.context() as full:
        _shut(full, "fdopen")
        second = phones.cookie(phones.add(1))
        assert "not kept" in phones.trouble
        again = Phones(tmp_path)
        assert again.of(first) is not None
        assert again.of(second) is None


def test_the_board_writes_its_phones_as_soon_as_it_can(table: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """What could not be written is tried again with the journal, and it is said once it is."""
    phones = Phones(tmp_path)
    gone = phones.add(0)
    board = Board(table.journal, Settings(), phones=phones)
    with monkeypatch.context() as full:
        _shut(full, "fdopen")
        board.unpair(gone.id)
        board.retry_saving()
        assert board.view().notice == Notice(Noticed.FAULT, f"Phone 1 is let go. {phones.trouble}")
        assert phones.trouble != ""
    board.retry_saving()
    assert board.view().notice == Notice(Noticed.INFO, "The paired phones are saved now")
    assert Phones(tmp_path).paired == ()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("[" * 200_000),
        lambda path: path.write_text('{"key": "' + "00" * 32 + '", "phones": ' + "[" * 20_000 + "]" * 20_000 + "}"),
        lambda path: path.write_text('{"key": "' + "00" * 32 + '", "phones": [' + "9" * 5000 + "]}"),
        lambda path: path.write_text(" " * 3_000_000 + "{}"),
        lambda path: path.write_bytes(b"\xff\xfe\x00"),
        os.mkfifo,
        os.mkdir,
        lambda path: path.symlink_to("/dev/zero"),
    ],
    ids=["deep", "deep inside", "long number", "huge", "no text", "pipe", "folder", "device"],
)
def test_whatever_lies_in_the_registers_place_the_board_starts(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """No odd file is waited for: nobody is paired, the person is told, and phones are kept from then on."""
    make(tmp_path / NAME)
    os.mkdir(tmp_path / "phones.new")
    os.chmod(tmp_path / NAME, 0o600) if not (tmp_path / NAME).is_symlink() else None
    phones = Phones(tmp_path)
    assert phones.trouble == "Paired phones were unreadable: pair them anew"
    cookie = phones.cookie(phones.add(0))
    assert phones.trouble == ""
    assert Phones(tmp_path).of(cookie) is not None
