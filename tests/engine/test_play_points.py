"""What a card earns in the play: vectors, counts people argued about, the sources' examples, and a second way."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.awards import Kind
from engine.cards import PACK, Card, card, codes, parse_card, parse_cards
from engine.errors import Illegal
from engine.play_points import play_points

GOLDEN = Path(__file__).parents[1] / "golden" / "pegs"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def points(cards: tuple[Card, ...]) -> int:
    return sum(why.points for why in play_points(cards))


def earned(cards: str) -> list[tuple[str, int, list[str]]]:
    return [(str(why.kind), why.points, codes(why.cards)) for why in play_points(parse_cards(cards.split()))]


def test_vectors() -> None:
    """In each of 2,000 counts the last card earns exactly the points listed, each for its reason."""
    cases = lines("vectors.jsonl")
    assert len(cases) == 2000
    for case in cases:
        got = [[str(why.kind), why.points] for why in play_points(parse_cards(case["cards"].split()))]
        assert sorted(got) == sorted(case["points"]), case


@pytest.mark.parametrize("case", lines("disputes.jsonl"), ids=lambda case: case["id"])
def test_disputed_counts(case: dict[str, Any]) -> None:
    """In a count that people argued about every card earns what the rules give it."""
    cards = parse_cards(case["cards"].split())
    assert [points(cards[: place + 1]) for place in range(len(cards))] == case["points"], case["note"]


@pytest.mark.parametrize("case", lines("sources.jsonl"), ids=lambda case: case["id"])
def test_counts_in_the_sources(case: dict[str, Any]) -> None:
    """The last card of a count in a source earns what is right; where the source slipped, the file says how."""
    cards = parse_cards(case["cards"].split())
    assert points(cards) == case["points"], case.get("slip", case["id"])
    assert sum(one.value for one in cards) == case["count"]


def test_fifteen_and_run_with_one_card() -> None:
    """A card may make fifteen and a run at once; the fifteen names all cards, the run its own, as they were played."""
    assert earned("2C 6D 4S 3H") == [("fifteen", 2, ["2C", "6D", "4S", "3H"])]
    assert earned("4C 6D 5H") == [("fifteen", 2, ["4C", "6D", "5H"]), ("run", 3, ["4C", "6D", "5H"])]


def test_thirty_one_and_pair_with_one_card() -> None:
    """A card may make thirty-one and a pair at once."""
    assert earned("TC 7D 8H 3C 3D") == [("thirty-one", 2, ["TC", "7D", "8H", "3C", "3D"]), ("pair", 2, ["3C", "3D"])]


def test_only_cards_right_before_make_a_pair() -> None:
    """A pair royal is the last three cards of one rank; the same rank further back adds nothing."""
    assert earned("4C 9D 4H 4S") == [("pair", 2, ["4H", "4S"])]
    assert earned("9D 4C 4H 4S") == [("pair-royal", 6, ["4C", "4H", "4S"])]


def test_tens_and_court_cards_are_no_pair() -> None:
    """Cards alike in value and not in rank are no pair."""
    assert earned("TC KD") == []


def test_the_longest_run_of_seven() -> None:
    """Seven cards in any order are one run of seven."""
    assert earned("4C 2D 3H AS 5C 7H 6D")[0][:2] == ("run", 7)


def test_a_run_past_a_gap_filled_later() -> None:
    """Cards that are no run among themselves are one as soon as the missing rank is played."""
    assert earned("8C 6D 9H 7S") == [("run", 4, ["8C", "6D", "9H", "7S"])]


def test_no_run_round_the_corner() -> None:
    """Queen, king, ace are no run in the play either."""
    assert earned("QC KD AH") == []


def test_suits_may_be_unknown() -> None:
    """Cards recorded without a suit earn the same; two of a rank are a pair, not a duplicate."""
    five, four, six = card(5, None), card(4, None), parse_card("6D")
    assert [str(why.kind) for why in play_points((four, six, five))] == ["fifteen", "run"]
    assert [why.kind for why in play_points((four, four))] == [Kind.PAIR]


def test_no_cards_earn_nothing() -> None:
    """Before the first card of a count there is nothing to peg."""
    assert play_points(()) == ()


def test_a_count_past_thirty_one_is_illegal() -> None:
    """A card past 31 earns nothing: it cannot be played, and the message names it and the count."""
    with pytest.raises(Illegal, match="2D brings the count to 32"):
        play_points(parse_cards("TC JC QC 2D".split()))


@given(st.lists(st.sampled_from(PACK), max_size=13, unique=True))
def test_a_second_way_to_score_a_card(cards: list[Card]) -> None:
    """Trying every tail of the cards, longest first, gives the same points as one walk backwards."""
    played = [one for one, count in zip(cards, accumulate(one.value for one in cards), strict=True) if count <= 31]
    expected = 2 if sum(one.value for one in played) in (15, 31) else 0
    tails = [[one.rank for one in played[start:]] for start in range(len(played))]
    expected += next((len(tail) * (len(tail) - 1) for tail in tails if len(set(tail)) == 1), 0)
    expected += next(
        (
            len(tail)
            for tail in tails
            if len(tail) > 2 and sorted(tail) == list(range(min(tail), min(tail) + len(tail)))
        ),
        0,
    )
    assert points(tuple(played)) == expected
