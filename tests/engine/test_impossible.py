"""Impossible totals: each by counting, once by the ranks and suits that can be, once card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from engine.cards import PACK, Card
from engine.errors import Malformed
from engine.impossible import possible_totals
from engine.rank_table import POINTS
from engine.show import total


def by_ranks(size: int, *, flush: bool, crib: bool) -> set[int]:
    """Every total, from each multiset of ranks with each starter, and from what suits can add to it."""
    found: set[int] = set()
    for hand in combinations_with_replacement(range(1, 14), size):
        ranks = Counter(hand)
        if max(ranks.values()) > 4:
            continue
        for starter in range(1, 14):
            if ranks[starter] == 4:
                continue
            points = POINTS[sum(5 ** (rank - 1) for rank in hand) + 5 ** (starter - 1)]
            jacks = 0 if starter == 11 else ranks[11]
            # With one to three jacks the starter may be of their suit or of another; with four it must be.
            found |= {points + 1} if jacks == 4 else {points, points + 1} if jacks else {points}
            if flush and len(ranks) == size:
                found |= set() if crib else {points + size}
                found |= set() if ranks[starter] else {points + size + 1 + (1 if jacks else 0)}
    return found


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
@pytest.mark.parametrize("flush", [True, False], ids=["flush", "no-flush"])
@pytest.mark.parametrize("size", [3, 4])
def test_possible_totals_by_ranks(size: int, flush: bool, crib: bool) -> None:
    """The possible totals are those that ranks, nobs and flush can make, whatever the book says of flushes."""
    assert possible_totals(size) == by_ranks(size, flush=flush, crib=crib)


def test_possible_totals_of_five_cards_by_ranks() -> None:
    """In seven-card 19, 25, 26 and 27 can be held; 35 and 41 to 45 cannot."""
    assert possible_totals(5) == by_ranks(5, flush=True, crib=False)
    assert set(range(46)) - possible_totals(5) == {35, 41, 42, 43, 44, 45}


def hands(size: int) -> Iterator[tuple[Card, ...]]:
    """Every hand of so many cards, once for all that differ only in which suit is which."""
    orders = list(permutations(range(4)))
    for hand in combinations(range(52), size):
        if all(list(hand) <= sorted([one & ~3 | order[one & 3] for one in hand]) for order in orders):
            yield tuple(PACK[one] for one in hand)


def by_cards(size: int, flush_min: int, *, crib: bool) -> set[int]:
    return {total(hand, starter, crib, flush_min) for hand in hands(size) for starter in PACK if starter not in hand}


def test_possible_totals_of_three_cards_one_by_one() -> None:
    """Every three cards with every starter, a flush of three counting: the totals found are the possible ones."""
    assert by_cards(3, 3, crib=False) == possible_totals(3)


@pytest.mark.slow
@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_possible_totals_of_four_cards_one_by_one(crib: bool) -> None:
    """Every four cards with every starter, as a hand and as a crib."""
    assert by_cards(4, 4, crib=crib) == possible_totals(4)


@pytest.mark.slow
def test_possible_totals_of_five_cards_one_by_one() -> None:
    """Every five cards with every starter."""
    assert by_cards(5, 4, crib=False) == possible_totals(5)


def test_other_sizes_are_refused() -> None:
    """Totals of hands that no game deals are not known."""
    with pytest.raises(Malformed, match="3, 4 or 5"):
        possible_totals(6)
