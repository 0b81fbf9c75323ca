"""Averages in the sources: each beside what is exact, or near what cards dealt at random bring."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import intents as want
from engine.apply import apply
from engine.cards import PACK, Card
from engine.decide import decide
from engine.play_points import play_points
from engine.report import HOME
from engine.rules import rules_for
from engine.show import total
from engine.state import Award, State

GOLDEN = Path(__file__).parents[1] / "golden"
CALC = json.loads((GOLDEN / "seed" / "calc.json").read_text())
SPREAD = json.loads((GOLDEN / "shows" / "distribution.json").read_text())
NAMES = ("Ann", "Bob", "Cal", "Dee")


def do(state: State, intent: want.Intent) -> State:
    for event in decide(state, intent):
        state = apply(state, event)
    return state


def mean(name: str) -> float:
    counts = SPREAD[name]
    return float(sum(points * many for points, many in enumerate(counts)) / sum(counts))


def figure(case: str, name: str) -> float:
    found: float = next(one for one in CALC if one["id"] == case)["right"][name]
    return found


@pytest.mark.parametrize(
    ("case", "name", "spread"),
    [
        ("002-average-hand", "random_four_cards_exact", "hand"),
        ("002-average-hand", "random_crib_exact", "crib"),
        ("003-average", "random_crib_exact", "crib"),
        ("002-five-average-hand", "random_three_cards_exact", "three-card hand, flush of three"),
    ],
)
def test_average_of_cards_dealt_at_random(case: str, name: str, spread: str) -> None:
    """The average of every hand with every starter is the figure given."""
    assert mean(spread) == pytest.approx(figure(case, name), abs=0.00006)


@pytest.mark.parametrize(
    ("case", "name", "dealt", "kept", "flush_min"),
    [
        ("002-average-hand", "selected_hand_exact", 6, 4, 4),
        ("002-five-average-hand", "selected_hand_exact", 5, 3, 3),
        ("002-four-average", "selected_hand_exact_keep4_of5", 5, 4, 4),
        ("003-average", "selected_hand_exact_keep4_of5", 5, 4, 4),
    ],
)
def test_average_of_the_best_hand_kept(case: str, name: str, dealt: int, kept: int, flush_min: int) -> None:
    """Keeping the cards that average most, 300 deals come near the exact average that the sources round."""
    random = Random(29)
    averages = []
    for _ in range(300):
        cards = random.sample(PACK, dealt)
        starters = [one for one in PACK if one not in cards]
        best = max(
            sum(total(held, starter, False, flush_min) for starter in starters) for held in combinations(cards, kept)
        )
        averages.append(best / len(starters))
    assert sum(averages) / 300 == pytest.approx(figure(case, name), abs=0.6)


def greedy(hands: list[list[Card]], random: Random) -> list[int]:
    """What each seat pegs, the eldest first, when everyone lays the card that scores most at once."""
    game, book = {(4, 2): ("six-card", "modern"), (3, 2): ("five-card", "foster"), (4, 4): ("four-handed", "modern")}[
        len(hands[0]), len(hands)
    ]
    rules = rules_for(game, book)
    start = (1,) * rules.side_count
    opening = want.OpenGame(rules, NAMES[: rules.seats], False, ("teach",) * rules.side_count, start)
    state = do(apply(None, decide(None, opening)[0]), want.Deal(rules.seats - 1))
    starter = next(one for one in PACK if one.rank != 11 and all(one not in held for held in hands))
    state = do(state, want.TurnStarter(starter))
    before = len(state.ledger)
    while state.deal is not None and not state.deal.play_over:
        deal = state.deal
        fits = [one for one in hands[deal.turn] if deal.count + one.value <= 31]
        if not fits:
            state = do(state, want.SayGo())
            continue
        random.shuffle(fits)
        best = max(fits, key=lambda one: sum(why.points for why in play_points([*deal.series, one])))
        hands[deal.turn].remove(best)
        state = do(state, want.PlayCard(best))
    gained = Counter(dict.fromkeys(range(rules.seats), 0))
    for award in state.ledger[before:]:
        if isinstance(award, Award):
            gained[award.seat] += award.points
    return [gained[seat] for seat in range(rules.seats)]


@pytest.mark.parametrize(
    ("case", "name", "seats", "size"),
    [
        ("002-six-play", "greedy_random_hands", 2, 4),
        ("002-five-play", "greedy_random_hands", 2, 3),
        ("002-four-average", "greedy_play_per_seat", 4, 4),
    ],
)
def test_average_of_the_play(case: str, name: str, seats: int, size: int) -> None:
    """Random hands played for the most at once come near the figures given; the dealer pegs more than the eldest."""
    random = Random(31)
    deals = 300
    sums = [0] * seats
    for _ in range(deals):
        pack = random.sample(PACK, seats * size)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(seats)]
        sums = [old + new for old, new in zip(sums, greedy(hands, random), strict=True)]
    wanted: Any = figure(case, name)
    assert [one / deals for one in sums] == pytest.approx(wanted, abs=0.5)
    assert sums[-1] > sums[0]


def test_seventeen_at_home_is_a_loose_figure() -> None:
    """002: two hands of 5, a crib of 5 and 3½ in play are 18½; seventeen needs hands of 4¼. The yardstick stays 17."""
    case = next(one for one in CALC if one["id"] == "002-five-at-home-17")
    assert case["right"] == {"with_hands_of_5": 2 * 5 + 5 + 2 + 1.5, "hand_needed_for_17": (17 - 5 - 2 - 1.5) / 2}
    assert HOME["five-card"] == case["stated"]
