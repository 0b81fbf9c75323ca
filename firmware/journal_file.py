"""The journal's file: made whole or not at all, checked on opening, set aside with what belongs to it when bad."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from engine.events import EVENT_VERSION
from engine.history import fold_rows
from firmware.journal_outline import Newer, Outline, Unsound
from firmware.journal_pages import PAGE, salvage
from firmware.journal_rescue import Rescued, rescue
from firmware.journal_rows import JournalError, Line, acts_in, record_sum, rows_of, setting_sum
from firmware.odd_files import is_odd, set_aside, sync_folder
from hardware.errors import foreign

NAME: Final = "journal.db"
APPLICATION_ID: Final = 0x4D554747
"""MUGG, by which a journal is told from another program's database."""
FILE_VERSION: Final = 2
"""The version of the tables; older ones are lifted on opening, newer ones set aside."""
RECORDS: Final = (
    "CREATE TABLE records(number INTEGER PRIMARY KEY, at TEXT NOT NULL, text TEXT NOT NULL, crc INTEGER NOT NULL)"
)
"""Imported game records, as they were given."""
LIFTS: Final[dict[int, str]] = {1: RECORDS}
"""Version -> the SQL that makes the next version of it."""

TAIL: Final = 100
"""So many of the newest rows are always checked when a journal is opened."""
MOST_BYTES: Final = 1 << 27
"""So much of a damaged journal is read to save what it holds: that of more games than anybody plays."""
POLITE_ROWS, POLITE_S = 200, 0.004
"""The whole check beside a running service rests so long after so many rows."""

_HEADER: Final = b"SQLite format 3\x00" + PAGE.to_bytes(2, "big") + b"\x02\x02\x00\x40\x20\x20"
SHORTENED: Final = """
CREATE TRIGGER journal_is_never_shortened BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END;
"""
TABLES: Final = f"""
CREATE TABLE journal(
    seq INTEGER PRIMARY KEY, game INTEGER NOT NULL, entry INTEGER NOT NULL, kind TEXT NOT NULL,
    version INTEGER NOT NULL, data TEXT NOT NULL, at TEXT NOT NULL, more INTEGER NOT NULL, crc INTEGER NOT NULL
);
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END;
{SHORTENED}
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL, crc INTEGER NOT NULL);
{RECORDS};
"""
COLUMNS: Final = "seq, game, entry, kind, version, data, at, more, crc"
INSERT: Final = f"INSERT INTO journal({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
KEEP: Final = "INSERT INTO records(number, at, text, crc) VALUES (?, ?, ?, ?)"
SET: Final = "INSERT OR REPLACE INTO settings(name, value, crc) VALUES (?, ?, ?)"

PATIENCE_S: Final = 0.02
"""How long another program that holds the journal is waited for: a key press must not wait, and is tried again."""

_OUTSIDE: Final = {
    sqlite3.SQLITE_FULL: "the disk is full: make room",
    sqlite3.SQLITE_READONLY: "it can only be read: check who owns the folder and how the disk is mounted",
    sqlite3.SQLITE_PERM: "it may not be used: check who owns the folder",
    sqlite3.SQLITE_AUTH: "it may not be used: check who owns the folder",
    sqlite3.SQLITE_BUSY: "another program holds it: close that program",
    sqlite3.SQLITE_LOCKED: "another program holds it: close that program",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check that the folder exists and who owns it",
    sqlite3.SQLITE_IOERR: "the disk does not answer: check the card or disk",
    sqlite3.SQLITE_NOMEM: "the memory is full: close other programs",
}
"""What went wrong around the file, by SQLite's primary result code; everything else is wrong in the file."""


def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
    """A connection whose every commit is on the disk before it returns. Raises sqlite3.Error."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE_S)
    try:
        db.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error:
        db.close()
        raise
    except UnicodeDecodeError as error:  # a damaged schema, quoted in SQLite's own message
        db.close()
        raise sqlite3.DatabaseError("malformed database schema") from error
    return db


def trouble(error: sqlite3.Error | OSError, doing: str) -> JournalError:
    """The plain words for a failure of the file or of what it lies on."""
    if isinstance(error, OSError):
        return JournalError(f"The journal cannot be {doing}: {error.strerror or error}.", reopen=True)
    code = getattr(error, "sqlite_errorcode", None)
    outside = None if code is None else _OUTSIDE.get(code & 0xFF)
    again = outside is None or (code or 0) & 0xFF == sqlite3.SQLITE_IOERR
    return JournalError(
        f"The journal cannot be {doing}: {outside or f'the file is damaged ({foreign(error)})'}.", reopen=again
    )


def open_file(
    folder: Path, now: Callable[[], datetime], *, whole: bool = True
) -> tuple[sqlite3.Connection, Outline, tuple[str, ...]]:
    """The folder's journal, made if there is none: a connection, its outline, and what the person has to be told.

    Every row is checked, or, unless ``whole``, what is needed now: the pages, the numbering, what opens or undoes a
    game, and the present match. ``verify`` makes good for the rest.
    A damaged file is set aside and what can be read of it carried over; a newer one is set aside as it is.
    Raises JournalError when the folder or the file cannot be written or read at all; then nothing was changed.
    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        odd = _clear(path)
        _finish_swap(folder)
        if not path.exists():
            _create(path, Rescued(), now)
        db, outline, why = _checked(path, whole=whole)
        if db is not None:
            return db, outline, odd
        db, outline, notes = _replaced(path, why, now)
        return db, outline, (*odd, *notes)
    except OSError as error:
        raise trouble(error, "opened") from error
    except sqlite3.Error as error:
        raise trouble(error, "opened") from error


def look(path: Path, *, whole: bool = True) -> tuple[sqlite3.Connection, Outline]:
    """A journal only to be read, beside a service that may be writing it. Raises JournalError if it is not sound.

    Unless ``whole`` only what is needed is checked, and all that is read is as it is now.
    """
    if not path.exists():
        raise JournalError(f"There is no journal in {path.parent} yet: play a game first.")
    odd = [one.name for one in _parts(path) if is_odd(one)]
    if odd:
        raise JournalError(f"{path.with_name(odd[0])} is no plain file. The service puts it aside when it starts.")
    db, outline, why = _checked(path, mode="ro", whole=whole)
    if db is None:
        raise JournalError(f"The journal {path} cannot be read: {why}. The service mends it when it starts.")
    return db, outline


def verify(path: Path, stop: threading.Event) -> str:
    """Check every row, beside a service that is writing more; says what is wrong with the file, or nothing.

    Slow on purpose, and in a thread of its own: it must hold up nobody. What keeps it from reading is no fault here.
    """
    try:
        with closing(connect(path, mode="ro")) as db:
            outline = Outline()
            for place, line in enumerate(read(db, 1), 1):
                outline.add(line)
                if place % POLITE_ROWS == 0 and stop.wait(POLITE_S):
                    return ""
            outline.finish()
    except sqlite3.Error as error:
        outside = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _OUTSIDE
        return "" if outside else foreign(error)
    except Exception as error:  # rows that this program cannot have written
        return foreign(error)
    return ""


def _checked(
    path: Path, mode: str = "rw", whole: bool = True
) -> tuple[sqlite3.Connection | None, Outline, Exception | str]:
    """The connection if all is well, else None and why not. Raises JournalError for what is not the file's fault."""
    outline = Outline()
    head = path.read_bytes()[:100] if path.stat().st_size < 100 else _head(path)
    version, kind = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if head[:24] != _HEADER or kind != APPLICATION_ID or not 1 <= version < 1 << 16:
        return None, outline, "it is no journal of this program" if head else "it is empty"
    if version > FILE_VERSION:
        return None, outline, Newer(f"version {version} of its tables")
    try:
        db = connect(path, mode=mode)
    except sqlite3.Error as error:
        return None, outline, _inside(error)
    why: Exception | str
    try:
        if mode != "ro":
            _lift(db, version)
        elif not whole:
            db.execute("BEGIN")  # what is read from here on is of one moment, whatever the service writes meanwhile
        (scan if whole else _skim)(db, outline)
        for check in ("quick_check(1)", "integrity_check(settings)"):  # the second looks at the settings' index too
            faults = [row[0] for row in db.execute(f"PRAGMA {check}")]
            if faults != ["ok"]:
                raise Unsound(f"a page is bad: {foreign(str(faults[0]).splitlines()[-1])}")
        start = outline.match_start()
        if start:
            fold_rows(acts_in(rows_of(read(db, start.seq))))
        return db, outline, ""
    except sqlite3.Error as error:
        db.close()
        why = _inside(error)
    except Newer as error:
        db.close()
        why = error
    except Exception as error:  # rows that this program cannot have written, or that it cannot fold
        db.close()
        why = foreign(error)
    return None, outline, why


def _inside(error: sqlite3.Error) -> str:
    """What is wrong in the file. Raises JournalError when it is not the file that is at fault."""
    if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _OUTSIDE:
        raise trouble(error, "opened") from error
    return foreign(error)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def _beginning(path: Path) -> bytes:
    """As much of a file as a journal can be long: a damaged name can hold anything. Empty where there is none."""
    if not path.exists():
        return b""
    with path.open("rb") as file:
        return file.read(MOST_BYTES)


def _lift(db: sqlite3.Connection, version: int) -> None:
    for older in range(version, FILE_VERSION):
        db.executescript(f"BEGIN IMMEDIATE; {LIFTS[older]}; PRAGMA user_version={older + 1}; COMMIT;")


def scan(db: sqlite3.Connection, outline: Outline) -> None:
    """Take up every row. Raises Unsound, Newer, or sqlite3.Error."""
    for line in read(db, 1):
        outline.add(line)
    outline.finish()


def _skim(db: sqlite3.Connection, outline: Outline) -> None:
    """Take up what opens and undoes games, then every row of the present match. Raises as ``scan`` does."""
    count, first, last, version = db.execute(
        "SELECT count(*), min(seq), max(seq), max(version) FROM journal"
    ).fetchone()
    if count == 0:
        return
    gone = db.execute("SELECT data FROM journal WHERE kind = 'Removed' AND seq < ?", (last,))
    if (first, last) != (1, count + sum(json.loads(data)["rows"] - 1 for (data,) in gone)):
        raise Unsound("rows are missing")
    if version > EVENT_VERSION:
        raise Newer(f"version {version} of its entries")
    columns = ", ".join(f"one.{name}" for name in COLUMNS.split(", "))
    found = [
        (Line._make(values), before != values[2])
        for *values, before in db.execute(
            f"SELECT {columns}, (SELECT entry FROM journal WHERE seq = one.seq - 1) FROM journal AS one "
            "WHERE kind IN ('GameOpened', 'Undone', 'Removed') ORDER BY seq"
        )
    ]
    ahead = Outline()
    for line, begins in found:
        ahead.skip_to(line, begins)
    start = ahead.match_start()
    tail = max(1, min(start.seq if start else last, last - TAIL))
    for line, begins in found:
        if line.seq < tail:
            outline.skip_to(line, begins)
    if tail > 1:
        newest = f"SELECT {COLUMNS} FROM journal WHERE seq < ? ORDER BY seq DESC LIMIT 1"
        outline.stand_after_line(Line._make(db.execute(newest, (tail,)).fetchone()))
    for line in read(db, tail):
        outline.add(line)
    outline.finish()


def read(db: sqlite3.Connection, first: int) -> Iterable[Line]:
    """The rows from that one on, in order."""
    return map(Line._make, db.execute(f"SELECT {COLUMNS} FROM journal WHERE seq >= ? ORDER BY seq", (first,)))


def _replaced(
    path: Path, why: Exception | str, now: Callable[[], datetime]
) -> tuple[sqlite3.Connection, Outline, tuple[str, ...]]:
    """A new file in the place of a bad one."""
    newer = isinstance(why, Newer)
    wal = Path(f"{path}-wal")
    data, log = (b"", b"") if newer else (_beginning(path), _beginning(wal))
    kept = Rescued() if newer else rescue(salvage(data, log))
    aside = _aside(path, "newer" if newer else "damaged", now)
    _create(aside.with_suffix(".carried"), kept, now)
    _finish_swap(path.parent)
    db, outline, fault = _checked(path)
    if db is None:
        raise JournalError(f"The journal cannot be opened: what was carried over from {aside.name} is bad: {fault}.")
    if newer:
        note = (
            f"The journal was written by a newer program ({why}): it is kept as {aside.name}, and a new one is begun."
        )
        return db, outline, (f"{note} Install the newer program to read it.",)
    note = f"The journal was damaged ({why}): {len(kept.rows)} of {kept.held} entries could be read"
    return db, outline, (f"{note}; the damaged file is kept as {aside.name}.",)


def _parts(path: Path) -> list[Path]:
    """The names of a journal, and of what belongs to it."""
    return [Path(f"{path}{new}{end}") for new in ("", ".new") for end in ("", "-wal", "-shm", "-journal")]


def _clear(path: Path) -> tuple[str, ...]:
    """Put aside whatever lies under the journal's names and is no plain file; what there is to tell."""
    aside = [(one.name, moved.name) for one in _parts(path) if (moved := set_aside(one))]
    return tuple(f"{name} was no plain file: it is kept as {kept}." for name, kept in aside)


def _aside(path: Path, word: str, now: Callable[[], datetime]) -> Path:
    stem = f"journal-{word}-{now():%Y%m%d-%H%M%S}"
    names = (stem, *(f"{stem}-{again}" for again in range(2, 10_000)))
    free = (path.with_name(f"{name}.db") for name in names)
    return next(one for one in free if not one.exists() and not Path(f"{one}-wal").exists())


def _create(path: Path, kept: Rescued, now: Callable[[], datetime]) -> None:
    """A whole new file under that name, or none."""
    for stray in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        if stray.exists():  # the log of a file that is gone would be taken for the new file's own
            stray.rename(Path(f"{_aside(path, 'stray', now)}{stray.name[-4:]}"))
    new = path.with_name(f"{path.name}.new")
    for name in (new, Path(f"{new}-wal"), Path(f"{new}-shm")):
        name.unlink(missing_ok=True)
    db = connect(new, mode="rwc")
    try:
        db.execute(f"PRAGMA page_size={PAGE}")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={FILE_VERSION}")
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(f"BEGIN IMMEDIATE; {TABLES}")
        outline = Outline()
        for row in kept.rows:
            lines = outline.lines(row.number, row.act, row.at, row.game)  # a game keeps its number
            db.executemany(INSERT, lines)
            for line in lines:
                outline.add(line)
        db.executemany(SET, [(name, value, setting_sum(name, value)) for name, value in kept.settings.items()])
        db.executemany(KEEP, [(one, at, text, record_sum(one, at, text)) for one, (at, text) in kept.records.items()])
        db.execute("COMMIT")
    finally:
        db.close()
    os.replace(new, path)
    sync_folder(path.parent)


def _finish_swap(folder: Path) -> None:
    """Put a file of carried rows in the journal's place, the old one beside it; also after a power cut half-way."""
    for carried in (one for one in sorted(folder.glob("journal-*.carried")) if one.is_file()):
        path, aside = folder / NAME, carried.with_suffix(".db")
        for end in ("-wal", ""):
            old = Path(f"{path}{end}")
            if old.exists() and not Path(f"{aside}{end}").exists():
                old.rename(f"{aside}{end}")
        Path(f"{path}-shm").unlink(missing_ok=True)
        os.replace(carried, path)
        sync_folder(folder)
