"""Screens that lie over the game: the undo offer, why?, the spoken score, the menu, adjust, a call. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.cards import Card
from engine.intents import Level


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """``*``: the newest act is named; ``#`` takes it back, any other key drops the offer."""

    what: str
    asks_all: bool = False
    """A quitted claim or a verdict under call: each side is asked before it is taken back."""


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
class Fields:
    """``C`` at the set-up: every choice of the agreement, and which number changes it."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Levels:
    """The referee level of each side, and which number changes it."""


@dataclass(frozen=True, slots=True)
class Report:
    """The game report, a screen at a time."""

    lines: tuple[str, ...]
    page: int = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """``B``: what may be put right."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Penalties:
    """The infractions of the book, by number."""

    page: int = 0


Task = Literal["give", "take", "wrong-side", "wrong-card", "held", "penalty", "claim-game", "void", "crib-void", "stop"]


@dataclass(frozen=True, slots=True)
class Asking:
    """One adjustment under way, asking for what it still needs."""

    task: Task
    was: Card | None = None
    """The card keyed wrongly, once it is named."""
    reason: str = ""
    """The infraction's name."""
    amount: int | None = None
    """What it costs, where the book says."""
    to: int | None = None
    """The seat that receives it, where the book and the deal say."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Each side is asked by name: a level changes, or a claim quitted under call is taken back."""

    what: str
    side: int
    """The side asked now; those before it have agreed."""
    level: Level | None = None
    """The new level, else an undo."""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Calling:
    """A call being made: who calls, on which of the open claims (0 the newest), too few or too many."""

    caller: int | None
    """None: with several opponents the caller's seat is asked first."""
    older: int = 0
    many: bool = False


@dataclass(frozen=True, slots=True)
class Answering:
    """The claimant is asked: agree, or dispute."""

    caller: int
    older: int
    many: bool
    points: int


WRONG_MOST: Final = 5
"""So many wrong tries make a pairing code void."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is, for a phone's camera."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A phone is invited: it has the code to type. Whoever pairs it says here, at the board, whose keys it will have,
    so that nobody takes another's seat with a phone."""

    code: str
    """Six digits; empty once it is void."""
    seat: int | None = None
    """None: the keys of the whole table."""
    wrong: int = 0
    """Wrong tries so far."""
    hidden: bool = False
    """There is a code, and who looks from afar is not told it."""


@dataclass(frozen=True, slots=True)
class PhoneList:
    """The phones that are paired, by number."""

    page: int = 0


Overlay = (
    UndoOffer
    | Why
    | Says
    | Menu
    | Fields
    | Levels
    | Report
    | Adjust
    | Penalties
    | Asking
    | Consent
    | Calling
    | Answering
    | Address
    | Pairing
    | PhoneList
)

ADJUSTMENTS: Final[tuple[tuple[str, Task], ...]] = (
    ("adjust-give", "give"),
    ("adjust-take", "take"),
    ("adjust-wrong-card", "wrong-card"),
    ("adjust-void", "void"),
    ("adjust-held", "held"),
    ("adjust-penalty", "penalty"),
    ("adjust-crib-void", "crib-void"),
    ("adjust-stop", "stop"),
    ("adjust-wrong-side", "wrong-side"),
    ("adjust-claim-game", "claim-game"),
)
"""What adjust offers, by the number that chooses it: (the words, the task)."""

MENU: Final = (
    "menu-theme",
    "menu-blink",
    "menu-sound",
    "menu-levels",
    "menu-report",
    "menu-about",
    "menu-speech",
    "menu-rate",
    "menu-phone",
    "menu-pair",
    "menu-phones",
)
"""What the menu offers, by the number that chooses it."""
