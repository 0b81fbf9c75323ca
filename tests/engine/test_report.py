"""The game report: where holes came from, how well each side counted, what nobody saw, and the old yardstick."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engine import events as did
from engine.awards import Kind
from engine.cards import codes
from engine.errors import Illegal
from engine.match import Match, match_tally
from engine.record_read import steps
from engine.report import Accuracy, Count, GameReport, SidePoints, report
from engine.state import Award

TABLES = json.loads((Path(__file__).parents[1] / "golden" / "records" / "tables.json").read_text())


def events(*body: str, game: str = "six-card", book: str = "modern", head: str = "") -> list[did.Event]:
    players = {"three-handed": "Ann Bob Cal"}.get(game, "Ann Bob")
    text = f"crib 1\ngame {game}\nrules {book}\nplayers {players}\n{head}"
    return [step.event for step in steps(text + "\n".join(body) + "\n")]


def told(*body: str, game: str = "six-card", book: str = "modern", head: str = "") -> GameReport:
    return report(events(*body, game=game, book=book, head=head))


PLAY = (
    "deal Bob",
    "starter QS",
    "play Ann 4S peg 0",
    "play Bob 2D peg 0",
    "play Ann 3D peg 3",
    "play Bob AH peg 4",
    "play Ann 5C peg 7",
    "play Bob 2H peg 0",
    "play Ann 4C peg 5",
)
"""The worked deal of 000, lines 99 to 168, up to the last card: a run of five and the last card, five and one."""
DEAL = (*PLAY, "play Bob 3C peg 5", "show Ann peg 10", "show Bob peg 14", "crib Bob JC JS TC AS peg 9")


def wrong(report: GameReport) -> list[tuple[int, str, int]]:
    return [(one.seat, one.what, one.unseen) for one in report.unseen]


@pytest.mark.parametrize("level", ["flag", "call"])
def test_points_by_play_hands_and_crib(level: str) -> None:
    """The worked deal of 000: the pone 15 in play and 10 in hand, the dealer 10, 14 and a crib of 9."""
    found = told(*DEAL, "stop", head=f"referee {level}\n")
    assert found.points == (SidePoints(play=15, hands=10), SidePoints(play=10, hands=14, crib=9))


def test_start_heels_and_penalties_stand_apart() -> None:
    """Holes pegged at the start, heels, penalties and points by hand belong to neither play nor show."""
    found = told(
        "deal Bob", "starter JS", "play Ann 4S", "penalty Ann 2 misdeal", "peg Bob 3", "stop", head="start 5 6\n"
    )
    assert found.points == (SidePoints(other=2, start=5), SidePoints(other=5, start=6))
    assert [one.total for one in found.points] == [7, 11]


def test_numbers_in_place_of_the_play_are_the_play() -> None:
    """Where no card of the play was keyed, the points pegged by number before the show are the play's."""
    found = told("deal Bob", "peg Ann 4", "peg Bob 3", "show Ann peg 8", "show Bob peg 6", "crib Bob peg 2", "stop")
    assert found.points == (SidePoints(play=4, hands=8), SidePoints(play=3, hands=6, crib=2))


@pytest.mark.parametrize("table", [one for one in TABLES if "exit" not in one["expect"]], ids=lambda one: one["id"])
def test_what_is_other_is_told_by_its_awards(table: dict[str, Any]) -> None:
    """At every table what is neither play nor show is heels, bonus, calls, penalties and points by hand."""
    all_steps = list(steps(table["record"]))
    last = all_steps[-1].after
    if any(isinstance(step.event, did.DealVoided | did.PointsPegged) for step in all_steps) or last.claims:
        return
    stop = [] if last.winner is not None else [did.GameStopped()]
    found = report([*(step.event for step in all_steps), *stop])
    apart = {Kind.HEELS, Kind.THREE_FOR_LAST, Kind.MUGGINS, Kind.PENALTY}
    for side, points in enumerate(found.points):
        awards = [one for one in last.ledger if isinstance(one, Award) and last.side(one.seat) == side]
        assert points.other == sum(one.points for one in awards if {why.kind for why in one.whys} & apart)
        assert points.total == last.scores[side]


def test_accuracy_is_right_claims_of_known_ones() -> None:
    """Every claim whose cards are known is right or not; a side's share is of its own claims."""
    found = told(
        *PLAY,
        "play Bob 3C peg 3",
        "show Ann peg 8",
        "show Bob peg 16",
        "crib Bob JC JS TC AS peg 9",
        "stop",
        head="referee call\n",
    )
    assert found.accuracy == (Accuracy(4, 5), Accuracy(4, 6))


RANKS = "A23456789TJQK"


def by_hand(cards: list[str], *, last: bool) -> int:
    """Points counted the long way, flush and nobs left out: of the last card laid, or of a whole hand."""
    ranks = [RANKS.index(card[0]) + 1 for card in cards]
    groups = [tuple(ranks[-size:]) for size in range(2, len(ranks) + 1)] if last else _groups(ranks)
    values = [sum(min(rank, 10) for rank in group) for group in groups]
    fifteens = 2 * ((values[-1] in (15, 31)) if last and values else values.count(15))
    alike = [len(group) * (len(group) - 1) for group in groups if len(set(group)) == 1]
    pairs = max(alike, default=0) if last else 2 * alike.count(2)
    runs = [group for group in groups if len(group) > 2 and sorted(group) == list(range(min(group), max(group) + 1))]
    longest = max(map(len, runs), default=0)
    return fifteens + pairs + sum(len(run) for run in runs if len(run) == longest)


def _groups(ranks: list[int]) -> list[tuple[int, ...]]:
    return [group for size in range(2, len(ranks) + 1) for group in combinations(ranks, size)]


@pytest.mark.parametrize("seed", range(10))
def test_accuracy_counts_each_card_hand_and_crib_once(seed: int) -> None:
    """Under call a side's share is of its cards laid, its hand and its crib, by a count of another kind."""
    chance = random.Random(seed)
    laid = "4S 2D 3D AH 5C 2H 4C 3C".split()
    truths = [(place % 2, by_hand(laid[: place + 1], last=True)) for place in range(8)]
    truths += [(0, by_hand([*laid[::2], "QS"], last=False)), (1, by_hand([*laid[1::2], "QS"], last=False))]
    truths += [(1, by_hand("JC JD TC AS QS".split(), last=False))]
    claims = [chance.choice((true, true, true + 1, 0)) for _, true in truths]
    body = [f"play {('Ann', 'Bob')[place % 2]} {card} peg {claims[place]}" for place, card in enumerate(laid)]
    shows = [f"show Ann peg {claims[8]}", f"show Bob peg {claims[9]}", f"crib Bob JC JD TC AS peg {claims[10]}"]
    found = told("deal Bob", "starter QS", *body, *shows, "stop", head="referee call\n").accuracy
    right = [claim == true for claim, (_, true) in zip(claims, truths, strict=True)]
    for side, known in ((0, 5), (1, 6)):
        mine = [one for one, (owner, _) in zip(right, truths, strict=True) if owner == side]
        assert found[side] == Accuracy(sum(mine), known)


def test_what_nobody_saw_under_call() -> None:
    """Under call the wrong counts that stood uncalled are told at the end, missed and surplus points alike."""
    found = told(
        *PLAY,
        "play Bob 3C peg 3",
        "show Ann peg 8",
        "show Bob peg 16",
        "crib Bob JC JS TC AS peg 9",
        "stop",
        head="referee call\n",
    )
    assert wrong(found) == [(1, "card", 2), (0, "hand", 2), (1, "hand", -2)]
    assert [(one.claimed, one.true) for one in found.unseen] == [(3, 5), (8, 10), (16, 14)]


def test_what_was_called_was_seen() -> None:
    """A call takes its number off what nobody saw; a surplus put back is gone from the side's hands."""
    found = told(
        *PLAY,
        "play Bob 3C peg 5",
        "show Ann peg 7",
        "muggins Bob 1 on Ann hand",
        "show Bob peg 16",
        "muggins Ann 2 many on Bob hand",
        "stop",
        book="acc",
        head="muggins on\nreferee call\n",
    )
    assert wrong(found) == [(0, "hand", 2)]
    assert found.points == (SidePoints(play=15, hands=7, other=2), SidePoints(play=10, hands=14, other=1))


def test_a_mistaken_call_sees_nothing() -> None:
    """Too few called on a count that was too many leaves the surplus unseen."""
    found = told(
        *PLAY, "play Bob 3C peg 5", "show Ann peg 12", "muggins Bob 1", "stop", book="acc",
        head="muggins on\nreferee call\n",
    )  # fmt: skip
    assert wrong(found) == [(0, "hand", -2)]


def test_a_call_agreed_to_settles_its_number() -> None:
    """A surplus agreed to as called settles that number of points and no more."""
    found = told(
        *PLAY, "play Bob 3C peg 5", "show Ann peg 13", "muggins Bob 1 many agreed", "stop", book="acc",
        head="muggins on\nreferee call\n",
    )  # fmt: skip
    assert wrong(found) == [(0, "hand", -2)]


@pytest.mark.parametrize(("muggins", "unseen"), [("on", [(0, "hand", 2)]), ("off", [])])
def test_flagged_counts(muggins: str, unseen: list[tuple[int, str, int]]) -> None:
    """Under flag a count put back or mended stands no more; a flagged one that was left is told."""
    found = told(*PLAY, "play Bob 3C peg 5", "show Ann peg 8", "show Bob peg 16", "stop", head=f"muggins {muggins}\n")
    assert wrong(found) == unseen
    assert found.accuracy[0] == Accuracy(4, 5)
    assert found.points[1].hands == 14


def test_claim_and_truth_are_cut_to_the_holes_to_go() -> None:
    """A count that is enough to go out is right, whatever more the hand is worth."""
    found = told(*DEAL[:-2], "accept", head="start 100 0\nreferee call\n")
    assert found.counts[-1] == Count(1, 0, "hand", 6, 6, holes=6, plays=0, stands=True)


def test_a_claim_after_its_card_is_the_claim() -> None:
    """Points claimed after a card was laid take the place of the nothing it was laid with."""
    laid = events(*PLAY[:5], "play Bob AH peg 0", head="referee call\n")
    found = report([*laid, did.CardClaimed(1, 4), did.GameStopped()])
    assert [(one.seat, one.claimed, one.true) for one in found.counts] == [(0, 0, 0), (1, 0, 0), (0, 3, 3), (1, 4, 4)]


def test_cards_that_were_never_known_are_not_judged() -> None:
    """A claim without cards is neither right nor wrong until a call brings the cards."""
    body = ("deal Bob", "starter QS", "show Ann peg 8")
    assert told(*body, "stop", head="referee call\n").accuracy == (Accuracy(), Accuracy())
    found = told(*body, "muggins Bob 1", "cards Ann 4S 3D 4C 5C", "stop", book="acc", head="muggins on\nreferee call\n")
    assert found.accuracy == (Accuracy(0, 1), Accuracy())
    assert wrong(found) == [(0, "hand", 1)]
    assert found.best is not None
    assert (codes(found.best.cards), found.best.points) == (["4S", "3D", "4C", "5C"], 10)


def test_best_hand() -> None:
    """The best hand is the one worth most by its cards, with starter and owner, whatever was claimed for it."""
    best = told(*DEAL[:-3], "show Ann peg 20", "show Bob peg 14", "stop", head="referee off\n").best
    assert best is not None
    assert (best.seat, best.what, best.points, str(best.starter)) == (1, "hand", 14, "QS")
    assert sorted(codes(best.cards)) == ["2D", "2H", "3C", "AH"]


def test_a_void_deal_is_left_out() -> None:
    """Of a void deal neither points nor counts nor hands are told; its penalties are."""
    found = told(*DEAL[:-1], "penalty Ann 2 misdeal", "void", "stop", head="referee call\n")
    assert found.points == (SidePoints(other=2), SidePoints())
    assert (found.counts, found.best, found.homes) == ((), None, ())


def by_points(dealer: str, *points: int) -> Iterator[str]:
    """One deal kept by numbers: play and hand of the pone, then play, hand and crib of the dealer."""
    pone = "Bob" if dealer == "Ann" else "Ann"
    yield f"deal {dealer}"
    yield from (f"peg {who} {number}" for who, number in ((pone, points[0]), (dealer, points[2])) if number)
    yield from (f"show {pone} peg {points[1]}", f"show {dealer} peg {points[3]}", f"crib {dealer} peg {points[4]}")


def test_at_home_deal_by_deal() -> None:
    """000: 17 to the dealer and 12 to the pone; 29 at home when each has dealt, seven ahead on even deals safe."""
    found = told(
        *by_points("Bob", 4, 8, 5, 7, 5),  # Ann 12, Bob 17
        *by_points("Ann", 4, 7, 5, 7, 6),  # Bob 28, Ann 30
        *by_points("Bob", 4, 8, 5, 7, 5),  # Ann 42, Bob 45
        *by_points("Ann", 0, 6, 9, 7, 0),  # Bob 51, Ann 58
        "stop",
    )
    assert [one.scores for one in found.homes] == [(12, 17), (30, 28), (42, 45), (58, 51)]
    assert [one.due for one in found.homes] == [(12, 17), (29, 29), (41, 46), (58, 58)]
    assert [one.at_home for one in found.homes] == [(), (True, False), (), (True, False)]
    assert [one.safe for one in found.homes] == [None, None, None, 0]


def test_six_ahead_is_not_safe() -> None:
    """Seven ahead is safe at home, six is not."""
    found = told(*by_points("Bob", 4, 8, 5, 7, 5), *by_points("Ann", 1, 7, 5, 7, 7), "stop")
    assert found.homes[-1].scores == (31, 25)
    assert found.homes[-1].safe is None


def test_at_home_in_five_card() -> None:
    """002: at five-card 17 in two deals is at home; what one deal should bring is not told. Three for last count."""
    found = told(
        *by_points("Bob", 1, 5, 2, 4, 5), *by_points("Ann", 1, 4, 2, 4, 5), "stop", game="five-card", book="foster"
    )
    assert [(one.scores, one.due, one.at_home) for one in found.homes] == [
        ((9, 11), (), ()),
        ((20, 16), (17, 17), (True, False)),
    ]


def test_a_count_called_after_the_crib_is_in_the_deals_score() -> None:
    """A call made before the next starter belongs to the deal it was made on."""
    body = (*DEAL[:-1], "crib Bob JC JS TC AS peg 7", "muggins Ann 2", "stop")
    found = told(*body, book="acc", head="muggins on\nreferee call\n")
    assert found.homes[0].scores == (27, 31)


def test_no_yardstick_for_other_games() -> None:
    """Three-handed, four-handed and seven-card have no yardstick."""
    assert told("deal Ann", "peg Bob 3", "stop", game="three-handed").homes == ()


@pytest.mark.parametrize("level", ["teach", "flag", "call", "off"])
def test_no_report_before_the_end(level: str) -> None:
    """While a game is under way there is no report, at any level."""
    with pytest.raises(Illegal, match="after the game's end"):
        told(*DEAL, head=f"referee {level}\n")


def test_no_report_while_the_winning_claim_waits() -> None:
    """A claim of the game that can still be called has no report yet."""
    waiting = events(*PLAY[:6], head="start 114 117\nreferee call\n", book="acc")
    with pytest.raises(Illegal, match="after the game's end"):
        report(waiting)
    assert report([*waiting, did.ClaimsAccepted(None)]).winner == 1


def test_no_game_no_report() -> None:
    """Without a game there is nothing to report, and no match."""
    with pytest.raises(Illegal):
        report([])
    with pytest.raises(Illegal):
        match_tally([])


def game(scores: str, side: str, *, book: str = "acc", rematch: bool = True) -> list[did.Event]:
    first, *rest = events("deal Bob", f"peg {side} 1", book=book, head=f"start {scores}\n")
    assert isinstance(first, did.GameOpened)
    return [replace(first, rematch=rematch), *rest]


def test_match_of_a_club_night() -> None:
    """acc: a win 2, a skunk (90 or less) 3, a loss 0; the spread is the margin, plus and minus."""
    night = [*game("120 91", "Ann", rematch=False), *game("90 120", "Bob"), *game("120 120", "Ann")]
    assert match_tally(night) == Match("game-points", (4, 3), (2, 1), (30 - 31 + 1, -30 + 31 - 1))
    assert report(night).match == match_tally(night)


def test_a_new_match_begins_without_a_rematch() -> None:
    """A game that is no rematch begins the tally anew; a game under way counts nothing yet."""
    night = [*game("120 80", "Ann", book="modern", rematch=False), *game("120 100", "Ann", book="modern")]
    assert match_tally(night) == Match("games", (3, 0), (2, 0), (62, -62))
    fresh = game("120 100", "Ann", book="modern", rematch=False)
    assert match_tally([*night, *fresh[:2]]) == Match("games", (0, 0), (0, 0), (0, 0))


def test_skunks_and_names() -> None:
    """The winner, the losers' skunks and the names of sides and seats are in the report."""
    found = report(game("120 60", "Ann"))
    assert (found.winner, found.skunks, found.side_names, found.names) == (0, (0, 2), ("Ann", "Bob"), ("Ann", "Bob"))


def test_a_call_is_on_its_own_card() -> None:
    """Of two cards of one seat only the one that was called was seen."""
    found = told(
        "deal Bob",
        "starter 2H",
        "play Ann TC peg 0",
        "play Bob 5D peg 0",
        "play Ann 5H peg 0",
        "play Bob 5S peg 4",
        "muggins Ann 2 on Bob card",
        "stop",
        book="acc",
        head="muggins on\nreferee call\n",
    )
    assert [(one.seat, one.plays, one.unseen) for one in found.unseen] == [(1, 2, 2), (0, 3, 2)]


def test_a_surplus_proved_by_cards_comes_off_its_part() -> None:
    """A surplus that cards keyed for a call prove is taken from the hands, and nobody failed to see it."""
    found = told(
        "deal Bob",
        "starter QS",
        "show Ann peg 12",
        "muggins Bob 2 many",
        "cards Ann 4S 3D 4C 5C",
        "stop",
        book="acc",
        head="muggins on\nreferee call\n",
    )
    assert found.points == (SidePoints(hands=10), SidePoints(other=2))
    assert wrong(found) == []


def test_a_truth_proved_by_cards_is_cut_to_the_holes_to_go() -> None:
    """Five to go, four claimed and one called: the rest of the hand's ten was nowhere to be pegged."""
    found = told(
        "deal Bob",
        "starter QS",
        "show Ann peg 4",
        "muggins Bob 1",
        "cards Ann 4S 3D 4C 5C",
        "stop",
        book="acc",
        head="start 116 0\nmuggins on\nreferee call\n",
    )
    assert [(one.claimed, one.true) for one in found.counts] == [(4, 5)]
    assert wrong(found) == []


def test_cards_are_not_judged_where_everything_is_claimed() -> None:
    """At level off a card's claim holds go and last too, so only hands and cribs are judged there."""
    found = told(*DEAL, "stop", head="referee off\n")
    assert [one.what for one in found.counts] == ["hand", "hand", "crib"]
    assert found.accuracy == (Accuracy(1, 1), Accuracy(2, 2))
