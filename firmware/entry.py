"""What is being typed: sixteen keys and the seat buttons become numbers, cards and commands. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.cards import PACK, Card, Suit
from engine.errors import Malformed

SUIT_KEYS: Final = "ABCD"
"""The suit keys in their order down the keypad: spade, heart, club, diamond. The same order numbers seats 1 to 4."""

_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
_ALIASES: Final = {"S": "A", "H": "B"}
_SEAT_KEY: Final = re.compile(r"@([1-4])|hold\(@([1-4])\)")
MOST_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Number:
    """A number and ``#``: points claimed, or an answer. ``seat`` is known when a seat's own button said it."""

    value: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Suited:
    """A number and a suit key: a card, or where points are pegged by number so many points for that seat."""

    digits: str
    key: int
    """0..3 for A..D."""
    seat: int | None = None
    """Whose keys said it, where they are bound to a seat."""

    @property
    def value(self) -> int:
        """The number."""
        return int(self.digits)

    def card(self) -> Card:
        """The card this is. Raises Malformed where there is none: 1 ace, 11 jack, 12 queen, 13 king, 0 or 10 ten."""
        rank = 10 if self.digits == "0" else self.value
        if not 1 <= rank <= 13:
            raise Malformed(f"{self.digits} is no card: 1 ace, 11 jack, 12 queen, 13 king")
        return PACK[4 * (rank - 1) + _SUITS[self.key]]


@dataclass(frozen=True, slots=True)
class Enter:
    """``#`` alone: yes, next, accept; in the play go."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A suit key alone: A muggins, B adjust, C why?, D says the score."""

    key: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Star:
    """``*`` with nothing typed: offers to undo, or leaves a screen."""

    seat: int | None = None


Token = Number | Suited | Enter | Command | Star


def known_key(key: str) -> str | None:
    """The key as the board names it (``S`` and ``H`` are the spade and heart keys), or None for no key of ours.

    >>> known_key("s"), known_key("hold(@2)"), known_key("x")
    ('A', 'hold(@2)', None)
    """
    name = key.strip()
    if _SEAT_KEY.fullmatch(name.lower()):
        return name.lower()
    name = _ALIASES.get(name.upper(), name.upper())
    return name if len(name) == 1 and name in "0123456789*#ABCD" else None


def seat_of(key: str) -> int | None:
    """The seat whose button a key is, counted from 0; None for a key of the keypad."""
    button = _SEAT_KEY.fullmatch(key)
    return int(button[1] or button[2]) - 1 if button else None


def feed(typed: str, key: str, by: int | None = None) -> tuple[str, Token | None]:
    """One more key: what is typed after it, and the token it completes, if any.

    ``by`` is the seat that the keys are bound to: their ``#`` is then that seat's button, their ``A`` alone its hold.
    Raises Malformed for a third digit; what was typed stays.

    >>> feed("1", "2"), feed("12", "A")
    (('12', None), ('', Suited(digits='12', key=0, seat=None)))
    """
    button = _SEAT_KEY.fullmatch(key)
    if button:
        tapped, held = button.groups()
        if held:
            return "", Command(0, int(held) - 1)
        seat = int(tapped) - 1
        return "", Number(int(typed), seat) if typed else Enter(seat)
    if key.isdigit():
        if len(typed) >= MOST_DIGITS:
            raise Malformed(f"{typed}{key}: two digits at most. * erases")
        return typed + key, None
    if key == "*":
        return "", None if typed else Star(by)
    if key == "#":
        return "", Number(int(typed), by) if typed else Enter(by)
    index = SUIT_KEYS.index(key)
    return "", Suited(typed, index, by) if typed else Command(index, by)


def split_keys(text: str) -> list[str]:
    """The keys of a line such as ``# 2# 12A hold(@2)``; blanks do not matter. Raises Malformed naming no key."""
    keys: list[str] = []
    squeezed = re.sub(r"\s+", "", text)
    for word in re.findall(r"hold\(@\d\)|@\d|.", squeezed, re.IGNORECASE | re.DOTALL):
        key = known_key(word)
        if key is None:
            raise Malformed(f"{word!r} is no key: digits, * and #, A B C D (or S H), @1 to @4, hold(@1)")
        keys.append(key)
    return keys
