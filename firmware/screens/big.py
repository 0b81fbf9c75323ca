"""The big theme: each side's holes to go in numerals of 48 pixels, and one line under them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.public import Public
from engine.state import Stage
from firmware.screens.game import asked_for, typed_line
from firmware.screens.model import COLUMNS, Screen
from firmware.screens.names import seat_label
from firmware.view import View

BIG: Final = frozenset({Stage.DEAL, Stage.PLAY, Stage.SHOW, Stage.CRIB})
"""The stages that have a big twin; at the others there is no score to follow, but something to read."""


_TO_GO: Final = "to go"
"""What the numerals are, at the end of the line under them, where there is room."""
_APART: Final = "  "
"""Between the two: "deals to go" would be a sentence."""


def big_screen(normal: Screen, view: View, public: Public) -> Screen:
    """The big twin of a game screen. With more than two sides only the side to act fits."""
    togo = [public.holes_to_go(side) for side in range(len(public.side_names))]
    if len(togo) > 2:
        togo = [togo[public.sides[public.turn]]] if public.turn is not None else togo[:1]
    prompt = _prompt(view, public)
    last = typed_line(view, prompt)
    if not view.typed and len(prompt) + len(_APART) + len(_TO_GO) <= COLUMNS:
        last = prompt.ljust(COLUMNS - len(_TO_GO)) + _TO_GO
    return replace(normal, lines=(*normal.lines[:3], last), big="", numerals=tuple(str(holes) for holes in togo))


def _prompt(view: View, public: Public) -> str:
    """Whose act it is, and what is asked for; a mark before it while acts are not saved."""
    mark = "" if view.saved else "!"
    seat = public.turn or 0
    if public.stage is Stage.DEAL:
        return f"{mark}{seat_label(public, public.next_dealer or 0, COLUMNS - len(mark) - 6)} deals"
    if public.stage is Stage.PLAY:
        if view.settings.entry != "full" and public.by_points:
            return f"{mark}the play"
        count = f"{mark}{public.count} "
        return count + seat_label(public, seat, COLUMNS - len(count) - len(_APART) - len(_TO_GO))
    ready, _, ask = asked_for(view, public)
    if not ready:
        kind = "" if mark else "crib " if public.stage is Stage.CRIB else "hand "
        return f"{mark}{kind}{ask}"
    whose = "crib" if public.stage is Stage.CRIB else seat_label(public, seat, COLUMNS - len(mark) - len(ask) - 2)
    return f"{mark}{whose}: {ask}"
