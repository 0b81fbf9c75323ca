"""Figures of the sources, each computed; where a source slipped, its slip and the right value; and none left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engine import intents as want
from engine.apply import apply
from engine.awards import Kind
from engine.cards import PACK, Card, card, parse_card, parse_cards
from engine.decide import decide
from engine.impossible import possible_totals
from engine.play_points import play_points
from engine.replay import replay
from engine.report import DUE, HOME
from engine.rules import BOOKS, GAMES, rules_for, targets_for
from engine.show import show, total
from engine.state import Award, State

GOLDEN = Path(__file__).parents[1] / "golden"
SEED = GOLDEN / "seed"
CALC = json.loads((SEED / "calc.json").read_text())
SPREAD = json.loads((GOLDEN / "shows" / "distribution.json").read_text())

RANKS = "A23456789TJQK"
NAMES = ("Ann", "Bob", "Cal", "Dee")
Compute = Callable[[dict[str, Any]], Any]


def hand(words: list[str]) -> tuple[Card, ...]:
    return parse_cards(words)


def counted(case: dict[str, Any]) -> int:
    """A hand with its starter, by the points it shows."""
    return show(hand(case.get("hand") or case["crib"]), parse_card(case["starter"]), crib="crib" in case).total


def whys(words: list[str]) -> dict[Kind, list[str]]:
    """What the last of these cards earns: each reason with its cards."""
    return {why.kind: [str(one) for one in why.cards] for why in play_points(hand(words))}


def do(state: State, intent: want.Intent) -> State:
    for event in decide(state, intent):
        state = apply(state, event)
    return state


def table(rows: list[list[str]], dealer: int, game: str, book: str) -> State:
    """A deal played: each seat lays its cards in their order, and says go where the next does not fit."""
    rules = rules_for(game, book, 121)
    start = (1,) * rules.side_count
    opening = want.OpenGame(rules, NAMES[: len(rows)], False, ("teach",) * rules.side_count, start)
    state = do(apply(None, decide(None, opening)[0]), want.Deal(dealer))
    for seat, row in enumerate(rows):
        if len(row) != rules.hand:
            state = do(state, want.HoldCards(seat, len(row)))
    seen = {one for row in rows for one in row}
    spare = next(str(one) for one in PACK if one.rank != 11 and str(one) not in seen)
    state = do(state, want.TurnStarter(parse_card(spare)))
    left = [list(row) for row in rows]
    while state.deal is not None and not state.deal.play_over:
        turn = state.deal.turn
        if state.deal.count + parse_card(left[turn][0]).value > 31:
            state = do(state, want.SayGo())
        else:
            state = do(state, want.PlayCard(parse_card(left[turn].pop(0))))
    return state


def play(rows: list[list[str]], dealer: int = 1, game: str = "six-card", book: str = "foster") -> list[list[Any]]:
    """The cards as laid: seat, card, count, and reasons with points, go with the card that earned it."""
    state = table(rows, dealer, game, book)
    assert state.deal is not None
    laid: list[list[Any]] = []
    cards = iter(state.deal.played)
    for award in state.ledger:
        if isinstance(award, Award) and award.what == "card":
            played = next(cards)
            laid.append([played.seat, str(played.card), played.count, []])
        if isinstance(award, Award) and award.count is not None:
            laid[-1][3] += [[str(why.kind).replace("-", ""), why.points] for why in award.whys]
    return laid


def scoring(laid: list[list[Any]]) -> list[list[Any]]:
    return [one for one in laid if one[3]]


def pegged(laid: list[list[Any]], seat: int) -> int:
    return sum(points for one in laid if one[0] == seat for _, points in one[3])


def record(*lines: str, game: str = "six-card", book: str = "foster") -> list[dict[str, Any]]:
    head = f"crib 1\ngame {game}\nrules {book}\nplayers Ann Bob\n"
    return list(replay(head + "\n".join(lines) + "\n"))


def scores(*lines: str, game: str = "six-card", book: str = "foster") -> dict[str, int]:
    found: dict[str, int] = record(*lines, game=game, book=book)[-1]["scores"]
    return found


SIX_DEAL = (
    "deal Bob", "starter QS", "play Ann 4S", "play Bob 2D", "play Ann 3D", "play Bob AH", "play Ann 5C",
    "play Bob 2H", "play Ann 4C", "play Bob 3C", "show Ann", "show Bob", "crib Bob JC JS TC AS",
)  # fmt: skip
FIVE_DEAL = (
    "start 56 5", "deal Bob", "starter 3S", "play Ann 7C", "play Bob 6C", "play Ann 6D", "play Bob 6H", "go Ann",
    "play Bob 6S", "show Ann 7C 6D 7S", "show Bob", "crib Bob 4C 3H 2C 3C",
)  # fmt: skip


def deal_totals(_: Any) -> dict[str, int]:
    after_hands, all_counted = scores(*SIX_DEAL[:-1]), scores(*SIX_DEAL)
    return {"pone": all_counted["Ann"], "dealer_hand": after_hands["Bob"], "round_corner": all_counted["Bob"] - 30}


def five_score(_: Any) -> dict[str, Any]:
    play_only, all_counted = scores(*FIVE_DEAL[:-3], game="five-card"), scores(*FIVE_DEAL, game="five-card")
    pone = [play_only["Ann"], all_counted["Ann"]]
    return {"pone": pone, "dealer": all_counted["Bob"], "wanted": 61 - pone[1]}


def double_count(first: str, second: str) -> bool:
    """Whether some next card makes a fifteen and a pair or run at once."""
    cards = [card(RANKS.index(rank) + 1, None) for rank in (first, second)]
    replies = [{why.kind for why in play_points([*cards, card(rank, None)])} for rank in range(1, 14)]
    return any(Kind.FIFTEEN in kinds and len(kinds) > 1 for kinds in replies)


def bad_play(case: dict[str, Any]) -> bool:
    return double_count(*case["seq"])


def every_bad_play(_: Any) -> list[str]:
    """Every second card that is bad on a first, in the order of the first, then of the second."""
    return [f"{second} on {first}" for first in RANKS for second in RANKS if double_count(first, second)]


def improved_by_more_than_four(case: dict[str, Any]) -> list[str]:
    held = hand(case["hand"])
    bare = show(held, None).total
    starters = {one.rank for one in PACK if one not in held and total(held, one) - bare > 4}
    return [RANKS[rank - 1] for rank in sorted(starters)]


def safe_leads(case: dict[str, Any]) -> bool:
    return all(
        Kind.FIFTEEN not in {why.kind for why in play_points([card(RANKS.index(lead) + 1, None), card(rank, None)])}
        for lead in case["leads"]
        for rank in range(1, 14)
    )


def worth(book: str, target: int, case: dict[str, Any]) -> list[int]:
    """Games a win counts against a loser on each of these holes."""
    tally = []
    for loser in case["loser"]:
        opening = want.OpenGame(
            rules_for("six-card", book, target), ("Ann", "Bob"), False, ("flag", "flag"), (target - 1, loser)
        )
        state = apply(None, decide(None, opening)[0])
        tally.append(do(do(state, want.Deal(1)), want.PegByHand(0, 1)).games_won[0])
    return tally


def skunks(case: dict[str, Any]) -> list[str]:
    words = ("game", "skunk", "double skunk")
    return [
        words[record(f"start 120 {loser}", "deal Bob", "peg Ann 1", book="modern")[-1]["skunks"]["Bob"]]
        for loser in case["loser"]
    ]


def gaps(size: int) -> list[int]:
    totals = possible_totals(size)
    return sorted(set(range(max(totals))) - totals)


def runs_only(*hands: str) -> list[int]:
    return [show(parse_cards(one.split()), None).runs for one in hands]


def crib_and_hand(game: str) -> list[int]:
    kind = GAMES[game]
    return [kind.out * len(kind.sides) + kind.pack_to_crib, kind.hand]


def shared_out(game: str) -> list[int]:
    """All the cards of a deal, and how many heaps of four they make."""
    kind = GAMES[game]
    cards = kind.hand * len(kind.sides) + kind.crib
    return [cards, cards // 4]


def pegs(case: dict[str, Any]) -> list[int]:
    lines = record("deal Bob", *(f"peg Ann {points}" for points in case["scores"]))
    return [line["scores"]["Ann"] for line in lines if line["event"] == "award"]


def four_go(case: dict[str, Any]) -> dict[str, Any]:
    state = table(case["rows"], case["dealer"], "four-handed", "foster")
    assert state.deal is not None
    award = next(one for one in state.ledger if isinstance(one, Award) and one.whys and one.whys[0].kind is Kind.GO)
    said = [go.seat for go in state.deal.goes if go.count == award.count]
    return {"p": award.seat, "count": award.count, "go": award.points, "who_say_go": said}


def told_go(case: dict[str, Any]) -> list[int]:
    state = table(case["rows"], case["dealer"], "five-card", "foster")
    assert state.deal is not None
    return [go.seat for go in state.deal.goes if go.count == 25]


def pips(words: list[str]) -> int:
    return sum(card(RANKS.index(word) + 1, None).value for word in words)


def two_alike(case: dict[str, Any]) -> dict[str, int]:
    return {
        "".join(seq): sum(why.points for why in play_points([card(RANKS.index(one) + 1, None) for one in seq]))
        for seq in case["seqs"]
    }


COMPUTED: dict[str, Compute] = {
    "000-29-extra-fifteens": lambda case: (
        (show(hand(case["cards"]), None).fifteens - show(hand(case["cards"][:4]), None).fifteens) // 2
    ),
    "000-29-is-best": lambda _: [max(possible_totals(4)), len(SPREAD["crib"]) - 1],
    "000-30-heels": lambda case: scores(
        "deal Bob", f"starter {case['starter']}", "show Ann 2C 2D 3C 3D", f"show Bob {' '.join(case['hand'])}"
    )["Bob"],
    "000-layout-best": lambda case: max(show(kept, None).total for kept in combinations(hand(case["six"]), 4)),
    "000-deal-third-card": lambda case: whys(case["seq"])[Kind.RUN][0],
    "000-deal-counterfactual": lambda case: {
        "runs": show(hand(case["cards"]), None).runs,
        "pairs": show(hand(case["cards"]), None).pairs,
    },
    "000-deal-totals": deal_totals,
    "000-diagram1-no-run": lambda case: whys(case["seq"]).get(Kind.RUN, []),
    "000-diagram1-stops-at": lambda case: whys(case["seq"])[Kind.RUN][0],
    "000-diagram2-no-run": lambda case: sum(
        points for one in play(case["rows"]) for reason, points in one[3] if reason == "run"
    ),
    "000-diagram2c": lambda case: pegged(play(case["rows"]), 0),
    "000-tell-self-go": lambda case: scoring(play(case["rows"])),
    "000-nineteen": lambda _: {name: gaps(4) for name in ("hand", "crib")},
    "000-nineteen-sevencard": lambda _: {"19_possible": 19 in possible_totals(5), "impossible": gaps(5)},
    "000-nineteen-fivecard": lambda _: {"max": max(possible_totals(3)), "impossible": gaps(3)},
    "000-at-home-29": lambda _: HOME["six-card"] if sum(DUE["six-card"]) == HOME["six-card"] else None,
    "000-tenth-cards": lambda _: sum(one.value == 10 for one in PACK),
    "000-6688": improved_by_more_than_four,
    "000-safe-leads": safe_leads,
    **dict.fromkeys([case["id"] for case in CALC if case["id"].startswith("000-badplay-")], bad_play),
    "000-badplay-complete": every_bad_play,
    "000-87-fifteen": lambda case: [pips(pair) for pair in case["pairs"]],
    "000-fives-4A": lambda _: pips(["4", "A"]),
    "000-3322-fives": lambda case: (
        sum(sum(one.value for one in two) == 5 for two in combinations(hand(case["hand"]), 2)) == 4
    ),
    "001-run-corner": lambda _: runs_only("AC 2D 3H", "QC KD AH"),
    "001-crib-4": lambda _: crib_and_hand("six-card"),
    "001-last-single": lambda case: play(case["rows"], book="modern")[-1][3],
    "001-last-31": lambda case: play(case["rows"], book="modern")[-1][3],
    "001-go-lead": lambda case: play(case["rows"], book="modern"),
    "001-118": lambda _: scores("start 118 117", "deal Bob", "starter KC", "show Ann AC 2C 3C 9H")["Ann"],
    "001-121": lambda _: rules_for("six-card", "modern").target,
    "001-29-max": lambda _: max(possible_totals(4)),
    "001-zero-common": lambda _: {
        "zero_of": [SPREAD["hand"][0], sum(SPREAD["hand"])],
        "share": round(SPREAD["hand"][0] / sum(SPREAD["hand"]), 4),
    },
    "001-skunk": skunks,
    "001-three": lambda _: crib_and_hand("three-handed"),
    "001-four": lambda _: crib_and_hand("four-handed"),
    "002-average-parts": lambda case: {
        "dealer": case["hand"] + case["crib"] + case["play"][0],
        "non_dealer_includes": DUE["six-card"][1],
    },
    "002-four-at-home": lambda case: None if "four-handed" in HOME else sum(case["parts"]),
    "002-five-deal-cards": lambda case: (
        GAMES["five-card"].hand if (GAMES["five-card"].dealt, GAMES["five-card"].out) == (5, 2) else None
    ),
    "002-five-told-go": told_go,
    "002-five-score": five_score,
    "002-five-next-deal": lambda case: scores(
        "start 60 54", "deal Ann", *(f"peg Bob {points}" for points in case["add"]), game="five-card"
    )["Bob"],
    "002-five-last-counts": lambda case: scoring(play(case["rows"], game="five-card")),
    "002-three-cards": lambda _: dict(zip(("crib", "hand"), crib_and_hand("three-handed"), strict=True)),
    "002-four-cards": lambda _: dict(zip(("crib", "hand"), crib_and_hand("four-handed"), strict=True)),
    "002-121": lambda _: rules_for("four-handed", "foster").target,
    "002-four-go": four_go,
    "002-seven-cards": lambda _: [GAMES["seven-card"].hand, GAMES["seven-card"].hand + 1],
    "002-181": lambda _: list(targets_for("seven-card", "foster")),
    "003-pegs": pegs,
    "003-deal-hands": lambda case: {"non_dealer_has_knave": "J" in case["non_dealer"]},
    "003-deal-as-printed": lambda case: [
        show(hand(case[who]), parse_card("4S"), flush_min=3).total for who in ("elder", "dealer")
    ],
    "003-pair-reason": two_alike,
    "003-table-run5": lambda case: show(hand(case["crib"]), parse_card(case["starter"]), crib=True).runs,
    "003-6788-total": counted,
    "003-three-16": lambda _: shared_out("three-handed"),
    "003-four-16": lambda _: GAMES["four-handed"].hand * len(GAMES["four-handed"].sides),
    "003-121": lambda _: targets_for("four-handed", "victorian")[1],
    "003-below-21": lambda _: all(count + one.value < 31 for count in range(21) for one in PACK),
    "004-91011": lambda _: runs_only("9C TD JH", "9C TD QH"),
    "004-last-31": lambda _: play([["KC", "9C"], ["QD", "2H"]], book="onhand")[-1][3][0][1],
    "004-lurch61": partial(worth, "onhand", 61),
    "004-lurch121": partial(worth, "onhand", 121),
    "004-board": lambda _: [2 * 30, *sorted(targets_for("six-card", "onhand"))],
}
"""How each figure is worked out from what is given; the statistics have tests of their own."""

STATISTICS = [case for case in CALC if case["status"] == "statistic" and case["id"] not in COMPUTED]


@pytest.mark.parametrize(
    "case",
    [case for case in CALC if case not in STATISTICS and case["status"] != "erratum"],
    ids=lambda case: case["id"],
)
def test_a_figure_of_the_sources(case: dict[str, Any]) -> None:
    """Worked out from what is given, a source's figure comes to what is right."""
    assert COMPUTED[case["id"]](case.get("given", {})) == case["right"]


@pytest.mark.parametrize("case", [case for case in CALC if case["status"] == "erratum"], ids=lambda case: case["id"])
def test_a_slip_of_a_source(case: dict[str, Any]) -> None:
    """Where a source slipped the right value is another than it states, and the file says what the slip is."""
    got = COMPUTED[case["id"]](case["given"])
    assert got == case["right"], case["slip"]
    assert got != case["stated"]
    assert case["slip"]


def test_a_list_of_bad_plays_that_leaves_some_out() -> None:
    """000 lists bad plays as examples: all but its two slips are bad, and there are four more."""
    case = next(case for case in CALC if case["id"] == "000-badplay-complete")
    stated, every = set(case["stated"]), set(every_bad_play({}))
    assert stated - every == {"9 on 3", "A on 7"}
    assert every - stated == {"5 on 4", "4 on 5", "4 on 6", "5 on 6"}


TESTED_APART = {
    "002-average-hand",
    "002-five-average-hand",
    "002-five-at-home-17",
    "002-five-play",
    "002-six-play",
    "002-four-average",
    "003-average",
}
"""Averages, tested in a file of their own."""


def test_every_figure_is_worked_out() -> None:
    """Each figure has its computation, each statistic a test of its own."""
    assert {case["id"] for case in STATISTICS} == TESTED_APART
    assert set(COMPUTED) == {case["id"] for case in CALC} - TESTED_APART


def test_every_case_of_the_sources_is_in_one_place() -> None:
    """Of 283 cases each is a show, a count, a deal, a figure, a rule, or not about cribbage, and only one of these."""
    named = [case["id"] for name in ("calc", "rules") for case in json.loads((SEED / f"{name}.json").read_text())]
    named += json.loads((SEED / "not_cribbage.json").read_text())
    named += [case["id"] for case in json.loads((GOLDEN / "deals" / "seed_deals.json").read_text())]
    for name in ("shows", "pegs"):
        named += [json.loads(line)["id"] for line in (GOLDEN / name / "sources.jsonl").read_text().splitlines()]
    everyone = json.loads((SEED / "ids.json").read_text())
    assert len(everyone) == 283
    assert Counter(named) == Counter(everyone)


def test_what_is_not_cribbage() -> None:
    """002 goes on to piquet: its forty cases are no part of this, and no book has a game of that kind."""
    left_out = json.loads((SEED / "not_cribbage.json").read_text())
    assert len(left_out) == 40
    assert all(one.startswith("002-pq-") for one in left_out)
    assert {game for book in BOOKS.values() for game in book.games} == set(GAMES)
