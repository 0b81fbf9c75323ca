"""The journal on the disk, and its like in memory: what is appended is there, or the append says that it is not.

SQLite (write-ahead log, synchronous=FULL), one row an event, one transaction an act. An undo and a correction are acts
of their own: the history of the table is the fold of the rows (``engine.history.fold_rows``). One owner, no threads.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Self

from engine.errors import CribbageError
from engine.events import Event
from firmware.journal_file import INSERT, KEEP, NAME, SET, TABLES, look, open_file, read, trouble
from firmware.journal_games import GameSummary, events_by_game, summaries
from firmware.journal_outline import Outline
from firmware.journal_remove import Stretch, remove_rows, scrub, stretch_of
from firmware.journal_rows import Act, JournalError, Row, acts_in, record_sum, rows_of, setting_sum
from hardware.errors import foreign

RECORD_BYTES: Final = "SELECT number, CAST(at AS BLOB), CAST(text AS BLOB), crc FROM records ORDER BY number"
"""Bytes, because one record that is no text any more would keep all the others from being read."""
LAST_RECORD: Final = "last record"
"""The setting that keeps the highest number an imported record was given."""


class Journal:
    """An open journal. Made by ``Journal.open`` (the service) or ``Journal.look`` (a command beside it)."""

    def __init__(
        self,
        db: sqlite3.Connection,
        outline: Outline,
        now: Callable[[], datetime],
        notes: tuple[str, ...] = (),
        path: Path | None = None,
    ) -> None:
        self.notes = notes
        """Plain sentences for the person: what was found damaged or newer, and where it is kept."""
        self._db = db
        self._outline = outline
        self._now = now
        self._path = path
        self._inode = path.stat().st_ino if path else 0
        self.known: dict[tuple[int, int], list[GameSummary]] = {}
        """Summaries of matches by the acts they begin and end with; may be shared with the journal opened next."""

    @classmethod
    def open(cls, folder: Path, *, now: Callable[[], datetime], whole: bool = True) -> Self:
        """The folder's journal, made with its folder if there is none; the caller holds the folder's lock.

        A damaged file (a bad page, cut short, no journal at all) is set aside under a new name, and the acts that can
        still be read and folded are carried over into a new one; a file of a newer program is set aside as it is.
        ``notes`` says so. ``now`` gives the wall-clock time for people, and names files set aside. Unless ``whole``
        only what is needed now is checked: damage in earlier matches is then met when they are read, or by ``verify``.
        Raises JournalError when the folder or the file cannot be written or read at all.
        """
        db, outline, notes = open_file(folder, now, whole=whole)
        return cls(db, outline, now, notes, folder / NAME)

    @classmethod
    def look(cls, folder: Path, *, now: Callable[[], datetime], whole: bool = True) -> Self:
        """The folder's journal only to be read, also while a service writes it.

        Raises JournalError when there is none or it is damaged; nothing is mended then. Unless ``whole``
        only what is needed is checked, and all that is read is as it is now.
        """
        return cls(*look(folder / NAME, whole=whole), now, (), folder / NAME)

    @property
    def saved(self) -> bool:
        """Whether what is appended here outlives a power cut."""
        return True

    @property
    def next_number(self) -> int:
        """The number for the next act: past every one that was ever given, an undone one's too."""
        return self._outline.next_number

    def append(self, number: int, act: Act, at: datetime | None = None) -> None:
        """Have an act on the disk when this returns: its events, ``Undone`` or ``Corrected``.

        ``number`` is ``next_number`` or more. Raises JournalError when it cannot be written; nothing of it is then in
        the file. Raises ValueError for a number that was used, or an act of no events.
        """
        self.append_all([Row(number, 0, act, self._stamp(at))])

    def append_all(self, rows: Iterable[Row], settings: dict[str, Any] | None = None) -> None:
        """Several acts, and settings, in one transaction: all of them or none. Raises as ``append`` does."""
        draft, lines = self._outline.copy(), []
        for row in rows:
            for line in draft.lines(row.number, row.act, row.at or self._stamp(None)):
                draft.add(line)
                lines.append(line)
        texts = {name: json.dumps(value, ensure_ascii=False) for name, value in (settings or {}).items()}
        try:
            self._still_there()
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(INSERT, lines)
            self._db.executemany(SET, [(name, text, setting_sum(name, text)) for name, text in texts.items()])
            self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            raise trouble(error, "written") from error
        self._outline = draft

    def load(self) -> list[tuple[int, Act]]:
        """The acts from the opening of the present match on, undone ones too; empty when no game stands.

        ``fold_rows`` of them is the history of the table back to that opening; ``load_earlier`` has what is before.
        """
        return acts_in(self._match(None))

    def load_earlier(self, before: int) -> list[tuple[int, Act]]:
        """What ``load`` would have given just before act ``before``: empty when nothing stood then.

        An undo that has taken back the opening of the present match, act ``before``, goes on in the fold of these.
        """
        return acts_in(self._match(before))

    def acts_from(self, number: int) -> list[Row]:
        """Every act of that number and later, in order."""
        try:
            (seq,) = self._db.execute("SELECT min(seq) FROM journal WHERE entry >= ?", (number,)).fetchone()
        except sqlite3.Error as error:
            raise trouble(error, "read") from error
        return [] if seq is None else self._rows(seq, None)

    def count_from(self, number: int) -> int:
        """How many acts there are of that number and later. Raises JournalError when the file cannot be read."""
        try:
            found = self._db.execute("SELECT count(DISTINCT entry) FROM journal WHERE entry >= ?", (number,)).fetchone()
        except sqlite3.Error as error:
            raise trouble(error, "read") from error
        return int(found[0])

    def setting(self, name: str) -> Any:
        """A value kept under that name, None when there is none or it was damaged."""
        try:
            return self._setting(name)
        except sqlite3.Error as error:
            raise trouble(error, "read") from error

    def set_setting(self, name: str, value: Any) -> None:
        """Keep a JSON value under that name. Raises JournalError when it cannot be written."""
        self.append_all([], {name: value})

    def games(self) -> list[GameSummary]:
        """A summary of every game that stands, oldest first. Raises JournalError when the file cannot be read."""
        found: dict[tuple[int, int], list[GameSummary]] = {}
        for opening, end in self._outline.matches():
            key = (opening.entry, self.next_number if end is None else end)
            found[key] = self.known.get(key) or summaries(self._outline.openings, self._rows(opening.seq, end))
        self.known.clear()
        self.known.update(found)
        return [game for games in found.values() for game in games]

    def events_of(self, game: int) -> list[Event]:
        """The events of a game that stand, corrections applied; empty for a number that no standing game has.

        Raises JournalError when they cannot be read or folded.
        """
        return self.match_of(game).get(game, [])

    def match_of(self, game: int) -> dict[int, list[Event]]:
        """As ``events_of``, of every game of that one's match, by number and in order."""
        for opening, end in self._outline.matches():
            rows = self._rows(opening.seq, end)
            if any(row.game == game for row in rows):
                try:
                    return events_by_game(self._outline.openings, rows)
                except CribbageError as error:
                    raise JournalError(f"Game {game} cannot be folded by this program: {foreign(error)}.") from error
        return {}

    @property
    def removed(self) -> bool:
        """Whether games were deleted and nothing stands since: no undo leads past them."""
        return self._outline.removed

    def stretch_of(self, game: int) -> Stretch:
        """What would go with that game. Raises LookupError where it cannot be deleted, saying why."""
        return stretch_of(self._outline, self.next_number, game)

    def remove(self, stretch: Stretch) -> None:
        """Delete those rows for good. Raises JournalError when it cannot be done; then nothing was deleted."""
        try:
            self._still_there()
            line = remove_rows(self._db, stretch, self._stamp(None))
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            raise trouble(error, "written") from error
        self._outline.remove(line)
        self.known.clear()

    def scrub(self) -> None:
        """Leave no trace of what was deleted in the file. Raises JournalError when it cannot be done now."""
        try:
            scrub(self._db)
        except sqlite3.Error as error:
            raise trouble(error, "cleaned") from error

    def records(self) -> dict[int, tuple[str, str]]:
        """The imported records that are as they were kept, by number: when, and the text. Raises JournalError."""
        return {number: kept for number, kept in self._records().items() if kept is not None}

    def bad_records(self) -> list[int]:
        """The numbers of the imported records that are not as they were kept. Raises JournalError as ``records``."""
        return [number for number, kept in self._records().items() if kept is None]

    def _records(self) -> dict[int, tuple[str, str] | None]:
        try:
            rows = self._db.execute(RECORD_BYTES).fetchall()
        except sqlite3.Error as error:
            raise trouble(error, "read") from error
        found: dict[int, tuple[str, str] | None] = {}
        for number, at, text, crc in rows:
            kept = at.decode("utf-8", "replace"), text.decode("utf-8", "replace")
            found[number] = kept if crc == record_sum(number, *kept) else None
        return found

    def keep(self, texts: Iterable[str]) -> list[int]:
        """Keep records, all or none; gives their numbers. Raises JournalError when they cannot be written."""
        numbers: list[int] = []
        try:
            self._still_there()
            self._db.execute("BEGIN IMMEDIATE")
            last = self._last_record()
            for number, text in enumerate(texts, last + 1):
                numbers.append(number)
                at = self._stamp(None)
                self._db.execute(KEEP, (number, at, text, record_sum(number, at, text)))
            self._note_last_record(last + len(numbers))
            self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            raise trouble(error, "written") from error
        return numbers

    def drop(self, record: int) -> None:
        """Delete an imported record for good; harmless where there is none. Raises JournalError as ``remove`` does."""
        try:
            self._still_there()
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute("BEGIN IMMEDIATE")
            self._note_last_record(self._last_record())
            self._db.execute("DELETE FROM records WHERE number = ?", (record,))
            self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            raise trouble(error, "written") from error

    def _setting(self, name: str) -> Any:
        found = self._db.execute("SELECT value, crc FROM settings WHERE name = ?", (name,)).fetchone()
        return json.loads(found[0]) if found and found[1] == setting_sum(name, found[0]) else None

    def _last_record(self) -> int:
        """The highest number that a record was ever given: a deleted one's is not given again."""
        (last,) = self._db.execute("SELECT max(number) FROM records").fetchone()
        noted = self._setting(LAST_RECORD)
        return max(last or 0, noted if isinstance(noted, int) else 0)

    def _note_last_record(self, number: int) -> None:
        text = json.dumps(number)
        self._db.execute(SET, (LAST_RECORD, text, setting_sum(LAST_RECORD, text)))

    def close(self) -> None:
        """Let the file go; harmless twice."""
        self._db.close()

    def _match(self, before: int | None) -> list[Row]:
        start = self._outline.match_start(before)
        return self._rows(start.seq, before) if start else []

    def _rows(self, seq: int, before: int | None) -> list[Row]:
        """The acts from that row on, up to act ``before``."""
        try:
            lines = list(takewhile(lambda line: before is None or line.entry < before, read(self._db, seq)))
            if not all(line.sound for line in lines):
                raise JournalError("The journal cannot be read: the file is damaged.", reopen=True)
            return rows_of(lines)
        except sqlite3.Error as error:
            raise trouble(error, "read") from error
        except ValueError as error:  # what an entry says is not known to this program, or is no text
            raise JournalError(f"The journal cannot be read: {foreign(error)}.") from error

    def _stamp(self, at: datetime | None) -> str:
        return (at or self._now()).isoformat(timespec="seconds")

    def _still_there(self) -> None:
        """A file that was removed takes every write without a word."""
        if self._path and self._path.stat().st_ino != self._inode:
            raise OSError(0, "the file was replaced while it was open")

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # the connection is past help; what was not committed is gone with it


class MemoryJournal(Journal):
    """The same in memory only, for a folder that cannot be written: gone when the service stops."""

    def __init__(self, *, now: Callable[[], datetime], first_number: int = 1) -> None:
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.executescript(TABLES)
        super().__init__(db, Outline(next_number=first_number), now)

    @property
    def saved(self) -> bool:
        """Never."""
        return False

    def copy(self, journal: Journal) -> None:
        """Take over all that another journal holds. Raises JournalError when that cannot be read."""
        self._outline = journal._outline.copy()
        try:
            self._db.executemany(INSERT, read(journal._db, 1))
            self._db.executemany(SET, journal._db.execute("SELECT name, value, crc FROM settings"))
            self._db.executemany(KEEP, journal._db.execute("SELECT number, at, text, crc FROM records"))
        except sqlite3.Error as error:
            raise trouble(error, "read") from error
