"""How many ways two hands can be played out: a count of all positions finds what single cases miss."""

from __future__ import annotations

from functools import cache

import pytest

from engine import intents as want
from engine.apply import apply
from engine.cards import Card, Suit, card
from engine.decide import decide
from engine.rules import rules_for
from engine.state import Stage, State

HANDS = {
    "A 5 10 J v 5 6 10 K": ((1, 5, 10, 11), (5, 6, 10, 13), (4, 16, 48, 120, 184, 356, 368, 368)),
    "3 4 10 K v A 2 J Q": ((3, 4, 10, 13), (1, 2, 11, 12), (4, 16, 48, 116, 168, 208, 240, 240)),
    "A A 10 K v 9 10 J Q": ((1, 1, 10, 13), (9, 10, 11, 12), (4, 16, 48, 136, 220, 408, 456, 456)),
}


def _cards(pone: tuple[int, ...], dealer: tuple[int, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    seen: list[Card] = []
    for rank in (*pone, *dealer):
        seen.append(next(one for one in (card(rank, suit) for suit in Suit) if one not in seen))
    return tuple(seen[:4]), tuple(seen[4:])


def _engine_counts(pone: tuple[Card, ...], dealer: tuple[Card, ...]) -> tuple[int, ...]:
    rules = rules_for()
    state = apply(None, decide(None, want.OpenGame(rules, ("Ann", "Bob"), True, ("flag", "flag")))[0])
    starter = next(one for one in (card(7, suit) for suit in Suit) if one not in (*pone, *dealer))
    for intent in (want.Deal(1), want.TurnStarter(starter)):
        state = apply(state, decide(state, intent)[0])
    layer: list[State] = [state]
    counts = []
    for _ in range(8):
        after: list[State] = []
        for position in layer:
            after += _played(position, (pone, dealer))
        layer = after
        counts.append(len(layer))
    assert all(one.stage is Stage.SHOW for one in layer)
    return tuple(counts)


def _played(state: State, hands: tuple[tuple[Card, ...], ...]) -> list[State]:
    """Every position one legal card later; a go where no card fits is said first and is no card."""
    while True:
        deal = state.deal
        assert deal is not None
        mine = [one for one in hands[deal.turn] if one not in deal.cards_of(deal.turn)]
        fitting = [one for one in mine if deal.count + one.value <= 31]
        if fitting:
            return [apply(state, decide(state, want.PlayCard(one))[0]) for one in fitting]
        state = apply(state, decide(state, want.SayGo())[0])


def _naive_counts(pone: tuple[int, ...], dealer: tuple[int, ...]) -> tuple[int, ...]:
    """The same counted with nothing but numbers: hands as values, whose turn, the count, who has said go."""
    values = tuple(tuple(min(rank, 10) for rank in hand) for hand in (pone, dealer))

    @cache
    def ways(left: tuple[tuple[int, ...], ...], turn: int, count: int, passed: bool, depth: int) -> int:
        if depth == 0:
            return 1
        if not left[turn] and not left[1 - turn]:
            return 0
        if count == 31:
            return ways(left, turn, 0, False, depth)
        fitting = [place for place, value in enumerate(left[turn]) if count + value <= 31]
        if not fitting:
            if passed or not left[1 - turn]:
                # Nobody can add: the other than the last to play leads, if he has a card.
                lead = 1 - turn if passed else turn
                lead = lead if left[lead] else 1 - lead
                return ways(left, lead, 0, False, depth)
            return ways(left, 1 - turn, count, True, depth)
        total = 0
        for place in fitting:
            mine = left[turn][:place] + left[turn][place + 1 :]
            after = (mine, left[1]) if turn == 0 else (left[0], mine)
            # After the other's go he plays on; so he does when the other has no cards.
            again = passed or not left[1 - turn]
            stays = again and count + left[turn][place] != 31 and bool(mine)
            if passed and not stays:
                total += ways(after, 1 - turn if left[1 - turn] else turn, 0, False, depth - 1)
            else:
                total += ways(after, turn if stays else 1 - turn, count + left[turn][place], passed, depth - 1)
        return total

    return tuple(ways(values, 0, 0, False, depth) for depth in range(1, 9))


@pytest.mark.parametrize("name", HANDS)
def test_every_position_of_the_play(name: str) -> None:
    """The engine allows exactly the known number of card sequences at each depth."""
    pone, dealer, counts = HANDS[name]
    assert _engine_counts(*_cards(pone, dealer)) == counts


@pytest.mark.parametrize("name", HANDS)
def test_a_counter_with_nothing_but_numbers_agrees(name: str) -> None:
    """A second counter, which knows no engine, gives the same numbers."""
    pone, dealer, counts = HANDS[name]
    assert _naive_counts(pone, dealer) == counts
