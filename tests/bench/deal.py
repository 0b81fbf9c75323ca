"""What a deal costs: deciding and applying its intents, and having them on the disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import played
from measure import Asked, Line, interleaved, percentile, ratio

from engine.apply import apply
from engine.decide import decide
from engine.history import History
from engine.intents import Deal, Intent, OpenGame
from engine.rules import rules_for
from engine.state import State
from firmware.journal import open_journal

STARTED = datetime(2000, 1, 1, tzinfo=UTC)


def opened() -> History:
    """A game opened, and nothing done yet."""
    rules = rules_for("six-card", "modern")
    game = OpenGame(rules, ("Ann", "Bob"), rules.muggins, ("flag",) * rules.side_count)
    return History().enter(1, game)


def planned(deals: int) -> list[list[Intent]]:
    """The intents of some whole deals, each of them the first of a game."""
    chance = Random(31)
    return [plan(chance) for _ in range(deals)]


def plan(chance: Random) -> list[Intent]:
    """The intents of one deal."""
    history = opened()
    intents: list[Intent] = []

    def take(intent: Intent) -> None:
        nonlocal history
        intents.append(intent)
        history = history.enter(2, intent)

    def now() -> State:
        assert history.state is not None
        return history.state

    take(Deal(1))
    for step in played.deal(now, chance):
        take(step.intent)
    return intents


def lines(asked: Asked) -> Iterator[Line]:
    """The lines about a deal; the journal is kept in the section's folder, which must lie on a real disk."""
    deals = 5 if asked.quick else 200
    plans = planned(deals)
    start = opened()

    def bare() -> None:
        for intents in plans:
            state = start.state
            for intent in intents:
                for event in decide(state, intent):
                    state = apply(state, event)

    def kept() -> None:
        for intents in plans:
            history = start
            for number, intent in enumerate(intents, 2):
                history = history.enter(number, intent)

    def twice() -> None:
        for intents in plans:
            history = start
            for number, intent in enumerate(intents, 2):
                history = history.record(number, history.decide(intent))

    seconds = interleaved({"bare": bare, "kept": kept, "twice": twice}, asked.rounds)
    began = process_time()
    bare()
    worked = (process_time() - began) / deals * 1000
    note = f"{sum(map(len, plans)) / deals:.1f} intents a deal; {worked:.2f} ms of processor time in a run by itself"
    yield Line("a deal's intents decided and applied", median(seconds["bare"]) / deals * 1000, "ms", 1, note=note)
    note = f"as the board does; {ratio(seconds['kept'], seconds['bare']):.2f} times the line above, and "
    note += f"{ratio(seconds['kept'], seconds['twice']):.2f} times deciding first and recording after"
    yield Line("the same with its history", median(seconds["kept"]) / deals * 1000, "ms", 1, note=note)
    commits = [one * 1000 for one in committed(plans[: max(1, deals // 10)], asked.folder)]
    yield Line("one act committed to the journal, p50", percentile(commits, 50), "ms")
    note = f"{len(commits)} acts, the slowest {max(commits):.1f} ms"
    yield Line("one act committed to the journal, p99", percentile(commits, 99), "ms", note=note)


def committed(plans: Sequence[Sequence[Intent]], folder: Path) -> list[float]:
    """Seconds of each append, every one synced."""
    journal = open_journal(folder, now=lambda: STARTED)
    seconds = []
    try:
        for intents in plans:
            history = opened()
            assert history.entry is not None
            acts = [history.entry.events]
            for intent in intents:
                history = history.enter(2, intent)
                assert history.entry is not None
                acts.append(history.entry.events)
            for act in acts:
                number = journal.next_number
                began = perf_counter()
                journal.append(number, act)
                seconds.append(perf_counter() - began)
    finally:
        journal.close()
    return seconds
