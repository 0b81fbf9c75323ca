"""The show: what a hand or a crib is worth with the starter, award by award, or fast and in total.

Source: 001, Goal & scoring. `show` lists every combination of cards; `total` looks the ranks up. They agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any, Final

from engine.awards import ALIKE, Kind, Why
from engine.cards import PACK, UNSUITED, Card, Suit, card, codes
from engine.errors import Malformed
from engine.rank_table import KEY, POINTS

MOST_CARDS: Final = 8
"""The largest hand that is shown: a crib of four hands with surplus cards."""

FLUSH_MIN: Final = 4
"""A flush needs so many cards of the hand, starter apart (001); older five-card rules say three (003)."""

_JACK: Final = 11
# The properties of a card, looked up: a show asks for them dozens of times.
_CARDS: Final = (*PACK, *(Card(UNSUITED + rank) for rank in range(13)))
_RANK: Final = tuple(one.rank for one in _CARDS)
_VALUE: Final = tuple(one.value for one in _CARDS)
_HIGHEST_FIRST: Final = tuple((-one.rank, one) for one in _CARDS)
_NO_CARD: Final = Card(-1)
_JACK_OF_ITS_SUIT: Final[dict[Card, Card]] = {
    **{one: PACK[40 | one & 3] for one in PACK},
    **{Card(UNSUITED + rank): _NO_CARD for rank in range(13)},
}


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or crib with its starter, and every award it earns: fifteens, pairs, runs, flush, nobs, in this order."""

    hand: tuple[Card, ...]
    starter: Card | None
    crib: bool
    flush_min: int | None
    whys: tuple[Why, ...]

    @property
    def total(self) -> int:
        """All the points."""
        return sum(why.points for why in self.whys)

    @property
    def fifteens(self) -> int:
        """Points for fifteens, two each."""
        return self._points(Kind.FIFTEEN)

    @property
    def pairs(self) -> int:
        """Points for cards of one rank: 2, 6 or 12 for each rank; the pair of a double run is among them."""
        return self._points(Kind.PAIR, Kind.PAIR_ROYAL, Kind.DOUBLE_PAIR_ROYAL)

    @property
    def runs(self) -> int:
        """Points for runs, one a card of each."""
        return self._points(Kind.RUN)

    @property
    def flush(self) -> int:
        """Points for a flush."""
        return self._points(Kind.FLUSH)

    @property
    def nobs(self) -> int:
        """The point for his nobs, or 0."""
        return self._points(Kind.NOBS)

    def to_dict(self) -> dict[str, Any]:
        """The totals and the awards as plain values for JSON."""
        return {
            "total": self.total,
            "fifteens": self.fifteens,
            "pairs": self.pairs,
            "runs": self.runs,
            "flush": self.flush,
            "nobs": self.nobs,
            "awards": [{"kind": why.kind.value, "cards": codes(why.cards), "points": why.points} for why in self.whys],
        }

    def _points(self, *kinds: Kind) -> int:
        return sum(why.points for why in self.whys if why.kind in kinds)


def show(hand: Sequence[Card], starter: Card | None, *, crib: bool = False, flush_min: int | None = FLUSH_MIN) -> Show:
    """Count a hand of one to eight cards with its starter (None: there was none), every award with its cards.

    The cards of an award run from the highest rank to the lowest. Three of a kind are one pair royal of 6, four a
    double pair royal of 12; every distinct run is an award of its own. A flush needs ``flush_min`` cards (None: never
    counted) and in the crib the starter's suit too. Cards whose suit is not known make neither flush nor nobs.

    Raises Malformed for no card, for too many, for one card twice and for five of a rank.

    >>> from engine.cards import parse_card, parse_cards
    >>> count = show(parse_cards("4S 3D 4C 5C".split()), parse_card("QS"))
    >>> count.total, [(str(why.kind), codes(why.cards)) for why in count.whys][:2]
    (10, [('fifteen', ['QS', '5C']), ('pair', ['4C', '4S'])])
    """
    hand = tuple(hand)
    cards = _checked(hand, starter)
    ranks = _by_rank(cards)
    whys = (*_fifteens(cards), *_pairs(ranks), *_runs(ranks), *_flush(hand, starter, crib, flush_min))
    return Show(hand, starter, crib, flush_min, (*whys, *_nobs(hand, starter)))


def _checked(hand: tuple[Card, ...], starter: Card | None) -> list[Card]:
    """Hand and starter, highest rank first, then by suit."""
    if not 1 <= len(hand) <= MOST_CARDS:
        raise Malformed(f"a hand to count has 1 to {MOST_CARDS} cards, not {len(hand)}: {' '.join(codes(hand))}")
    cards = sorted(hand if starter is None else (*hand, starter), key=_HIGHEST_FIRST.__getitem__)
    for one, other in pairwise(cards):
        if one == other and one.suit is not None:
            where = "both in the hand and the starter" if one == starter else "twice in the hand"
            raise Malformed(f"{one} stands {where}: {' '.join(codes(hand))}")
    for one, fifth in zip(cards, cards[4:], strict=False):
        if _RANK[one] == _RANK[fifth]:
            raise Malformed(f"five cards of one rank, {one} and {fifth} among them: {' '.join(codes(hand))}")
    return cards


def _by_rank(cards: list[Card]) -> dict[int, tuple[Card, ...]]:
    """The cards of each rank, highest rank first."""
    ranks: dict[int, tuple[Card, ...]] = {}
    for one in cards:
        rank = _RANK[one]
        ranks[rank] = (*ranks.get(rank, ()), one)
    return ranks


def _fifteens(cards: list[Card]) -> Iterator[Why]:
    values = [_VALUE[one] for one in cards]
    for size in range(2, len(cards) + 1):
        for some, chosen in zip(combinations(values, size), combinations(cards, size), strict=True):
            if sum(some) == 15:
                yield Why(Kind.FIFTEEN, 2, chosen)


def _pairs(ranks: dict[int, tuple[Card, ...]]) -> Iterator[Why]:
    for alike in ranks.values():
        if len(alike) > 1:
            yield Why(ALIKE[len(alike)], len(alike) * (len(alike) - 1), alike)


def _runs(ranks: dict[int, tuple[Card, ...]]) -> Iterator[Why]:
    """One card of each rank along every unbroken stretch of three or more: the longest runs, each way once."""
    for top in ranks:
        if top + 1 in ranks:
            continue
        bottom = top
        while bottom - 1 in ranks:
            bottom -= 1
        if top - bottom >= 2:
            for run in product(*(ranks[rank] for rank in range(top, bottom - 1, -1))):
                yield Why(Kind.RUN, len(run), run)


def _flush(hand: Sequence[Card], starter: Card | None, crib: bool, flush_min: int | None) -> Iterator[Why]:
    suit: Suit | None = hand[0].suit
    if flush_min is None or len(hand) < flush_min or suit is None or any(one.suit is not suit for one in hand):
        return
    with_starter = starter is not None and starter.suit is suit
    if crib and not with_starter:
        return
    cards = (*hand, starter) if starter is not None and with_starter else tuple(hand)
    yield Why(Kind.FLUSH, len(cards), tuple(sorted(cards, reverse=True)))


def _nobs(hand: Sequence[Card], starter: Card | None) -> Iterator[Why]:
    if starter is not None and starter.suit is not None and card(_JACK, starter.suit) in hand:
        yield Why(Kind.NOBS, 1, (card(_JACK, starter.suit),))


def total(hand: Sequence[Card], starter: Card | None, crib: bool = False, flush_min: int | None = FLUSH_MIN) -> int:
    """The total of a show, fast, for cards that are already checked as `show` checks them; nothing is checked here.

    >>> total(PACK[16:20], None)
    20
    """
    if starter is not None and len(hand) == 4:
        a, b, c, d = hand
        points = POINTS[KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[starter]]
        if _JACK_OF_ITS_SUIT[starter] in hand:
            points += 1
        suit = a & 3
        if suit == b & 3 and suit == c & 3 and suit == d & 3:
            points += _flush_points(hand, starter, crib, flush_min)
        return points
    key = sum([KEY[one] for one in hand])
    if starter is None:
        return POINTS[key] + _flush_points(hand, None, crib, flush_min)
    nobs = _JACK_OF_ITS_SUIT[starter] in hand
    return POINTS[key + KEY[starter]] + nobs + _flush_points(hand, starter, crib, flush_min)


def _flush_points(hand: Sequence[Card], starter: Card | None, crib: bool, flush_min: int | None) -> int:
    """Points for a flush, from the integers of the cards."""
    if flush_min is None or len(hand) < flush_min or max(hand) >= UNSUITED or len({one & 3 for one in hand}) > 1:
        return 0
    if starter is not None and starter < UNSUITED and starter & 3 == hand[0] & 3:
        return len(hand) + 1
    return 0 if crib else len(hand)


def every_deal(crib: bool = False) -> list[int]:
    """How often each score 0..29 comes up over all 12,994,800 deals of a four-card hand and a starter, flush at four.

    Hands without a jack and without four of a suit do not care for the starter's suit: their thirteen starter ranks
    are counted with the cards left of each. All others go card by card through `total`'s rules.
    """
    scores = [0] * 30
    rank_keys = [KEY[one] for one in PACK[::4]]
    keys = [KEY[one] for one in PACK]
    for hand in combinations(range(52), 4):
        a, b, c, d = hand
        key = keys[a] + keys[b] + keys[c] + keys[d]
        suit = a & 3
        flush = suit == b & 3 and suit == c & 3 and suit == d & 3
        if not flush and not (d >= 40 and (a >> 2 == 10 or b >> 2 == 10 or c >> 2 == 10 or d >> 2 == 10)):
            for one in rank_keys:
                scores[POINTS[key + one]] += 4
            # Of the four cards of each rank those in the hand cannot be the starter.
            for one in hand:
                scores[POINTS[key + keys[one]]] -= 1
            continue
        for starter in range(52):
            if starter in hand:
                continue
            points = POINTS[key + keys[starter]]
            if 40 | starter & 3 in hand:
                points += 1
            if flush:
                if suit == starter & 3:
                    points += 5
                elif not crib:
                    points += 4
            scores[points] += 1
    return scores
