"""What a table agrees on before the first deal, and how each field steps to its next choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

from engine.errors import CribbageError
from engine.intents import LEVELS, Level, OpenGame
from engine.public import Public
from engine.rules import BOOKS, GAMES, RuleBook, rules_for
from firmware.laps import fits
from firmware.names import alike, kept_names, unique
from hardware.lanes import Layout

T = TypeVar("T")
EntryLevel = Literal["full", "shows", "points"]
ENTRY_LEVELS: Final[tuple[EntryLevel, ...]] = ("full", "shows", "points")
NextDeal = Literal["loser", "winner", "turn"]
NEXT_DEALS: Final[tuple[NextDeal, ...]] = ("loser", "winner", "turn")
"""Who deals the next game: the loser, the winner, or the seat after the last first dealer."""

TABLE_GAMES: Final = tuple(GAMES)
"""The games a table can choose at set-up."""
TABLE_BOOKS: Final = tuple(BOOKS)
TABLE_LEVELS: Final[tuple[Level, ...]] = ("flag", "teach", "call", "off")
TARGETS: Final = (61, 121, 181)
KNOWN_NAMES: Final = ("Blue", "Amber", "White", "Green", "Red", "Grey")
_FIELDS: Final = ("game", "rules", "to", "muggins", "referee", "entry", "dealer")


@dataclass(frozen=True, slots=True)
class Choices:
    """What the board at hand allows: the books it knows, and how many sides its lanes can show."""

    books: Mapping[str, RuleBook] = field(default_factory=lambda: BOOKS)
    names: tuple[str, ...] = KNOWN_NAMES
    sides: int = 2
    holes: int = 121
    """Holes of a lane."""

    def targets(self, game: str) -> tuple[int, ...]:
        """The last holes a game may have here: 181 is for seven cards (002)."""
        return tuple(hole for hole in TARGETS if fits(hole, self.holes) and (hole < 181 or game == "seven-card"))

    def games(self) -> tuple[str, ...]:
        """The games that some book has and that the lanes can show."""
        return tuple(
            name
            for name, game in GAMES.items()
            if len(set(game.sides)) <= self.sides and any(name in book.games for book in self.books.values())
        )


USUAL: Final = Choices()
"""The books of the sources, and lanes for two sides."""


def choices_of(layout: Layout, books: Mapping[str, RuleBook] = BOOKS) -> Choices:
    """What a board of these lanes allows: one lane is shared by two sides, else each side has its own."""
    return Choices(books=books, sides=2 if layout.lane_count == 1 else layout.lane_count, holes=layout.holes)


@dataclass(frozen=True, slots=True)
class Settings:
    """One agreement. The defaults are a first start's."""

    game: str = "six-card"
    book: str = "modern"
    target: int = 121
    muggins: bool = True
    level: Level = "flag"
    entry: EntryLevel = "full"
    names: tuple[str, ...] = ("Blue", "Amber")
    next_deal: NextDeal = "loser"
    levels: tuple[Level, ...] = ()
    """A level for each side where they differ; empty where all have ``level``."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields by the number that changes them, 1 first: the seven, a name a seat, a level a side, the club's."""
        names = tuple(f"name {seat + 1}" for seat in range(len(self.names)))
        return (*_FIELDS, *names, *(f"level {side + 1}" for side in range(self.sides)), "club")

    @property
    def club(self) -> bool:
        """Whether this is a club night's agreement: points alone, judged on a call, without muggins."""
        return (self.entry, self.muggins) == ("points", False) and set(self.side_levels()) == {"call"}

    @property
    def sides(self) -> int:
        """How many sides this game has."""
        return len(set(GAMES[self.game].sides))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The name of each side: partners' names joined."""
        sides = GAMES[self.game].sides
        named = list(zip(self.names, sides, strict=True))
        return tuple(" & ".join(name for name, at in named if at == side) for side in range(self.sides))

    def side_levels(self) -> tuple[Level, ...]:
        """The referee level of each side."""
        return self.levels or (self.level,) * self.sides

    def step(self, number: int, choices: Choices = USUAL) -> Settings:
        """The same agreement with one field (1.., see ``fields``) on its next choice. Raises ValueError past those."""
        if not 1 <= number <= len(self.fields):
            raise ValueError(f"{number} is no field: 1 to {len(self.fields)}")
        match number:
            case 1:
                return self._play(_next(self.game, choices.games()), choices)
            case 2:
                books = tuple(name for name, book in choices.books.items() if self.game in book.games)
                return self._by(_next(self.book, books), choices)
            case 3:
                return replace(self, target=_next(self.target, choices.targets(self.game)))
            case 4:
                return replace(self, muggins=not self.muggins)
            case 5:
                return replace(self, level=_next(self.level, TABLE_LEVELS), levels=())
            case 6:
                return replace(self, entry=_next(self.entry, ENTRY_LEVELS))
            case 7:
                return replace(self, next_deal=_next(self.next_deal, NEXT_DEALS))
        place = number - len(_FIELDS) - 1
        if place < len(self.names):
            taken = [name for other, name in enumerate(self.names) if other != place]
            free = tuple(one for one in choices.names if not any(alike(one, name) for name in taken))
            free = free if self.names[place] in free else (self.names[place], *free)
            return replace(self, names=_put(self.names, place, _next(self.names[place], free)))
        if number == len(self.fields):
            plain = replace(self, entry="full", level="flag", levels=())._by(self.book, choices)
            return plain if self.club else replace(self, entry="points", level="call", levels=(), muggins=False)
        levels = self.side_levels()
        side = place - len(self.names)
        return replace(self, levels=_put(levels, side, _next(levels[side], TABLE_LEVELS)))

    def named(self, seat: int, name: str) -> Settings:
        """The same agreement with that name at a seat counted from 0. Raises ValueError where it cannot have it."""
        if not 0 <= seat < len(self.names):
            raise ValueError(f"there is no seat {seat + 1} at this table: 1 to {len(self.names)}")
        for other, taken in enumerate(self.names):
            if other != seat and alike(taken, name):
                raise ValueError(f"{taken} sits at seat {other + 1}: no two names alike at one table")
        return replace(self, names=_put(self.names, seat, name))

    def _play(self, game: str, choices: Choices) -> Settings:
        """Another game: the seats it has, and a book that has it."""
        kind = GAMES[game]
        spare = unique((*self.names, *choices.names, *KNOWN_NAMES))[len(self.names) :]
        names = [*self.names, *spare][: len(kind.sides)]
        books = [name for name, book in choices.books.items() if game in book.games]
        book = self.book if self.book in books else books[0]
        return replace(self, game=game, names=tuple(names), levels=())._by(book, choices)

    def _by(self, book: str, choices: Choices) -> Settings:
        """Another book: its target and its muggins."""
        rules = rules_for(self.game, choices.books[book])
        targets = choices.targets(self.game)
        target = rules.target if rules.target in targets else targets[-1]
        return replace(self, book=book, target=target, muggins=rules.muggins)

    def value(self, number: int) -> str:
        """A field's choice in a word."""
        muggins = "on" if self.muggins else "off"
        level = self.level if not self.levels else "mixed"
        plain = (self.game, self.book, str(self.target), muggins, level, self.entry, self.next_deal)
        return (*plain, *self.names, *self.side_levels(), "on" if self.club else "off")[number - 1]

    def open_game(
        self, choices: Choices = USUAL, *, rematch: bool = False, first_dealer: int | None = None
    ) -> OpenGame:
        """The intent that opens a game by this agreement. Raises CribbageError where the book has no such game."""
        rules = rules_for(self.game, choices.books.get(self.book, self.book), self.target)
        return OpenGame(rules, self.names, self.muggins, self.side_levels(), None, rematch, first_dealer)

    def continues(self, public: Public) -> bool:
        """Whether a game by this agreement goes on with the match of the game on the board: the same players at the
        same game. Who counts, what is keyed, who deals and muggins may change from game to game."""
        return (self.game, self.book, self.target, self.names) == (
            public.game,
            public.book,
            public.target,
            public.names,
        )

    def as_played(self, public: Public) -> Settings:
        """The agreement by which the game on the board is played, as far as the game itself tells."""
        level, *others = public.levels
        return replace(
            self,
            game=public.game,
            book=public.book,
            target=public.target,
            muggins=public.muggins,
            names=public.names,
            level=level,
            levels=() if {level} == {level, *others} else public.levels,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"names": list(self.names), "levels": list(self.levels)}

    @classmethod
    def from_dict(cls, data: Any, otherwise: Settings, choices: Choices = USUAL) -> Settings:
        """An agreement back from plain values; ``otherwise`` where they do not make one (a newer program's, say)."""
        if not isinstance(data, Mapping):
            return otherwise
        try:
            values = dict(data)
            for name in ("names", "levels"):
                values[name] = tuple(values.get(name, ()))
            found = cls(**values)
            found.open_game(choices)
        except (TypeError, KeyError, CribbageError):
            return otherwise
        allowed = (
            found.game in choices.games()
            and fits(found.target, choices.holes)
            and found.level in LEVELS
            and all(level in LEVELS for level in found.levels)
            and len(found.levels) in (0, found.sides)
            and found.entry in ENTRY_LEVELS
            and found.next_deal in NEXT_DEALS
            and len(found.names) == len(GAMES[found.game].sides)
            and kept_names(list(found.names)) == found.names
        )
        return found if allowed else otherwise


def _next(value: T, choices: Sequence[T]) -> T:
    if value not in choices:
        return choices[0]
    return choices[(choices.index(value) + 1) % len(choices)]


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
