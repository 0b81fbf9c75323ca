"""A call on an open claim, key by key: who calls, which claim, too few or too many, how many; then agree or dispute.

Pure, and blind: nothing here depends on whether the claim is right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from engine import intents as want
from engine.awards import Kind
from engine.public import OpenClaim, Public
from engine.rules import Counted
from engine.state import Award
from firmware.effects import Effect, Open, Refuse, Try, act
from firmware.entry import Command, Enter, Number, Star, Suited, Token
from firmware.overlay import Answering, Calling
from firmware.words import say


def opponents(public: Public, claim: OpenClaim) -> list[int]:
    """The seats that may act on a claim: one for each other side, its first."""
    sides = dict.fromkeys(side for side in public.sides if side != public.sides[claim.seat])
    return [public.sides.index(side) for side in sides]


def claims_against(public: Public, caller: int | None) -> list[OpenClaim]:
    """Open claims the caller may act on, newest first; without a caller, all of them."""
    sides = public.sides
    return [claim for claim in reversed(public.claims) if caller is None or sides[claim.seat] != sides[caller]]


def caller_of(public: Public, told: int | None, claim: OpenClaim) -> int | None:
    """Who calls a claim: the seat that said so, else the one opponent there is; None where it has to be asked."""
    others = opponents(public, claim)
    return told if told is not None else others[0] if len(others) == 1 else None


def to_accept(public: Public) -> bool:
    """Whether ``#`` accepts or leaves something: a count of the show, or what was flagged.

    A card of the play is not accepted by a key: only acts close its window.
    """
    return any(claim.what != "card" or claim.flagged for claim in public.claims)


def begin(public: Public, seat: int | None) -> Effect:
    """``A``: take a flagged miscount at once, or begin a call; ``seat`` is known when its own button was held."""
    claims = claims_against(public, seat)
    if not claims:
        own = seat is not None and bool(public.claims)
        return Refuse(say("not-yours-to-call", name=public.names[seat or 0]) if own else _nothing(public))
    newest = claims[0]
    caller = caller_of(public, seat, newest)
    if newest.flagged and caller is not None:
        return take(caller, newest)
    if not newest.flagged and not public.muggins and not public.calls_over:
        return Refuse(say("nothing-callable", book=public.book))
    return Open(Calling(seat, 0, many=not public.muggins and not newest.flagged))


def _nothing(public: Public) -> str:
    """Why there is nothing to call: what was just pegged may be of a kind that never can be."""
    for outcome in reversed(public.ledger[public.news :]):
        if not isinstance(outcome, Award) or "call" not in public.levels:
            continue
        for why in outcome.whys:
            if why.kind in _NEVER:
                return say(_NEVER[why.kind])
        if outcome.what and outcome.what not in public.covers and public.levels[public.sides[outcome.seat]] == "call":
            return _uncovered(public, outcome.what)
    return say("nothing-open" if "call" in public.levels else "nothing-to-call")


def _uncovered(public: Public, what: str) -> str:
    """What the book lets be called, for one who would call what it does not."""
    if not public.covers:
        return say("none-covered", book=public.book)
    *some, last = [say(f"kinds-{kind}") for kind in public.covers]
    kinds = say("kinds-and", kinds=", ".join(some), last=last) if some else last
    return say("not-covered", book=public.book, kinds=kinds, where=say(f"where-{what}"))


_NEVER: Final = {
    Kind.HEELS: "no-call-heels",
    Kind.MUGGINS: "no-call-muggins",
    Kind.PENALTY: "no-call-penalty",
    Kind.HAND_PEGGED: "no-call-hand",
}
"""What cannot be mugged (acc), and the message that says so."""


def take(caller: int, claim: OpenClaim) -> Effect:
    """The act that takes what everybody has been told of."""
    what = _what(claim)
    return act(want.CallMuggins(caller, abs(claim.flagged), claim.flagged < 0, claim.seat, what))


def calling(public: Public, overlay: Calling, token: Token) -> Effect:
    """One more key of a call."""
    claims = claims_against(public, overlay.caller)
    if not claims:
        return Open(None)
    claim = claims[overlay.older % len(claims)]
    caller = caller_of(public, overlay.caller, claim)
    if caller is None:
        return _who(public, claim, overlay, token)
    if not public.speaks_for(token.seat, caller):
        return Refuse(say("call-not-yours", name=public.names[caller]))
    match token:
        case Star():
            return Open(None)
        case Command(key=0) if public.muggins and not claim.flagged:
            if not public.calls_over and not overlay.many:
                return Refuse(say("no-call-many", book=public.book))
            return Open(replace(overlay, many=not overlay.many))
        case Command(key=1):
            older = (overlay.older + 1) % len(claims)
            return Open(replace(overlay, older=older, many=not public.muggins and not claims[older].flagged))
        case Enter() if claim.flagged:
            return take(caller, claim)
        case Number(value=points) if points >= 1 and not claim.flagged:
            intent = _intent(public, caller, claim, points, overlay.many, agreed=False)
            place = claims_against(public, caller).index(claim)
            return Try(intent, Answering(caller, place, overlay.many, points))
        case _:
            return Refuse(say("call-help"))


def _who(public: Public, claim: OpenClaim, overlay: Calling, token: Token) -> Effect:
    match token:
        case Star(seat=seat) if seat is None or not public.speaks_for(seat, claim.seat):
            return Open(None)
        case Number(value=number, seat=int(seat)) if not public.speaks_for(seat, number - 1):
            return Refuse(say("other-button", own=seat + 1))
        case Number(value=number) if 1 <= number <= len(public.names):
            claims = claims_against(public, number - 1)
            if not claims:
                return Refuse(say("not-yours-to-call", name=public.names[number - 1]))
            if claims[0].flagged:
                return take(number - 1, claims[0])
            return Open(replace(overlay, caller=number - 1))
        case Enter(seat=int(seat)) | Command(key=0, seat=int(seat)):
            return _who(public, claim, overlay, Number(seat + 1, seat))
        case _:
            return Refuse(say("call-who-help"))


def answering(public: Public, overlay: Answering, token: Token) -> Effect:
    """The claimant's answer: ``#`` agrees and nothing is revealed, ``*`` disputes and the call is judged."""
    claims = claims_against(public, overlay.caller)
    claim = claims[overlay.older % len(claims)]
    match token:
        case Enter(seat=seat) if public.speaks_for(seat, claim.seat):
            return act(_intent(public, overlay.caller, claim, overlay.points, overlay.many, agreed=True))
        case Star(seat=seat) if public.speaks_for(seat, claim.seat):
            return act(_intent(public, overlay.caller, claim, overlay.points, overlay.many, agreed=False))
        case _:
            return Refuse(say("answer-help", name=public.names[claim.seat]))


def waiting(public: Public) -> OpenClaim | None:
    """The called claim whose cards are being keyed."""
    return next((claim for claim in public.claims if claim.waits), None)


def still_to_key(public: Public, claim: OpenClaim) -> int:
    """How many cards of a called claim are still to be keyed."""
    return (public.crib if claim.what == "crib" else public.held[claim.seat]) - len(public.turned)


def settle(public: Public, claim: OpenClaim, token: Token) -> Effect:
    """A call waits: the starter, if nobody told it, and then the cards of the claim."""
    match token:
        case Suited() if public.starter is None:
            return act(want.TurnStarter(token.card()))
        case Suited() if still_to_key(public, claim) <= 1:
            return act(want.TurnCard(token.card()), want.KeyCards(claim.seat))
        case Suited():
            return act(want.TurnCard(token.card()))
        case _:
            name = public.names[claim.seat]
            return Refuse(say("settle-help", name=name, what=claim.what))


def _intent(
    public: Public, caller: int, claim: OpenClaim, points: int, many: bool, *, agreed: bool
) -> want.CallMuggins:
    card = public.played[claim.plays - 1].card if claim.what == "card" else None
    return want.CallMuggins(caller, points, many, claim.seat, _what(claim), agreed, card)


def named(public: Public, claim: OpenClaim) -> str:
    """What a claim is for: hand, crib, go, card; of several cards of one seat the place in the play, never the card."""
    cards = [one for one in public.claims if (one.seat, one.what) == (claim.seat, "card")]
    return f"card {claim.plays}" if claim.what == "card" and len(cards) > 1 else claim.what


def _what(claim: OpenClaim) -> Counted | Literal["go"]:
    match claim.what:
        case "hand":
            return "hand"
        case "crib":
            return "crib"
        case "go":
            return "go"
    return "card"
