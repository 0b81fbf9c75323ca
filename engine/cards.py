"""Playing cards: a rank order from ace (1) to king (13), and a counting value from 1 to 10; two different things."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Final

from engine.errors import Malformed

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
UNSUITED: Final = 52


class Suit(IntEnum):
    """The four suits, in the order of their letters."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Card(int):
    """One card, as an integer: ``4 * (rank - 1) + suit``, 0..51.

    A record may leave a suit out in the play; such a card is ``52 + rank - 1`` and has ``suit`` None. Being an
    integer it hashes, compares and indexes tables at full speed.

    >>> card = parse_card("10h")
    >>> str(card), card.rank, card.value, card.suit
    ('TH', 10, 10, <Suit.HEARTS: 2>)
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        """Place in a run: ace 1, jack 11, queen 12, king 13."""
        return self // 4 + 1 if self < UNSUITED else self - UNSUITED + 1

    @property
    def value(self) -> int:
        """What the card counts towards fifteen and thirty-one: ace 1, court cards 10."""
        return min(self.rank, 10)

    @property
    def suit(self) -> Suit | None:
        """The suit, or None where a record left it out."""
        return Suit(int(self) % 4) if self < UNSUITED else None

    def __str__(self) -> str:
        suit = self.suit
        return RANKS[self.rank - 1] + ("" if suit is None else SUITS[suit])

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


PACK: Final = tuple(Card(i) for i in range(52))
"""The 52 cards, in the order of their numbers."""


@cache
def card(rank: int, suit: Suit | None) -> Card:
    """The card of that rank (1..13) and suit; without a suit the unsuited one. Raises Malformed past those ranks."""
    if not 1 <= rank <= 13:
        raise Malformed(f"{rank} is no rank: 1 is the ace, 11 jack, 12 queen, 13 king")
    return Card(UNSUITED + rank - 1) if suit is None else PACK[4 * (rank - 1) + suit]


def parse_card(text: str, *, suit_optional: bool = False) -> Card:
    """Read a card code such as ``4S``, ``10d`` or ``QH``; case-blind. Raises Malformed for anything else.

    >>> parse_card("11C")
    Traceback (most recent call last):
    engine.errors.Malformed: '11C' is no card: a card is a rank A 2-9 T J Q K and a suit C D H S, like 4S or TH
    """
    code = text.upper()
    if code.startswith("10"):
        code = "T" + code[2:]
    if len(code) == 2 and code[0] in RANKS and code[1] in SUITS:
        return PACK[4 * RANKS.index(code[0]) + SUITS.index(code[1])]
    if suit_optional and len(code) == 1 and code in RANKS:
        return card(RANKS.index(code) + 1, None)
    raise Malformed(f"{text!r} is no card: a card is a rank A 2-9 T J Q K and a suit C D H S, like 4S or TH")


def parse_cards(words: Iterable[str]) -> tuple[Card, ...]:
    """Read several cards; raises Malformed for a bad code, or for the same card twice."""
    cards: list[Card] = []
    for word in words:
        one = parse_card(word)
        if one in cards:
            raise Malformed(f"{one} stands twice in one line")
        cards.append(one)
    return tuple(cards)


def codes(cards: Iterable[Card]) -> list[str]:
    """The codes of some cards, in their order."""
    return [str(one) for one in cards]
