"""A table's history: accepted entries with the state after each; undo without bottom, and cards corrected later.

Persistent and pure: every history keeps the one it grew from, so an undo is a step back, never a calculation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.apply import apply, fold
from engine.cards import Card
from engine.decide import decide
from engine.errors import CribbageError, Illegal
from engine.events import (
    CardPlayed,
    CardsKeyed,
    CardTurned,
    CribShown,
    CutMade,
    DealBegun,
    Event,
    GameOpened,
    HandShown,
    StarterTurned,
    intent_of,
)
from engine.intents import Intent
from engine.state import State


@dataclass(frozen=True, slots=True)
class Undone:
    """An entry was taken back: the fold skips it. ``entry`` is that entry's number."""

    entry: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A card keyed earlier in this deal was another one: the fold reads ``card`` for ``was`` from that entry on."""

    was: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted entry: its number and its events."""

    number: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The entries that stand, newest last, as a chain; ``before`` is what an undo of the newest goes back to.

    Compared by identity, and printed without its past: the chain branches, so looking through it all takes for ever.
    Two histories are alike when their ``entries()`` and ``state`` are.
    """

    entry: Entry | None = None
    state: State | None = None
    earlier: History | None = field(default=None, repr=False)
    """The chain without the newest entry."""
    before: History | None = field(default=None, repr=False)
    """The history before the newest act: the same as ``earlier``, but for a correction the uncorrected one."""
    correction: Corrected | None = None
    """Set when the newest act was a correction, not an entry of its own."""
    act: int = 0
    """The number of the newest act: of its entry, or of the correction."""

    def entries(self) -> tuple[Entry, ...]:
        """Every entry that stands, oldest first."""
        found: list[Entry] = []
        node: History | None = self
        while node is not None and node.entry is not None:
            found.append(node.entry)
            node = node.earlier
        return tuple(reversed(found))

    def events(self) -> tuple[Event, ...]:
        """Every event that stands, oldest first: what a fold gives the state from."""
        return tuple(event for entry in self.entries() for event in entry.events)

    @property
    def news(self) -> int:
        """How long the ledger was before the newest entry: what lies past it is news."""
        if self.earlier is None or self.earlier.state is None or self.entry is None or self.state is None:
            return 0
        if any(isinstance(event, GameOpened) for event in self.entry.events):
            return 0
        before = len(self.earlier.state.ledger)
        return before if before <= len(self.state.ledger) else 0

    def decide(self, *intents: Intent) -> tuple[Event, ...]:
        """The events of one entry made of these intents in turn. Raises CribbageError; then nothing of it happened."""
        return self._decided(intents)[0]

    def enter(self, number: int, *intents: Intent) -> History:
        """The history with one more entry made of these intents in turn. Raises CribbageError.

        What ``decide`` and then ``record`` give, worked out once: each event is applied in any case, since the next
        intent is decided upon it.
        """
        events, state = self._decided(intents)
        return History(Entry(number, events), state, self, self, None, number)

    def record(self, number: int, events: tuple[Event, ...]) -> History:
        """The history with one more entry, of events that were decided before: those of a journal, say."""
        return History(Entry(number, events), fold(events, self.state), self, self, None, number)

    def _decided(self, intents: Iterable[Intent]) -> tuple[tuple[Event, ...], State | None]:
        """The events of these intents in turn, and the state after them."""
        state = self.state
        events: list[Event] = []
        for intent in intents:
            for event in decide(state, intent):
                state = apply(state, event)
                events.append(event)
        return tuple(events), state

    def undo(self) -> History:
        """The history before the newest act. Raises Illegal when nothing stands here to be undone."""
        if self.before is None:
            raise Illegal("nothing is left to undo")
        return self.before

    def correct(self, number: int, was: Card, card: Card) -> History:
        """The history with a card of the present deal read as another one: everything since is decided anew.

        Raises Illegal when ``was`` was not keyed in this deal, or when a later act would become illegal, naming it.
        """
        chain: list[Entry] = []
        node, history, since = self, self, 0
        while node.entry is not None and node.earlier is not None:
            entry, node = node.entry, node.earlier
            chain.append(entry)
            if any(was in _cards(event) for event in entry.events):
                history, since = node, len(chain)  # the oldest counts: a hand counted repeats the cards turned up
            if any(isinstance(event, DealBegun) for event in entry.events):
                break
        if not since:
            raise Illegal(f"{was} was not keyed in this deal: nothing to correct")
        for entry in reversed(chain[:since]):
            swapped = tuple(_swap(event, was, card) for event in entry.events)
            try:
                intents = (intent_of(event) for event in swapped if not _implied(event, entry))
                history = history.enter(entry.number, *intents)
            except CribbageError as error:
                raise Illegal(f"{was} cannot be {card}: {error.brief}") from error
        return replace(history, before=self, correction=Corrected(was, card), act=number)


def _implied(event: Event, entry: Entry) -> bool:
    """A deal begun by the last cut of its own entry follows from that cut."""
    return isinstance(event, DealBegun) and any(isinstance(other, CutMade) for other in entry.events)


def _cards(event: Event) -> tuple[Card, ...]:
    match event:
        case StarterTurned(card=card) | CardPlayed(card=card) | CardTurned(card=card):
            return (card,)
        case HandShown(cards=cards) | CribShown(cards=cards) | CardsKeyed(cards=cards):
            return cards or ()
    return ()


def _swap(event: Event, was: Card, card: Card) -> Event:
    match event:
        case StarterTurned() | CardPlayed() | CardTurned() if event.card == was:
            return replace(event, card=card)
        case HandShown() | CribShown() | CardsKeyed() if event.cards and was in event.cards:
            return replace(event, cards=tuple(card if one == was else one for one in event.cards))
    return event


def fold_rows(rows: Iterable[tuple[int, tuple[Event, ...] | Undone | Corrected]]) -> History:
    """The history of a log: (number, events of an entry, or an undo, or a correction), in the order they were accepted.

    Raises Illegal where an undo does not name the newest act: such a log was not written by this program.
    """
    history = History()
    for number, act in rows:
        if isinstance(act, Undone):
            if history.act != act.entry:
                raise Illegal(f"act {number} undoes {act.entry}, but {history.act} was the newest")
            history = history.undo()
        elif isinstance(act, Corrected):
            history = history.correct(number, act.was, act.card)
        else:
            history = history.record(number, act)
    return history
