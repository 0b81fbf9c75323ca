"""Deleting on request: the rows are gone, their bytes too, and the journal is as sound as before."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine import intents as want
from engine.history import History, fold_rows
from engine.rules import rules_for
from firmware import journal_file
from firmware.hands import KEYPAD
from firmware.journal import Journal, JournalError, open_journal
from firmware.journal_rows import Row
from firmware.overlay import ADJUSTMENTS

NOW = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)


def opened(folder: Path, *, whole: bool = True) -> Journal:
    """The journal of a folder."""
    return Journal.open(folder, now=lambda: NOW, whole=whole)


def stop(table: Any) -> None:
    """Give the game up."""
    number = [key for key, _ in ADJUSTMENTS].index("adjust-stop") + 1
    table.press(f"B {number}# #")
    assert table.phase == "end"


@pytest.fixture
def evening(new_table: Callable[..., Any]) -> Any:
    """Three matches: Zenobia's, two games long and taken back once, then Xaver's, then the one on the board."""
    table = new_table(names=("Zenobia", "Quentin"))
    table.press("# * # #").press("2#").cards("QS 7C 8D")  # opened, taken back, opened again
    stop(table)
    table.press("#").press("2#").cards("JS")  # the rematch
    stop(table)
    for names in (("Xaver", "Yolande"), ("Ann", "Bob")):
        table.press("B")
        table.board.take_names(table.board.roster, replace(table.view.settings, names=names), KEYPAD)
        table.press("#").press("2#").cards("KD")
        assert table.state.names == names
        if names != ("Ann", "Bob"):
            stop(table)
    return table


def bytes_of(folder: Path) -> bytes:
    """Everything in a folder's files."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def numbers(journal: Journal) -> list[int]:
    """The games listed."""
    return [game.number for game in journal.games()]


def test_a_deleted_match_leaves_no_byte_of_its_names(evening: Any) -> None:
    """After a match is deleted its names are in no file of the folder, nor in the log beside the journal."""
    assert b"Zenobia" in bytes_of(evening.folder)
    first = numbers(evening.journal)[0]
    stretch = evening.journal.stretch_of(first)
    assert len(stretch.games) == 2
    evening.journal.remove(stretch)
    evening.journal.scrub()
    for name in (b"Zenobia", b"Quentin"):
        assert name not in bytes_of(evening.folder)
    assert b"Xaver" in bytes_of(evening.folder)
    assert len(numbers(evening.journal)) == 2
    evening.cards("7C 8D")
    evening.close()
    assert b"Zenobia" not in bytes_of(evening.folder)


@pytest.mark.parametrize("which", [(0,), (1,), (0, 1), (1, 0)])
@pytest.mark.parametrize("whole", [True, False])
def test_the_journal_is_sound_after_deleting(evening: Any, which: tuple[int, ...], whole: bool) -> None:
    """Whichever matches are deleted, in any order: the file passes its checks, and the rest folds as before."""
    games = numbers(evening.journal)
    matches = [games[0], games[2]]
    state = evening.state
    for one in which:
        evening.board.remove(matches[one])
        assert fold_rows(evening.journal.load()).state == state
    evening.journal.scrub()
    left = numbers(evening.journal)
    assert evening.cards("7C").state != state
    evening.press("* #")
    acts = evening.acts()
    evening.close()
    with closing(opened(evening.folder, whole=whole)) as journal:
        assert journal.notes == ()
        assert numbers(journal) == left
        assert journal.load() == acts
        assert fold_rows(journal.load()).state == state
        number = journal.next_number
    assert journal_file.verify(evening.folder / journal_file.NAME, threading.Event()) == ""
    assert number == acts[-1][0] + 1


def test_undo_stops_where_games_were_deleted(evening: Any) -> None:
    """Undo goes back to the set-up of the match on the board, never past a deleted match; it says so."""
    games = numbers(evening.journal)
    assert evening.board.remove(games[2]) == (games[2],)  # Xaver's, between Zenobia's and the present one
    for reopened in (False, True):
        while evening.board.state is not None:
            evening.press("* #")
        if reopened:
            evening.reopen()
        evening.press("*")
        assert "deleted" in evening.refused
    evening.press("#")
    assert evening.state.names == ("Ann", "Bob")
    evening.reopen()
    assert evening.state.names == ("Ann", "Bob")
    assert len(numbers(evening.journal)) == 3


def test_the_match_on_the_board_is_not_deleted(evening: Any) -> None:
    """A game that an undo can still reach is refused, and a number that no game has too; nothing has changed."""
    games = numbers(evening.journal)
    before = evening.acts()
    with pytest.raises(LookupError, match="on the board"):
        evening.journal.stretch_of(games[-1])
    with pytest.raises(LookupError, match="no game 99"):
        evening.journal.stretch_of(99)
    assert evening.acts() == before


def test_numbers_are_not_given_twice(evening: Any) -> None:
    """A new game after deleting has a number that no earlier one had."""
    games = numbers(evening.journal)
    evening.journal.remove(evening.journal.stretch_of(games[0]))
    stop(evening)
    evening.press("#").press("1#")
    assert numbers(evening.journal)[-1] == games[-1] + 1


def test_a_deleted_records_number_is_not_given_again(tmp_path: Path) -> None:
    """A record imported after the newest one was deleted has a new number, also in a journal opened again or mended."""
    with closing(opened(tmp_path)) as journal:
        assert journal.keep(["crib 1\n", "crib 1 \n"]) == [1, 2]
        journal._db.execute("DELETE FROM settings")  # as an older program kept them
        journal.drop(2)
        assert journal.keep(["crib 1  \n"]) == [3]
        journal.drop(3)
    path = tmp_path / journal_file.NAME
    data = bytearray(path.read_bytes())
    data[68] ^= 0xFF
    path.write_bytes(data)
    with closing(opened(tmp_path)) as journal:
        assert journal.notes
        journal.drop(1)
        assert journal.keep(["crib 1\n"]) == [4]


@pytest.mark.parametrize("place", [0, 1])
def test_games_keep_their_numbers_when_a_damaged_file_is_carried_over(evening: Any, place: int) -> None:
    """The games of a mended journal are called what they were called before, those deleted before them too."""
    games = numbers(evening.journal)
    evening.journal.remove(evening.journal.stretch_of((games[0], games[2])[place]))
    left = numbers(evening.journal)
    evening.close()
    path = evening.folder / journal_file.NAME
    data = bytearray(path.read_bytes())
    data[68] ^= 0xFF
    path.write_bytes(data)
    with closing(opened(evening.folder)) as journal:
        assert journal.notes
        assert numbers(journal) == left


@pytest.mark.parametrize("place", [0, 1])
def test_a_damaged_journal_with_deleted_games_is_carried_over(evening: Any, place: int) -> None:
    """What was deleted is not counted as lost when a damaged file is carried over, and undo still stops there."""
    games = numbers(evening.journal)
    evening.journal.remove(evening.journal.stretch_of((games[0], games[2])[place]))
    left, acts = numbers(evening.journal), evening.acts()
    evening.close()
    path = evening.folder / journal_file.NAME
    data = bytearray(path.read_bytes())
    data[68] ^= 0xFF
    path.write_bytes(data)
    with closing(opened(evening.folder)) as journal:
        held = len(journal.acts_from(1))
        assert f"{held} of {held} entries could be read" in journal.notes[0]
        assert journal.load() == acts
        assert [game.names for game in journal.games()][-1] == ("Ann", "Bob")
        assert len(numbers(journal)) == len(left)
        assert journal.load_earlier(acts[0][0]) == [] or place == 0
    with closing(opened(evening.folder)) as journal:
        assert journal.notes == ()


def test_rows_are_still_only_added_to(evening: Any) -> None:
    """After deleting, the file itself refuses again to have a row changed or taken away."""
    evening.journal.remove(evening.journal.stretch_of(numbers(evening.journal)[0]))
    evening.close()
    with closing(sqlite3.connect(evening.folder / journal_file.NAME)) as db:
        for order in ("DELETE FROM journal", "UPDATE journal SET at = ''"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
                db.execute(order)


def test_nothing_is_deleted_or_kept_while_it_cannot_be_saved(evening: Any) -> None:
    """While the journal is NOT SAVED a wish to delete or import is refused in words, and nothing has changed."""
    stretch = evening.journal.stretch_of(numbers(evening.journal)[0])
    with closing(sqlite3.connect(evening.folder / journal_file.NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="another program"):
            evening.journal.remove(stretch)
        evening.cards("7C")
        evening.cards("7C")
        for wish in (lambda: evening.journal.remove(stretch), lambda: evening.journal.keep(["crib 1\n"])):
            with pytest.raises(JournalError, match="NOT SAVED"):
                wish()
        other.execute("ROLLBACK")
    assert len(numbers(evening.journal)) == 4


def test_an_older_file_is_lifted(tmp_path: Path) -> None:
    """A journal of the first version gains the place for imported records and keeps everything."""
    with closing(opened(tmp_path)) as journal:
        journal.set_setting("theme", "big")
        journal._db.executescript("DROP TABLE records; PRAGMA user_version=1")
    with closing(open_journal(tmp_path, now=lambda: NOW)) as again:
        assert again.notes == ()
        assert again.setting("theme") == "big"
        assert again.keep(["crib 1\n"]) == [1]
        assert again.records() == {1: ("2026-03-01T20:15:00+00:00", "crib 1\n")}


def test_imported_records_outlive_damage(tmp_path: Path) -> None:
    """Records kept in a file that is damaged later are carried over, long ones too."""
    long = "crib 1\n" + "# a long remark\n" * 2000
    with closing(opened(tmp_path)) as journal:
        journal.keep([long, "crib 1\n"])
        kept = journal.records()
    path = tmp_path / journal_file.NAME
    data = bytearray(path.read_bytes())
    data[68] ^= 0xFF
    path.write_bytes(data)
    with closing(opened(tmp_path)) as journal:
        assert journal.records() == kept
        journal.drop(1)
        journal.scrub()
        assert list(journal.records()) == [2]
    assert b"a long remark" not in path.read_bytes()


def long_matches(folder: Path, matches: int, length: int) -> list[int]:
    """A journal of matches with so many acts each; gives the number of each match's game."""
    history, number = History(), 0
    with closing(opened(folder)) as journal:
        rows = []
        for match in range(matches):
            names = (f"Guest{match}", "Bob")
            opening = want.OpenGame(rules_for(), names, True, ("flag", "flag"), first_dealer=1)
            for intent in (opening, *(want.PegByHand(turn % 2, 1) for turn in range(length)), want.StopGame()):
                number += 1
                history = history.record(number, history.decide(intent))
                assert history.entry is not None
                rows.append(Row(number, 0, history.entry.events))
        journal.append_all(rows)
        return numbers(journal)


@pytest.mark.parametrize("which", [(0,), (2,), (1, 0), (0, 2, 1)])
def test_a_long_journal_is_opened_past_what_was_deleted(tmp_path: Path, which: tuple[int, ...]) -> None:
    """Where the present match is longer than what is read on opening, the deleted matches before it are still known."""
    games = long_matches(tmp_path, 4, 150)
    with closing(opened(tmp_path)) as journal:
        acts = journal.load()
        for one in which:
            journal.remove(journal.stretch_of(games[one]))
        left = numbers(journal)
    for whole in (False, True):
        with closing(opened(tmp_path, whole=whole)) as journal:
            assert journal.notes == ()
            assert numbers(journal) == left
            assert journal.load() == acts
            assert bool(journal.load_earlier(acts[0][0])) == (2 not in which)
            with pytest.raises(LookupError, match="no game"):
                journal.stretch_of(games[which[0]])
