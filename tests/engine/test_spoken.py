"""The count in words: the cadence of the table, sums that are always right, zeros explained."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.awards import Kind, Why
from engine.cards import PACK, Card, parse_card, parse_cards
from engine.play_points import play_points
from engine.show import show
from engine.spoken import number_word, spoken, spoken_play

WORDS = {number_word(number): number for number in range(1000)}


def said(hand: str, starter: str, *, crib: bool = False, flush_min: int | None = 4, crib_word: str = "crib") -> str:
    shown = show(parse_cards(hand.split()), parse_card(starter), crib=crib, flush_min=flush_min)
    return spoken(shown, crib_word)


def last_sum(words: str) -> int:
    """The sum that a spoken count ends in, misses apart; "nothing" is 0."""
    count = words.split(";")[0]
    if count.startswith("nothing"):
        return 0
    found = re.fullmatch(r".*\b(?:makes?|for|fifteen) ([a-z -]+)", count)
    assert found, words
    return WORDS[found[1]]


@pytest.mark.parametrize(
    ("hand", "starter", "words"),
    [
        ("7C 8D 2H KS", "QC", "fifteen two"),
        ("7C 8D 8H KS", "QC", "fifteen two, fifteen four, and a pair makes six"),
        ("7C 8D 8H 9S", "QC", "fifteen two, fifteen four, and a double run of three makes twelve"),
        ("7C 8D 8H 9S", "TC", "fifteen two, fifteen four, and a double run of four makes fourteen"),
        ("TC JC QD QH", "QS", "a triple run of three makes fifteen"),
        ("TC JC JD QD", "QH", "a double double run of three makes sixteen"),
        ("9C TC JD QH", "KS", "a run of five makes five"),
        ("4C 4D 4H KS", "QC", "a pair royal makes six"),
        ("4C 4D 4H 4S", "QC", "a double pair royal makes twelve"),
        ("4C 4D 9H 9S", "QC", "a pair makes two, and another pair makes four"),
        ("2D 4D 6D KD", "QD", "a flush of five makes five"),
        ("JC 2D 4H 8S", "KC", "his nobs makes one"),
        ("5C 6C 7C JC", "KC", "fifteen two, fifteen four, a run of three makes seven, a flush of five makes twelve, "
         "and his nobs makes thirteen"),
    ],
)  # fmt: skip
def test_cadence(hand: str, starter: str, words: str) -> None:
    """Fifteens by twos, then each piece with what it makes, the last after "and"; a doubled run names its pair too."""
    assert said(hand, starter) == words


def test_runs_without_a_name_of_their_own_are_numbered() -> None:
    """Three doubled ranks in a row, which only larger hands hold, are eight runs with their pairs counted apart."""
    assert said("4C 5D 6S 6H 5H", "4D").endswith(
        "a pair makes eighteen, another pair makes twenty, another pair makes twenty-two, "
        "and eight runs of three make forty-six"
    )


@st.composite
def deals(draw: st.DrawFn) -> tuple[list[Card], Card, bool, int | None]:
    """Hands of one to eight cards, every other from five neighbouring ranks."""
    start = draw(st.integers(0, 8))
    pool = draw(st.sampled_from([PACK, PACK[4 * start : 4 * start + 20], PACK[start % 4 :: 4]]))
    size = draw(st.integers(1, 8))
    *hand, starter = draw(st.lists(st.sampled_from(pool), min_size=size + 1, max_size=size + 1, unique=True))
    return hand, starter, draw(st.booleans()), draw(st.sampled_from([None, 3, 4]))


@given(deals())
def test_the_last_sum_said_is_the_total(deal: tuple[list[Card], Card, bool, int | None]) -> None:
    """Whatever the hand, the words end in its true total."""
    hand, starter, crib, flush_min = deal
    shown = show(hand, starter, crib=crib, flush_min=flush_min)
    assert last_sum(spoken(shown)) == shown.total


@given(deals())
def test_the_sums_said_only_rise(deal: tuple[list[Card], Card, bool, int | None]) -> None:
    """Each piece says more than the piece before it."""
    hand, starter, crib, flush_min = deal
    shown = show(hand, starter, crib=crib, flush_min=flush_min)
    count = spoken(shown).split(";")[0]
    sums = [last_sum(piece) for piece in count.split(", ")] if shown.total else []
    assert sums == sorted(set(sums))


def test_a_hand_worth_nothing_says_why() -> None:
    """A zero is said in words."""
    assert said("8C 9D 2H KS", "QC") == "nothing: no fifteen, no pair, no run"


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "flush_min", "miss"),
    [
        ("2H 4H 6H 8H", "KS", True, 4, "no flush: a crib needs the starter's suit too"),
        ("2H 4H 6H TS", "KH", True, 4, "no flush: a crib needs all five of one suit"),
        ("2H 4H 6H TS", "KH", False, 4, "no flush: the starter cannot fill it"),
        ("2H 4H 6H", "KS", False, 4, "no flush: it takes four cards of one suit in the hand"),
        ("2H 4H 6H", "KS", False, None, "no flush: this game counts none"),
        ("QC KD AH 6S", "8C", False, 4, "no run round the corner: the ace is low"),
        ("QC 4D AH 6S", "JC", False, 4, "the jack turned up is his heels, not nobs"),
    ],
)
def test_near_misses_are_explained(hand: str, starter: str, crib: bool, flush_min: int | None, miss: str) -> None:
    """What looks like points and is none is named after the count, whether the rest is worth something or not."""
    assert said(hand, starter, crib=crib, flush_min=flush_min).split("; ")[1:] == [miss]


def test_a_flush_that_counts_is_no_miss() -> None:
    """A flush of four in hand without the starter is simply counted."""
    assert said("2H 4H 6H 8H", "KS") == "a flush of four makes four"


def test_the_crib_may_be_called_the_box() -> None:
    """The word for the crib is the caller's."""
    assert said("2H 4H 6H 8H", "KS", crib=True, crib_word="box").endswith("a box needs the starter's suit too")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("7C", "seven"),
        ("7C 8D", "fifteen for two"),
        ("KC QD 9H 2S", "thirty-one for two"),
        ("6C 6D", "twelve, a pair for two"),
        ("6C 6D 6H", "eighteen, a pair royal for six"),
        ("6C 6D 6H 6S", "twenty-four, a double pair royal for twelve"),
        ("4C 2D 3H", "nine, a run of three for three"),
        ("4C 6D 5H", "fifteen for two, and a run of three makes five"),
        ("TC 7D 8H 3C 3D", "thirty-one for two, and a pair makes four"),
    ],
)
def test_a_card_in_the_play(cards: str, words: str) -> None:
    """A card is said with the count and what it earns; several reasons end in their sum."""
    played = parse_cards(cards.split())
    assert spoken_play(play_points(played), sum(one.value for one in played)) == words


def test_go_and_last_are_said_with_the_card() -> None:
    """The point for the go or the last card is said after what the card itself earned."""
    assert spoken_play((Why(Kind.GO, 1),), 28) == "twenty-eight, the go for one"
    assert spoken_play((Why(Kind.FIFTEEN, 2), Why(Kind.LAST, 1)), 15) == "fifteen for two, and last card makes three"


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_award_can_be_said(kind: Kind) -> None:
    """Whatever moves a peg has words, points going back included."""
    said = "{} claimed" if kind is Kind.CLAIMED else " for {}"
    assert spoken_play((Why(kind, 3),)).endswith(said.format("three"))
    assert spoken_play((Why(kind, -3),)).endswith(said.format("minus three"))


def test_a_claim_of_none_is_nothing_claimed() -> None:
    """A claim is said as claimed, whatever its points, and one of none as nothing; what the board adds follows."""
    assert spoken_play((Why(Kind.CLAIMED, 0),)) == "nothing claimed"
    assert spoken_play((Why(Kind.CLAIMED, 2), Why(Kind.LAST, 1)), 9) == "nine, two claimed, and last card makes three"


def test_numbers_in_words() -> None:
    """Numbers are said as English says them, and no two alike."""
    assert [number_word(number) for number in (0, 13, 20, 21, 100, 121)] == [
        "zero", "thirteen", "twenty", "twenty-one", "one hundred", "one hundred and twenty-one",
    ]  # fmt: skip
    assert len(WORDS) == 1000
