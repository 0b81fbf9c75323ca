"""The match: what the games at one table come to, in the book's points, in games and in holes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine import events as did
from engine.apply import apply
from engine.errors import Illegal
from engine.state import State


@dataclass(frozen=True, slots=True)
class Match:
    """A match by side: a game and the rematches that followed it."""

    unit: str
    """What the points are: games, or game-points (acc: 2 a win, 3 a skunk, 0 a loss)."""
    points: tuple[int, ...]
    games: tuple[int, ...]
    """Games won."""
    spread: tuple[int, ...]
    """Net holes: the winner's margin over the next side, and each loser's behind the winner (acc; three sides ours)."""


def match_tally(events: Iterable[did.Event]) -> Match:
    """What the games won so far come to, back to the last game that was no rematch. Raises Illegal without a game."""
    state: State | None = None
    games: list[int] = []
    spread: list[int] = []
    for event in events:
        if isinstance(event, did.GameOpened):
            if state is not None and event.rematch:
                _count(state, games, spread)
            else:
                games, spread = [0] * event.rules.side_count, [0] * event.rules.side_count
        state = apply(state, event)
    if state is None:
        raise Illegal("no game has been opened: there is no match")
    _count(state, games, spread)
    return Match(state.rules.tally, state.games_won, tuple(games), tuple(spread))


def _count(state: State, games: list[int], spread: list[int]) -> None:
    """Add one game, if it was won."""
    won = state.winner
    if won is None:
        return
    games[won] += 1
    scores = state.scores
    for side, score in enumerate(scores):
        against = max(other for place, other in enumerate(scores) if place != side) if side == won else scores[won]
        spread[side] += score - against
