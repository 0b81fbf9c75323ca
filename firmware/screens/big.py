"""The big theme: each side's holes to go in numerals of 48 pixels, and under them whose act it is and which."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.public import Public
from engine.state import Stage
from firmware.screens.game import asked_for, call_line, typed_line
from firmware.screens.model import COLUMNS, Screen
from firmware.screens.names import seat_label
from firmware.view import View

BIG: Final = frozenset({Stage.DEAL, Stage.PLAY, Stage.SHOW, Stage.CRIB})
"""The stages that have a big twin; at the others there is no score to follow, but something to read."""


def big_screen(normal: Screen, view: View, public: Public) -> Screen:
    """The big twin of a game screen. With more than two sides only the side to act fits."""
    togo = [public.holes_to_go(side) for side in range(len(public.side_names))]
    if len(togo) > 2:
        togo = [togo[public.sides[public.turn]]] if public.turn is not None else togo[:1]
    prompt = ("" if view.saved else "!") + _prompt(view, public, COLUMNS - (not view.saved))
    last = typed_line(view, prompt)
    return replace(normal, lines=(*normal.lines[:3], last), big="", numerals=tuple(str(holes) for holes in togo))


def _prompt(view: View, public: Public, room: int) -> str:
    """Whose act it is and which, in so many characters: of several ways to say it the first that leaves the name whole,
    else the last one, with the name cut."""
    seat = public.turn or 0
    if public.stage is Stage.DEAL:
        if call_line(public):
            return call_line(public)[:room]
        ways = ("{} deals: #",) if view.settings.entry == "points" else ("{} deals: card", "{}: starter")
        return _named(public, public.next_dealer or 0, room, ways)
    if public.stage is Stage.PLAY:
        if view.settings.entry != "full" and public.by_points:
            return "play: n, A or B"
        return _named(public, seat, room, (f"{public.count} {{}}: card", f"{public.count} {{}} card"))
    kind = "crib" if public.stage is Stage.CRIB else "hand"
    ready, teach, ask = asked_for(view, public)
    if not ready:
        text = f"{kind} {ask}"
        return text if len(text) <= room else ask
    key = "#" if teach else "n#"
    if kind == "crib":
        return _named(public, seat, room, (f"{{}}'s crib: {key}", f"{{}} crib: {key}"))
    return _named(public, seat, room, (f"{{}}'s hand: {key}", f"{{}} hand: {key}", f"{{}}: {key}"))


def _named(public: Public, seat: int, room: int, ways: tuple[str, ...]) -> str:
    for way in ways:
        if len(way.format(public.names[seat])) <= room:
            return way.format(public.names[seat])
    return ways[-1].format(seat_label(public, seat, room - len(ways[-1].format(""))))
