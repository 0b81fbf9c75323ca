"""What the page asks of the service: the only thing it knows of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

from firmware.hands import Presser
from firmware.pairing import Paired, Unpaired
from firmware.web.library import Library
from hardware.ports import Colour

KEYS: Final = frozenset("0123456789*#ABCD") | {key for seat in "1234" for key in (f"@{seat}", f"hold(@{seat})")}
"""Every key the page can press: the sixteen of the keypad, and each seat's button tapped or held."""


class Sight(Protocol):
    """What a page shows of the board: public at the table, all of it."""

    def snapshot(self) -> dict[str, Any]:
        """Everything the page writes in words and figures, as plain JSON values; public state only.

        ``phase`` is set-up, cut, deal, starter, play, show, crib or end; ``turn`` and ``dealer`` a name or None;
        ``starter`` a card code or None; ``count`` the running total of the play; ``target`` the game hole;
        ``shared_lane`` true when all sides peg on one lane. Each of ``sides`` has ``name``, ``colour`` (blue, amber,
        white), ``score``, ``front``, ``back``, ``to_go``, ``level``, ``games``; a seat ``name``, ``side``;
        ``agreed`` the names of the set-up while it is on the glass. ``plays``
        is a list for each count of the play, the present one last, of ``card``, ``seat`` (from 0) and ``count``;
        ``hushed`` true where a side counts under ``call``, and only the last card is told. ``screen`` is the lines
        drawn, ``spoken`` the same in plain words, ``caption`` the news and the question, ``typed`` what is typed,
        ``moment`` the number that a press sends as ``seen``, ``phones`` one that changes when a phone comes or goes,
        ``theme`` normal or big. ``notice`` is None or has ``kind`` (refused, info, fault) and ``text``. ``log``,
        oldest first, has ``n``, ``who``, ``points``, ``why``, ``scores``; ``parts`` have ``name``, ``state``
        (simulated, ok, missing, off) and ``say``. ``saved`` is false when the journal cannot be written. ``marks`` has
        ``streets`` (holes a street) and ``skunks`` (the first hole past each skunk line).
        """
        ...

    def glass(self) -> tuple[int, int, bytes]:
        """Width, height, and what the panel shows: a bit a pixel, rows top to bottom, each padded to whole bytes,
        the highest bit leftmost."""
        ...

    def lights(self) -> list[list[Colour]]:
        """For each lane the colours that its holes 1..N show now, as decoded from the strip."""
        ...


class PhoneDesk(Protocol):
    """Where phones are paired and let go."""

    def of(self, cookie: str) -> Presser | None:
        """The hand of the paired phone whose cookie this is; None where it says nothing."""
        ...

    def pair(self, code: str, address: str) -> Paired | Unpaired:
        """Judge a pairing code, typed on a phone at that address."""
        ...

    def unpair(self, by: Presser) -> None:
        """Let that phone press no more."""
        ...


class PageSource(Sight, Protocol):
    """The service as the page sees it: what is public at the table, and the keys. Called in the server's loop.

    Its own sight is for pages on its own machine, which show the board's screen to the last pixel.
    """

    @property
    def library(self) -> Library:
        """The games kept here."""
        ...

    @property
    def phones(self) -> PhoneDesk:
        """Whose phones may press keys."""
        ...

    def from_afar(self) -> Sight:
        """What pages on other machines are told: the same but for a code that pairs phones."""
        ...

    def press(self, key: str, by: Presser, seen: int | None) -> str:
        """Take one key of ``KEYS`` from a hand whose page showed the moment ``seen`` (None: the present one).

        Says whose press was first where that one was therefore not taken, else nothing. Raises ValueError for what is
        no key.
        """
        ...

    def watch(self) -> AsyncIterator[str]:
        """Yield ``state``, ``glass`` or ``lights`` whenever one has changed; a slow reader misses repeats, never the
        last. Ends when the service does. ``Changes`` keeps this promise."""
        ...
