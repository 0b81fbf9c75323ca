"""The show over every deal there is: how often each score comes up is known exactly."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from engine.cards import PACK
from engine.show import every_deal, show, total

KNOWN: dict[str, list[int]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "shows" / "distribution.json").read_text()
)


def test_a_fixed_sample_never_shows_an_impossible_score() -> None:
    """Every 500th hand with every 7th starter: the two ways agree and no score is one that cannot be held."""
    impossible = {score for score, times in enumerate(KNOWN["hand"]) if not times}
    assert impossible == {19, 25, 26, 27}
    for place, hand in enumerate(combinations(PACK, 4)):
        if place % 500:
            continue
        for starter in PACK[place // 500 % 7 :: 7]:
            if starter not in hand:
                got = show(hand, starter).total
                assert got == total(hand, starter)
                assert got not in impossible


def test_the_twenty_nine_comes_four_times() -> None:
    """Three fives and a jack with the five of its suit turned up: once for each suit (001, Goal & scoring)."""
    fives, jacks = PACK[16:20], PACK[40:44]
    found = [
        (hand, starter)
        for hand in combinations((*fives, *jacks), 4)
        for starter in (*fives, *jacks)
        if starter not in hand and show(hand, starter).total == 29
    ]
    assert len(found) == KNOWN["hand"][29] == 4


@pytest.mark.slow
@pytest.mark.parametrize("crib", [False, True])
def test_every_deal_counted_at_once(crib: bool) -> None:
    """The counts over all 12,994,800 deals are the known ones, for hands and for cribs."""
    scores = every_deal(crib)
    assert sum(scores) == 12_994_800
    assert scores == KNOWN["crib" if crib else "hand"]


@pytest.mark.slow
@pytest.mark.parametrize("crib", [False, True])
def test_every_deal_one_by_one(crib: bool) -> None:
    """The fast total asked for each of the 12,994,800 deals gives the known counts."""
    scores = Counter(
        total(hand, starter, crib) for hand in combinations(PACK, 4) for starter in PACK if starter not in hand
    )
    assert [scores[points] for points in range(30)] == KNOWN["crib" if crib else "hand"]


@pytest.mark.slow
def test_every_three_card_deal_one_by_one() -> None:
    """The 1,082,900 deals of a three-card hand, where three of a suit are a flush (003), give the known counts."""
    scores = Counter(
        total(hand, starter, False, 3) for hand in combinations(PACK, 3) for starter in PACK if starter not in hand
    )
    assert [scores[points] for points in range(30)] == KNOWN["three-card hand, flush of three"]
