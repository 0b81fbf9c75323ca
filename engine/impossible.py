"""Totals that no hand or crib can show: 19, 25, 26 and 27 in six-card (000, Nineteen), others in the other games.

Nobs is counted, heels is not. A claim is never refused for being impossible: that would tell the truth too early.
"""

from __future__ import annotations

from typing import Final

from engine.errors import Malformed

_MOST_AND_GAPS: Final[dict[int, tuple[int, frozenset[int]]]] = {
    3: (20, frozenset({16, 17, 18, 19})),
    4: (29, frozenset({19, 25, 26, 27})),
    5: (46, frozenset({35, 41, 42, 43, 44, 45})),
}
"""By cards in the hand: the most they can show, and what below it they cannot."""


KNOWN_SIZES: Final = tuple(_MOST_AND_GAPS)
"""The sizes of hands and cribs whose totals are known."""


def possible_totals(hand_size: int) -> frozenset[int]:
    """Every total that a hand of 3, 4 or 5 cards, or a crib of so many, can show with a starter.

    What a book says of flushes makes no difference: every total that a flush makes can be made without one.
    Raises Malformed for other sizes.

    >>> sorted(set(range(30)) - possible_totals(4))
    [19, 25, 26, 27]
    """
    if hand_size not in _MOST_AND_GAPS:
        raise Malformed(f"no totals are known for {hand_size} cards: 3, 4 or 5")
    most, gaps = _MOST_AND_GAPS[hand_size]
    return frozenset(range(most + 1)) - gaps
