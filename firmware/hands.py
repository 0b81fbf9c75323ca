"""Whose hands are on the board: what each is typing, and who moved last. Time plays no part, only order.

Every press comes from one of several hands: the board's own keys, a page, a phone. Each types by itself, so two phones
never mix their digits. An entry belongs to the moment at which it was begun: when another hand has moved since, the
press that would complete it is not taken, for it was meant for another screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.errors import Malformed
from firmware.entry import Token, feed, seat_of
from firmware.words import say

MOST: Final = 64
"""So many hands may be in the middle of an entry; what the longest idle of more had typed is forgotten."""


@dataclass(frozen=True, slots=True)
class Presser:
    """Someone who may press keys. ``seat`` is the seat these keys are bound to, counted from 0; None is the table."""

    id: str
    seat: int | None = None
    name: str = ""
    """How the board speaks of it, where no seat names it."""


KEYPAD: Final = Presser("keypad", None, say("by-keypad"))
"""The board's own keys, buttons and numpad: what they say is always taken."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a hand did that changed what the next key means; ``moment`` is the number of the moment it led to."""

    moment: int
    by: Presser
    what: str

    def told(self, names: tuple[str, ...]) -> str:
        """Who was first with what, for the one who came second; ``names`` are the seats'."""
        if not self.what:
            return say("was-anew")
        seat = self.by.seat
        who = say("by-seat", name=names[seat]) if seat is not None and seat < len(names) else self.by.name
        return say("was-first", who=who, what=self.what)


@dataclass(frozen=True, slots=True)
class _Entry:
    typed: str
    begun: int


class Hands:
    """What is typed by each hand, and the number of the present moment, which only grows.

    A moment ends whenever a key would no longer mean what it meant: by an act, an undo, a screen opened or left. The
    first of a start is to be far from those of every other start: a page may still show one of theirs.
    """

    def __init__(self, first: int) -> None:
        self.moment = first
        self._first = first
        self._entries: dict[str, _Entry] = {}
        self._newest = KEYPAD
        self._moves: tuple[Move, ...] = ()

    @property
    def typed(self) -> str:
        """What the hand that pressed last has typed."""
        entry = self._entries.get(self._newest.id)
        return entry.typed if entry else ""

    def feed(self, key: str, by: Presser, seen: int | None) -> tuple[Token | None, Move | None]:
        """One more key of a hand: the token it completes, or the move of another hand that came before it.

        ``seen`` is the moment its page showed, None where it is sure to be the present one. Raises Malformed for a
        third digit, and for the button of another seat.
        """
        self._newest = by
        if by.seat is not None and seat_of(key) not in (None, by.seat):
            raise Malformed(say("other-button", own=by.seat + 1))
        shown = self.moment if seen is None else seen
        entry = self._entries.pop(by.id, None) or _Entry("", shown)
        try:
            typed, token = feed(entry.typed, key, by.seat)
        except Malformed:
            self._entries[by.id] = entry
            raise
        if token is not None:
            return token, self.before(by, entry.begun)
        if typed:
            self._entries[by.id] = _Entry(typed, entry.begun)
            if len(self._entries) > MOST:
                self._entries.pop(next(iter(self._entries)))
        return None, None

    def before(self, by: Presser, seen: int | None) -> Move | None:
        """The newest move of another hand since that moment; None where there is none, and for the board's own keys."""
        if by == KEYPAD or seen is None:
            return None
        if not self._first <= seen <= self.moment:
            return Move(self.moment, Presser("board"), "")  # seen before the board was started anew
        return next((move for move in self._moves if move.by.id != by.id and move.moment > seen), None)

    def show(self) -> None:
        """Something is shown that changes nothing, but that a hand may have seen or not: a moment of its own."""
        self.moment += 1

    def move(self, by: Presser, what: str) -> None:
        """That hand has changed what the next key means."""
        self.moment += 1
        last = Move(self.moment, by, what)
        self._moves = (last, *[one for one in self._moves if one.by.id != by.id][:1])
