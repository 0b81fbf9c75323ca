"""An act of the table as rows of a file, and back: one row an event, each with a sum that tells a damaged one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple
from zlib import crc32

from engine.cards import parse_card
from engine.events import EVENT_VERSION, Event, from_dict, kind_of, to_dict
from engine.history import Corrected, Undone

Act = tuple[Event, ...] | Undone | Corrected
"""What was accepted at once: the events of one entry, an undo, or a correction."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What stood here was deleted at somebody's wish: ``rows`` rows of ``entries`` acts, this one standing for them."""

    rows: int
    entries: int


class JournalError(Exception):
    """The journal cannot be read or written; the message is for the person at the table.

    ``reopen`` says that the file itself is at fault, or gone: opening the journal again may cure it.
    """

    def __init__(self, message: str, *, reopen: bool = False) -> None:
        super().__init__(message)
        self.reopen = reopen


class Line(NamedTuple):
    """One row of the file, as it lies there."""

    seq: int
    """1, 2, 3 ... without a gap."""
    game: int
    entry: int
    """The number of the act; always rising."""
    kind: str
    version: int
    data: str
    at: str
    """Wall-clock time in ISO form, for people; the fold never reads it."""
    more: int
    """How many rows of the same act follow."""
    crc: int

    @property
    def sound(self) -> bool:
        """Whether the row is what was once written."""
        return self.crc == _sum(*self[:-1])


@dataclass(frozen=True, slots=True)
class Row:
    """One act: its number, the game it belongs to (the last one, if it opens one), what it was, and when."""

    number: int
    game: int
    act: Act | Removed
    at: str = ""


Lift = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]

LIFTS: Final[dict[int, Lift]] = {}
"""Version -> how a kind and its values of that version read in the next one. Empty while there is one version only."""


def _sum(seq: int, game: int, entry: int, kind: str, version: int, data: str, at: str, more: int) -> int:
    return crc32(f"{seq}|{game}|{entry}|{kind}|{version}|{data}|{at}|{more}".encode("utf-8", "surrogateescape"))


def line_of(seq: int, game: int, entry: int, kind: str, data: dict[str, Any], at: str, more: int) -> Line:
    """A row of the present version, with its sum."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return summed(seq, game, entry, kind, EVENT_VERSION, text, at, more)


def summed(seq: int, game: int, entry: int, kind: str, version: int, data: str, at: str, more: int) -> Line:
    """The row with its sum."""
    return Line(seq, game, entry, kind, version, data, at, more, _sum(seq, game, entry, kind, version, data, at, more))


def record_sum(number: int, at: str, text: str) -> int:
    """The sum an imported record is kept with."""
    return crc32(f"{number}|{at}|{text}".encode("utf-8", "surrogateescape"))


def setting_sum(name: str, value: str) -> int:
    """The sum a setting is kept with."""
    return crc32(f"{name}|{value}".encode("utf-8", "surrogateescape"))


def plain(act: Act | Removed) -> list[tuple[str, dict[str, Any]]]:
    """Kind and plain values of each row of an act."""
    if isinstance(act, Undone):
        return [("Undone", {"entry": act.entry})]
    if isinstance(act, Corrected):
        return [("Corrected", {"was": str(act.was), "card": str(act.card)})]
    if isinstance(act, Removed):
        return [("Removed", {"rows": act.rows, "entries": act.entries})]
    return [(kind_of(event), to_dict(event)) for event in act]


def act_of(lines: Sequence[Line]) -> Act | Removed:
    """The act back from all its rows. Raises Malformed for a kind this program does not know, or values that misfit."""
    values = [_lifted(line) for line in lines]
    kind, data = values[0]
    if kind == "Undone":
        return Undone(data["entry"])
    if kind == "Removed":
        return Removed(data["rows"], data["entries"])
    if kind == "Corrected":
        return Corrected(parse_card(data["was"], suit_optional=True), parse_card(data["card"], suit_optional=True))
    return tuple(from_dict(kind, data) for kind, data in values)


def _lifted(line: Line) -> tuple[str, dict[str, Any]]:
    kind, data = line.kind, json.loads(line.data)
    for version in range(line.version, EVENT_VERSION):
        kind, data = LIFTS[version](kind, data)
    return kind, data


def grouped(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The rows, act by act."""
    for _, group in groupby(lines, key=lambda line: line.entry):
        yield list(group)


def rows_of(lines: Iterable[Line]) -> list[Row]:
    """The acts that the rows hold. Raises Malformed as ``act_of`` does."""
    return [Row(group[-1].entry, group[-1].game, act_of(group), group[-1].at) for group in grouped(lines)]


def acts_in(rows: Iterable[Row]) -> list[tuple[int, Act]]:
    """What ``engine.history.fold_rows`` takes: number and act of each, without what only stands for deleted ones."""
    return [(row.number, row.act) for row in rows if not isinstance(row.act, Removed)]
