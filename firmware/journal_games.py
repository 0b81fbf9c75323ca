"""The games of a journal: what each came to, and its events for export."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.apply import apply
from engine.events import Event, GameOpened
from engine.history import Corrected, Undone, fold_rows
from engine.state import State
from firmware.journal_outline import Opening
from firmware.journal_rows import Removed, Row, acts_in


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game that stands."""

    number: int
    opened_at: str
    """Wall-clock time in ISO form."""
    names: tuple[str, ...]
    game: str
    book: str
    scores: tuple[int, ...] | None
    """Front pegs by side; None when the game cannot be folded by this program."""
    winner: int | None
    """The winning side, if the game came to its end."""
    stopped: bool
    """The game was given up."""
    ended: bool = True
    """It is over: won, with no claim left open, or given up, or followed by another game."""


def events_by_game(openings: Iterable[Opening], rows: Iterable[Row]) -> dict[int, list[Event]]:
    """The standing events of each game of one match, by number. Raises CribbageError if they cannot be folded."""
    games: dict[int, list[Event]] = {}
    numbers: dict[int, list[int]] = {}
    for opening in openings:
        numbers.setdefault(opening.entry, []).append(opening.game)
    game = 0
    for number, events in _standing(list(rows)):
        for event in events:
            if isinstance(event, GameOpened):
                game = numbers[number].pop(0)
            games.setdefault(game, []).append(event)
    return games


def _standing(rows: list[Row]) -> list[tuple[int, tuple[Event, ...]]]:
    """The entries that stand. Only a correction needs the fold: the rest is taking undone ones away."""
    entries: list[tuple[int, tuple[Event, ...]]] = []
    for row in rows:
        if isinstance(row.act, Corrected):
            return [(entry.number, entry.events) for entry in fold_rows(acts_in(rows)).entries()]
        if isinstance(row.act, Undone):
            entries.pop()
        elif not isinstance(row.act, Removed):
            entries.append((row.number, row.act))
    return entries


def summaries(openings: Iterable[Opening], rows: list[Row]) -> list[GameSummary]:
    """A summary of each game of one match, in order."""
    openings = tuple(openings)
    times = {opening.game: opening.at for opening in openings}
    try:
        games = events_by_game(openings, rows)
    except Exception:  # a match of an older program that this one cannot fold is still listed
        return [_summary(game, times, event, None) for game, event in _opened(openings, rows)]
    found: list[GameSummary] = []
    state: State | None = None
    for place, (game, events) in enumerate(games.items(), 1):
        for event in events:
            state = apply(state, event)
        if isinstance(events[0], GameOpened):
            found.append(_summary(game, times, events[0], state, last=place == len(games)))
    return found


def _summary(
    game: int, times: dict[int, str], event: GameOpened, state: State | None, *, last: bool = False
) -> GameSummary:
    over = state is None or state.stopped or (state.winner is not None and not state.claims)
    return GameSummary(
        number=game,
        opened_at=times[game],
        names=event.names,
        game=event.rules.game,
        book=event.rules.book,
        scores=state.scores if state else None,
        winner=state.winner if state else None,
        stopped=bool(state and state.stopped),
        ended=over or not last,
    )


def _opened(openings: tuple[Opening, ...], rows: list[Row]) -> list[tuple[int, GameOpened]]:
    undone = {row.act.entry for row in rows if isinstance(row.act, Undone)}
    events = {
        row.number: [event for event in row.act if isinstance(event, GameOpened)]
        for row in rows
        if row.number not in undone and not isinstance(row.act, Undone | Corrected | Removed)
    }
    return [(one.game, events[one.entry].pop(0)) for one in openings if events.get(one.entry)]
