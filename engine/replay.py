"""Replaying a record: what each line moves on the board, as plain values and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.cards import codes
from engine.record_read import steps
from engine.rules import BOOKS, RuleBook
from engine.state import Award, FalseGo, Miscount, Revealed, State

Line = dict[str, Any]
"""One thing a replay tells, as plain values in the order they are printed."""


def replay(record: str | bytes, books: Mapping[str, RuleBook] = BOOKS) -> Iterator[Line]:
    """Everything a record moves, in order, and ``end`` last. Raises RecordError where a line cannot be read or played.

    ``books`` are the rule books known by name.

    >>> head = "crib 1\\ngame six-card\\nrules modern\\nplayers Ann Bob\\n"
    >>> [(line["event"], line.get("points")) for line in replay(head + "deal Bob\\nstarter JC\\n")]
    [('award', 2), ('end', None)]
    """
    state: State | None = None
    for step in steps(record, books):
        known = 0 if step.before is None else len(step.before.ledger)
        state = step.after
        for outcome in state.ledger[known:]:
            if isinstance(outcome, Revealed):
                continue  # what it proves stands in the miscount and the award beside it
            yield {"line": step.line, **outcome_values(state, outcome)}
    if state is not None:
        yield end_values(state)


def outcome_values(state: State, outcome: Award | Miscount | FalseGo) -> Line:
    """One outcome of the ledger as plain values; ``state`` tells the names."""
    if isinstance(outcome, Award):
        values: Line = {
            "event": "award",
            "player": state.names[outcome.seat],
            "points": outcome.points,
            "why": [why.to_dict() for why in outcome.whys],
        }
        if outcome.count is not None:
            values["count"] = outcome.count
        return {**values, "scores": _by_side(state, outcome.scores)}
    if isinstance(outcome, FalseGo):
        return {
            "event": "false-go",
            "player": state.names[outcome.seat],
            "count": outcome.count,
            "cards": codes(outcome.cards),
            "points": outcome.points,
            "to": state.names[outcome.to],
        }
    return {
        "event": "miscount",
        "player": state.names[outcome.seat],
        "claimed": outcome.claimed,
        "true": outcome.true,
        "verdict": outcome.verdict,
    }


def end_values(state: State) -> Line:
    """How the record leaves the game: the winner, the scores, and what each loser stayed behind."""
    won = state.winner
    return {
        "event": "end",
        "winner": None if won is None else state.side_name(won),
        "scores": _by_side(state, state.scores),
        "skunks": {}
        if won is None
        else {state.side_name(side): state.skunk(side) for side in range(len(state.pegs)) if side != won},
    }


def _by_side(state: State, scores: tuple[int, ...]) -> dict[str, int]:
    return {state.side_name(side): score for side, score in enumerate(scores)}


def in_words(line: Line) -> str:
    """One line of a replay for people.

    >>> in_words({"line": 9, "event": "award", "player": "Ann", "points": 1, "why": [{"kind": "go", "points": 1}],
    ...           "count": 28, "scores": {"Ann": 4, "Bob": 0}})
    'line 9: Ann pegs 1 at 28: go 1 (Ann 4, Bob 0)'
    """
    where = f"line {line['line']}: " if "line" in line else ""
    match line["event"]:
        case "award":
            points = line["points"]
            moved = f"goes back {-points}" if points < 0 else f"pegs {points}" if points else "pegs nothing"
            count = f" at {line['count']}" if "count" in line else ""
            why = ", ".join(_why(one) for one in line["why"])
            reasons = f": {why}" if why else ""
            return f"{where}{line['player']} {moved}{count}{reasons} ({_scores(line['scores'])})"
        case "miscount":
            few = "few" if line["verdict"] == "under" else "many"
            wrong = abs(line["true"] - line["claimed"])
            return f"{where}{line['player']} claimed {line['claimed']}, true {line['true']}: too {few} by {wrong}"
        case "false-go":
            price = f": {line['points']} to {line['to']}" if line["points"] else ""
            cards = " ".join(line["cards"])
            return f"{where}{line['player']} said go at {line['count']} but held {cards}{price}"
    winner = line["winner"]
    if winner is None:
        return f"the record stops here ({_scores(line['scores'])})"
    degrees = {1: "skunked", 2: "double skunked"}
    skunks = "".join(f", {name} {degrees[degree]}" for name, degree in line["skunks"].items() if degree)
    return f"{winner} wins ({_scores(line['scores'])}){skunks}"


def _why(why: dict[str, Any]) -> str:
    cards = f" ({' '.join(why['cards'])})" if "cards" in why else ""
    return f"{why['kind'].replace('-', ' ')} {why['points']}{cards}"


def _scores(scores: dict[str, int]) -> str:
    return ", ".join(f"{name} {score}" for name, score in scores.items())
