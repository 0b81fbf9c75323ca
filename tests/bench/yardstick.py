"""A bare table look-up: points by the multiset of ranks, cards as plain integers; about as fast as pure Python can be.

No checking, no objects, no reasons, four cards and a starter only. The show is measured against it in one process.
"""

from __future__ import annotations

from itertools import combinations, product

KEYS = [5 ** (number // 4) for number in range(52)]
"""What each card adds to a multiset: five to the power of its rank, counted from 0."""


def points_of(counts: tuple[int, ...]) -> int:
    """Fifteens, pairs and runs of so many cards of each rank, ace first, by trying every choice of cards."""
    ranks = [rank for rank, count in enumerate(counts) for _ in range(count)]
    values = [min(rank + 1, 10) for rank in ranks]
    points = sum(2 * (sum(some) == 15) for size in range(2, 6) for some in combinations(values, size))
    points += sum(2 * (one == other) for one, other in combinations(ranks, 2))
    for size in (5, 4, 3):
        runs = sum(list(some) == list(range(some[0], some[0] + size)) for some in combinations(ranks, size))
        if runs:
            return points + size * runs
    return points


def filled() -> dict[int, int]:
    """The whole table: all 6,175 multisets of five ranks."""
    table = {}
    for low in product(range(5), repeat=6):
        if sum(low) > 5:
            continue
        for high in product(range(min(4, 5 - sum(low)) + 1), repeat=7):
            if sum(low) + sum(high) == 5:
                counts = low + high
                table[sum(count * 5**rank for rank, count in enumerate(counts))] = points_of(counts)
    return table


TABLE = filled()


def total(hand: tuple[int, int, int, int], starter: int, crib: bool = False, keys: list[int] = KEYS) -> int:
    """The show of four cards and a starter, flush at four; a card is ``4 * (rank - 1) + suit``."""
    a, b, c, d = hand
    points = TABLE[keys[a] + keys[b] + keys[c] + keys[d] + keys[starter]]
    suit = starter & 3
    if (40 | suit) in hand:
        points += 1
    flush = a & 3
    if flush == b & 3 and flush == c & 3 and flush == d & 3:
        if flush == suit:
            return points + 5
        if not crib:
            return points + 4
    return points


def every_deal(keys: list[int] = KEYS, table: dict[int, int] = TABLE) -> list[int]:
    """How often each score 0..29 comes up over all 12,994,800 deals of a hand and a starter, one after the other."""
    scores = [0] * 30
    for hand in combinations(range(52), 4):
        a, b, c, d = hand
        key = keys[a] + keys[b] + keys[c] + keys[d]
        suit = a & 3
        flush = suit == b & 3 and suit == c & 3 and suit == d & 3
        for starter in range(52):
            if starter in hand:
                continue
            points = table[key + keys[starter]]
            if (40 | starter & 3) in hand:
                points += 1
            if flush:
                points += 5 if suit == starter & 3 else 4
            scores[points] += 1
    return scores
