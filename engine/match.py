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


class Tally:
    """A match added up while its events are folded: ``add`` before each is applied."""

    def __init__(self) -> None:
        self._games: list[int] = []
        self._spread: list[int] = []

    def add(self, state: State | None, event: did.Event) -> None:
        """An event, and the state before it. Only openings count: a rematch goes on from the game that they end."""
        if not isinstance(event, did.GameOpened):
            return
        if state is not None and event.rematch:
            _count(state, self._games, self._spread)
        else:
            self._games, self._spread = [0] * event.rules.side_count, [0] * event.rules.side_count

    def match(self, state: State) -> Match:
        """What it all comes to, ``state`` being that after the last event."""
        games, spread = [*self._games], [*self._spread]
        _count(state, games, spread)
        return Match(state.rules.tally, state.games_won, tuple(games), tuple(spread))


def match_tally(events: Iterable[did.Event]) -> Match:
    """What the games won so far come to, back to the last game that was no rematch. Raises Illegal without a game."""
    state: State | None = None
    tally = Tally()
    for event in events:
        tally.add(state, event)
        state = apply(state, event)
    if state is None:
        raise Illegal("no game has been opened: there is no match")
    return tally.match(state)


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
