"""Deals that play themselves: seeded hands, the first card that fits, go where none does, true counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from engine import intents as want
from engine.cards import PACK, Card, Suit
from engine.show import total
from engine.state import Dealt, Stage, State

SUIT_KEYS = {Suit.SPADES: "A", Suit.HEARTS: "B", Suit.CLUBS: "C", Suit.DIAMONDS: "D"}


@dataclass(frozen=True)
class Step:
    """One thing done at the table: as an intent for the engine, and as keys for the board."""

    intent: want.Intent
    keys: str


def deal(now: Callable[[], State], chance: Random) -> Iterator[Step]:
    """One deal from its starter to the crib's count, or to the end of the game; ``now`` gives the state reached."""
    cards = chance.sample(PACK, 13)
    hands, crib, starter = [cards[:4], cards[4:8]], cards[8:12], cards[12]
    yield Step(want.TurnStarter(starter), _keys(starter))
    left = [list(hand) for hand in hands]
    while now().stage is Stage.PLAY:
        at = _deal(now())
        fits = [one for one in left[at.turn] if at.count + one.value <= 31]
        if fits:
            left[at.turn].remove(fits[0])
            yield Step(want.PlayCard(fits[0]), _keys(fits[0]))
        else:
            yield Step(want.SayGo(), "#")
    while now().stage is Stage.SHOW:
        points = total(hands[_deal(now()).shower], starter)
        yield Step(want.ShowHand(claim=points), f"{points}#")
    if now().stage is Stage.CRIB:
        for one in crib:
            yield Step(want.TurnCard(one), _keys(one))
        points = total(crib, starter, crib=True)
        yield Step(want.ShowCrib(claim=points), f"{points}#")


def _keys(one: Card) -> str:
    assert one.suit is not None
    return f"{one.rank}{SUIT_KEYS[one.suit]}"


def _deal(state: State) -> Dealt:
    assert state.deal is not None
    return state.deal
