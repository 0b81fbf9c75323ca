"""What a token comes to: an act for the engine, or something the board does to itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.cards import Card
from engine.intents import Intent
from firmware.overlay import Overlay
from firmware.settings import Settings


@dataclass(frozen=True, slots=True)
class Act:
    """One entry made of these intents, in turn."""

    intents: tuple[Intent, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """Go on to ``overlay`` if the rules allow this intent now; nothing is entered yet."""

    intent: Intent
    overlay: Overlay


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the newest act."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A card keyed earlier in this deal was another."""

    was: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Open:
    """Show this over the game, or (None) go back to the game."""

    overlay: Overlay | None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The agreement for the next game is now this; the set-up screen shows it, or ``overlay`` over it."""

    settings: Settings
    overlay: Overlay | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Back from the set-up to the game that has ended; the agreement is what it was before."""


@dataclass(frozen=True, slots=True)
class Prefer:
    """A preference of the board itself."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Pair:
    """Show a fresh code, for the keys of that seat or of the table."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Unpair:
    """That phone presses no more."""

    id: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Nothing happens, and why, in words for a small screen."""

    text: str


@dataclass(frozen=True, slots=True)
class Pass:
    """The overlay is dropped and the token means what it always means."""


Effect = Act | Try | TakeBack | Fix | Open | SetUp | Leave | Prefer | Pair | Unpair | Refuse | Pass


def act(*intents: Intent) -> Act:
    """One entry of these intents."""
    return Act(intents)
