"""An act named in a few words, for the undo offer."""

from __future__ import annotations

from collections.abc import Sequence

from engine import events as did
from engine.cards import codes
from engine.history import History
from engine.public import sealed
from engine.state import State
from firmware.words import say


def newest(history: History) -> str:
    """What an undo would take back; empty where nothing stands."""
    if history.correction is not None and history.state is not None and sealed(history.state):
        return say("did-correct-sealed")
    if history.correction is not None:
        return say("did-correct", was=history.correction.was, card=history.correction.card)
    if history.entry is None or history.state is None:
        return ""
    return describe(history.state, history.entry.events)


def moved(before: History, after: History, *, set_up: bool) -> str:
    """What a hand has done, for another that was late: an act, an undo, or else a screen it opened or left."""
    if after is before:
        return say("moved-set-up" if set_up else "moved-screen")
    undone = before.before is after
    return say("moved-undo", what=newest(before)) if undone else newest(after)


def undo_asks_all(history: History) -> bool:
    """Whether an undo would take back a claim quitted, or a verdict, under ``call``: then each side is asked."""
    entry, state = history.entry, history.state
    if history.correction is not None or entry is None or state is None:
        return False
    earlier = None if history.earlier is None else history.earlier.state
    for event in entry.events:
        match event:
            case did.MugginsCalled(on_seat=seat) | did.CardsKeyed(seat=seat) if state.level(seat) == "call":
                return True
            case did.ClaimsAccepted() if earlier is not None and any(claim.by_call for claim in earlier.claims):
                return True
            case did.HandShown(seat=seat) | did.CribShown(seat=seat) | did.CardClaimed(seat=seat):
                if state.level(seat) == "call":
                    return True
            case _:
                pass
    return False


def describe(state: State, events: Sequence[did.Event]) -> str:
    """An accepted entry in a few words, after its last event."""
    return _event(state, events[-1])


def _event(state: State, event: did.Event) -> str:
    names = state.names
    match event:
        case did.CardTurned() | did.StarterTurned() if sealed(state):
            return say("did-turn-sealed")
        case did.GameOpened(rematch=rematch):
            return say("did-rematch" if rematch else "did-open")
        case did.CutMade(seat=seat, card=card):
            return say("did-cut", name=names[seat], card=card)
        case did.DealBegun(dealer=dealer):
            return say("did-deal", name=names[dealer])
        case did.StarterTurned(card=card):
            return say("did-starter", card=card)
        case did.StarterSkipped():
            return say("did-skip")
        case did.CardsHeld(seat=seat, cards=cards):
            return say("did-held", name="crib" if seat is None else names[seat], cards=cards)
        case did.CardPlayed(seat=seat, card=card):
            return say("did-play", name=names[seat], card=card)
        case did.GoSaid(seat=seat):
            return say("did-go", name=names[seat])
        case did.CardClaimed(seat=seat, points=points):
            return say("did-claim", name=names[seat], points=points)
        case did.PlayEnded():
            return say("did-end-play")
        case did.CardTurned(card=card):
            return say("did-turn", card=card)
        case did.HandShown(seat=seat, claim=claim):
            return say("did-show" if claim is None else "did-show-claim", name=names[seat], points=claim)
        case did.CribShown(void=True):
            return say("did-crib-void")
        case did.CribShown(seat=seat, claim=claim):
            return say("did-crib" if claim is None else "did-crib-claim", name=names[seat], points=claim)
        case did.ClaimsAccepted():
            return say("did-accept")
        case did.MugginsCalled(caller=caller, points=points):
            return say("did-muggins", name=names[caller], points=points)
        case did.CardsKeyed(seat=seat, cards=cards):
            return say("did-key", name=names[seat], cards=" ".join(codes(cards)))
        case did.PenaltyGiven(seat=seat, points=points):
            return say("did-penalty", name=names[seat], points=points)
        case did.GameClaimed(seat=seat):
            return say("did-claim-game", name=names[seat])
        case did.PointsPegged(seat=seat, points=points):
            return say("did-peg", name=names[seat], points=points)
        case did.LevelSet(level=level):
            return say("did-level", level=level)
        case did.DealVoided():
            return say("did-void")
        case did.GameStopped():
            return say("did-stop")
