"""Everything a screen, the lights or the page may draw: the public state, what is typed, and what lies over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from engine.penalties import Infraction
from engine.public import Public
from engine.state import Pegs
from firmware.entry import Token
from firmware.overlay import Overlay
from firmware.phones import Phone
from firmware.settings import USUAL, Choices, Settings

Theme = Literal["normal", "big"]

SLOWEST, FASTEST, USUAL_RATE = 120, 350, 170
"""Words a minute that the board may speak."""
RATES = (SLOWEST, 145, USUAL_RATE, 200, 240, 290, FASTEST)
"""The steps that the menu offers."""


class Noticed(StrEnum):
    """What kind of thing a notice says."""

    REFUSED = "refused"
    INFO = "info"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be read at once; the next key takes it away."""

    kind: Noticed
    text: str
    page: int = 0
    """Which part of it is on the glass, where it is too long for one screen."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the board itself was told, whatever the game."""

    theme: Theme = "normal"
    blink: bool = True
    sound: bool = True
    speech: bool = False
    """Whether the board speaks."""
    rate: int = USUAL_RATE
    """Words a minute."""

    @classmethod
    def read(cls, found: Any, usual: Preferences) -> Preferences:
        """The remembered preferences, or the usual ones where they cannot be read."""
        if not isinstance(found, dict):
            return usual
        theme, rate = found.get("theme"), found.get("rate")
        return cls(
            theme="big" if theme == "big" else "normal",
            blink=bool(found.get("blink", usual.blink)),
            sound=bool(found.get("sound", usual.sound)),
            speech=bool(found.get("speech", usual.speech)),
            rate=rate if type(rate) is int and SLOWEST <= rate <= FASTEST else usual.rate,
        )


LIKED = Preferences()
"""What a board likes that was told nothing."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The pegs before the newest move, and when (seconds, the board's clock) the lights show it."""

    before: tuple[Pegs, ...]
    at: float
    calm: bool = False
    """It came too soon after another to sweep and pulse: the pegs jump."""
    turned: bool = False
    """A front peg went back too, in this or in what it came too soon after."""


@dataclass(frozen=True, slots=True)
class View:
    """One moment of the board. ``public`` is None before the first game of a table."""

    public: Public | None
    settings: Settings
    setting_up: bool
    typed: str = ""
    """What the hand that pressed last has typed."""
    entered: Token | None = None
    """What the newest key completed; None for a digit, and for a number erased."""
    moment: int = 0
    """The number of this moment: it grows whenever a key comes to mean something else."""
    overlay: Overlay | None = None
    notice: Notice | None = None
    preferences: Preferences = LIKED
    saved: bool = True
    undoable: str = ""
    """What an undo would take back, in a few words; empty where there is nothing."""
    undo_asks_all: bool = False
    """That is a claim quitted, or a verdict, under call: each side is asked."""
    told: Callable[[], tuple[str, ...]] = field(default=tuple, compare=False, repr=False)
    """Gives ``report``: it is worked out when somebody wants it, not at the award that ends the game."""
    penalties: tuple[Infraction, ...] = ()
    """What the book in force rules on."""
    unruled: tuple[Infraction, ...] = ()
    """The other infractions by name: their amount and receiver are the table's decision."""
    removed: bool = False
    """The games before were deleted: no undo leads to them."""
    choices: Choices = USUAL
    reason: str = ""
    """What the newest entry brought, in the words of the table; empty where it pegged nothing."""
    reckoned: str = ""
    """The count that proves a miscount which the newest entry brought; else empty."""
    why: str = ""
    """All that is to be said of the newest entry that pegged anything."""
    moved: Moved | None = None
    pressed_at: float = -1.0
    """When the newest key was pressed, in seconds of the board's clock."""
    address: str = ""
    """Where the page is, if it is served."""
    phones: tuple[Phone, ...] = ()
    """The phones that are paired, by number."""
    phones_moved: int = 0
    """Grows with every phone that comes or goes."""

    @property
    def report(self) -> tuple[str, ...]:
        """The game report in lines of the glass, once the game is over."""
        return self.told()

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table, seat 1 first."""
        return self.settings.names if self.public is None else self.public.names

    @property
    def match_goes_on(self) -> bool:
        """Whether the next game, by the agreement as it is now, belongs to the match of the game on the board."""
        return self.public is not None and self.settings.continues(self.public)

    @property
    def phase(self) -> str:
        """The stage in a word; ``set-up`` while the agreement is offered."""
        return "set-up" if self.setting_up or self.public is None else self.public.stage.value
