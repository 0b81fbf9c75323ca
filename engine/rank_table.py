"""The points that ranks alone make (fifteens, pairs and runs), looked up by the multiset of ranks.

A multiset of ranks is one integer: the sum of ``5 ** (rank - 1)`` over its cards. No rank stands more than four times,
so the sum is the list of counts written in base five, and hands of every size share one table. An entry is worked out
when it is first asked for, from the counts of the ranks; the show lists every combination of cards instead, so the two
check each other.
"""

from __future__ import annotations

from typing import Final

from engine.cards import PACK, UNSUITED, Card

KEY: Final[dict[Card, int]] = {
    one: 5 ** (one.rank - 1) for one in (*PACK, *(Card(UNSUITED + rank) for rank in range(13)))
}
"""What each card adds to the key of a multiset. A dict, because a card that is looked up is nearly always the very
object of the pack, and then a dict answers sooner than a list."""


def points_of(key: int) -> int:
    """Points for fifteens, pairs and runs of a multiset of at most nine cards (001, Goal & scoring).

    >>> points_of(4 * 5**4)
    20
    """
    # `sums` counts the combinations of cards by what they add up to: eight bits for each sum, and nine cards never
    # have more than 126 of one sum. Each card adds the same combinations again, shifted by its value.
    sums, points, length, ways = 1, 0, 0, 1
    for rank in range(1, 15):
        key, count = divmod(key, 5)
        if count:
            for _ in range(count):
                sums += sums << 8 * min(rank, 10)
            points += count * (count - 1)
            length += 1
            ways *= count
        else:
            if length >= 3:
                points += length * ways
            length, ways = 0, 1
    return points + 2 * (sums >> 8 * 15 & 255)


class RankTable(dict[int, int]):
    """Points by key; an entry that is not there yet is worked out and kept."""

    def __missing__(self, key: int) -> int:
        points = self[key] = points_of(key)
        return points


POINTS: Final = RankTable()
"""The one table; empty until it is asked."""
