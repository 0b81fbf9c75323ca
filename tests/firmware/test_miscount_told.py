"""A miscount told: who claimed what, what is true, what happens now; then the count, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware.snapshot import snapshot

PLAYED = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"
"""Wilhelmina's hand is worth ten."""
COUNT = "Fifteen two, and a double run of three makes ten."


def caption(table: Any) -> str:
    """What the page writes beside the little screen."""
    told = snapshot(table.view, table.screen, (), [], shared_lane=False)["caption"]
    assert isinstance(told, str)
    return told


@pytest.fixture
def telling(new_table: Callable[..., Any]) -> Callable[..., Any]:
    """A table of two with ordinary names, its play over: ``telling(muggins=False)``."""
    return lambda **choices: new_table(names=("Wilhelmina", "Grandpa Jo"), **choices).press(PLAYED)


@pytest.mark.parametrize(
    ("choices", "claim", "first"),
    [
        ({}, "12#", "Wilhelmina's hand: 12 claimed, 10 true, 2 back. Grandpa Jo's hand: count, then hash. "),
        ({}, "8#", "Wilhelmina's hand: 8 claimed, 10 true. A-key takes 2, hash leaves it. Grandpa Jo's hand: "),
        ({"muggins": False}, "8#", "Wilhelmina's hand: 8 claimed, 10 true, 10 pegged. Grandpa Jo's hand: "),
    ],
)
def test_a_flagged_miscount_tells_claim_truth_keys_and_then_the_count(
    telling: Callable[..., Any], choices: dict[str, Any], claim: str, first: str
) -> None:
    """Claim and truth first, then the keys, the count last and once, in about 160 letters."""
    told = caption(telling(**choices).press(claim))
    assert told.startswith(first)
    assert told.endswith(COUNT)
    assert told.lower().count("fifteen") == 1
    assert len(told) <= 165


def test_the_glass_tells_claim_truth_and_keys_on_its_first_page(telling: Callable[..., Any]) -> None:
    """On the little screen the claim, the truth and what to press stand at once, under the scores."""
    assert telling().press("8#").lines[1:] == ["Wilhe 8, true 10", "A takes 2 #leave", "Grandpa: count?"]


def test_a_called_miscount_is_told_in_the_same_order(new_table: Callable[..., Any]) -> None:
    """A call that is proved: claim and truth, what it brought, what is asked, and then the count."""
    told = caption(new_table(level="call", book="acc", muggins=True).press(PLAYED + "# 8# A 2# *"))
    assert told.startswith("Ann's hand: 8 claimed, 10 true. Bob: muggins for two. ")
    assert told.endswith("makes ten.")
