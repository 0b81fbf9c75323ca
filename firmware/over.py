"""What a token means while something lies over the game: the undo offer, why?, the score, the menu, adjust. Pure."""

from __future__ import annotations

from dataclasses import replace

from engine import intents as want
from engine.errors import CribbageError
from engine.public import Public
from firmware.effects import Effect, Fix, Open, Pass, Prefer, Refuse, TakeBack, act
from firmware.entry import Command, Enter, Number, Star, Suited, Token
from firmware.overlay import ADJUSTMENTS, MENU, Adjust, Asking, Menu, Overlay, Says, Task, UndoOffer, Why
from firmware.screens.pages import page_count
from firmware.view import View
from firmware.words import say


def over(view: View, overlay: Overlay, token: Token) -> Effect:
    """What this token does now, with ``overlay`` on the screen."""
    try:
        match overlay:
            case UndoOffer():
                return TakeBack() if isinstance(token, Enter) else Pass()
            case Why() | Says():
                return _pages(view, overlay, token)
            case Menu():
                return _menu(view, overlay, token)
            case Adjust():
                return _adjust(view, overlay, token)
            case Asking():
                return _asking(view, overlay, token)
    except CribbageError as error:
        return Refuse(error.brief)


def _pages(view: View, overlay: Why | Says, token: Token) -> Effect:
    match token:
        case Star():
            return Open(None)
        case Enter():
            page = overlay.page + 1
            return Open(replace(overlay, page=page) if page < page_count(view, overlay) else None)
        case Command(key=3) if isinstance(overlay, Says):
            return Open(Menu())
        case Command(key=2) if isinstance(overlay, Why):
            return Open(None)
        case _:
            return Pass()


def _turn(view: View, overlay: Menu | Adjust) -> Effect:
    page = (overlay.page + 1) % page_count(view, overlay)
    return Open(replace(overlay, page=page))


def _menu(view: View, overlay: Menu, token: Token) -> Effect:
    likes = view.preferences
    match token:
        case Star():
            return Open(None)
        case Enter():
            return _turn(view, overlay)
        case Number(value=1):
            return Prefer("theme", "normal" if likes.theme == "big" else "big")
        case Number(value=2):
            return Prefer("blink", not likes.blink)
        case Number(value=3):
            return Prefer("sound", not likes.sound)
        case Number(value=4):
            return Open(Why(say("about", address=view.address or say("no-page"))))
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(MENU)))
        case _:
            return Pass()


def _adjust(view: View, overlay: Adjust, token: Token) -> Effect:
    match token:
        case Star():
            return Open(None)
        case Enter():
            return _turn(view, overlay)
        case Number(value=number) if 1 <= number <= len(ADJUSTMENTS):
            return Open(Asking(ADJUSTMENTS[number - 1][1]))
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(ADJUSTMENTS)))
        case _:
            return Pass()


def _asking(view: View, overlay: Asking, token: Token) -> Effect:
    public = view.public
    if public is None or isinstance(token, Star):
        return Open(None)
    match overlay.task, token:
        case "give" | "take" | "held" | "penalty", Suited(key=seat):
            return _for_seat(public, overlay.task, seat, token.value)
        case "wrong-card", Suited():
            card = token.card()
            if overlay.was is None:
                return Open(Asking("wrong-card", card))
            return Fix(overlay.was, card)
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


def _for_seat(public: Public, task: Task, seat: int, number: int) -> Effect:
    if seat >= len(public.names):
        return Refuse(say("no-seat", seat=seat + 1, most=len(public.names)))
    match task:
        case "give":
            return act(want.PegByHand(seat, number))
        case "take":
            return act(want.PegByHand(seat, -number))
        case "held":
            return act(want.HoldCards(seat, number))
        case _:
            return act(want.GivePenalty(seat, number, "by-hand"))
