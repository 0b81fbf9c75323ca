"""Reasons in a few letters, for the glass."""

from __future__ import annotations

from collections.abc import Iterable

from engine.awards import Kind, Why

_SHORT = {
    Kind.FIFTEEN: "15",
    Kind.THIRTY_ONE: "31",
    Kind.PAIR_ROYAL: "royal",
    Kind.DOUBLE_PAIR_ROYAL: "double",
    Kind.THREE_FOR_LAST: "start",
    Kind.OVER_CLAIM: "back",
    Kind.HAND_PEGGED: "hand",
    Kind.CLAIMED: "claim",
}


def short(whys: Iterable[Why]) -> str:
    """The kinds of an award in as few letters as a small screen needs.

    >>> short((Why(Kind.FIFTEEN, 2), Why(Kind.RUN, 5)))
    '15 run 5'
    """
    words: list[str] = []
    for why in whys:
        word = f"{why.kind.value} {why.points}" if why.kind is Kind.RUN else _SHORT.get(why.kind, why.kind.value)
        if word not in words:
            words.append(word)
    return " ".join(words)
