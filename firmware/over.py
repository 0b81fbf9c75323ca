"""What a token means while something lies over the game: the undo offer, why?, the score, the menu, adjust. Pure."""

from __future__ import annotations

from dataclasses import replace

from engine import intents as want
from engine.errors import CribbageError
from engine.public import Public
from firmware import agreeing, inviting
from firmware.adjusting import adjust, asking, penalties
from firmware.calling import answering, calling
from firmware.effects import Effect, Open, Pass, Prefer, Refuse, TakeBack, act
from firmware.entry import Command, Enter, Number, Star, Token
from firmware.overlay import (
    MENU,
    Address,
    Adjust,
    Answering,
    Asking,
    Calling,
    Consent,
    Fields,
    Levels,
    Menu,
    Overlay,
    Pairing,
    Penalties,
    PhoneList,
    Report,
    Says,
    UndoOffer,
    Why,
)
from firmware.screens.pages import page_count
from firmware.settings import TABLE_LEVELS
from firmware.view import RATES, View
from firmware.words import say


def over(view: View, overlay: Overlay, token: Token) -> Effect:
    """What this token does now, with ``overlay`` on the screen."""
    try:
        return _over(view, overlay, token)
    except CribbageError as error:
        return Refuse(error.brief)


def _over(view: View, overlay: Overlay, token: Token) -> Effect:
    public = view.public
    match overlay:
        case UndoOffer():
            return _undo(overlay, token)
        case Why() | Says() | Report():
            return _pages(view, overlay, token)
        case Menu():
            return _menu(view, overlay, token)
        case Fields():
            return agreeing.fields(view, overlay, token)
        case Address():
            return inviting.address(token)
        case Pairing():
            return inviting.pairing(view, overlay, token)
        case PhoneList():
            return inviting.phones(view, overlay, token)
        case _ if public is None:
            return Pass()
        case Levels():
            return _levels(public, token)
        case Consent():
            return _consent(public, overlay, token)
        case Calling():
            return calling(public, overlay, token)
        case Answering():
            return answering(public, overlay, token)
        case Adjust():
            return adjust(overlay, token, page_count(view, overlay))
        case Penalties():
            return penalties(view, overlay, token, page_count(view, overlay))
        case Asking():
            return asking(public, overlay, token)


def _undo(overlay: UndoOffer, token: Token) -> Effect:
    if not isinstance(token, Enter):
        return Pass()
    return Open(Consent(say("consent-undo", what=overlay.what), 0)) if overlay.asks_all else TakeBack()


def _pages(view: View, overlay: Why | Says | Report, token: Token) -> Effect:
    match token:
        case Star():
            return Open(None)
        case Enter():
            page = overlay.page + 1
            return Open(replace(overlay, page=page) if page < page_count(view, overlay) else None)
        case Command(key=3) if isinstance(overlay, Says):
            return Open(Menu())
        case Command(key=2) if not isinstance(overlay, Says):
            return Open(None)
        case _:
            return Pass()


def _menu(view: View, overlay: Menu, token: Token) -> Effect:
    likes = view.preferences
    match token:
        case Star():
            return Open(None)
        case Enter():
            return Open(replace(overlay, page=(overlay.page + 1) % page_count(view, overlay)))
        case Number(value=1):
            return Prefer("theme", "normal" if likes.theme == "big" else "big")
        case Number(value=2):
            return Prefer("blink", not likes.blink)
        case Number(value=3):
            return Prefer("sound", not likes.sound)
        case Number(value=4):
            return Open(Levels()) if view.public is not None else Refuse(say("no-game"))
        case Number(value=5):
            return Open(Report(view.report)) if view.report else Refuse(say("no-report"))
        case Number(value=6):
            return Open(Why(say("about", address=view.address or say("no-page"))))
        case Number(value=7):
            return Prefer("speech", not likes.speech)
        case Number(value=8):
            return Prefer("rate", next((rate for rate in RATES if rate > likes.rate), RATES[0]))
        case Number(value=9):
            return inviting.show_address(view)
        case Number(value=10):
            return inviting.begin(view, token)
        case Number(value=11):
            return inviting.listed(view, token)
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(MENU)))
        case _:
            return Pass()


def _levels(public: Public, token: Token) -> Effect:
    match token:
        case Star():
            return Open(None)
        case Number(value=number) if 1 <= number <= len(public.side_names):
            side = number - 1
            place = TABLE_LEVELS.index(public.levels[side]) if public.levels[side] in TABLE_LEVELS else -1
            level = TABLE_LEVELS[(place + 1) % len(TABLE_LEVELS)]
            what = say("level-change", name=public.side_names[side], level=level)
            return Open(Consent(what, 0, level, public.sides.index(side)))
        case Number(value=number):
            return Refuse(say("no-such-number", number=number, most=len(public.side_names)))
        case _:
            return Pass()


def _consent(public: Public, overlay: Consent, token: Token) -> Effect:
    match token:
        case Star():
            return Open(None)
        case Enter(seat=seat) if public.speaks_for(seat, public.sides.index(overlay.side)):
            if overlay.side + 1 < len(public.side_names):
                return Open(replace(overlay, side=overlay.side + 1))
            return TakeBack() if overlay.level is None else act(want.SetLevel(overlay.level, overlay.seat))
        case _:
            return Refuse(say("consent-help", name=public.side_names[overlay.side]))
