"""The show against worked-out hands: a file of vectors, hands people argued about, and the sources' own examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.awards import Kind, Why
from engine.cards import PACK, Card, Suit, card, codes, parse_card, parse_cards
from engine.errors import Malformed
from engine.show import Show, show, total

GOLDEN = Path(__file__).parents[1] / "golden" / "shows"
PARTS = ("fifteens", "pairs", "runs", "flush", "nobs", "total")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def shown(case: dict[str, Any]) -> Show:
    starter = case["starter"] and parse_card(case["starter"])
    return show(parse_cards(case["hand"].split()), starter, crib=case["crib"], flush_min=case["flush_min"])


def count(hand: str, starter: str | None = None, *, crib: bool = False, flush_min: int | None = 4) -> Show:
    return show(parse_cards(hand.split()), starter and parse_card(starter), crib=crib, flush_min=flush_min)


def awards(count: Show, *kinds: Kind) -> list[tuple[str, int, list[str]]]:
    return [(str(why.kind), why.points, codes(why.cards)) for why in count.whys if not kinds or why.kind in kinds]


VECTORS = lines("vectors.jsonl")


@pytest.mark.parametrize(
    ("flush_min", "size", "many"), [(4, 4, 1400), (4, 5, 200), (4, 6, 100), (3, 3, 200), (3, 4, 100)]
)
def test_vectors_part_by_part(flush_min: int, size: int, many: int) -> None:
    """Every vector has its points for fifteens, pairs, runs, flush and nobs, and its total."""
    cases = [case for case in VECTORS if case["flush_min"] == flush_min and len(case["hand"].split()) == size]
    assert len(cases) == many
    for case in cases:
        got = shown(case)
        assert [getattr(got, part) for part in PARTS] == case["points"], case


def test_vectors_in_total() -> None:
    """The fast total of every vector is the total of the vector."""
    for case in VECTORS:
        hand, starter = parse_cards(case["hand"].split()), parse_card(case["starter"])
        assert total(hand, starter, case["crib"], case["flush_min"]) == case["points"][-1], case


@pytest.mark.parametrize("case", lines("disputes.jsonl"), ids=lambda case: case["id"])
def test_disputed_hands(case: dict[str, Any]) -> None:
    """A hand that people argued about is worth what the rules give it."""
    assert shown(case).total == case["points"]["total"], case["note"]


@pytest.mark.parametrize("case", lines("sources.jsonl"), ids=lambda case: case["id"])
def test_hands_in_the_sources(case: dict[str, Any]) -> None:
    """A hand that a source counts is worth what the source says."""
    got = shown(case)
    assert {part: getattr(got, part) for part in case["points"]} == case["points"]


def test_every_award_is_listed_in_order() -> None:
    """Fifteens come first, then pairs, runs, flush and nobs; the cards of each from high to low."""
    assert awards(count("4S 3D 4C 5C", "QS")) == [
        ("fifteen", 2, ["QS", "5C"]),
        ("pair", 2, ["4C", "4S"]),
        ("run", 3, ["5C", "4C", "3D"]),
        ("run", 3, ["5C", "4S", "3D"]),
    ]
    assert [kind for kind, _, _ in awards(count("JH 4H 5H 6H", "2H"))] == [
        "fifteen",
        "fifteen",
        "run",
        "flush",
        "nobs",
    ]


@pytest.mark.parametrize(
    ("hand", "kind", "points"),
    [("4C 4D 9H KS", "pair", 2), ("4C 4D 4H KS", "pair-royal", 6), ("4C 4D 4H 4S", "double-pair-royal", 12)],
)
def test_cards_of_one_rank_are_one_award(hand: str, kind: str, points: int) -> None:
    """Two, three and four of a kind are one award of 2, 6 and 12 each, with all their cards."""
    got = awards(count(hand, "QC"), Kind.PAIR, Kind.PAIR_ROYAL, Kind.DOUBLE_PAIR_ROYAL)
    assert got == [(kind, points, [code for code in hand.split() if code[0] == "4"])]


def test_each_run_of_a_double_double_run_is_an_award() -> None:
    """Two ranks doubled make four runs of three, each with cards of its own."""
    runs = awards(count("3C 3D 4H 5S", "5C"), Kind.RUN)
    assert [points for _, points, _ in runs] == [3, 3, 3, 3]
    assert len({tuple(cards) for _, _, cards in runs}) == 4


def test_two_separate_runs_in_a_large_hand() -> None:
    """Six cards can hold two runs with a gap between, and both count."""
    assert [points for _, points, _ in awards(count("AC 2D 3H 8C 9D", "TS"), Kind.RUN)] == [3, 3]


def test_no_run_round_the_corner() -> None:
    """The ace is low: queen, king, ace are no run (001, Setup)."""
    assert count("QC KD AH 6S", "8C").runs == 0


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "flush_min", "points"),
    [
        ("2H 4H 6H 8H", "KS", False, 4, 4),
        ("2H 4H 6H 8H", "KH", False, 4, 5),
        ("2H 4H 6H 8H", "KS", True, 4, 0),
        ("2H 4H 6H 8H", "KH", True, 4, 5),
        ("2H 4H 6H 8H", None, False, 4, 4),
        ("2H 4H 6H 8H", None, True, 4, 0),
        ("2H 4H 6H 8S", "KH", False, 4, 0),
        ("2H 4H 6H", "KH", False, 4, 0),
        ("2H 4H 6H", "KH", False, 3, 4),
        ("2H 4H 6H", "KS", False, 3, 3),
        ("2H 4H 6H 8H", "KH", False, None, 0),
        ("2H 4H 6H 8H TH", "KH", False, 4, 6),
    ],
)
def test_flush(hand: str, starter: str | None, crib: bool, flush_min: int | None, points: int) -> None:
    """All the cards in hand of one suit, one more with the starter; a crib needs the starter (001, Flush)."""
    assert count(hand, starter, crib=crib, flush_min=flush_min).flush == points


def test_nobs_is_the_jack_in_hand_of_the_starters_suit() -> None:
    """The jack in hand of the starter's suit is one point and is named; a jack of another suit is none."""
    assert awards(count("JC 2D 4H 8S", "KC"), Kind.NOBS) == [("nobs", 1, ["JC"])]
    assert count("JD 2D 4H 8S", "KC").nobs == 0


def test_a_jack_turned_up_is_no_nobs() -> None:
    """The jack as starter is his heels, pegged at once, and nothing in the show."""
    assert count("2C 4C 6H 8C", "JC").nobs == 0


def test_unknown_suits_make_neither_flush_nor_nobs() -> None:
    """Cards whose suit was not recorded make fifteens, pairs and runs only; two of a rank are two cards."""
    unsuited = [card(rank, None) for rank in (11, 4, 4, 6)]
    got = show(unsuited, card(5, Suit.CLUBS))
    assert (got.fifteens, got.pairs, got.runs, got.flush, got.nobs) == (6, 2, 6, 0, 0)
    assert total(unsuited, card(5, Suit.CLUBS)) == 14
    assert total([*PACK[40:41], *unsuited[1:]], card(5, None)) == 14


def test_unknown_suits_are_no_flush_in_the_fast_total() -> None:
    """Four cards without suits are not taken for four of one suit: king and five, nine and five and ace are all."""
    assert total([card(rank, None) for rank in (1, 5, 9, 13)], card(3, Suit.CLUBS)) == 4


def test_more_fifteens_than_cards() -> None:
    """Four fives and four jacks hold twenty fifteens beside their two double pairs royal."""
    hand = (*PACK[16:20], *PACK[40:44])
    assert (show(hand, None).fifteens, show(hand, None).pairs) == (40, 24)
    assert total(hand, None) == 64


@pytest.mark.parametrize("size", [0, 9])
def test_a_hand_has_one_to_eight_cards(size: int) -> None:
    """No card, or nine, are no hand to count."""
    with pytest.raises(Malformed, match=f"1 to 8 cards, not {size}"):
        show(PACK[:size], None)


def test_one_card_twice_is_malformed() -> None:
    """The same card cannot be twice in the hand, nor in the hand and the starter."""
    five = parse_card("5C")
    with pytest.raises(Malformed, match="5C stands twice in the hand"):
        show([five, five], None)
    with pytest.raises(Malformed, match="5C stands both in the hand and the starter"):
        show([five], five)


def test_five_of_a_rank_are_malformed() -> None:
    """A fifth card of a rank is refused even where suits are unknown."""
    with pytest.raises(Malformed, match="five cards of one rank"):
        show([card(5, None)] * 5, None)


def test_plain_values_of_a_show() -> None:
    """The plain form carries the totals and every award."""
    got = count("2H 4H 6H 8H", "KS").to_dict()
    assert got == {
        "total": 4,
        "fifteens": 0,
        "pairs": 0,
        "runs": 0,
        "flush": 4,
        "nobs": 0,
        "awards": [{"kind": "flush", "cards": ["8H", "6H", "4H", "2H"], "points": 4}],
    }


def test_plain_values_of_an_award() -> None:
    """An award made by cards names them; one made by none has no cards."""
    assert Why(Kind.PAIR, 2, (Card(0), Card(1))).to_dict() == {"kind": "pair", "points": 2, "cards": ["AC", "AD"]}
    assert Why(Kind.LAST, 1).to_dict() == {"kind": "last", "points": 1}
