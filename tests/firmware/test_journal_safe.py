"""When the disk fails: told once, on in memory, caught up in order as soon as it can be written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import intents as want
from engine.history import History, fold_rows
from engine.rules import rules_for
from firmware import journal_file
from firmware.journal import Journal, JournalError, SafeJournal, open_journal

NOW = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)


class Table:
    """A board's way with the journal: decide, append, and apply only when that was accepted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = open_journal(folder, now=lambda: NOW)
        self.history = fold_rows(self.journal.load())

    def do(self, intent: want.Intent) -> None:
        """One entry. Raises JournalError; then nothing has changed."""
        number, events = self.journal.next_number, self.history.decide(intent)
        self.journal.append(number, events)
        self.history = self.history.record(number, events)

    def open(self) -> None:
        """A game is opened, with some holes pegged."""
        self.do(want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), start=(9, 9)))

    def peg(self, points: int = 1) -> None:
        """Points by hand."""
        self.do(want.PegByHand(0, points))

    def on_disk(self) -> list[int]:
        """The numbers of the acts that a service started now would find."""
        with closing(Journal.look(self.folder, now=lambda: NOW)) as journal:
            return [number for number, _ in journal.load()]


def full(journal: SafeJournal) -> sqlite3.Connection:
    """Let the disk be full for real: the file may not grow by a page."""
    assert journal._file is not None
    db = journal._file._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count={pages}")
    return db


def filled(table: Table) -> sqlite3.Connection:
    """Play until the full disk is met; gives the connection that has no room."""
    db = full(table.journal)
    with pytest.raises(JournalError, match="the disk is full: make room"):
        _play_on(table)
    return db


def _play_on(table: Table) -> None:
    for turn in range(400):
        table.peg(-1 if turn % 2 else 1)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game under way, saved."""
    table = Table(tmp_path / "state")
    table.open()
    return table


def test_the_first_failure_is_raised_and_changes_nothing(table: Table) -> None:
    """The act that meets a full disk is refused: neither file nor history has it, and nothing counts as saved."""
    filled(table)
    assert not table.journal.saved
    assert "the disk is full" in table.journal.trouble
    assert table.on_disk() == [entry.number for entry in table.history.entries()]
    assert fold_rows(table.journal.load()).state == table.history.state


def test_a_long_act_that_does_not_fit_leaves_no_part(table: Table) -> None:
    """An act of many rows that does not fit is not in the file at all."""
    full(table.journal)
    before = table.on_disk()
    events = table.history.decide(*[want.PegByHand(0, 1)] * 110)
    with pytest.raises(JournalError):
        table.journal.append(table.journal.next_number, events)
    assert table.on_disk() == before


def test_an_act_that_fails_half_way_leaves_no_part(table: Table) -> None:
    """When the last row of an act is refused, the rows before it go too, and the file takes the next act."""
    before = table.on_disk()
    file = table.journal._file
    assert file is not None
    refuse_last = "BEFORE INSERT ON journal WHEN NEW.more = 0 BEGIN SELECT RAISE(ABORT, 'no'); END"
    file._db.execute(f"CREATE TEMP TRIGGER late {refuse_last}")
    events = table.history.decide(want.PegByHand(0, 1), want.PegByHand(0, 2))
    with pytest.raises(JournalError):
        file.append(file.next_number, events)
    assert table.on_disk() == before
    file._db.execute("DROP TRIGGER late")
    file.append(file.next_number, events)
    assert table.on_disk() == [*before, before[-1] + 1]


def test_after_a_failure_play_goes_on_in_memory(table: Table) -> None:
    """Once told, acts are accepted in memory, load has them, and the file is as it was."""
    filled(table)
    before = table.on_disk()
    table.peg(5)
    table.peg(2)
    assert not table.journal.saved
    assert fold_rows(table.journal.load()).state == table.history.state
    assert table.on_disk() == before
    assert table.journal.games()[0].scores == table.history.state.scores  # type: ignore[union-attr]


def test_what_was_kept_in_memory_is_written_in_order(table: Table) -> None:
    """With room again the next act brings all before it to the disk, in order, and everything is saved."""
    db = filled(table)
    table.peg(5)
    table.journal.set_setting("theme", "big")
    db.execute("PRAGMA max_page_count=100000")
    table.peg(2)
    assert table.journal.saved
    assert table.journal.trouble == ""
    assert table.on_disk() == [entry.number for entry in table.history.entries()]
    table.journal.close()
    again = Table(table.folder)
    assert again.history.state == table.history.state
    assert again.journal.setting("theme") == "big"


def test_retry_saves_without_an_act(table: Table) -> None:
    """A retry says whether it worked: not while the disk is full, then yes, and nothing is missing."""
    db = filled(table)
    table.peg(5)
    assert not table.journal.retry()
    db.execute("PRAGMA max_page_count=100000")
    assert table.journal.retry()
    assert table.on_disk()[-1] == table.history.act


def test_a_second_failure_is_raised_again(table: Table) -> None:
    """After a recovery a new failure is told anew, before anything is applied."""
    db = filled(table)
    db.execute("PRAGMA max_page_count=100000")
    assert table.journal.retry()
    db.execute("PRAGMA query_only=1")
    with pytest.raises(JournalError, match="it can only be read"):
        table.peg()
    assert not table.journal.saved


def test_a_setting_that_cannot_be_written_is_kept_and_nothing_raised(table: Table) -> None:
    """A setting is no act: it is kept in memory without a word, and the journal says it is not saved."""
    assert table.journal._file is not None
    table.journal._file._db.execute("PRAGMA query_only=1")
    table.journal.set_setting("theme", "big")
    assert table.journal.setting("theme") == "big"
    assert not table.journal.saved
    table.journal._file._db.execute("PRAGMA query_only=0")
    assert table.journal.retry()
    assert table.journal.setting("theme") == "big"


def test_a_file_taken_away_is_noticed_and_written_anew(table: Table) -> None:
    """A journal file that is removed while it is open is told at the next act, and made again with all it held."""
    for path in table.folder.iterdir():
        path.unlink()
    with pytest.raises(JournalError):
        table.peg()
    table.peg()
    assert table.journal.saved
    assert table.on_disk() == [entry.number for entry in table.history.entries()]


def test_no_key_waits_for_another_program(table: Table) -> None:
    """A connection to the journal waits for another program no longer than one reading of the keys takes."""
    assert table.journal._file is not None
    for db in (table.journal._file._db, journal_file.connect(table.folder / "journal.db")):
        assert db.execute("PRAGMA busy_timeout").fetchone()[0] <= 20


def test_a_file_locked_by_another_program_is_told(table: Table) -> None:
    """Another program in the middle of writing is named as the cause, and the act is written once it is done."""
    with closing(sqlite3.connect(table.folder / "journal.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="another program holds it"):
            table.peg()
        table.peg()
        other.execute("ROLLBACK")
    assert table.journal.retry()


def test_a_folder_that_cannot_be_made_is_told_and_played_in(tmp_path: Path) -> None:
    """Where there can be no folder the service starts in memory, says so, and saves all when it can be made."""
    (tmp_path / "file").write_text("")
    table = Table(tmp_path / "file" / "state")
    assert not table.journal.saved
    assert "NOT SAVED" in table.journal.notes[0]
    table.open()
    table.peg()
    (tmp_path / "file").unlink()
    table.peg()
    assert table.journal.saved
    assert table.on_disk() == [1, 2, 3]


def test_a_journal_that_can_only_be_read_is_known(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a read-only disk the match that was under way is resumed, goes on in memory, and is saved in the end."""
    table.peg(7)
    table.journal.close()
    real = journal_file.open_file

    def refuse(folder: Path, now: object, *, whole: bool) -> object:
        if folder == table.folder:
            raise JournalError("The journal cannot be opened: it can only be read.")
        return real(folder, now, whole=whole)  # type: ignore[arg-type]

    with monkeypatch.context() as readonly:
        readonly.setattr("firmware.journal_store.open_file", refuse)
        again = Table(table.folder)
        assert again.history.state == table.history.state
        again.peg(4)
        assert not again.journal.saved
    assert again.journal.retry()
    assert again.on_disk() == [1, 2, 3]


def test_a_journal_that_cannot_even_be_read_is_added_to_in_the_end(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When not even reading works, what is played is numbered past everything, so that it can follow later."""
    table.journal.close()

    def refuse(folder: Path, now: object, *, whole: bool) -> object:
        raise JournalError("The journal cannot be opened: the disk does not answer.")

    with monkeypatch.context() as dead:
        dead.setattr("firmware.journal_store.open_file", refuse)
        again = Table(table.folder)
        assert again.history.state is None
        again.open()
        again.peg()
    assert again.journal.retry()
    with closing(Journal.look(table.folder, now=lambda: NOW)) as journal:
        assert len(journal.acts_from(1)) == 3
        assert len(journal.games()) == 2
        assert fold_rows(journal.load()).state == again.history.state


def test_closing_saves_what_it_can(table: Table) -> None:
    """On the way out one more attempt is made; closing twice does no harm."""
    db = filled(table)
    table.peg(5)
    db.execute("PRAGMA max_page_count=100000")
    table.journal.close()
    table.journal.close()
    assert table.on_disk()[-1] == table.history.act


def test_an_empty_history_has_nothing_to_load(tmp_path: Path) -> None:
    """A journal without a game gives an empty history, and undo finds nothing."""
    table = Table(tmp_path)
    assert fold_rows(table.journal.load()).entry is History().entry
    assert table.journal.load_earlier(table.journal.next_number) == []
