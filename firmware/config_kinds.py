"""The kinds of value a setting takes: each reads what TOML gives, and says what it expected where that is no good."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Protocol

from firmware.names import WANTED, proper_name

LONGEST_QUOTE: Final = 40


class Kind(Protocol):
    """One kind of value."""

    @property
    def expected(self) -> str:
        """What it takes, in words."""
        ...

    def read(self, value: Any) -> Any:
        """The value as it is kept. Raises ValueError saying what was found and what was expected."""
        ...

    def plain(self, value: Any) -> Any:
        """A kept value as TOML and JSON have it."""
        ...


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words or numbers; ``why`` says why there are no others."""

    choices: tuple[str | int, ...]
    why: str = ""

    @property
    def expected(self) -> str:
        """The choices."""
        *most, last = (quoted(choice) for choice in self.choices)
        words = f"{', '.join(most)} or {last}" if most else last
        return f"{words} ({self.why})" if self.why else words

    def read(self, value: Any) -> str | int:
        """The choice itself; a true is no 1."""
        for choice in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        near = []
        if isinstance(value, str) and not self.why:
            words = {choice.casefold(): choice for choice in self.choices if isinstance(choice, str)}
            near = [words[word] for word in get_close_matches(value.casefold(), words, n=1)]
        raise wrong(value, self, f"; did you mean {quoted(near[0])}?" if near else "")

    def plain(self, value: Any) -> Any:
        """As it is."""
        return value


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from ``low`` to ``high``; with ``auto`` the word "auto" too, kept as None."""

    low: int
    high: int
    auto: bool = False

    @property
    def expected(self) -> str:
        """The range."""
        words = f"a whole number from {self.low} to {self.high}"
        return f'"auto" or {words}' if self.auto else words

    def read(self, value: Any) -> int | None:
        """The number, or None for "auto"."""
        if self.auto and value == "auto":
            return None
        if type(value) is int and self.low <= value <= self.high:
            return value
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """The number or "auto"."""
        return "auto" if value is None else value


@dataclass(frozen=True, slots=True)
class Node:
    """The path of a device, or the word "auto", kept as None."""

    @property
    def expected(self) -> str:
        """Both."""
        return '"auto" or the whole path of a device, /dev/...'

    def read(self, value: Any) -> str | None:
        """The path, or None for "auto"."""
        if value == "auto":
            return None
        if isinstance(value, str) and value.startswith("/") and value.isprintable():
            return value
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """The path or "auto"."""
        return "auto" if value is None else value


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    @property
    def expected(self) -> str:
        """Both."""
        return "true or false"

    def read(self, value: Any) -> bool:
        """As it is."""
        if isinstance(value, bool):
            return value
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """As it is."""
        return value


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of whole numbers (``item`` int) or of words (str), kept as a tuple; ``what`` names them."""

    item: type
    what: str

    @property
    def expected(self) -> str:
        """What is listed."""
        return f"a list of {self.what}"

    def read(self, value: Any) -> tuple[Any, ...]:
        """The items."""
        if isinstance(value, list) and all(type(one) is self.item for one in value):
            return tuple(value)
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """A list."""
        return list(value)


@dataclass(frozen=True, slots=True)
class Names:
    """The players' names, kept as a tuple."""

    @property
    def expected(self) -> str:
        """What a name is."""
        return f"a list of names, one a player, no two alike: {WANTED}"

    def read(self, value: Any) -> tuple[str, ...]:
        """The names as they are kept."""
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise wrong(value, self)
        try:
            return tuple(map(proper_name, value))
        except ValueError as error:
            raise ValueError(f"found {quoted(value)}: {error}") from error

    def plain(self, value: Any) -> Any:
        """A list."""
        return list(value)


def quoted(value: Any) -> str:
    """A value as the file has it, cut where it is long.

    >>> quoted("spi"), quoted(True), quoted([1, 2])
    ('"spi"', 'true', '[1, 2]')
    """
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 3]}..."


def wrong(value: Any, kind: Kind, hint: str = "") -> ValueError:
    """What to raise for a value that a kind does not take."""
    return ValueError(f"found {quoted(value)}, expected {kind.expected}{hint}")
