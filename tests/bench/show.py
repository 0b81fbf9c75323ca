"""How fast a show is counted: its total, with every reason, and all deals there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median

import yardstick
from measure import Asked, Line, interleaved, ratio, spread, timed

from engine.cards import PACK, Card, parse_card
from engine.rank_table import points_of
from engine.show import every_deal, show, total

COMPARED = "cribbage-scorer 0.2.5"

Deal = tuple[tuple[Card, Card, Card, Card], Card]


def dealt(deals: int) -> list[Deal]:
    """Some hands with their starters, the same on every run."""
    chance = Random(121)
    return [((a, b, c, d), starter) for a, b, c, d, starter in (chance.sample(PACK, 5) for _ in range(deals))]


def lines(asked: Asked) -> Iterator[Line]:
    """The lines about the show. Raises AssertionError where two counters disagree: then speed means nothing."""
    rounds, deals = asked.rounds, 200 if asked.quick else 20_000
    shows = dealt(deals)
    plain = [((int(a), int(b), int(c), int(d)), int(starter)) for (a, b, c, d), starter in shows]
    totals = [total(hand, starter) for hand, starter in shows]
    assert totals == [yardstick.total(hand, starter) for hand, starter in plain], "the yardstick counts otherwise"

    def ours() -> None:
        for hand, starter in shows:
            total(hand, starter)

    def bare() -> None:
        for hand, starter in plain:
            yardstick.total(hand, starter)

    jobs: dict[str, Callable[[], object]] = {"ours": ours, "bare": bare}
    other = compared(shows[: max(1, deals // 20)])
    if other is not None:
        jobs["other"] = other
    seconds = interleaved(jobs, rounds)
    each = median(seconds["ours"]) / deals * 1e9
    note = f"{each:.0f} ns a show, {median(seconds['bare']) / deals * 1e9:.0f} ns; "
    yield Line(
        "total of a show: times a bare table look-up",
        ratio(seconds["ours"], seconds["bare"]),
        "x",
        2,
        True,
        note + spread(seconds["ours"], seconds["bare"]),
    )
    if other is None:
        why = f"{COMPARED} is not installed; make bench installs it, if it can be had"
        yield Line(f"total of a show: times {COMPARED}", None, "x", 1 / 20, True, why)
    else:
        per_show = [one * deals / max(1, deals // 20) for one in seconds["other"]]
        note = f"it needs {median(per_show) / deals * 1e6:.1f} us a show"
        yield Line(f"total of a show: times {COMPARED}", ratio(seconds["ours"], per_show), "x", 1 / 20, True, note)
    if not asked.quick:
        yield whole(rounds)
    yield from apart(rounds, shows)


def whole(rounds: int) -> Line:
    """All deals, the same number of rounds."""
    assert every_deal() == yardstick.every_deal(), "the yardstick counts otherwise"
    seconds = interleaved({"ours": every_deal, "bare": yardstick.every_deal}, rounds)
    note = f"{median(seconds['ours']):.2f} s, {median(seconds['bare']):.2f} s; {rounds} rounds, "
    return Line(
        "all 12,994,800 deals: times a bare table look-up",
        ratio(seconds["ours"], seconds["bare"]),
        "x",
        2,
        True,
        note + spread(seconds["ours"], seconds["bare"]),
    )


def apart(rounds: int, shows: list[Deal]) -> Iterator[Line]:
    """What the totals above do not hold: parsing, checking with every reason, and the table's own making."""
    shows = shows[: max(1, len(shows) // 10)]
    texts = [[str(one) for one in (*hand, starter)] for hand, starter in shows]

    def parse() -> None:
        for text in texts:
            for code in text:
                parse_card(code)

    def reasons() -> None:
        for hand, starter in shows:
            show(hand, starter)

    seconds = interleaved({"parse": parse, "reasons": reasons}, rounds)
    yield Line("five cards parsed", median(seconds["parse"]) / len(shows) * 1e6, "us")
    yield Line("a show checked and counted, every award", median(seconds["reasons"]) / len(shows) * 1e6, "us")
    keys = list(yardstick.TABLE)
    filling = timed(lambda: [points_of(key) for key in keys])
    yield Line("one entry of the rank table, on first use", filling / len(keys) * 1e6, "us")


def compared(shows: list[Deal]) -> Callable[[], object] | None:
    """The same shows counted by the other package, its own kind of cards made beforehand; None where it is missing.

    It lists a text with each total. Where its total differs from ours it is left as it is: only its time is asked.
    """
    try:
        from cribbage_scorer.cribbage_scorer import show_calc_score
    except ImportError:
        return None
    theirs = [([_pair(one) for one in hand], _pair(starter)) for hand, starter in shows]

    def run() -> None:
        for hand, starter in theirs:
            show_calc_score(starter, hand)

    return run


def _pair(one: Card) -> tuple[int, str]:
    return one.rank, str(one)[-1]
