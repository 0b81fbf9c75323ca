"""The phones of a running board, as its page asks about them."""

from __future__ import annotations

from collections.abc import Callable

from firmware.board import Board
from firmware.hands import Presser
from firmware.pairing import Paired, Unpaired


class BoardPhones:
    """Pairs phones with a board and lets them go. ``clock`` is monotonic seconds."""

    def __init__(self, board: Board, clock: Callable[[], float]) -> None:
        self._board = board
        self._clock = clock

    def of(self, cookie: str) -> Presser | None:
        """The hand of the paired phone whose cookie this is; None where it says nothing."""
        return self._board.phones.of(cookie)

    def pair(self, code: str, address: str) -> Paired | Unpaired:
        """Judge a pairing code, typed on a phone at that address."""
        return self._board.pair(code, address, self._clock())

    def parts(self) -> list[dict[str, str]]:
        """A line among the parts for the page, while the register is not saved."""
        phones = self._board.phones
        return [] if phones.saved else [{"name": "phones", "state": "missing", "say": phones.trouble}]

    def unpair(self, by: Presser) -> None:
        """Let that phone press no more."""
        self._board.unpair(by.id)
