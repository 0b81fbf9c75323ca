"""The words of a game record: lines cut into words with their columns, and the one error that all of reading raises."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, parse_card
from engine.errors import CribbageError, Malformed
from engine.letters import fold

LONGEST_LINE: Final = 1000
"""Characters in a line; a longer one is no record line but damage."""

_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_SIGNED: Final = re.compile(r"-?[0-9]{1,3}")


class RecordError(CribbageError):
    """A record line that cannot be read (``exit_code`` 2) or that the rules forbid (1). Lines and columns from 1."""

    def __init__(self, line: int, column: int, message: str, position: str = "", *, exit_code: int = 2) -> None:
        super().__init__(message, position)
        self.line = line
        self.column = column
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line, the column it starts in, and whether it stood in quotation marks."""

    text: str
    column: int
    quoted: bool = False


def decode(data: bytes) -> str:
    """The text of a record's bytes. Raises RecordError naming the line of the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        line = good.count("\n") + 1
        column = len(good) - (good.rfind("\n") + 1) + 1
        message = f"found byte {data[error.start]:#04x}, expected UTF-8 text: this is no record, or a damaged one"
        raise RecordError(line, column, message, "no game") from error


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number; LF and CRLF both end one, and a byte order mark at the start is passed over."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        yield number, line.removesuffix("\r")


def split(number: int, line: str, position: str) -> tuple[Word, ...]:
    """The words of a line, its comment left out. Raises RecordError for damage and for an open quotation mark."""
    if len(line) > LONGEST_LINE:
        message = f"found a line of {len(line)} characters, expected {LONGEST_LINE} at the most"
        raise RecordError(number, LONGEST_LINE + 1, message, position)
    if "\0" in line:
        raise RecordError(number, line.index("\0") + 1, "found a NUL character, expected text", position)
    words = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] == "#":
            break
        elif line[at] == '"':
            end = line.find('"', at + 1)
            if end < 0:
                message = f"found {line[at:]!r}, expected a closing quotation mark"
                raise RecordError(number, at + 1, message, position)
            if end + 1 < len(line) and not line[end + 1].isspace():
                message = f"found {line[end + 1]!r} right after a quotation mark, expected a blank"
                raise RecordError(number, end + 2, message, position)
            words.append(Word(line[at + 1 : end], at + 1, True))
            at = end + 1
        else:
            end = at
            while end < len(line) and not line[end].isspace():
                end += 1
            words.append(Word(line[at:end], at + 1))
            at = end
    return tuple(words)


def known(word: str, words: Iterable[str]) -> str:
    """What could have stood there: the nearest of the words first, then all of them."""
    by_fold = {fold(one): one for one in words}
    near = difflib.get_close_matches(fold(word), by_fold, 1)
    return (f"did you mean {by_fold[near[0]]}? " if near else "") + "expected " + ", ".join(by_fold.values())


class Words:
    """The words of one line, read from left to right; every fault is a RecordError at the word's column."""

    def __init__(self, number: int, words: tuple[Word, ...], position: str) -> None:
        self.number = number
        self.words = words
        self.position = position
        self.at = 1

    @property
    def first(self) -> str:
        """The word a line begins with, in small letters."""
        return self.words[0].text.lower()

    @property
    def more(self) -> bool:
        """Whether words are left."""
        return self.at < len(self.words)

    def error(self, message: str, word: Word | None = None, *, exit_code: int = 2) -> RecordError:
        """The error at a word; without one at the word after the last that was read."""
        if word is None:
            last = self.words[-1]
            quotes = 2 if last.quoted else 0
            word = self.words[self.at] if self.more else Word("", last.column + len(last.text) + quotes)
        return RecordError(self.number, word.column, message, self.position, exit_code=exit_code)

    def take(self, expected: str) -> Word:
        """The next word."""
        if not self.more:
            raise self.error(f"found the end of the line, expected {expected}")
        self.at += 1
        return self.words[self.at - 1]

    def maybe(self, *choices: str) -> str | None:
        """The next word if it is one of these, else None and nothing is read."""
        if self.more and not self.words[self.at].quoted and self.words[self.at].text.lower() in choices:
            self.at += 1
            return self.words[self.at - 1].text.lower()
        return None

    def choice(self, *choices: str) -> str:
        """The next word, which must be one of these."""
        found = self.maybe(*choices)
        if found is None:
            word = self.take(" or ".join(choices))
            raise self.error(f"found {word.text!r}: {known(word.text, choices)}", word)
        return found

    def number_of(self, what: str, *, signed: bool = False) -> int:
        """The next word as a number of at most three digits."""
        word = self.take(what)
        if word.quoted or not (_SIGNED if signed else _NUMBER).fullmatch(word.text):
            raise self.error(f"found {word.text!r}, expected {what}: a number up to 999", word)
        return int(word.text)

    def seat(self, names: tuple[str, ...]) -> int:
        """The next word as a player's seat."""
        word = self.take("a player's name")
        for seat, name in enumerate(names):
            if fold(name) == fold(word.text):
                return seat
        raise self.error(f"found {word.text!r}, who is not at this table: {known(word.text, names)}", word)

    def card(self, *, suit_optional: bool = False) -> Card:
        """The next word as a card."""
        word = self.take("a card, like 4S or TH")
        try:
            return parse_card(word.text, suit_optional=suit_optional)
        except Malformed as error:
            raise self.error(f"found {error.brief}", word) from error

    def cards(self) -> tuple[Card, ...] | None:
        """Cards up to ``peg`` or the end of the line; None where there are none."""
        cards: list[Card] = []
        while self.more and (self.words[self.at].quoted or self.words[self.at].text.lower() != "peg"):
            card = self.card()
            if card in cards:
                raise self.error(f"found {card} twice in one line, expected another card", self.words[self.at - 1])
            cards.append(card)
        return tuple(cards) or None

    def peg(self) -> int | None:
        """``peg N`` if it comes next."""
        return self.number_of("the points claimed") if self.maybe("peg") else None

    def end(self) -> None:
        """Nothing may follow."""
        if self.more:
            word = self.words[self.at]
            raise self.error(f"found {word.text!r}, expected the end of the line", word)

    def blame(self, message: str) -> Word:
        """The word that a refusal is about: the card or the name it begins with or first names, else the second."""
        said = re.split(r"[^\w]+", message)
        for one in said:
            for word in self.words[1:]:
                text = "T" + word.text[2:] if word.text.startswith("10") else word.text
                if fold(text) in (fold(one), fold(one + "s")):
                    return word
        return self.words[min(1, len(self.words) - 1)]
