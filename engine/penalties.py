"""What goes wrong at a table besides a miscount: every infraction by name, what each book makes of it, and for whom.

The board never finds these by itself, a false go apart: a person names one and the table's decision is written down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from engine.errors import Malformed
from engine.rule_book import RuleBook
from engine.rules import Rules, near

Measure = Literal["holes pegged", "the surplus", "the omission", "the number called", "two a card", "the game"]
"""An amount that depends on what happened: the table types the number, or the winner takes the game."""
Receiver = Literal["adversary", "pone", "dealer", "player touched", "nobody"]
"""Who receives it; the adversary is a seat of another side than the one at fault."""


@dataclass(frozen=True, slots=True)
class Infraction:
    """One thing that can go wrong, as one book rules on it."""

    name: str
    """One word, as a record writes it: ``penalty Ann 2 misdeal``."""
    words: str
    amount: int | Measure | None
    """Points; a measure of them; None where the book leaves it open and the table decides."""
    to: Receiver | None
    """None where the book leaves it open."""
    remedy: str
    """What is done besides; empty where nothing is."""
    books: tuple[str, ...]
    source: str

    @property
    def is_open(self) -> bool:
        """Whether the book leaves the amount to the table."""
        return self.amount is None


def _of(
    books: str, name: str, words: str, amount: int | Measure | None, to: Receiver | None, remedy: str, source: str
) -> Infraction:
    return Infraction(name, words, amount, to, remedy, tuple(books.split()), source)


_REPLAY: Final = "the cards may be taken back to the error and played again"
_LOST: Final = "the two for his heels are lost"

INFRACTIONS: Final = (
    _of("foster", "false-go", "go said with a card that fits", 2, "adversary", _REPLAY, "000, Go, and Thirty-one"),
    _of("acc", "false-go", "go said with a card that fits", "two a card", "adversary", "", "acc, false go"),
    _of("foster", "false-go-peg", "a go pegged with a card that fits", 2, "adversary", _REPLAY, "000, Go"),
    _of(
        "foster",
        "too-many-cards",
        "too many cards in hand after laying out",
        2,
        "adversary",
        "a fresh deal may be claimed; else the surplus is drawn at random, may be looked at, and goes to the pack",
        "000, Irregularities in Hands",
    ),
    _of(
        "foster",
        "too-few-cards",
        "too few cards in hand after laying out",
        2,
        "adversary",
        "a fresh deal may be claimed (the reading is ours); else the short hand is played and shown as it is",
        "000, Irregularities in Hands",
    ),
    _of(
        "acc",
        "too-many-cards",
        "too many cards found after the starter",
        None,
        None,
        "the table decides",
        "acc, wrong number of cards (?)",
    ),
    _of(
        "acc",
        "too-few-cards",
        "too few cards found after the starter",
        None,
        None,
        "the table decides",
        "acc, wrong number of cards (?)",
    ),
    _of(
        "foster",
        "crib-over-pone-short",
        "a card too many in the crib, the pone's hand short",
        0,
        "nobody",
        "the dealer counts all six cards of crib and starter",
        "000, Irregular Cribs",
    ),
    _of(
        "foster",
        "crib-over-dealer-short",
        "a card too many in the crib, the dealer's hand short",
        0,
        "nobody",
        "the crib is void",
        "000, Irregular Cribs",
    ),
    _of(
        "foster",
        "crib-over",
        "a card too many in the crib, both hands right",
        2,
        "pone",
        "the crib is void",
        "000, Irregular Cribs",
    ),
    _of(
        "foster",
        "crib-short",
        "a card too few in the crib, both hands right",
        2,
        "pone",
        "the crib is shown as it is",
        "000, Irregular Cribs",
    ),
    _of(
        "foster",
        "wrong-total",
        "a wrong count called, nothing pegged for it",
        0,
        "nobody",
        "it stands once the next player has played on it",
        "000, Irregular Announcements",
    ),
    _of(
        "foster",
        "wrong-fifteen",
        "a fifteen or thirty-one pegged that was none",
        "holes pegged",
        "adversary",
        "the holes are taken down",
        "000, Irregular Announcements",
    ),
    _of(
        "foster",
        "over-count",
        "too many pegged for a hand, crib or card",
        "the surplus",
        "adversary",
        "the surplus is taken down",
        "000, Miscounting",
    ),
    _of(
        "acc",
        "over-count",
        "too many pegged for a hand, crib or card",
        "the surplus",
        "adversary",
        "the peg goes back to the true hole",
        "acc, over-count",
    ),
    _of(
        "foster",
        "under-count",
        "too few pegged for a hand, crib or card",
        "the omission",
        "adversary",
        "muggins",
        "000, Miscounting",
    ),
    _of(
        "modern",
        "under-count",
        "too few pegged for a hand or crib",
        "the omission",
        "adversary",
        "where muggins is on",
        "001, Variants: Muggins",
    ),
    _of(
        "acc",
        "under-count",
        "too few pegged for a hand, crib or card",
        "the omission",
        "adversary",
        "where muggins is on",
        "acc, under-count",
    ),
    _of(
        "foster",
        "wrong-call",
        "muggins or an over-count called, and there was none",
        "the number called",
        "adversary",
        "what was pegged for the call is taken down",
        "000, Miscounting",
    ),
    _of(
        "modern",
        "wrong-call",
        "muggins called on a right count",
        "the number called",
        "adversary",
        "",
        "001 is silent: as 000, ours",
    ),
    _of(
        "acc",
        "wrong-call",
        "muggins called on a right count",
        "the number called",
        "adversary",
        "",
        "acc, under-count",
    ),
    _of(
        "acc",
        "false-game",
        "the game hole claimed without the points",
        "the surplus",
        "adversary",
        "back to the true hole, the surplus to the other side, then fifteen holes back",
        "acc, game hole claimed without the points",
    ),
    _of("foster", "touched-peg", "the other's pegs touched", 2, "player touched", "", "000, Pegging"),
    _of(
        "foster",
        "removed-peg",
        "the other's front peg taken out",
        "the game",
        "player touched",
        "may be claimed at once",
        "000, Pegging",
    ),
    _of(
        "foster",
        "own-peg",
        "one's own front peg displaced",
        None,
        "nobody",
        "it goes behind the other peg: the holes between are lost",
        "000, Pegging",
    ),
    _of(
        "foster",
        "both-pegs",
        "both front pegs displaced",
        None,
        "nobody",
        "agree where they stood, or the game is void",
        "000, Pegging",
    ),
    _of(
        "victorian",
        "misdeal",
        "a misdeal found after a hand was taken up",
        2,
        "pone",
        "a fresh deal",
        "003, The Game",
    ),
    _of("victorian", "wrong-deal", "more or fewer than five dealt", 2, "pone", "a fresh deal", "003, The Game"),
    _of(
        "acc",
        "wrong-deal",
        "a wrong number of cards found before the starter",
        0,
        "nobody",
        "the same dealer deals again",
        "acc, wrong number of cards",
    ),
    _of(
        "victorian",
        "exposed-card",
        "the pone exposed one of his cards in the deal",
        0,
        "nobody",
        "the dealer may deal again, not having looked at his own",
        "003, The Game",
    ),
    _of(
        "victorian",
        "held-back",
        "a small card that fits held back, four-handed",
        None,
        None,
        "the book names a penalty and no amount: the table decides",
        "003, Four-handed",
    ),
    _of("modern", "heels-late", "his heels not claimed before the lead", 0, "nobody", _LOST, "001, Setup"),
    _of("foster", "heels-late", "his heels not claimed before a card is played", 0, "nobody", _LOST, "000, line 45-46"),
    _of("acc", "heels-late", "his heels not claimed before the dealer plays", 0, "nobody", _LOST, "acc, heels"),
    _of("acc", "early-count", "the dealer counted before the pone", 0, "nobody", "held back: the pone first", "acc"),
    _of("acc", "over-31", "a card played past thirty-one", 0, "nobody", "it comes back", "acc, card over 31"),
    _of(
        "acc",
        "backward-peg",
        "pegged backward",
        0,
        "nobody",
        "the holes are lost, and cannot be called",
        "acc, cannot be mugged",
    ),
)
"""Every ruling of every book on every infraction; one name a book at most once."""

NAMES: Final = tuple(dict.fromkeys(one.name for one in INFRACTIONS))
"""Every infraction's name, once."""


@cache
def infractions(book: RuleBook | Rules) -> tuple[Infraction, ...]:
    """What a book rules on, in its order. A table's own book that adds a name takes the ruling of the first book
    that has it, its own base before the others.

    >>> from engine.books import BOOKS
    >>> [one.name for one in infractions(BOOKS["victorian"])]
    ['misdeal', 'wrong-deal', 'exposed-card', 'held-back']
    """
    base = book.based_on or (book.book if isinstance(book, Rules) else book.name)
    return tuple(_ruling(name, base) for name in book.penalties)


@cache
def left_open(book: RuleBook | Rules) -> tuple[Infraction, ...]:
    """What the book says nothing about, in the words of another book: amount and receiver are the table's decision."""
    return tuple(
        replace(_ruling(name, ""), amount=None, to=None, remedy="the table decides", books=(), source="silent: ours")
        for name in NAMES
        if name not in book.penalties
    )


def find(book: RuleBook | Rules, name: str) -> Infraction:
    """The infraction of that name, open where the book is silent. Raises Malformed for a name that is none.

    >>> from engine.books import BOOKS
    >>> find(BOOKS["foster"], "touched-peg").amount, find(BOOKS["modern"], "touched-peg").amount
    (2, None)
    """
    for one in (*infractions(book), *left_open(book)):
        if one.name == name.lower():
            return one
    raise Malformed(f"{name!r} is no infraction: {near(name, NAMES)}")


def receivers(infraction: Infraction, offender: int, dealer: int, sides: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that may receive it, one fault by ``offender`` (a seat): one seat needs no asking, more are a choice.

    Nobody receives a penalty without points; where the book leaves it open, any seat of another side may.

    >>> from engine.books import BOOKS
    >>> receivers(find(BOOKS["foster"], "crib-over"), offender=1, dealer=1, sides=(0, 1))
    (0,)
    """
    match infraction.to:
        case "nobody":
            return ()
        case "dealer":
            return (dealer,)
        case "pone":
            return ((dealer + 1) % len(sides),)
    return tuple(seat for seat, side in enumerate(sides) if side != sides[offender])


def _ruling(name: str, base: str) -> Infraction:
    found = [one for one in INFRACTIONS if one.name == name]
    return next((one for one in found if base in one.books), found[0])
