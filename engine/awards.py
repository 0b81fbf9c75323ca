"""What a point was pegged for: one award, its points and the cards that made it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.cards import Card, codes


class Kind(StrEnum):
    """Every reason for which a peg moves, spelled as a game record spells it."""

    FIFTEEN = "fifteen"
    THIRTY_ONE = "thirty-one"
    PAIR = "pair"
    PAIR_ROYAL = "pair-royal"
    DOUBLE_PAIR_ROYAL = "double-pair-royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    HEELS = "heels"
    GO = "go"
    LAST = "last"
    THREE_FOR_LAST = "three-for-last"
    MUGGINS = "muggins"
    PENALTY = "penalty"
    OVER_CLAIM = "over-claim"
    HAND_PEGGED = "hand-pegged"
    CLAIMED = "claimed"
    START = "start"


ALIKE: dict[int, Kind] = {2: Kind.PAIR, 3: Kind.PAIR_ROYAL, 4: Kind.DOUBLE_PAIR_ROYAL}
"""What so many cards of one rank are called; they are worth ``n * (n - 1)``: 2, 6, 12."""


@dataclass(frozen=True, slots=True)
class Why:
    """One award: its kind, its points (negative when a peg goes back) and the cards that made it, if cards did."""

    kind: Kind
    points: int
    cards: tuple[Card, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``cards`` is left out where no cards made the award.

        >>> Why(Kind.GO, 1).to_dict()
        {'kind': 'go', 'points': 1}
        """
        plain: dict[str, Any] = {"kind": self.kind.value, "points": self.points}
        if self.cards:
            plain["cards"] = codes(self.cards)
        return plain
