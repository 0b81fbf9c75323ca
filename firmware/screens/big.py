"""The big theme: each side's holes to go in numerals of 48 pixels, and one line under them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.public import Public
from engine.state import Stage
from firmware.screens.model import COLUMNS, Screen
from firmware.view import View

BIG: Final = frozenset({Stage.DEAL, Stage.PLAY, Stage.SHOW, Stage.CRIB})
"""The stages that have a big twin; at the others there is no score to follow, but something to read."""


def big_screen(normal: Screen, view: View, public: Public) -> Screen:
    """The big twin of a game screen. With more than two sides only the side to act fits."""
    togo = [public.holes_to_go(side) for side in range(len(public.side_names))]
    if len(togo) > 2:
        togo = [togo[public.sides[public.turn]]] if public.turn is not None else togo[:1]
    last = f"{_prompt(normal, view, public):<{COLUMNS}}"
    if view.typed:
        last = f"{last[: COLUMNS - len(view.typed) - 2]} {view.typed}_"
    lines = (*normal.lines[:3], last[:COLUMNS])
    return replace(normal, lines=lines, big="", numerals=tuple(str(holes) for holes in togo))


def _prompt(normal: Screen, view: View, public: Public) -> str:
    """Whose act it is, and what is asked for; a mark before it while acts are not saved."""
    mark = "" if view.saved else "!"
    if public.stage is Stage.DEAL:
        return f"{mark}{public.names[public.next_dealer or 0]} deals"
    name = public.names[public.turn or 0]
    if public.stage is Stage.PLAY:
        return mark + (
            f"{public.count} {name}" if view.settings.entry == "full" or not public.by_points else "the play"
        )
    ask = normal.lines[3].removesuffix(f"{view.typed}_").rstrip() if view.typed else normal.lines[3]
    if ask.startswith("card"):
        kind = "" if mark else "crib " if public.stage is Stage.CRIB else "hand "
        return f"{mark}{kind}{ask}"
    whose = "crib" if public.stage is Stage.CRIB else name[: COLUMNS - len(mark) - len(ask) - 2]
    return f"{mark}{whose}: {ask}"
