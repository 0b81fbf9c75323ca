"""The big theme: each side's holes to go in numerals of 48 pixels, and one line under them."""

from __future__ import annotations

from dataclasses import replace

from engine.public import Public
from engine.state import Stage
from firmware.screens.model import COLUMNS, Screen


def big_screen(normal: Screen, public: Public, typed: str) -> Screen:
    """The big twin of a game screen. With more than two sides only the side to act fits."""
    togo = [public.holes_to_go(side) for side in range(len(public.side_names))]
    if len(togo) > 2:
        togo = [togo[public.sides[public.turn]]] if public.turn is not None else togo[:1]
    last = normal.lines[3]
    if public.stage is Stage.PLAY and public.turn is not None and not public.by_points:
        last = f"{public.count} {public.names[public.turn]}"
        if typed:
            last = f"{last[: COLUMNS - len(typed) - 2]:<{COLUMNS - len(typed) - 1}}{typed}_"
    lines = (*normal.lines[:3], last[:COLUMNS])
    return replace(normal, lines=lines, big="", numerals=tuple(str(holes) for holes in togo))
