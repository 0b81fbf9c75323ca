"""The words for what was just pegged, for why? and the spoken twin.

Only what the state's ledger already holds is explained; under ``call`` the ledger holds claims, not truths.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.awards import Kind
from engine.cards import codes
from engine.events import GameOpened
from engine.history import History
from engine.show import show
from engine.spoken import spoken, spoken_play
from engine.state import Award, Dealt, FalseGo, Miscount, Outcome, Revealed, State
from firmware.words import say


def explain(state: State, outcomes: Iterable[Outcome]) -> str:
    """Whole sentences for some outcomes of the ledger, in their order."""
    told = tuple(outcomes)
    judged = any(isinstance(outcome, Revealed) for outcome in told)
    sentences = [sentence(state, outcome) for outcome in told]
    if not judged:  # flagged by the board: the count it flagged is told too
        sentences += [_true_count(state, one) for one in told if isinstance(one, Miscount) and _stands(one, told)]
    return ". ".join(sentence for sentence in sentences if sentence)


def _stands(miscount: Miscount, told: tuple[Outcome, ...]) -> bool:
    """Whether the peg says what was claimed: an award by the true count explains itself."""
    awards = [one for one in told if isinstance(one, Award) and one.seat == miscount.seat]
    return any(why.kind is Kind.CLAIMED for one in awards for why in one.whys)


def _true_count(state: State, miscount: Miscount) -> str:
    """A flagged hand or crib counted aloud."""
    counted = None if state.deal is None else _spoken(state, state.deal, miscount.seat, miscount.what)
    return f"{state.names[miscount.seat]}'s {miscount.what}: {counted}" if counted else ""


class Reasons:
    """A sentence for each outcome of the ledger, told by the deal it belongs to, and kept while its act stands."""

    def __init__(self) -> None:
        self._told: list[tuple[History, list[str]]] = []

    def of(self, history: History) -> list[str]:
        """The sentences for the ledger of the game that this history stands in, in its order."""
        chain: list[History] = []
        node: History | None = history
        while node is not None and node.entry is not None:
            chain.append(node)
            node = None if isinstance(node.entry.events[0], GameOpened) else node.earlier
        chain.reverse()
        known = 0
        while known < min(len(chain), len(self._told)) and self._told[known][0] is chain[known]:
            known += 1
        del self._told[known:]
        for node in chain[known:]:
            fresh = () if node.state is None else node.state.ledger[node.news :]
            self._told.append((node, [] if node.state is None else [sentence(node.state, one) for one in fresh]))
        return [reason for _, reasons in self._told for reason in reasons]


def sentence(state: State, outcome: Outcome) -> str:
    """One outcome of the ledger in a sentence; ``state`` is the game just after it."""
    name = state.names[outcome.seat]
    match outcome:
        case Miscount(claimed=claimed, true=true):
            return say("miscount", name=name, claimed=claimed, true=true)
        case Revealed():
            return _revealed(state, outcome)
        case FalseGo(count=count, cards=cards):
            return say("false-go", name=name, count=count, cards=" ".join(codes(cards)))
        case Award(what="hand" | "crib") if (counted := _counted(state, outcome)) is not None:
            return f"{name}'s {outcome.what}: {counted}"
        case Award(what="hand" | "crib") if all(why.kind is Kind.CLAIMED for why in outcome.whys):
            return f"{name}'s {outcome.what}: {spoken_play(outcome.whys)}"
        case Award(what="card"):
            return f"{name}: {spoken_play(outcome.whys, outcome.count)}"
        case Award(points=points):
            return f"{name} {points:+d}: {spoken_play(outcome.whys)}"


def _counted(state: State, award: Award) -> str | None:
    """The whole count of a hand or crib, where the board pegged it from the cards."""
    deal = state.deal
    if deal is None or (award.whys and all(why.kind is Kind.CLAIMED for why in award.whys)):
        return None
    return _spoken(state, deal, award.seat, award.what)


def _spoken(state: State, deal: Dealt, seat: int, what: str) -> str | None:
    if what == "crib":
        cards = deal.crib
    else:
        place = (seat - deal.eldest) % len(deal.held)
        cards = deal.shown[place] if place < len(deal.shown) else None
    if not cards:
        return None
    return spoken(show(cards, deal.starter, crib=what == "crib", flush_min=state.rules.flush_min))


def _revealed(state: State, outcome: Revealed) -> str:
    """The true count of a claim that was judged, whichever of the two newest deals it was made in."""
    if outcome.what in ("hand", "crib"):
        for deal in (state.deal, state.before):
            counted = None if deal is None else _spoken(state, deal, outcome.seat, outcome.what)
            if counted is not None:
                return f"{state.names[outcome.seat]}'s {outcome.what}: {counted}"
    return f"{state.names[outcome.seat]}'s {outcome.what}: {spoken_play(outcome.whys)}"
