"""Deleting games at somebody's wish: their rows go, one row says that some stood there, and no trace is left behind.

The games of one match go together: an undo crosses from each into the one before it.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from firmware.journal_file import INSERT, SHORTENED
from firmware.journal_outline import Outline
from firmware.journal_rows import Line, Removed, line_of, plain


@dataclass(frozen=True, slots=True)
class Stretch:
    """The acts that hold one match, and whatever was taken back before it: ``first`` up to before ``end``."""

    first: int
    end: int
    games: tuple[int, ...]
    """The games that stand in it."""


def stretch_of(outline: Outline, next_number: int, game: int) -> Stretch:
    """What goes with a game. Raises LookupError for a game that does not stand, or that is of the present match."""
    present = outline.match_start()
    first = 1
    for opening, end in outline.matches():
        gone = [one for one in outline.openings if one.gone and one.entry < opening.entry]
        first = max(first, gone[-1].entry + 1 if gone else 1)
        ends = next_number if end is None else end
        games = tuple(
            one.game
            for one in outline.openings
            if opening.entry <= one.entry < ends and one.entry not in outline.undone and not one.gone
        )
        if game in games and present is not None and opening.seq == present.seq:
            raise LookupError(
                f"game {game} belongs to the match on the board, which an undo may still reach: "
                "it can be deleted once another match has begun"
            )
        if game in games:
            return Stretch(first, ends, games)
        first = ends
    raise LookupError(f"there is no game {game}")


def remove_rows(db: sqlite3.Connection, stretch: Stretch, at: str) -> Line:
    """Take the rows of those acts away, in one transaction; gives the row that stands for them. Raises sqlite3.Error.

    The bytes they lay in are overwritten, too.
    """
    db.execute("PRAGMA secure_delete=ON")
    db.execute("BEGIN IMMEDIATE")
    where = "FROM journal WHERE entry >= ? AND entry < ?"
    acts = (stretch.first, stretch.end)
    first, last, entry, newest, game = db.execute(
        f"SELECT min(seq), max(seq), min(entry), max(entry), max(game) {where}", acts
    ).fetchone()
    ((kind, data),) = plain(Removed(last - first + 1, newest - entry + 1))
    line = line_of(first, game, entry, kind, data, at, 0)
    db.execute("DROP TRIGGER journal_is_never_shortened")
    db.execute(f"DELETE {where}", acts)
    db.execute(INSERT, line)
    db.execute(SHORTENED)
    names = [(f"entry {number}",) for number in range(*acts)]
    db.executemany("DELETE FROM settings WHERE name = ?", names)
    db.execute("COMMIT")
    return line


def scrub(db: sqlite3.Connection) -> None:
    """Write the file anew without what was deleted, and empty the log beside it. Raises sqlite3.Error.

    An old page may hold copies of a row that was moved: overwriting the row itself is not enough.
    """
    db.execute("PRAGMA temp_store=MEMORY")
    db.execute("VACUUM")
    busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        error = sqlite3.OperationalError("another program is reading it")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error
