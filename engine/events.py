"""What has happened at the table: accepted facts, one frozen class each, in the past tense; awards are derived."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, get_args

from engine import intents as want
from engine.cards import Card, codes, parse_card
from engine.errors import Malformed
from engine.intents import Level
from engine.rules import Rules

EVENT_VERSION: Final = 1
"""The version of the dict form written now; older ones are lifted on reading, newer ones refused."""


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A game began, with the whole rule book as values."""

    rules: Rules
    names: tuple[str, ...]
    muggins: bool
    levels: tuple[Level, ...]
    start: tuple[int, ...] | None
    rematch: bool
    first_dealer: int | None


@dataclass(frozen=True, slots=True)
class CutMade:
    """A seat cut this card for the deal."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealBegun:
    """That seat deals."""

    dealer: int


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter, and the heels claimed or forfeited."""

    card: Card
    claim: int | None


@dataclass(frozen=True, slots=True)
class StarterSkipped:
    """The starter was not told to the board."""


@dataclass(frozen=True, slots=True)
class CardsHeld:
    """A seat, or without one the crib, holds so many cards instead of the usual number."""

    seat: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was laid in the play."""

    seat: int
    card: Card
    claim: int | None


@dataclass(frozen=True, slots=True)
class GoSaid:
    """A seat said go."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardClaimed:
    """Points were claimed for the card just played, or for the heels just turned."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """The play, pegged by numbers, is over."""


@dataclass(frozen=True, slots=True)
class CardTurned:
    """A card of the hand or crib that is counted next was keyed."""

    card: Card


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand was counted and quitted."""

    seat: int
    cards: tuple[Card, ...] | None
    claim: int | None


@dataclass(frozen=True, slots=True)
class CribShown:
    """The crib was counted and quitted, or was void."""

    seat: int
    cards: tuple[Card, ...] | None
    claim: int | None
    void: bool


@dataclass(frozen=True, slots=True)
class ClaimsAccepted:
    """The open claims of one seat, or of all, were accepted."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """A call on the claim of ``on_seat`` for ``on_what``."""

    caller: int
    points: int
    many: bool
    on_seat: int
    on_what: str
    agreed: bool
    on_card: Card | None = None
    """The card of the play that is meant, where it is not the newest that can be."""


@dataclass(frozen=True, slots=True)
class CardsKeyed:
    """Cards keyed to settle a call."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """A seat received points as a penalty on another."""

    seat: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameClaimed:
    """A seat claimed the game."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class PointsPegged:
    """Points pegged, or taken back, by hand."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class LevelSet:
    """The referee level of one seat's side, or of all."""

    level: Level
    seat: int | None


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The deal was declared void."""


@dataclass(frozen=True, slots=True)
class GameStopped:
    """The game was given up."""


Event = (
    GameOpened
    | CutMade
    | DealBegun
    | StarterTurned
    | StarterSkipped
    | CardsHeld
    | CardPlayed
    | GoSaid
    | CardClaimed
    | PlayEnded
    | CardTurned
    | HandShown
    | CribShown
    | ClaimsAccepted
    | MugginsCalled
    | CardsKeyed
    | PenaltyGiven
    | GameClaimed
    | PointsPegged
    | LevelSet
    | DealVoided
    | GameStopped
)

_KINDS: Final[dict[str, type]] = {kind.__name__: kind for kind in get_args(Event)}

_INTENTS: Final[dict[type, type]] = {
    GameOpened: want.OpenGame,
    CutMade: want.CutForDeal,
    DealBegun: want.Deal,
    StarterTurned: want.TurnStarter,
    StarterSkipped: want.SkipStarter,
    CardsHeld: want.HoldCards,
    CardPlayed: want.PlayCard,
    GoSaid: want.SayGo,
    PlayEnded: want.EndPlay,
    CardTurned: want.TurnCard,
    HandShown: want.ShowHand,
    CribShown: want.ShowCrib,
    ClaimsAccepted: want.Accept,
    MugginsCalled: want.CallMuggins,
    CardsKeyed: want.KeyCards,
    PenaltyGiven: want.GivePenalty,
    GameClaimed: want.ClaimGame,
    PointsPegged: want.PegByHand,
    LevelSet: want.SetLevel,
    DealVoided: want.VoidDeal,
    GameStopped: want.StopGame,
}


def intent_of(event: Event) -> want.Intent:
    """The intent that asks for exactly this event; a history folded anew decides it again.

    >>> intent_of(GoSaid(seat=1))
    SayGo(seat=1)
    """
    if isinstance(event, CardClaimed):
        return want.ClaimCard(event.points)
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    intent: want.Intent = _INTENTS[type(event)](**values)
    return intent


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Rules):
        return value.to_dict()
    if isinstance(value, tuple):
        return codes(value) if value and isinstance(value[0], Card) else list(value)
    return value


def _value(name: str, plain: Any) -> Any:
    if plain is None:
        return None
    match name:
        case "card" | "on_card":
            return parse_card(plain, suit_optional=True)
        case "cards" if isinstance(plain, list):
            return tuple(parse_card(code) for code in plain)
        case "rules":
            return Rules.from_dict(plain)
    return tuple(plain) if isinstance(plain, list) else plain


def kind_of(event: Event) -> str:
    """The name an event is written under."""
    return type(event).__name__


def to_dict(event: Event) -> dict[str, Any]:
    """Plain values (strings, numbers, lists) of an event, for a journal.

    >>> to_dict(CardPlayed(seat=0, card=parse_card("4S"), claim=None))
    {'seat': 0, 'card': '4S', 'claim': None}
    """
    return {field.name: _plain(getattr(event, field.name)) for field in fields(event)}


def from_dict(kind: str, data: dict[str, Any], version: int = EVENT_VERSION) -> Event:
    """The event back from its plain values. Raises Malformed for an unknown kind, a newer version or missing values."""
    if version > EVENT_VERSION:
        raise Malformed(f"an event of version {version}: this program reads up to {EVENT_VERSION}; install a newer one")
    if kind not in _KINDS:
        raise Malformed(f"{kind!r} is no event this program knows")
    try:
        event: Event = _KINDS[kind](**{name: _value(name, plain) for name, plain in data.items()})
    except (TypeError, AttributeError) as error:
        raise Malformed(f"a {kind} event with values that do not fit: {error}") from error
    return event
