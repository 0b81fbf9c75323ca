"""The game report as JSON values and in whole sentences: for a page and a terminal, where there is room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.cards import codes
from engine.report import Count, GameReport
from firmware.words import say


def report_values(report: GameReport) -> dict[str, Any]:
    """The report as plain values, sides and players by name."""
    sides = [
        {
            "side": name,
            "play": points.play,
            "hands": points.hands,
            "crib": points.crib,
            "other": points.other,
            "start": points.start,
            "right": accuracy.right,
            "known": accuracy.known,
        }
        for name, points, accuracy in zip(report.side_names, report.points, report.accuracy, strict=True)
    ]
    best = report.best
    found = None
    if best is not None:
        found = {
            "player": report.names[best.seat],
            "what": best.what,
            "cards": codes(best.cards),
            "starter": None if best.starter is None else str(best.starter),
            "points": best.points,
            "deal": best.deal,
        }
    match = report.match
    return {
        "sides": sides,
        "unseen": [_count(report, count) for count in report.unseen],
        "best": found,
        "match": {
            "unit": match.unit,
            "points": dict(zip(report.side_names, match.points, strict=True)),
            "games": dict(zip(report.side_names, match.games, strict=True)),
            "spread": dict(zip(report.side_names, match.spread, strict=True)),
        },
    }


def _count(report: GameReport, count: Count) -> dict[str, Any]:
    return {
        "player": report.names[count.seat],
        "what": count.what,
        "deal": count.deal,
        "claimed": count.claimed,
        "true": count.true,
        "points": count.unseen,
    }


def report_sentences(report: GameReport) -> list[str]:
    """The report in words, a sentence a line."""
    return [*_won(report), *_parts(report), *_rest(report)]


def notes(report: GameReport) -> list[str]:
    """The same without where the points came from: for beside a table of that."""
    return [*_won(report), *_rest(report)]


def _won(report: GameReport) -> Iterator[str]:
    if report.winner is not None:
        for side, name in enumerate(report.side_names):
            if side == report.winner:
                yield say("told-won", name=name)
            elif report.skunks[side]:
                yield say("told-skunked" if report.skunks[side] == 1 else "told-skunked-twice", name=name)
    else:
        yield say("told-stopped")


def _parts(report: GameReport) -> Iterator[str]:
    for name, points, accuracy in zip(report.side_names, report.points, report.accuracy, strict=True):
        parts = [
            say(key, points=number)
            for key, number in (
                ("told-play", points.play),
                ("told-hands", points.hands),
                ("told-cribs", points.crib),
                ("told-other", points.other),
                ("told-start", points.start),
            )
            if number
        ]
        yield say("told-side", name=name, total=points.total, parts=", ".join(parts) or say("told-nothing"))
        if accuracy.known:
            yield say("told-right", name=name, right=accuracy.right, known=accuracy.known)


def _rest(report: GameReport) -> Iterator[str]:
    for count in report.unseen:
        key = "told-missed" if count.unseen > 0 else "told-over"
        yield say(key, name=report.names[count.seat], what=count.what, deal=count.deal, points=abs(count.unseen))
    if report.best is not None:
        best = report.best
        cards = " ".join(codes(best.cards))
        starter = "" if best.starter is None else say("told-starter", card=best.starter)
        yield say(
            "told-best",
            name=report.names[best.seat],
            what=best.what,
            points=best.points,
            deal=best.deal,
            cards=cards + starter,
        )
    match = report.match
    if sum(match.games):
        told = ", ".join(f"{name} {games}" for name, games in zip(report.side_names, match.games, strict=True))
        spread = ", ".join(f"{name} {holes:+d}" for name, holes in zip(report.side_names, match.spread, strict=True))
        yield say("told-match", games=told, spread=spread)
