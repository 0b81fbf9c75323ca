"""Damaged, cut-short, foreign and newer journals: set aside, and what still folds is carried over."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import intents as want
from engine.cards import parse_card
from engine.events import GameOpened
from engine.history import Corrected, History, Undone, fold_rows
from engine.rules import rules_for
from firmware import journal_file
from firmware.journal import Act, Journal, JournalError, open_journal

NOW = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
PAGE = 4096
STAMP = "20260301-201500"


def opened(folder: Path) -> Journal:
    """The journal of a folder."""
    return Journal.open(folder, now=lambda: NOW)


def games(matches: int, length: int = 20) -> list[tuple[int, Act]]:
    """Some matches of a few cards, points by hand, an undo and a correction each."""
    rows: list[tuple[int, Act]] = []
    history = History()

    def do(*intents: want.Intent) -> None:
        nonlocal history
        events = history.decide(*intents)
        history = history.record(len(rows) + 1, events)
        rows.append((history.act, events))

    for _ in range(matches):
        do(want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), first_dealer=1))
        do(want.Deal(), want.TurnStarter(parse_card("KS")))
        do(want.PlayCard(parse_card("5H")))
        history = history.correct(len(rows) + 1, parse_card("5H"), parse_card("4H"))
        rows.append((history.act, Corrected(parse_card("5H"), parse_card("4H"))))
        do(want.PlayCard(parse_card("TD")))
        rows.append((len(rows) + 1, Undone(history.act)))
        history = history.undo()
        for turn in range(length):
            do(want.PegByHand(turn % 2, 1))
        do(want.StopGame())
    return rows


def write(folder: Path, rows: list[tuple[int, Act]]) -> None:
    """A journal of these acts, closed."""
    with closing(opened(folder)) as journal:
        journal._db.execute("PRAGMA synchronous=OFF")
        for number, act in rows:
            journal.append(number, act)
        journal.set_setting("theme", "big")


def acts(journal: Journal) -> list[tuple[int, Act]]:
    """Every act in it."""
    return [(row.number, row.act) for row in journal.acts_from(1)]


@pytest.fixture(scope="module")
def rows() -> list[tuple[int, Act]]:
    """Three matches."""
    return games(3)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, Act]]) -> bytes:
    """The file of those matches."""
    folder = tmp_path_factory.mktemp("sound")
    write(folder, rows)
    return (folder / "journal.db").read_bytes()


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many files in a row, without waiting for the disk."""
    real = journal_file.connect

    def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
        db = real(path, mode=mode)
        db.execute("PRAGMA synchronous=OFF")
        return db

    monkeypatch.setattr(journal_file, "connect", connect)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def goes_on(folder: Path, rows: list[tuple[int, Act]]) -> int:
    """Open what lies there, check that it is whole, or told as damaged and folding; gives how many acts it holds."""
    with closing(opened(folder)) as journal:
        kept = acts(journal)
        assert [row for row in rows if row in kept] == kept
        whole = fold_rows(kept)
        assert fold_rows(journal.load()).state == whole.state
        follows(kept)
        if kept != rows:
            assert f"{len(kept)} of " in journal.notes[0]
            assert (folder / f"journal-damaged-{STAMP}.db").exists()
        number = journal.next_number
        game = want.OpenGame(rules_for(), ("Cy", "Dee"), True, ("flag", "flag"))
        journal.append(number, History().decide(game))
    with closing(opened(folder)) as journal:
        assert journal.notes == ()
        assert journal.load()[-1][0] == number
        journal.games()
    return len(kept)


def follows(kept: list[tuple[int, Act]]) -> None:
    """No act is kept without the one before it, but the opening of a match."""
    for (before, _), (number, act) in zip([(0, ()), *kept], kept, strict=False):
        assert number == before + 1 or (isinstance(act, tuple) and isinstance(act[0], GameOpened))


@pytest.mark.usefixtures("unsynced")
def test_a_byte_changed_in_any_page_leaves_what_folds(
    tmp_path: Path, rows: list[tuple[int, Act]], sound: bytes
) -> None:
    """Bytes turned over here and there in every page: all is read, or the loss is told, and play goes on."""
    for page in range(len(sound) // PAGE):
        for place in (0, 3, 60, 108, 2500, 4090):
            folder = tmp_path / f"{page}-{place}"
            folder.mkdir()
            data = bytearray(sound)
            data[page * PAGE + place] ^= 0xFF
            (folder / "journal.db").write_bytes(data)
            goes_on(folder, rows)


@pytest.mark.usefixtures("unsynced")
def test_a_bit_turned_over_in_the_settings_does_not_end_the_saving(tmp_path: Path, sound: bytes) -> None:
    """Wherever the settings are damaged, in their rows or in the index of their names, play goes on and is saved."""
    pages = [place for place in range(PAGE, len(sound), PAGE) if b"theme" in sound[place : place + PAGE]]
    assert len(pages) == 2
    for page in pages:
        for place in (*range(16), *range(PAGE - 40, PAGE)):
            folder = tmp_path / f"{page}-{place}"
            folder.mkdir()
            data = bytearray(sound)
            data[page + place] ^= 1 << place % 8
            (folder / "journal.db").write_bytes(data)
            with closing(open_journal(folder, now=lambda: NOW)) as journal:
                journal.set_setting("theme", "normal")
                journal.retry()
                assert journal.saved, journal.trouble
                assert journal.setting("theme") == "normal"


@pytest.mark.usefixtures("unsynced")
def test_a_file_cut_short_anywhere_leaves_what_was_before(
    tmp_path: Path, rows: list[tuple[int, Act]], sound: bytes
) -> None:
    """Cut at every 512 bytes: what lies before the cut is kept, the more the later the cut, never a later act alone."""
    kept = []
    for length in range(0, len(sound), 512):
        folder = tmp_path / str(length)
        folder.mkdir()
        (folder / "journal.db").write_bytes(sound[:length])
        kept.append(goes_on(folder, rows))
    assert kept[0] == 0
    assert kept[-1] > 0
    assert kept == sorted(kept)


def test_a_lost_page_is_counted_and_later_matches_kept(tmp_path: Path) -> None:
    """With a page in the middle wiped, matches opened after it are kept whole, and the message counts what is lost."""
    rows = games(3, 60)
    write(tmp_path, rows)
    data = bytearray((tmp_path / "journal.db").read_bytes())
    leaves = [place for place in range(0, len(data), PAGE) if b"PointsPegged" in data[place : place + PAGE]]
    data[leaves[1] : leaves[1] + PAGE] = bytes(PAGE)
    (tmp_path / "journal.db").write_bytes(data)
    with closing(opened(tmp_path)) as journal:
        kept = acts(journal)
        assert 0 < len(kept) < len(rows)
        follows(kept)
        assert kept[0] == rows[0]
        assert kept[-len(rows) // 3 :] == rows[-len(rows) // 3 :]
        assert journal.notes[0].endswith(f"the damaged file is kept as journal-damaged-{STAMP}.db.")
        assert f"{len(kept)} of {len(rows)} entries could be read" in journal.notes[0]
        assert journal.setting("theme") == "big"
    assert (tmp_path / f"journal-damaged-{STAMP}.db").read_bytes() == bytes(data)


@pytest.mark.parametrize("junk", [b"", b"\0" * 5000, b"SQLite format 3\0", b"not a database at all, but text" * 300])
def test_what_is_no_database_is_set_aside(tmp_path: Path, junk: bytes) -> None:
    """An empty file, zeros, half a header or text is kept under a new name, told, and a new journal is begun."""
    (tmp_path / "journal.db").write_bytes(junk)
    with closing(opened(tmp_path)) as journal:
        assert journal.load() == []
        assert "0 of 0 entries could be read" in journal.notes[0]
    assert (tmp_path / f"journal-damaged-{STAMP}.db").read_bytes() == junk


@pytest.mark.parametrize("pragma", ["application_id=7", "user_version=0"])
def test_a_file_with_the_wrong_mark_is_set_aside_and_read(
    tmp_path: Path, rows: list[tuple[int, Act]], sound: bytes, pragma: str
) -> None:
    """A file that does not say it is a journal is set aside; the acts found in it are carried over."""
    (tmp_path / "journal.db").write_bytes(sound)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute(f"PRAGMA {pragma}")
    with closing(opened(tmp_path)) as journal:
        assert acts(journal) == rows
        assert f"{len(rows)} of {len(rows)} entries could be read" in journal.notes[0]


def test_a_newer_file_is_set_aside_untouched(tmp_path: Path, sound: bytes) -> None:
    """Tables of a later version are not touched: the file is kept as it is, and the person told to update."""
    data = bytearray(sound)
    data[60:64] = (journal_file.FILE_VERSION + 1).to_bytes(4, "big")
    (tmp_path / "journal.db").write_bytes(data)
    with closing(opened(tmp_path)) as journal:
        assert journal.load() == []
        assert f"newer program (version {journal_file.FILE_VERSION + 1} of its tables)" in journal.notes[0]
    assert (tmp_path / f"journal-newer-{STAMP}.db").read_bytes() == bytes(data)


def test_a_newer_event_is_set_aside_untouched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry of a later version is enough: its file is kept as it is, and nothing of it is folded."""
    with monkeypatch.context() as later:
        later.setattr("firmware.journal_rows.EVENT_VERSION", 2)
        later.setattr("firmware.journal_outline.EVENT_VERSION", 2)
        later.setattr("firmware.journal_rows.LIFTS", {1: lambda kind, data: (kind, data)})
        write(tmp_path, games(1, 2))
    data = (tmp_path / "journal.db").read_bytes()
    with closing(opened(tmp_path)) as journal:
        assert journal.load() == []
        assert "newer program (version 2 of its entries)" in journal.notes[0]
    assert (tmp_path / f"journal-newer-{STAMP}.db").read_bytes() == data


def test_older_entries_are_lifted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry of an earlier version is read as the next one says, step by step, and folds."""
    write(tmp_path, [(1, games(1, 0)[0][1])])
    monkeypatch.setattr("firmware.journal_rows.EVENT_VERSION", 3)
    monkeypatch.setattr("firmware.journal_outline.EVENT_VERSION", 3)
    first = lambda kind, data: (kind, {**data, "names": ["Old", "Bob"]})  # noqa: E731
    second = lambda kind, data: (kind, {**data, "names": [data["names"][0] + "er", "Bob"]})  # noqa: E731
    monkeypatch.setattr("firmware.journal_rows.LIFTS", {1: first, 2: second})
    with closing(opened(tmp_path)) as journal:
        state = fold_rows(journal.load()).state
    assert state is not None
    assert state.names == ("Older", "Bob")


def test_two_damaged_files_are_both_kept(tmp_path: Path) -> None:
    """A second file damaged within the same second gets a name of its own."""
    for junk in (b"one", b"two"):
        (tmp_path / "journal.db").write_bytes(junk)
        opened(tmp_path).close()
    assert (tmp_path / f"journal-damaged-{STAMP}.db").read_bytes() == b"one"
    assert (tmp_path / f"journal-damaged-{STAMP}-2.db").read_bytes() == b"two"


def test_acts_still_in_the_log_beside_the_file_are_read(tmp_path: Path, rows: list[tuple[int, Act]]) -> None:
    """A damaged file's write-ahead log belongs to it: what was committed there is carried over, and it moves along."""
    folder = tmp_path / "live"
    journal = opened(folder)
    for number, act in rows[:20]:
        journal.append(number, act)
    copy = tmp_path / "copy"
    copy.mkdir()
    for end in ("", "-wal"):
        data = bytearray((folder / f"journal.db{end}").read_bytes())
        if not end:
            data[68] ^= 0xFF
        (copy / f"journal.db{end}").write_bytes(data)
    journal.close()
    with closing(opened(copy)) as mended:
        assert acts(mended) == rows[:20]
    assert (copy / f"journal-damaged-{STAMP}.db-wal").exists()


@pytest.mark.parametrize("moved", [(), ("",), ("-wal",), ("", "-wal")])
def test_a_power_cut_while_setting_aside_is_made_good(
    tmp_path: Path, rows: list[tuple[int, Act]], sound: bytes, moved: tuple[str, ...]
) -> None:
    """Whatever of the old file had been moved when the power went, the next start ends with the carried rows."""
    (tmp_path / "journal-damaged-x.carried").write_bytes(sound)
    for end in ("", "-wal"):
        name = "journal-damaged-x.db" if end in moved else "journal.db"
        (tmp_path / f"{name}{end}").write_bytes(b"old")
    with closing(opened(tmp_path)) as journal:
        assert acts(journal) == rows
        assert journal.notes == ()
    assert (tmp_path / "journal-damaged-x.db").read_bytes() == b"old"
    assert (tmp_path / "journal-damaged-x.db-wal").read_bytes() == b"old"


def test_a_long_entry_on_several_pages_is_rescued(tmp_path: Path) -> None:
    """An opening with names longer than a page is read whole from the pages of a damaged file."""
    game = want.OpenGame(rules_for(), ("A" * 10_000, "Bob"), True, ("flag", "flag"))
    row = (1, History().decide(game))
    write(tmp_path, [row])
    data = bytearray((tmp_path / "journal.db").read_bytes())
    data[68] ^= 0xFF
    (tmp_path / "journal.db").write_bytes(data)
    with closing(opened(tmp_path)) as journal:
        assert acts(journal) == [row]


def test_looking_at_a_damaged_journal_changes_nothing(tmp_path: Path, sound: bytes) -> None:
    """A command that only looks says what is wrong and leaves the mending to the service."""
    (tmp_path / "journal.db").write_bytes(sound[:9000])
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.look(tmp_path, now=lambda: NOW)
    assert (tmp_path / "journal.db").read_bytes() == sound[:9000]


WRITER = """
import sys
from datetime import datetime
from pathlib import Path
from engine import intents as want
from engine.history import History
from engine.rules import rules_for
from firmware.journal import Journal
journal, history = Journal.open(Path(sys.argv[1]), now=datetime.now), History()
intent = want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), start=(50, 50))
for turn in range(10**6):
    events = history.decide(intent)
    journal.append(turn + 1, events)
    history = history.record(turn + 1, events)
    print(turn + 1, flush=True)
    intent = want.PegByHand(turn % 2, 1 if turn // 2 % 2 else -1)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path, after: int) -> None:
    """A service killed in the middle of its work has every act that it said was written, and nothing is damaged."""
    line = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(after)]
        writer.send_signal(signal.SIGKILL)
        said += [int(word) for word in writer.stdout.read().split()]
    with closing(opened(tmp_path)) as journal:
        assert journal.notes == ()
        numbers = [number for number, _ in journal.load()]
        assert numbers[: len(said)] == said
        assert len(numbers) <= len(said) + 1
        assert fold_rows(journal.load()).entry is not None
