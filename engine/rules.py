"""The rules one game is played by: a rule book and a form of cribbage resolved into one frozen ``Rules`` value."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from engine.books import BOOKS
from engine.errors import Illegal, Malformed
from engine.rule_book import GAMES, USUAL_FLUSH, Counted, GameKind, RuleBook

__all__ = [
    "BOOKS",
    "GAMES",
    "LAST_HOLE",
    "RULES_VERSION",
    "Counted",
    "GameKind",
    "RuleBook",
    "Rules",
    "near",
    "rules_for",
    "targets_for",
]

RULES_VERSION: Final = 1
"""Raised whenever the same events would give other awards; written into every opened game."""
LAST_HOLE: Final = 999
"""The farthest last hole a game can be played to."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything one game is played by: a book and a game resolved, with the target the table chose."""

    book: str
    game: str
    sides: tuple[int, ...]
    hand: int
    crib: int
    play_resumes: bool
    target: int
    skunks: tuple[int, ...]
    skunk_worth: tuple[int, ...]
    muggins: bool
    covers: tuple[str, ...]
    calls_over: bool
    mends: bool
    window: str
    play_window: str
    false_go: str
    game_hole_back: int
    start_bonus: int
    flush_min: int | None
    version: int = RULES_VERSION
    heels: int = 2
    heels_until: str = "lead"
    tally: str = "games"
    penalties: tuple[str, ...] = ()
    based_on: str = ""
    """The book of the sources that a table's own book changes; empty when ``book`` is one of them."""

    @property
    def seats(self) -> int:
        """How many people play."""
        return len(self.sides)

    @property
    def side_count(self) -> int:
        """How many sides peg: one a lane."""
        return max(self.sides) + 1

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the journal."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Rules:
        """The same rules back from plain values."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        return cls(**values)


def near(word: str, known: Iterable[str]) -> str:
    """A did-you-mean for a name that is not known, listing the names that are."""
    names = list(known)
    close = difflib.get_close_matches(word.lower(), names, 1)
    return (f"did you mean {close[0]}? " if close else "") + "known: " + ", ".join(names)


def rules_for(game: str = "six-card", book: str | RuleBook = "modern", target: int | None = None) -> Rules:
    """The rules of a game by a book of the sources (by name) or a table's own (book_data.py makes one).

    ``target`` is the last hole, the book's usual one when None; seven-card may go to 121 or 181 (002).
    Raises Malformed for an unknown name or no hole, Illegal for a game the book does not have.

    >>> rules_for("six-card", "modern").target
    121
    """
    kind, rules = _found(game, book)
    last_hole = rules.targets_of(game)[0] if target is None else target
    if not 1 <= last_hole <= LAST_HOLE:
        raise Malformed(f"{last_hole} is no last hole: 61 and 121 are usual")
    return Rules(
        book=rules.name,
        game=game,
        sides=kind.sides,
        hand=kind.hand,
        crib=kind.crib,
        play_resumes=game not in rules.play_stops,
        target=last_hole,
        skunks=dict(rules.skunks).get(last_hole, ()),
        skunk_worth=rules.skunk_worth,
        muggins=rules.muggins,
        covers=tuple(rules.covers),
        calls_over=rules.calls_over,
        mends=rules.mends,
        window=rules.window,
        play_window=rules.play_window,
        false_go=rules.false_go,
        game_hole_back=rules.game_hole_back,
        start_bonus=dict(rules.start_bonus).get(game, 0),
        flush_min=dict(rules.flush_min).get(game, USUAL_FLUSH),
        heels=rules.heels,
        heels_until=rules.heels_until,
        tally=rules.tally,
        penalties=rules.penalties,
        based_on=rules.based_on,
    )


def targets_for(game: str = "six-card", book: str | RuleBook = "modern") -> tuple[int, ...]:
    """The last holes a game is played to by a book, the usual one first; raises as ``rules_for`` does.

    >>> targets_for("seven-card", "foster")
    (121, 181)
    """
    _, rules = _found(game, book)
    return rules.targets_of(game)


def _found(game: str, book: str | RuleBook) -> tuple[GameKind, RuleBook]:
    if game not in GAMES:
        raise Malformed(f"{game!r} is no game: {near(game, GAMES)}")
    if isinstance(book, str):
        if book not in BOOKS:
            raise Malformed(f"{book!r} is no rule book: {near(book, BOOKS)}")
        book = BOOKS[book]
    if game not in book.games:
        raise Illegal(f"the rule book {book.name} has no {game} game; it has {', '.join(book.games)}")
    return GAMES[game], book
