"""Keys while phones are invited or sent away: the page's address as a code, the pairing screen, the list. Pure."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from firmware.addresses import is_loopback
from firmware.effects import Effect, Open, Pair, Pass, Refuse, Unpair
from firmware.entry import Enter, Number, Star, Token
from firmware.overlay import Address, Pairing, PhoneList, Why
from firmware.screens.pages import page_count
from firmware.view import View
from firmware.words import say


def unreached(address: str) -> str:
    """Why no phone can reach the page, and what to do about it; empty where it can."""
    host = urlsplit(address).hostname or ""
    if not host:
        return say("page-off")
    return say("page-here-only") if is_loopback(host) or host == "localhost" else ""


def show_address(view: View) -> Effect:
    """The menu's ``phone``: the address for a phone's camera, or why there is none."""
    why = unreached(view.address)
    return Open(Why(why) if why else Address())


def begin(view: View, token: Token) -> Effect:
    """The menu's ``pair``: a fresh code for the table's keys. Keys bound to a seat would take another's with it."""
    if token.seat is not None:
        return Refuse(say("table-pairs"))
    why = unreached(view.address)
    return Open(Why(why)) if why else Pair(None)


def listed(view: View, token: Token) -> Effect:
    """The menu's ``phones``, for the table's keys."""
    if token.seat is not None:
        return Refuse(say("table-pairs"))
    return Open(PhoneList()) if view.phones else Refuse(say("no-phones"))


def address(token: Token) -> Effect:
    """A key while the address is shown."""
    return Open(None) if isinstance(token, Star | Enter) else Pass()


def pairing(view: View, overlay: Pairing, token: Token) -> Effect:
    """A key while a code is shown: whose keys the phone will have, a new code for a void one, the end."""
    match token:
        case Star():
            return Open(None)
        case Enter(seat=int()) | Number(seat=int()):
            return Refuse(say("table-pairs"))
        case Enter():
            return Refuse(say("pair-help")) if overlay.code else Pair(overlay.seat)
        case Number(value=number) if number <= len(view.names):
            return Open(replace(overlay, seat=number - 1 if number else None))
        case Number(value=number):
            return Refuse(say("no-seat", seat=number, most=len(view.names)))
        case _:
            return Pass()


def phones(view: View, overlay: PhoneList, token: Token) -> Effect:
    """A key while the paired phones are listed: its number unpairs one."""
    match token:
        case Star():
            return Open(None)
        case Enter():
            page = overlay.page + 1
            return Open(PhoneList(page) if page < page_count(view, overlay) else None)
        case Number(seat=int()):
            return Refuse(say("table-pairs"))
        case Number(value=number):
            named = [phone.id for phone in view.phones if phone.number == number]
            return Unpair(named[0]) if named else Refuse(say("no-such-phone", number=number))
        case _:
            return Pass()
