"""What a table agrees on before the first deal, and how each field steps to its next choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, TypeVar

from engine.errors import CribbageError
from engine.intents import Level, OpenGame
from engine.rules import rules_for

T = TypeVar("T")
EntryLevel = Literal["full", "shows", "points"]
ENTRY_LEVELS: Final[tuple[EntryLevel, ...]] = ("full", "shows", "points")

TABLE_GAMES: Final = ("six-card",)
"""The games a table can choose at set-up."""
TABLE_BOOKS: Final = ("modern",)
TABLE_LEVELS: Final[tuple[Level, ...]] = ("flag", "teach", "off")
TARGETS: Final = (121, 61)
KNOWN_NAMES: Final = ("Blue", "Amber", "White", "Green", "Red", "Grey")
FIELDS: Final = ("game", "rules", "to", "muggins", "referee", "entry", "name 1", "name 2")


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

    def step(self, field: int, known: tuple[str, ...] = KNOWN_NAMES) -> Settings:
        """The same agreement with one field (1..8, see ``FIELDS``) on its next choice. Raises ValueError past those."""
        match field:
            case 1:
                return replace(self, game=_next(self.game, TABLE_GAMES))
            case 2:
                return replace(self, book=_next(self.book, TABLE_BOOKS))
            case 3:
                return replace(self, target=_next(self.target, TARGETS))
            case 4:
                return replace(self, muggins=not self.muggins)
            case 5:
                return replace(self, level=_next(self.level, TABLE_LEVELS))
            case 6:
                return replace(self, entry=_next(self.entry, ENTRY_LEVELS))
            case 7 | 8:
                seat = field - 7
                taken = {name for other, name in enumerate(self.names) if other != seat}
                free = tuple(name for name in known if name not in taken) or (self.names[seat],)
                names = (*self.names[:seat], _next(self.names[seat], free), *self.names[seat + 1 :])
                return replace(self, names=names)
        raise ValueError(f"{field} is no field: 1 to {len(FIELDS)}")

    def value(self, field: int) -> str:
        """A field's choice in a word."""
        return (
            self.game,
            self.book,
            str(self.target),
            "on" if self.muggins else "off",
            self.level,
            self.entry,
            *self.names,
        )[field - 1]

    def open_game(self, *, rematch: bool = False, first_dealer: int | None = None) -> OpenGame:
        """The intent that opens a game by this agreement."""
        rules = rules_for(self.game, self.book, self.target)
        levels = (self.level,) * rules.side_count
        return OpenGame(rules, self.names, self.muggins, levels, None, rematch, first_dealer)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"names": list(self.names)}

    @classmethod
    def from_dict(cls, data: Any, otherwise: Settings) -> Settings:
        """An agreement back from plain values; ``otherwise`` where they do not make one (a newer program's, say)."""
        if not isinstance(data, Mapping):
            return otherwise
        try:
            found = cls(**{**data, "names": tuple(data["names"])})
            found.open_game()
        except (TypeError, KeyError, CribbageError):
            return otherwise
        fits = (
            found.game in TABLE_GAMES
            and found.book in TABLE_BOOKS
            and found.level in TABLE_LEVELS
            and found.entry in ENTRY_LEVELS
            and len(found.names) == len(otherwise.names)
        )
        return found if fits else otherwise


def _next(value: T, choices: tuple[T, ...]) -> T:
    if value not in choices:
        return choices[0]
    return choices[(choices.index(value) + 1) % len(choices)]
