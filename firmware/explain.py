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
    """All that is to be said of some outcomes of the ledger, in whole sentences: what came of them, then the count."""
    return ". ".join(part for part in tell(state, outcomes) if part)


def tell(state: State, outcomes: Iterable[Outcome]) -> tuple[str, str]:
    """What came of some outcomes of the ledger, and the count that a miscount was found by; either may be empty.

    A miscount is told once, with what was claimed, what is true and what goes back: the peg's way is no news then.
    """
    told = tuple(outcomes)
    judged = any(isinstance(outcome, Revealed) for outcome in told)
    wrong = [one for one in told if isinstance(one, Miscount)]
    news = [
        _miscount(state, one, told) if isinstance(one, Miscount) else sentence(state, one)
        for one in told
        if not isinstance(one, Revealed) and not any(_belongs(one, miscount) for miscount in wrong)
    ]
    counts = [sentence(state, one) for one in told if isinstance(one, Revealed)]
    if not judged:  # flagged by the board: the count it flagged is told too
        counts = [_true_count(state, one) for one in wrong]
    return ". ".join(filter(None, news)), ". ".join(filter(None, counts))


_PEGGED = frozenset({Kind.CLAIMED, Kind.OVER_CLAIM})


def _belongs(outcome: Outcome, miscount: Miscount) -> bool:
    """Whether an award is only how that miscount was pegged or put back."""
    if not isinstance(outcome, Award) or outcome.seat != miscount.seat:
        return False
    return outcome.what == miscount.what or {why.kind for why in outcome.whys} == {Kind.OVER_CLAIM}


def _miscount(state: State, miscount: Miscount, told: Iterable[Outcome]) -> str:
    """What was claimed, what is true, and what the board did about it."""
    pegged = [one for one in told if isinstance(one, Award) and _belongs(one, miscount)]
    back = -sum(one.points for one in pegged if one.points < 0)
    text = sentence(state, miscount)
    if back:
        return say("miscount-back", miscount=text, points=back)
    if any(why.kind not in _PEGGED for one in pegged for why in one.whys):
        return say("miscount-pegged", miscount=text, points=sum(one.points for one in pegged))
    return text


def _true_count(state: State, miscount: Miscount) -> str:
    """A flagged hand or crib counted aloud."""
    counted = None if state.deal is None else _spoken(state, state.deal, miscount.seat, miscount.what)
    return counted[0].upper() + counted[1:] if counted else ""


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
        case Miscount(claimed=claimed, true=true, what=what):
            return say("miscount", name=name, what=what, claimed=claimed, true=true)
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
        case Award():
            return f"{name}: {spoken_play(outcome.whys)}"


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
