"""A word about a count that no hand can show, where the board was not told the cards (points level).

Never under ``call``, where nothing may be said before the claim is accepted, nor at ``off``, where nobody asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import CribShown, Event, HandShown
from engine.impossible import KNOWN_SIZES, possible_totals
from engine.state import State
from firmware.words import say


def doubt(state: State, events: Iterable[Event]) -> str:
    """What to say about the counts among these accepted events; empty where there is nothing to say."""
    deal = state.deal
    for event in events:
        if not isinstance(event, HandShown | CribShown) or event.cards is not None or event.claim is None:
            continue
        if deal is None or not deal.by_points or state.level(event.seat) not in ("teach", "flag"):
            continue
        kind = "hand" if isinstance(event, HandShown) else "crib"
        size = deal.held[event.seat] if kind == "hand" else deal.crib_held or state.rules.crib
        if size in KNOWN_SIZES and event.claim not in possible_totals(size):
            return say("impossible", kind=kind, points=event.claim)
    return ""
