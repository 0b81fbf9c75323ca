"""The games kept here: those played on the board, by number, and imported records, by ``i`` and a number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.errors import CribbageError
from engine.events import Event
from engine.record_read import head_words, record_date, steps
from engine.record_words import RecordError, decode
from engine.record_write import write
from engine.rules import BOOKS, RuleBook
from firmware.game_history import GameHistory, game_history
from firmware.journal import GameSummary, JournalError
from firmware.names import piled
from firmware.words import Language

MOST_BYTES: Final = 256 * 1024
MOST_LINES: Final = 5000
"""A longer record is none: a game of a hundred deals has not half of it."""
LONGEST_GIVEN: Final = 100
"""Characters of a name in an imported record: it stays as it was given, but a page must still be able to show it."""
DAMAGED: Final = "the record is not as it was kept, the file is damaged there"
_IDENTITY: Final = re.compile(r"(i?)([1-9][0-9]{0,8})")


class Kept(Protocol):
    """What is read here of a journal."""

    def games(self) -> list[GameSummary]:
        """A summary of every game that stands."""
        ...

    def match_of(self, game: int) -> dict[int, list[Event]]:
        """The events of every game of that one's match."""
        ...

    def records(self) -> dict[int, tuple[str, str]]:
        """The imported records: when, and the text."""
        ...

    def bad_records(self) -> list[int]:
        """The numbers of those that are damaged."""
        ...


@dataclass(frozen=True, slots=True)
class Listed:
    """One game in the list."""

    identity: str
    at: str
    """When it was opened or imported, in ISO form."""
    names: tuple[str, ...]
    kind: str
    book: str
    scores: tuple[int, ...] | None
    """By side; None where this program cannot fold the game."""
    winner: int | None
    stopped: bool
    ended: bool
    imported: bool = False
    trouble: str = ""
    """Why an imported record cannot be read any more."""

    @property
    def number(self) -> int:
        """Its number among those of its kind."""
        return int(self.identity.removeprefix("i"))

    def plain(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "game": self.number,
            "id": self.identity,
            "imported": self.imported,
            "opened_at": self.at,
            "kind": self.kind,
            "rules": self.book,
            "players": list(self.names),
            "scores": None if self.scores is None else list(self.scores),
            "winner": self.winner,
            "stopped": self.stopped,
            "ended": self.ended,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """One game whole: its line in the list, its record, and what became of it."""

    listed: Listed
    record: str
    history: GameHistory

    def plain(self, language: Language = "en-US") -> dict[str, Any]:
        """JSON values: the line of the list, the deals and the report, and the record."""
        return self.history.plain(language) | self.listed.plain() | {"record": self.record}


def identity(word: str) -> str | None:
    """A game's name as it is typed, in its one form: ``7`` one played here, ``i7`` an imported one; None for neither.

    >>> identity("7"), identity("I12"), identity("x")
    ('7', 'i12', None)
    """
    found = _IDENTITY.fullmatch(word.lower()) if word.isascii() else None
    return found and found[1] + found[2]


class Archive:
    """Reads the games of a journal. ``books`` are the rule books known by name; ``known`` remembers imported ones."""

    def __init__(
        self,
        journal: Kept,
        books: Mapping[str, RuleBook] = BOOKS,
        known: dict[tuple[int, str, int], Listed] | None = None,
    ) -> None:
        self._journal = journal
        self._books = books
        self._known = {} if known is None else known

    def listed(self) -> list[Listed]:
        """Every game, those played here first, oldest first. Raises JournalError when they cannot be read."""
        here = [_of(game) for game in self._journal.games()]
        records = self._journal.records()
        given = {number: self._imported(number, at, text) for number, (at, text) in records.items()}
        given |= {number: _unreadable(f"i{number}", "", DAMAGED) for number in self._journal.bad_records()}
        return here + [given[number] for number in sorted(given)]

    def find(self, identity: str) -> Found:
        """One game. Raises LookupError where there is none, JournalError or RecordError where it cannot be read."""
        if identity.startswith("i"):
            number = int(identity[1:])
            at, text = self._journal.records().get(number, ("", ""))
            if number in self._journal.bad_records():
                raise JournalError(f"Game {identity} cannot be read: {DAMAGED}. Delete it, and import it anew.")
            if not at:
                raise LookupError(f"there is no game {identity}")
            history = game_history([[step.event for step in steps(text, self._books)]])
            return Found(self._imported(number, at, text), text, history)
        number = int(identity)
        listed = next((_of(game) for game in self._journal.games() if game.number == number), None)
        match = {} if listed is None else self._journal.match_of(number)
        if listed is None or number not in match:
            raise LookupError(f"there is no game {identity}")
        games = [events for game, events in match.items() if game <= number]
        try:
            history = game_history(games)
        except CribbageError as error:
            raise JournalError(f"Game {identity} cannot be folded by this program: {error}.") from error
        return Found(listed, write(match[number], listed.at[:10]), history)

    def same(self, text: str) -> str | None:
        """The game that has this very record already, if one has."""
        for number, (_, kept) in self._journal.records().items():
            if kept == text:
                return f"i{number}"
        names = None
        for game in self._journal.games():
            names = names or opened(text, self._books).names
            if game.names == names:
                match = self._journal.match_of(game.number)
                if game.number in match and write(match[game.number], game.opened_at[:10]) == text:
                    return str(game.number)
        return None

    def _imported(self, number: int, at: str, text: str) -> Listed:
        key = (number, at, hash(text))
        if key not in self._known:
            self._known[key] = self._read(f"i{number}", at, text)
        return self._known[key]

    def _read(self, name: str, at: str, text: str) -> Listed:
        try:
            *_, last = steps(text, self._books)
        except RecordError as error:  # by a book that this configuration no longer has, say
            trouble = f"line {error.line}, column {error.column}: {error}"
            return _unreadable(name, at, trouble)
        state = last.after
        over = state.winner is not None and not state.claims
        played = record_date(text) or at
        return Listed(
            name,
            played,
            state.names,
            state.rules.game,
            state.rules.book,
            state.scores,
            state.winner,
            state.stopped,
            over or state.stopped,
            True,
        )


def _unreadable(name: str, at: str, trouble: str) -> Listed:
    return Listed(name, at, (), "?", "?", None, None, False, True, True, trouble)


def checked(data: bytes, books: Mapping[str, RuleBook] = BOOKS) -> str:
    """The text of a record that has been read and played to its end. Raises RecordError, naming line and column."""
    within(data, MOST_BYTES)
    if data.count(b"\n") > MOST_LINES:
        raise RecordError(MOST_LINES + 1, 1, f"found more than {MOST_LINES} lines, expected a game's record", "no game")
    text = decode(data)
    for _ in steps(text, books):
        pass
    line, words = head_words(text, "players")
    for word in words:
        if len(word.text) > LONGEST_GIVEN:
            message = f"found a name of {len(word.text)} characters, expected at most {LONGEST_GIVEN} that can be shown"
            raise RecordError(line, word.column, message, "no game")
        if piled(word.text):
            message = f"found {ascii(word.text)[:80]}, expected a name whose accents stand on a letter, two at the most"
            raise RecordError(line, word.column, message, "no game")
    return text


def within(data: bytes, most: int) -> None:
    """Raises RecordError, naming line and column, where there are more bytes of a record than that."""
    if len(data) > most:
        line = data.count(b"\n", 0, most) + 1
        column = most - (data.rfind(b"\n", 0, most) + 1) + 1
        size = f"{most // 1024 // 1024} MB" if most >= 1024 * 1024 else f"{most} bytes"
        raise RecordError(line, column, f"found more than {size}, expected a game's record", "no game")


def opened(text: str, books: Mapping[str, RuleBook]) -> Any:
    """The event that opens a record's game."""
    return next(iter(steps(text, books))).event


def _of(game: GameSummary) -> Listed:
    return Listed(
        str(game.number),
        game.opened_at,
        game.names,
        game.game,
        game.book,
        game.scores,
        game.winner,
        game.stopped,
        game.ended,
    )


def side_scores(found: Sequence[int] | None) -> str:
    """Scores as people write them; a question mark where they are not known."""
    return "?" if found is None else "-".join(map(str, found))
