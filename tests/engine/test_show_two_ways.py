"""The show counted in more than one way: award by award, by the rank table, and by a scorer of the tests' own."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACK, Card, Suit, card
from engine.rank_table import KEY, POINTS
from engine.show import show, total

Deal = tuple[tuple[Card, ...], Card | None, bool, int | None]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Hands of one to eight cards, often of one suit or of few ranks, with or without a starter."""
    pools = [PACK, PACK, PACK[: 4 * 4], PACK[4 * 4 : 4 * 9], PACK[9 * 4 :], PACK[draw(st.integers(0, 3)) :: 4]]
    pool = draw(st.sampled_from(pools))
    size = draw(st.integers(1, 8))
    cards = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True))
    others = [one for one in PACK if one not in cards]
    starter = draw(st.none() | st.sampled_from(others))
    return tuple(cards), starter, draw(st.booleans()), draw(st.sampled_from([None, 3, 4]))


@given(deals())
def test_the_awards_add_up_to_the_fast_total(deal: Deal) -> None:
    """The sum of the awards is the total looked up, for every size of hand."""
    hand, starter, crib, flush_min = deal
    assert show(hand, starter, crib=crib, flush_min=flush_min).total == total(hand, starter, crib, flush_min)


@given(deals())
def test_the_breakdown_adds_up(deal: Deal) -> None:
    """Fifteens, pairs, runs, flush and nobs are together the total."""
    hand, starter, crib, flush_min = deal
    got = show(hand, starter, crib=crib, flush_min=flush_min)
    assert got.fifteens + got.pairs + got.runs + got.flush + got.nobs == got.total


@given(deals(), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_means_nothing(deal: Deal, shuffler: random.Random) -> None:
    """A hand held in another order earns the same awards."""
    hand, starter, crib, flush_min = deal
    other = list(hand)
    shuffler.shuffle(other)
    assert (
        show(hand, starter, crib=crib, flush_min=flush_min).whys
        == show(other, starter, crib=crib, flush_min=flush_min).whys
    )


@given(deals(), st.permutations(list(Suit)))
def test_the_names_of_the_suits_mean_nothing(deal: Deal, suits: list[Suit]) -> None:
    """With the suits renamed throughout, every part of the show is worth the same."""
    hand, starter, crib, flush_min = deal

    def renamed(one: Card) -> Card:
        assert one.suit is not None
        return card(one.rank, suits[one.suit])

    here = show(hand, starter, crib=crib, flush_min=flush_min).to_dict()
    there = show([renamed(one) for one in hand], starter and renamed(starter), crib=crib, flush_min=flush_min).to_dict()
    for part in ("fifteens", "pairs", "runs", "flush", "nobs"):
        assert here[part] == there[part]


def test_all_rank_shapes_of_five_cards() -> None:
    """The table and the listed awards agree on each of the 6,175 multisets of five ranks."""
    shapes = [ranks for ranks in combinations_with_replacement(range(1, 14), 5) if max(map(ranks.count, ranks)) < 5]
    assert len(shapes) == 6175
    for ranks in shapes:
        # The n-th card of a rank takes the n-th suit: all different, and what flush and nobs they make is left out.
        cards = [card(rank, Suit(ranks[:place].count(rank))) for place, rank in enumerate(ranks)]
        got = show(cards[:4], cards[4])
        assert POINTS[sum(KEY[one] for one in cards)] == got.fifteens + got.pairs + got.runs, ranks


def second_scorer(hand: tuple[Card, ...], starter: Card, crib: bool, flush_min: int) -> int:
    """Every set of cards looked at once: a fifteen, two alike, or a run that no other card would lengthen."""
    pile = [(one.rank, one.suit) for one in (*hand, starter)]
    held = {rank for rank, _ in pile}
    points = 0
    for chosen in range(1, 1 << len(pile)):
        ranks = sorted(pile[place][0] for place in range(len(pile)) if chosen >> place & 1)
        if sum(10 if rank > 10 else rank for rank in ranks) == 15:
            points += 2
        if len(ranks) == 2 and ranks[0] == ranks[1]:
            points += 2
        unbroken = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
        if len(ranks) > 2 and unbroken and not {ranks[0] - 1, ranks[-1] + 1} & held:
            points += len(ranks)
    suits = "".join("CDHS"[suit] for _, suit in pile if suit is not None)
    in_hand, with_it = len(set(suits[:-1])) == 1, len(set(suits)) == 1
    if len(hand) >= flush_min and in_hand and (with_it or not crib):
        points += len(suits) if with_it else len(suits) - 1
    return points + ((11, pile[-1][1]) in pile[:-1])


def compare_with_the_second_scorer(many: int, seed: int) -> None:
    source = random.Random(seed)
    for _ in range(many):
        size = source.randint(3, 6)
        # Half the hands come from few ranks or one suit, where runs, pairs and flushes are common.
        start = source.randrange(9)
        pool = source.choice([PACK, PACK, PACK[4 * start : 4 * start + 20], PACK[source.randrange(4) :: 4]])
        *cards, starter = source.sample(pool, size + 1)
        hand, crib, flush_min = tuple(cards), source.random() < 0.5, source.choice([3, 4])
        points = second_scorer(hand, starter, crib, flush_min)
        assert show(hand, starter, crib=crib, flush_min=flush_min).total == points, (hand, starter, crib)
        assert total(hand, starter, crib, flush_min) == points, (hand, starter, crib)


def test_two_thousand_hands_by_a_second_scorer() -> None:
    """A scorer written apart gives the same totals for 2,000 hands of three to six cards."""
    compare_with_the_second_scorer(2_000, seed=29)


@pytest.mark.slow
def test_a_hundred_thousand_hands_by_a_second_scorer() -> None:
    """A scorer written apart gives the same totals for 100,000 hands of three to six cards."""
    compare_with_the_second_scorer(100_000, seed=121)
