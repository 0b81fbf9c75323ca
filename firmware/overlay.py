"""Screens that lie over the game: the undo offer, why?, the spoken score, the menu, and adjust. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """``*``: the newest act is named; ``#`` takes it back, any other key drops the offer."""

    what: str


@dataclass(frozen=True, slots=True)
class Why:
    """``C``: the last award explained, a screen at a time."""

    text: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Says:
    """``D``: both scores, holes to go, whose crib, starter, count and turn."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """``D`` again: what the board itself can be told."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """``B``: what may be put right."""

    page: int = 0


Task = Literal["give", "take", "wrong-card", "held", "penalty", "void", "crib-void", "stop"]


@dataclass(frozen=True, slots=True)
class Asking:
    """One adjustment under way, asking for what it still needs."""

    task: Task
    was: Card | None = None
    """The card keyed wrongly, once it is named."""


Overlay = UndoOffer | Why | Says | Menu | Adjust | Asking

ADJUSTMENTS: tuple[tuple[str, Task], ...] = (
    ("adjust-give", "give"),
    ("adjust-take", "take"),
    ("adjust-wrong-card", "wrong-card"),
    ("adjust-void", "void"),
    ("adjust-held", "held"),
    ("adjust-penalty", "penalty"),
    ("adjust-crib-void", "crib-void"),
    ("adjust-stop", "stop"),
)
"""What adjust offers, by the number that chooses it: (the words, the task)."""

MENU = ("menu-theme", "menu-blink", "menu-sound", "menu-about")
"""What the menu offers, by the number that chooses it."""
