"""Putting things right from the keys: points by hand, penalties by name, a wrong card or side, a void deal or crib."""

from __future__ import annotations

from dataclasses import replace

from engine import intents as want
from engine.penalties import Infraction
from engine.public import Public
from firmware.effects import Effect, Fix, Open, Pass, Refuse, act
from firmware.entry import Command, Enter, Number, Star, Suited, Token
from firmware.overlay import ADJUSTMENTS, Adjust, Asking, Penalties, Why
from firmware.view import View
from firmware.words import say


def adjust(overlay: Adjust, token: Token, pages: int) -> Effect:
    """A key while adjust offers what it can do."""
    match token:
        case Star():
            return Open(None)
        case Enter():
            return Open(replace(overlay, page=(overlay.page + 1) % pages))
        case Number(value=number) if 1 <= number <= len(ADJUSTMENTS):
            task = ADJUSTMENTS[number - 1][1]
            return Open(Penalties() if task == "penalty" else Asking(task))
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(ADJUSTMENTS)))
        case _:
            return Pass()


def penalties(view: View, overlay: Penalties, token: Token, pages: int) -> Effect:
    """A key while the book's infractions are listed."""
    ruled, every = len(view.penalties), (*view.penalties, *view.unruled)
    match token:
        case Star():
            return Open(None)
        case Enter():
            return Open(replace(overlay, page=(overlay.page + 1) % pages))
        case Number(value=number) if number == ruled + 1:
            return Open(Asking("penalty", reason="by-hand"))
        case Number(value=number) if 1 <= number <= len(every) + 1:
            return _penalty(view.public, every[number - 1 if number <= ruled else number - 2])
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(every) + 1))
        case _:
            return Pass()


def _penalty(public: Public | None, one: Infraction) -> Effect:
    """What is still to be asked of an infraction; one that costs nothing says what is done about it."""
    if one.to == "nobody" and not isinstance(one.amount, str):
        done = one.remedy or say("no-penalty")
        return Open(Why(f"{one.words}: {done}"))
    if one.amount == "the game":
        return Open(Asking("claim-game", reason=one.name))
    amount = one.amount if isinstance(one.amount, int) else None
    dealer = None if public is None else public.dealer if public.dealer is not None else public.next_dealer
    to = None
    if public is not None and dealer is not None and one.to in ("pone", "dealer"):
        to = dealer if one.to == "dealer" else (dealer + 1) % len(public.names)
    return Open(Asking("penalty", reason=one.name, amount=amount, to=to))


def asking(public: Public, overlay: Asking, token: Token) -> Effect:
    """A key while one adjustment asks for what it still needs."""
    match overlay.task, token:
        case _, Star():
            return Open(None)
        case "penalty", Enter() if overlay.to is not None and overlay.amount is not None:
            return _to(public, overlay.to + 1, overlay, token.seat)
        case "penalty", Number(value=seat) if overlay.amount is not None:
            return _to(public, seat, overlay, token.seat)
        case "claim-game", Number(value=seat):
            return _to(public, seat, overlay, token.seat)
        case "held", Number(value=cards):
            return act(want.HoldCards(None, cards))
        case "penalty", Suited() if overlay.amount is not None:
            return Refuse(say("ask-penalty-set-help", amount=overlay.amount))
        case "give" | "take" | "held" | "penalty" | "wrong-side", Suited(key=seat):
            return _for_seat(public, overlay, seat, token.value, token.seat)
        case "wrong-card", Suited():
            card = token.card()
            return Open(Asking("wrong-card", card)) if overlay.was is None else Fix(overlay.was, card)
        case "void", Enter():
            return act(want.VoidDeal())
        case "crib-void", Enter():
            return act(want.ShowCrib(void=True))
        case "stop", Enter():
            return act(want.StopGame())
        case _, Command():
            return Pass()
        case _:
            return Refuse(say(f"ask-{overlay.task}-help"))


def _to(public: Public, number: int, overlay: Asking, by: int | None) -> Effect:
    """The seat of that number receives the penalty, or the game; keys bound to a seat say so for their own side."""
    if not 1 <= number <= len(public.names):
        return Refuse(say("no-seat", seat=number, most=len(public.names)))
    if not public.speaks_for(by, number - 1):
        return Refuse(say("not-your-points", name=public.names[number - 1]))
    if overlay.task == "claim-game":
        return act(want.ClaimGame(number - 1, overlay.reason or "claimed"))
    return act(want.GivePenalty(number - 1, overlay.amount or 0, overlay.reason))


def _for_seat(public: Public, overlay: Asking, seat: int, number: int, by: int | None) -> Effect:
    if seat >= len(public.names):
        return Refuse(say("no-seat", seat=seat + 1, most=len(public.names)))
    if not public.speaks_for(by, seat):
        return Refuse(say("not-your-points", name=public.names[seat]))
    match overlay.task:
        case "give":
            return act(want.PegByHand(seat, number))
        case "take":
            return act(want.PegByHand(seat, -number))
        case "held":
            return act(want.HoldCards(seat, number))
        case "wrong-side":
            return _wrong_side(public, seat, number)
        case _:
            return act(want.GivePenalty(seat, number, overlay.reason))


def _wrong_side(public: Public, seat: int, number: int) -> Effect:
    """Points pegged for that seat belong to the other side; with three sides they are moved by hand."""
    others = dict.fromkeys(side for side in public.sides if side != public.sides[seat])
    if len(others) > 1:
        return Refuse(say("wrong-side-three"))
    return act(want.PegByHand(seat, -number), want.PegByHand(public.sides.index(next(iter(others))), number))
