"""A table's own rule book: some fields of a book of the sources changed, read from plain values (as TOML gives them).

Every fault is found at once and named by the path of its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from engine.books import BOOKS
from engine.errors import Malformed
from engine.penalties import NAMES
from engine.rule_book import (
    CITED,
    GAMES,
    Counted,
    FalseGoPrice,
    HeelsUntil,
    PlayWindow,
    RuleBook,
    Tally,
    Window,
)
from engine.rules import LAST_HOLE, near

LONGEST_NAME: Final = 20
"""Characters in a book's name."""
OWN: Final = "the table's own"
"""The citation of a field that a table has changed."""
_MOST: Final = 99


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a book: the path of its key, and what is wrong there."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class BookFaults(Malformed):
    """A table's own book that cannot be used; ``faults`` lists everything wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))


def book_from_dict(data: Mapping[str, Any], *, path: str = "book") -> RuleBook:
    """The book that ``data`` describes: ``name``, ``based_on`` (a book of the sources), and the fields it changes.

    Fields by game or by last hole (``targets``, ``start_bonus``, ``flush_min``, ``skunks``) are tables, of which only
    the entries named change; all others are replaced whole. ``flush_min`` may be "never". Raises BookFaults.

    >>> book = book_from_dict({"name": "ours", "based_on": "modern", "muggins": False, "targets": {"five-card": 121}})
    >>> book.muggins, book.targets_of("five-card"), book.mends, book.citation("muggins")
    (False, (121,), True, "the table's own")
    """
    reader = _Reader(path)
    base = reader.base(data)
    name = reader.name(data)
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key in ("name", "based_on"):
            continue
        if key not in _READ:
            reader.fault(key, f"no field of a rule book: {near(str(key), (*_READ, 'name', 'based_on'))}")
        else:
            values[key] = _READ[key](reader, str(key), value, getattr(base, key))
    if not reader.faults:
        book = replace(base, name=name, source=OWN, based_on=base.name, **values)
        _check(reader, book)
    if reader.faults:
        raise BookFaults(reader.faults)
    cited = tuple((key, OWN if key in values else base.citation(key)) for key in CITED)
    return replace(book, sources=cited)


class _Reader:
    """Reads one book and gathers what is wrong with it; a faulty value is read as the base book's."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.faults: list[Fault] = []

    def fault(self, key: object, message: str) -> None:
        self.faults.append(Fault(f"{self.path}.{key}", message))

    def base(self, data: Mapping[str, Any]) -> RuleBook:
        """The book it changes."""
        based_on = data.get("based_on")
        if based_on is None:
            self.fault("based_on", f"missing: the book whose rules it changes; {near('', BOOKS)}")
        elif not isinstance(based_on, str) or based_on not in BOOKS:
            self.fault("based_on", f"{based_on!r} is no rule book: {near(str(based_on), BOOKS)}")
        else:
            return BOOKS[based_on]
        return BOOKS["modern"]

    def name(self, data: Mapping[str, Any]) -> str:
        """Its name: one word, and none of the books of the sources."""
        name = data.get("name")
        if name is None:
            self.fault("name", "missing: what the table calls the book")
        elif not isinstance(name, str) or not name or len(name) > LONGEST_NAME or not _is_word(name):
            self.fault("name", f"{name!r} is no name: one word of letters, digits and hyphens, up to {LONGEST_NAME}")
        elif name.lower() in BOOKS:
            self.fault("name", f"{name!r} is a book of the sources: a changed one needs a name of its own")
        else:
            return name.lower()
        return ""

    def number(self, key: str, value: Any, low: int, high: int, keep: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(key, f"{value!r} is no whole number: {low} to {high}")
        elif not low <= value <= high:
            self.fault(key, f"{value} is out of range: {low} to {high}")
        else:
            return value
        return keep

    def one_of(self, key: str, value: Any, choices: Iterable[str], keep: Any) -> Any:
        names = tuple(choices)
        if not isinstance(value, str):
            self.fault(key, f"{value!r} is no word: one of {', '.join(names)}")
        elif value not in names:
            self.fault(key, f"{value!r} is none of these: {near(value, names)}")
        else:
            return value
        return keep

    def listed(self, key: str, value: Any, read: Callable[[str, Any], Any], keep: Any) -> Any:
        """A list without repetition, each of its values read."""
        if not isinstance(value, list | tuple):
            self.fault(key, f"{value!r} is no list")
            return keep
        for place, one in enumerate(value):
            if one in value[:place]:
                self.fault(f"{key}[{place}]", f"{one!r} stands twice")
        return tuple(read(f"{key}[{place}]", one) for place, one in enumerate(value))

    def table(
        self,
        key: str,
        value: Any,
        keep: tuple[tuple[Any, Any], ...],
        word: Callable[[str, Any], Any],
        read: Callable[[str, Any], Any],
    ) -> tuple[tuple[Any, Any], ...]:
        """A table's entries laid over the base book's; ``word`` reads an entry's key (None: a fault), ``read`` it."""
        if not isinstance(value, Mapping):
            self.fault(key, f"{value!r} is no table")
            return keep
        entries = dict(keep)
        for name, one in value.items():
            where = f"{key}.{name}"
            known = word(where, name)
            found = read(where, one)
            if known is not None:
                entries[known] = found
        return tuple(entries.items())


def _is_word(name: str) -> bool:
    return all(one.isalnum() or one == "-" for one in name) and name[0].isalnum()


def _flag(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    if isinstance(value, bool):
        return value
    reader.fault(key, f"{value!r} is neither true nor false")
    return keep


def _choice(choices: Iterable[str]) -> Callable[[_Reader, str, Any, Any], Any]:
    names = tuple(choices)
    return lambda reader, key, value, keep: reader.one_of(key, value, names, keep)


def _choices(choices: Iterable[str]) -> Callable[[_Reader, str, Any, Any], Any]:
    names = tuple(choices)
    return lambda reader, key, value, keep: reader.listed(
        key, value, lambda where, one: reader.one_of(where, one, names, None), keep
    )


def _number(low: int, high: int) -> Callable[[_Reader, str, Any, Any], Any]:
    return lambda reader, key, value, keep: reader.number(key, value, low, high, keep)


def _game(reader: _Reader) -> Callable[[str, Any], Any]:
    return lambda where, word: reader.one_of(where, word, GAMES, None)


def _holes(reader: _Reader, key: str, value: Any) -> Any:
    """One last hole, or a list of them, the usual one first."""
    if isinstance(value, list | tuple) and not value:
        reader.fault(key, "no last hole: one at least")
        return None
    found = value if isinstance(value, list | tuple) else [value]
    return reader.listed(key, found, lambda where, one: reader.number(where, one, 1, LAST_HOLE, None), None)


def _targets(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    return reader.table(key, value, keep, _game(reader), lambda where, one: _holes(reader, where, one))


def _start_bonus(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    return reader.table(key, value, keep, _game(reader), lambda where, one: reader.number(where, one, 0, _MOST, None))


def _flush_min(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    def read(where: str, one: Any) -> Any:
        return None if one == "never" else reader.number(where, one, 3, 8, None)

    return reader.table(key, value, keep, _game(reader), read)


def _skunks(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    """Lines by last hole; TOML writes the hole as a word."""

    def word(where: str, hole: Any) -> Any:
        number = int(hole) if isinstance(hole, str) and hole.isdecimal() and len(hole) < 4 else hole
        return reader.number(where, number, 1, LAST_HOLE, None)

    def read(where: str, lines: Any) -> Any:
        return reader.listed(where, lines, lambda at, one: reader.number(at, one, 1, LAST_HOLE, None), ())

    return reader.table(key, value, keep, word, read)


def _worth(reader: _Reader, key: str, value: Any, keep: Any) -> Any:
    if isinstance(value, list | tuple) and not 1 <= len(value) <= 3:
        reader.fault(key, f"{len(value)} values: what a win counts, then a skunk, then a double skunk")
        return keep
    if not isinstance(value, list | tuple):
        reader.fault(key, f"{value!r} is no list")
        return keep
    return tuple(reader.number(f"{key}[{place}]", one, 1, _MOST, 1) for place, one in enumerate(value))


_READ: Final[dict[Any, Callable[[_Reader, str, Any, Any], Any]]] = {
    "games": _choices(GAMES),
    "targets": _targets,
    "skunks": _skunks,
    "skunk_worth": _worth,
    "tally": _choice(get_args(Tally)),
    "muggins": _flag,
    "covers": _choices(get_args(Counted)),
    "calls_over": _flag,
    "mends": _flag,
    "window": _choice(get_args(Window)),
    "play_window": _choice(get_args(PlayWindow)),
    "false_go": _choice(get_args(FalseGoPrice)),
    "heels": _number(0, _MOST),
    "heels_until": _choice(get_args(HeelsUntil)),
    "game_hole_back": _number(0, LAST_HOLE),
    "start_bonus": _start_bonus,
    "flush_min": _flush_min,
    "play_stops": _choices(GAMES),
    "penalties": _choices(NAMES),
}
"""How each field that may be changed is read: the reader, its key, the value, and the base book's value."""


def _check(reader: _Reader, book: RuleBook) -> None:
    """What no single value shows: that the values fit together."""
    if not book.games:
        reader.fault("games", "no game: a book has one at least")
    for hole, lines in book.skunks:
        if list(lines) != sorted(lines, reverse=True) or any(line > hole for line in lines):
            reader.fault(
                f"skunks.{hole}", f"the lines fall from the first to the last, all up to {hole}: {list(lines)}"
            )
        if len(lines) > 2:
            reader.fault(f"skunks.{hole}", f"{len(lines)} lines: a skunk and a double skunk are all there are")
    for game, points in book.start_bonus:
        if points >= min(book.targets_of(game)):
            reader.fault(f"start_bonus.{game}", f"{points} points reach the last hole before a card is played")
    if "card" in book.covers and book.play_window == "none":
        reader.fault("play_window", "none, but covers names the card: a card that can be called needs a window")
