"""What the page asks of the games kept here."""

from __future__ import annotations

from typing import Any, Protocol

from firmware.hands import Presser


class NotTold(Exception):
    """A wish that cannot be granted, in words: 404 no such game, 403, 409 not now, 422 no sound record, 503 no disk.

    ``line`` and ``column`` (from 1) are where a record is at fault; 0 where none is.
    """

    def __init__(self, status: int, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.line = line
        self.column = column


class NameBook(Protocol):
    """The names kept on this board. Called in the server's loop. Its methods raise NotTold."""

    def names(self) -> dict[str, Any]:
        """``kept``, the names typed here; ``offered``, all that the set-up offers; ``seats``, the set-up's own while it
        is on the glass, else empty; ``longest``, the characters a name may have."""
        ...

    def keep_name(self, text: str, seat: int | None, by: Presser) -> dict[str, Any]:
        """Keep a name and give it to a seat (from 1) of the set-up: ``name``; ``note`` if the glass lacks letters."""
        ...

    async def drop_name(self, text: str) -> dict[str, Any]:
        """Forget a name that was typed here, without a trace."""
        ...


class Library(NameBook, Protocol):
    """The games kept here, as the page sees them. Called in the server's loop; long work is done in other threads.

    Every method raises NotTold. A game's name is its number, or ``i`` and a number for an imported record.
    """

    async def games(self) -> dict[str, Any]:
        """``games``: a line each, as ``muggins games --json`` tells them, the one under way as public as the board."""
        ...

    async def game(self, name: str) -> dict[str, Any]:
        """One game that is over: its line, ``deals`` with every award, ``report``, and ``record``, its text.

        ``together`` lists the games that are deleted with it; ``stays`` says why it cannot be deleted, or nothing.
        """
        ...

    async def table(self, name: str) -> str:
        """The same as CSV."""
        ...

    async def take_over(self, data: bytes) -> dict[str, Any]:
        """Import a record: its ``id``, and ``there_already`` where it was kept before."""
        ...

    async def delete(self, name: str, agreed: list[str]) -> dict[str, Any]:
        """Delete a game with those that go with it, which must be the ones agreed to: ``deleted``, perhaps ``note``."""
        ...
