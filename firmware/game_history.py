"""What became of one game, deal by deal: pure values from its events, for the list of games, its page and its files.

Only what the ledger holds is told, which under ``call`` is claims and not truths; the report, which tells truths, comes
once the game is over and nothing is left to be called, and the cards of its play are named then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import events as did
from engine.apply import apply
from engine.errors import Illegal
from engine.public import sealed
from engine.replay import end_values, outcome_values
from engine.report import GameReport, report
from engine.spoken import spoken_play
from engine.state import Award, Outcome, Revealed, State
from firmware.explain import sentence
from firmware.report_sentences import notes, report_values
from firmware.words import Language, localise, say


@dataclass(slots=True)
class DealHistory:
    """One deal; number 0 is what was pegged before the first."""

    number: int
    dealer: str | None
    starter: str | None = None
    void: bool = False
    lines: list[dict[str, Any]] = field(default_factory=list)
    """Awards, miscounts and false gos as a replay tells them, each with its ``words``."""
    scores: dict[str, int] = field(default_factory=dict)
    """By side, when the next deal began."""


@dataclass(frozen=True, slots=True)
class GameHistory:
    """One game. ``ended`` is False while it is under way, also while the winning claim may still be called."""

    opened: did.GameOpened
    sides: tuple[str, ...]
    deals: tuple[DealHistory, ...]
    end: dict[str, Any]
    """Winner, scores and skunks as a replay tells them."""
    stopped: bool
    ended: bool
    report: GameReport | None
    embargoed: bool = False
    """A count under ``call`` is being made or may still be called: right or wrong, no card may be told."""

    def plain(self, language: Language = "en-US") -> dict[str, Any]:
        """Everything as JSON values."""
        rules = self.opened.rules
        told = None
        if self.report is not None:
            words = [localise(line, language) for line in notes(self.report)]
            told = report_values(self.report) | {"words": words}
        return {
            "kind": rules.game,
            "rules": rules.book,
            "target": rules.target,
            "muggins": self.opened.muggins,
            "referee": list(self.opened.levels),
            "players": list(self.opened.names),
            "sides": list(self.sides),
            "winner": self.end["winner"],
            "scores": self.end["scores"],
            "skunks": self.end["skunks"],
            "stopped": self.stopped,
            "ended": self.ended,
            "deals": [_plain(deal, language) for deal in self.deals],
            "report": told,
        }


def _plain(deal: DealHistory, language: Language) -> dict[str, Any]:
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "starter": deal.starter,
        "void": deal.void,
        "events": [{**line, "words": localise(line["words"], language)} for line in deal.lines],
        "scores": deal.scores,
    }


def game_history(match: Iterable[Sequence[did.Event]]) -> GameHistory:
    """The last of these games, which are the games of one match in order. Raises Illegal where there is none."""
    games = [tuple(game) for game in match]
    state: State | None = None
    for game in games[:-1]:
        for event in game:
            state = apply(state, event)
    gathered = _Gathered()
    opened: did.GameOpened | None = None
    for event in games[-1] if games else ():
        before, state = state, apply(state, event)
        if isinstance(event, did.GameOpened):
            opened, before = event, None
        gathered.add(before, event, state)
    if state is None or opened is None:
        raise Illegal("no game has been opened: there is nothing to tell")
    over = (state.winner is not None and not state.claims) or state.stopped
    return GameHistory(
        opened=opened,
        sides=tuple(state.side_name(side) for side in range(len(state.pegs))),
        deals=gathered.told(state, named=over or not gathered.hushed),
        end=end_values(state),
        stopped=state.stopped,
        ended=over,
        report=report(event for game in games for event in game) if over else None,
        embargoed=not over and (sealed(state) or any(one.by_call and one.what != "go" for one in state.claims)),
    )


class _Gathered:
    """What is kept while a game is folded."""

    def __init__(self) -> None:
        self.deals = [DealHistory(0, None)]
        self.hushed = False
        """A side counted under ``call``: what was laid is not to be read before the game is over."""
        self._named: list[tuple[dict[str, Any], str]] = []

    def add(self, before: State | None, event: did.Event, state: State) -> None:
        """One event, with the state before and after it."""
        if isinstance(event, did.DealBegun):
            self.deals.append(DealHistory(state.deals, state.names[event.dealer]))
        self.hushed = self.hushed or "call" in state.levels
        deal = self.deals[-1]
        deal.void = deal.void or isinstance(event, did.DealVoided)
        if state.deal is not None and state.deal.starter is not None:
            deal.starter = None if sealed(state) else str(state.deal.starter)
        if state.before is not None and state.before.starter is not None and len(self.deals) > 1:
            self.deals[-2].starter = None if sealed(state) else str(state.before.starter)
        for outcome in state.ledger[0 if before is None else len(before.ledger) :]:
            if not isinstance(outcome, Revealed):
                values = outcome_values(state, outcome)
                line = values | {"words": sentence(state, outcome)}
                deal.lines.append(line)
                self._name(line, event, outcome, state)
        deal.scores = {state.side_name(side): score for side, score in enumerate(state.scores)}

    def _name(self, line: dict[str, Any], event: did.Event, outcome: Outcome, state: State) -> None:
        """Keep the words that name the card of an award in the play."""
        if state.deal is None or not isinstance(outcome, Award) or outcome.what != "card":
            return
        key = {did.CardPlayed: "told-lays", did.CardClaimed: "told-claims"}.get(type(event))
        if key and state.deal.played:
            card, said = state.deal.played[-1].card, spoken_play(outcome.whys, outcome.count)
            self._named.append((line, say(key, name=state.names[outcome.seat], card=card, said=said)))

    def told(self, state: State, *, named: bool) -> tuple[DealHistory, ...]:
        """The deals, the one before the first only where anything was pegged in it; ``named`` with the cards laid."""
        for line, words in self._named if named else ():
            line["words"] = words
        return tuple(deal for deal in self.deals if deal.number or deal.lines)
