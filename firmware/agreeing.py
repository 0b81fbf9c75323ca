"""Keys while the table agrees on a game: the set-up, its choices listed by number, the next game. Pure."""

from __future__ import annotations

from engine.public import Public
from firmware.effects import Effect, Open, Refuse, SetUp, act
from firmware.entry import Command, Enter, Number, Star, Token
from firmware.overlay import Fields, Says
from firmware.screens.model import LISTED
from firmware.screens.pages import page_count
from firmware.view import View
from firmware.words import say


def set_up(view: View, token: Token) -> Effect:
    """A key at the set-up itself."""
    match token:
        case Enter() if view.public is not None and view.match_goes_on:
            return play_again(view, view.public)
        case Enter():
            return act(view.settings.open_game(view.choices))
        case Number(value=field):
            return _step(view, field, None)
        case Command(key=2):
            return Open(Fields())
        case Command(key=3):
            return Open(Says())
        case _:
            return Refuse(say("set-up-help"))


def fields(view: View, overlay: Fields, token: Token) -> Effect:
    """A key while the choices are listed: ``#`` turns the page, a number changes one and shows its page."""
    match token:
        case Star() | Command(key=2):
            return Open(None)
        case Enter():
            return Open(Fields((overlay.page + 1) % page_count(view, overlay)))
        case Number(value=field):
            return _step(view, field, Fields((field - 1) // LISTED))
        case Command(key=3):
            return Open(Says())
        case _:
            return Refuse(say("fields-help"))


def _step(view: View, field: int, overlay: Fields | None) -> Effect:
    most = len(view.settings.fields)
    if not 1 <= field <= most:
        return Refuse(say("no-field", field=field, most=most))
    return SetUp(view.settings.step(field, view.choices), overlay)


def play_again(view: View, public: Public) -> Effect:
    """One more game of the match."""
    return act(view.settings.open_game(view.choices, rematch=True, first_dealer=_first_dealer(view, public)))


def _first_dealer(view: View, public: Public) -> int | None:
    """Who deals the next game first, as the table chose; nobody known where the game was stopped: cut again."""
    seats = range(len(public.names))
    if public.winner is None:
        return None
    match view.settings.next_deal:
        case "winner":
            return public.sides.index(public.winner)
        case "turn":
            return None if public.first_dealer is None else (public.first_dealer + 1) % len(public.names)
    losers = [seat for seat in seats if public.sides[seat] != public.winner]
    return min(losers, key=lambda seat: public.scores[public.sides[seat]])
