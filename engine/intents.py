"""What somebody at the table wants: each may be refused. A seat left out is the seat whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from engine.rules import Counted, Rules

Level = Literal["teach", "flag", "call", "off"]
LEVELS: tuple[Level, ...] = ("teach", "flag", "call", "off")


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Begin a game. ``rematch`` keeps the match tally of the game before it."""

    rules: Rules
    names: tuple[str, ...]
    muggins: bool
    levels: tuple[Level, ...]
    start: tuple[int, ...] | None = None
    rematch: bool = False
    first_dealer: int | None = None


@dataclass(frozen=True, slots=True)
class CutForDeal:
    """The next seat to cut turned this card; low deals (001, Setup)."""

    card: Card
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """That seat deals; without one, the seat whose deal it is."""

    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class TurnStarter:
    """The starter is turned. ``claim``: the heels claimed, 0 where they were forfeited, None where nothing was said."""

    card: Card
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class SkipStarter:
    """The starter is not told to the board (a deal kept by points alone)."""


@dataclass(frozen=True, slots=True)
class HoldCards:
    """That seat, or without one the crib, holds so many cards: a short or a surplus hand, an odd crib."""

    seat: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card laid in the play, with the points claimed for it, if any."""

    card: Card
    claim: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SayGo:
    """A go."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """So many points for the card just played, or for the heels just turned (where the players count the play)."""

    points: int


@dataclass(frozen=True, slots=True)
class EndPlay:
    """The play is over (a deal kept by shows or points)."""


@dataclass(frozen=True, slots=True)
class TurnCard:
    """One more card of the hand or crib that is counted next, laid face up and keyed."""

    card: Card


@dataclass(frozen=True, slots=True)
class ShowHand:
    """A hand counted: its cards unless the play told them, and the claim unless the board counts."""

    seat: int | None = None
    cards: tuple[Card, ...] | None = None
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class ShowCrib:
    """The crib counted, or void."""

    cards: tuple[Card, ...] | None = None
    claim: int | None = None
    void: bool = False
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """The open claims of one seat, or all of them, are accepted."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class CallMuggins:
    """A call of so many points on another side's claim: too few, or too many."""

    caller: int
    points: int
    many: bool = False
    on_seat: int | None = None
    on_what: Counted | Literal["go"] | None = None
    agreed: bool = False
    on_card: Card | None = None
    """Which card of the play, where several of that seat can be called; None: the newest."""


@dataclass(frozen=True, slots=True)
class KeyCards:
    """The cards of a hand or crib that was claimed without them, keyed to settle a call; none: those turned up."""

    seat: int
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class GivePenalty:
    """That seat receives points; the word says why."""

    seat: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """That seat claims the whole game; the word says why."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class PegByHand:
    """Points pegged by hand; negative takes back."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class SetLevel:
    """The referee level of one side, or of all."""

    level: Level
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class VoidDeal:
    """The deal's points go back, penalties stand, the same dealer deals again."""


@dataclass(frozen=True, slots=True)
class StopGame:
    """The game is given up."""


Intent = (
    OpenGame
    | CutForDeal
    | Deal
    | TurnStarter
    | SkipStarter
    | HoldCards
    | PlayCard
    | SayGo
    | ClaimCard
    | EndPlay
    | TurnCard
    | ShowHand
    | ShowCrib
    | Accept
    | CallMuggins
    | KeyCards
    | GivePenalty
    | ClaimGame
    | PegByHand
    | SetLevel
    | VoidDeal
    | StopGame
)
