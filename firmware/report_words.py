"""The game report in short lines: whole names, nothing that a player has to guess. The glass wraps them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import codes
from engine.report import Count, GameReport, Home


def report_lines(report: GameReport) -> tuple[str, ...]:
    """The report, line by line: points by play, hands and cribs, accuracy, what nobody saw, the best hand, at home.

    A line that is set in belongs to the one before it that is not.
    """
    return tuple(_lines(report))


def _lines(report: GameReport) -> Iterator[str]:
    for side, name in enumerate(report.side_names):
        points, accuracy = report.points[side], report.accuracy[side]
        yield name
        yield f" play {points.play}"
        yield f" hands {points.hands}"
        yield f" cribs {points.crib}"
        if points.other:
            yield f" other {points.other}"
        if accuracy.known:
            yield f" right {accuracy.right} of {accuracy.known}"
    if report.unseen:
        yield "nobody saw"
        for count in report.unseen:
            yield _unseen(report, count)
    if report.best is not None:
        best = report.best
        yield f"best {best.what}: {best.points}"
        yield f" {report.names[best.seat]}"
        yield " " + " ".join(codes(best.cards))
        if best.starter is not None:
            yield f" starter {best.starter}"
    yield from _homes(report)
    match = report.match
    yield "won " + "-".join(str(games) for games in match.games)
    unit = "games" if match.unit == "games" else "points"
    yield f"{unit} " + "-".join(str(points) for points in match.points)
    yield "spread"
    for name, holes in zip(report.side_names, match.spread, strict=True):
        yield f" {name} {holes:+d}"


def _unseen(report: GameReport, count: Count) -> str:
    """Whose count it was, in which deal, and by how much it was out: missed points have a plus."""
    return f" {report.names[count.seat]}, deal {count.deal}: {count.what} {count.unseen:+d}"


def _homes(report: GameReport) -> Iterator[str]:
    """The old yardstick, for the deals after which each side had dealt as often."""
    judged: list[Home] = [home for home in report.homes if home.at_home]
    if not judged:
        return
    yield "at home"
    for home in judged:
        marks = " ".join("yes" if there else "no" for there in home.at_home)
        yield f" deal {home.deal}: {marks}"
        if home.safe is not None:
            yield f"  {report.side_names[home.safe]} safe"
