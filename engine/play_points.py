"""The play: what one card earns by the cards before it. Go and last depend on who can still play, not on this."""

from __future__ import annotations

from collections.abc import Sequence

from engine.awards import ALIKE, Kind, Why
from engine.cards import UNSUITED, Card
from engine.errors import Illegal


def play_points(cards: Sequence[Card]) -> tuple[Why, ...]:
    """What the last of these cards earns; they are all the cards since the count was last zero, in the order played.

    Fifteen and thirty-one 2 each; a pair, pair royal or double pair royal with the cards right before it; the longest
    run that the last cards make in any order, without a stranger or a rank twice among them. Suits mean nothing and
    may be unknown. The cards of an award stand in the order they were played. No cards earn nothing.

    Source: 001, Play. Raises Illegal if the cards count past 31.

    >>> from engine.cards import parse_cards
    >>> [(str(why.kind), why.points) for why in play_points(parse_cards("4C 6D 5H".split()))]
    [('fifteen', 2), ('run', 3)]
    """
    cards = tuple(cards)
    # The integer of a card tells its rank; the property would be asked for every card of every prefix.
    ranks = [one >> 2 if one < UNSUITED else one - UNSUITED for one in cards]
    count = sum([rank + 1 if rank < 10 else 10 for rank in ranks])
    if count > 31:
        raise Illegal(f"{cards[-1]} brings the count to {count}: the count never passes 31")
    whys = []
    if count == 15:
        whys.append(Why(Kind.FIFTEEN, 2, cards))
    elif count == 31:
        whys.append(Why(Kind.THIRTY_ONE, 2, cards))
    alike = _alike(ranks)
    if alike > 1:
        whys.append(Why(ALIKE[alike], alike * (alike - 1), cards[-alike:]))
    else:
        run = _longest_run(ranks)
        if run:
            whys.append(Why(Kind.RUN, run, cards[-run:]))
    return tuple(whys)


def _alike(ranks: list[int]) -> int:
    """How many of the last cards are of the last card's rank; more than four cannot be."""
    alike = 0
    for rank in reversed(ranks):
        if rank != ranks[-1]:
            break
        alike += 1
    return min(alike, 4)


def _longest_run(ranks: list[int]) -> int:
    """The length of the longest run at the end, 0 where there is none."""
    seen: set[int] = set()
    low, high, longest = 13, -1, 0
    for rank in reversed(ranks):
        if rank in seen:
            break
        seen.add(rank)
        low, high = min(low, rank), max(high, rank)
        if high - low == len(seen) - 1 >= 2:
            longest = len(seen)
    return longest
