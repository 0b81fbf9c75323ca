"""What a token means where the game stands: set-up, cut, deal, starter, play, show, crib, end. Pure; knows no truth."""

from __future__ import annotations

from engine import intents as want
from engine.errors import CribbageError
from engine.public import Public
from engine.state import Stage
from firmware import agreeing, calling
from firmware.effects import Effect, Leave, Open, Refuse, SetUp, act
from firmware.entry import Command, Enter, Number, Star, Suited, Token
from firmware.overlay import Adjust, Report, Says, UndoOffer, Why
from firmware.view import View
from firmware.words import say


def meaning(view: View, token: Token) -> Effect:
    """What this token does now, when nothing lies over the game."""
    try:
        if isinstance(token, Star) and view.setting_up and view.public is not None:
            return Leave()
        if isinstance(token, Star):
            offer = UndoOffer(view.undoable, view.undo_asks_all)
            nothing = say("undo-removed" if view.removed else "nothing-to-undo")
            return Open(offer) if view.undoable else Refuse(nothing)
        if view.setting_up or view.public is None:
            return agreeing.set_up(view, token)
        if isinstance(token, Command):
            return _command(view, view.public, token)
        called = calling.waiting(view.public)
        if called is not None:
            return calling.settle(view.public, called, token)
        return _STAGES[view.public.stage](view, view.public, token)
    except CribbageError as error:
        return Refuse(error.brief)


def _command(view: View, public: Public, token: Command) -> Effect:
    over = public.stage is Stage.END and not public.claims
    match token.key:
        case 0:
            return calling.begin(public, token.seat)
        case 1 if over:
            return SetUp(view.settings)
        case 1:
            return Open(Adjust())
        case 2 if over and view.report:
            return Open(Report(view.report))
        case 2:
            return Open(Why(view.why)) if view.why else Refuse(say("nothing-to-explain"))
        case _:
            return Open(Says())


def _accept(public: Public, seat: int | None) -> Effect:
    """What is open is left by the other side: a claimant's own button cannot wave its own count away."""
    newest = public.claims[-1]
    if seat is not None and public.sides[seat] == public.sides[newest.seat]:
        return Refuse(say("not-yours-to-call", name=public.names[newest.seat]))
    return act(want.Accept())


def _cut(view: View, public: Public, token: Token) -> Effect:
    match token:
        case Number(value=seat) if 1 <= seat <= len(public.names):
            return act(want.Deal(seat - 1))
        case Number(value=seat):
            return Refuse(say("no-seat", seat=seat, most=len(public.names)))
        case Suited():
            return act(want.CutForDeal(token.card(), token.seat))
        case _:
            return Refuse(say("cut-help"))


def _deal(view: View, public: Public, token: Token) -> Effect:
    match token:
        case Suited():
            return act(want.Deal(), want.TurnStarter(token.card()))
        case Enter(seat=seat) if calling.to_accept(public):
            return _accept(public, seat)
        case Enter() if view.settings.entry == "points":
            return act(want.Deal(), want.SkipStarter())
        case Enter():
            return act(want.Deal())
        case _:
            return Refuse(say("deal-help", name=_dealer(public)))


def _dealer(public: Public) -> str:
    return "?" if public.next_dealer is None else public.names[public.next_dealer]


def _starter(view: View, public: Public, token: Token) -> Effect:
    match token:
        case Suited():
            return act(want.TurnStarter(token.card()))
        case Enter() if view.settings.entry == "points":
            return act(want.SkipStarter())
        case _:
            return Refuse(say("starter-help"))


def _play(view: View, public: Public, token: Token) -> Effect:
    if view.settings.entry != "full" and public.by_points:
        return _play_by_points(public, token)
    match token:
        case Suited():
            # Under call a card is laid with nothing claimed; a number typed next claims for it.
            claim = 0 if public.turn is not None and public.level(public.turn) == "call" else None
            return act(want.PlayCard(token.card(), claim, token.seat))
        case Enter(seat=seat):
            return act(want.SayGo(seat))
        case Number(value=points, seat=seat) if (
            public.claimable or public.claims_heels or public.level(public.turn or 0) == "off"
        ):
            return _claim_card(public, points, seat)
        case Number() if public.level(public.turn or 0) == "call":
            return Refuse(say("claim-late"))
        case _:
            return Refuse(say("board-counts-play"))


def _claim_card(public: Public, points: int, seat: int | None) -> Effect:
    heels = public.claims_heels and points
    claimant = public.dealer if heels or not public.played else public.played[-1].seat
    if heels and seat not in (None, claimant):
        return Refuse(say("not-your-heels", name=public.names[public.dealer or 0]))
    if public.claimable and seat is not None and seat != claimant:
        return Refuse(say("not-your-claim", name=public.names[seat]))
    return act(want.ClaimCard(points))


def _play_by_points(public: Public, token: Token) -> Effect:
    match token:
        case Suited(key=seat, seat=by) if seat < len(public.names):
            if by is not None and public.sides[by] != public.sides[seat]:
                return Refuse(say("not-your-points", name=public.names[seat]))
            return act(want.PegByHand(seat, token.value))
        case Suited(key=seat):
            return Refuse(say("no-seat", seat=seat + 1, most=len(public.names)))
        case Enter():
            return act(want.EndPlay())
        case Number(value=points, seat=seat) if public.claimable or public.claims_heels:
            return _claim_card(public, points, seat)
        case _:
            return Refuse(say("points-help"))


def _show(view: View, public: Public, token: Token) -> Effect:
    return _count(view, public, token, crib=False)


def _crib(view: View, public: Public, token: Token) -> Effect:
    return _count(view, public, token, crib=True)


def _count(view: View, public: Public, token: Token, *, crib: bool) -> Effect:
    needed = _still_needed(view, public, crib)
    name = public.names[public.turn or 0]
    match token:
        case Suited() if public.starter is None:
            return act(want.TurnStarter(token.card()))  # skipped, and wanted now that a hand is to be checked
        case Suited() if public.cards_known and not crib and not public.turned:
            return Refuse(say("cards-known", name=name))
        case Suited():
            return act(want.TurnCard(token.card()))
        case Number(value=points, seat=seat) if public.claimable:
            return _claim_card(public, points, seat)
        case Enter() if public.claimable:
            return act(want.EndPlay())
        case Number() | Enter() if needed and not (isinstance(token, Enter) and calling.to_accept(public)):
            return Refuse(say("crib-cards-first" if crib else "hand-cards-first", name=name, cards=needed))
        case Number(value=points, seat=seat):
            return act(want.ShowCrib(claim=points, seat=seat) if crib else want.ShowHand(seat, None, points))
        case Enter(seat=seat) if calling.to_accept(public):
            return _accept(public, seat)
        case Enter(seat=seat) if public.level(public.turn or 0) == "teach" and public.cards_known:
            return act(want.ShowCrib(seat=seat) if crib else want.ShowHand(seat))
        case _:
            return Refuse(say("type-count", name=name))


def _still_needed(view: View, public: Public, crib: bool) -> int:
    """Cards to be keyed before a count can be typed; none at the points level."""
    if public.cards_known or (view.settings.entry == "points" and public.by_points and not public.turned):
        return 0
    return (public.crib if crib else public.left[public.turn or 0]) - len(public.turned)


def _end(view: View, public: Public, token: Token) -> Effect:
    match token:
        case Enter(seat=seat) if public.claims:
            return _accept(public, seat)
        case Enter():
            return agreeing.play_again(view, public)
        case _:
            return Refuse(say("end-help"))


_STAGES = {
    Stage.CUT: _cut,
    Stage.DEAL: _deal,
    Stage.STARTER: _starter,
    Stage.PLAY: _play,
    Stage.SHOW: _show,
    Stage.CRIB: _crib,
    Stage.END: _end,
}
