"""What is wrong with the parts: told once each on the glass and in the log, one after the other, until it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from firmware.board import Board
from firmware.view import Noticed
from firmware.words import say
from hardware.errors import foreign
from hardware.open_devices import PartStatus
from hardware.parts_spec import PartName

LONGEST: Final = 500
"""Characters of one fault: a driver may say more than anybody reads."""


class Faults:
    """Keeps what each part was last said to be wrong about. ``log`` takes one line for each fault that begins.

    A part *fails* when it cannot be used (``tell``, ``back``); it *ails* when it can, but not all of it (``ail``): a
    key is stuck. A notice that still waits to be read is not pushed aside: the next one follows when it was.
    """

    def __init__(self, board: Board, log: Callable[[str], None]) -> None:
        self._board = board
        self._log = log
        self._failing: dict[str, str] = {}
        self._ailing: dict[str, str] = {}
        self._waiting: list[tuple[Noticed, str]] = []

    def __contains__(self, part: str) -> bool:
        """Whether that part fails."""
        return part in self._failing

    def __getitem__(self, part: str) -> str:
        """Why that part fails."""
        return self._failing[part]

    def tell(self, part: str, text: str) -> None:
        """A part fails: said once, in the words of the first time, however often it is found again.

        It is tried again by itself.
        """
        if part not in self._failing:
            self._failing[part] = foreign(text, LONGEST)
            self._begin(part, self._failing[part])

    def missing(self, status: Sequence[PartStatus]) -> None:
        """Tell of all that is not there."""
        for part in status:
            if part.state == "missing":
                self.tell(part.name, part.say)

    def back(self, part: str) -> None:
        """A part works; said if it was failing."""
        text = self._failing.pop(part, None)
        if text is not None:
            self._end(part, text)

    def drop(self, part: str) -> None:
        """Nobody wants that part any more: whatever is wrong with it is forgotten without a word."""
        text = self._failing.pop(part, None)
        if text is not None and (Noticed.FAULT, text) in self._waiting:
            self._waiting.remove((Noticed.FAULT, text))

    def ail(self, faults: Mapping[PartName, str]) -> bool:
        """All that is wrong with keys that can be read; says whether anything has begun or ended."""
        before, self._ailing = self._ailing, {str(name): foreign(text, LONGEST) for name, text in faults.items()}
        for part, text in self._ailing.items():
            if before.get(part) != text:
                self._begin(part, text)
        for part, text in before.items():
            if part not in self._ailing:
                self._end(part, text)
        return before != self._ailing

    def read(self) -> bool:
        """To be called whenever the board has changed: shows the next notice if none waits to be read any more.

        Says whether it did; the board has then told its watcher again.
        """
        view = self._board.view()
        if not self._waiting or view.notice is not None or view.typed:
            return False
        self._board.tell(*self._waiting.pop(0))
        return True

    def parts(self, status: Sequence[PartStatus]) -> list[dict[str, str]]:
        """How each part is, for the page: as it was opened, or what is wrong with it since."""
        wrong = self._ailing | self._failing
        return [
            {"name": part.name, "state": "missing", "say": wrong[part.name]}
            if part.name in wrong
            else {"name": part.name, "state": part.state, "say": part.say}
            for part in status
        ]

    def _begin(self, part: str, text: str) -> None:
        self._log(f"{part}: {text}")
        self.notice(Noticed.FAULT, text)

    def _end(self, part: str, text: str) -> None:
        """If it was not read yet it need not be any more."""
        standing = self._board.view().notice
        if (Noticed.FAULT, text) in self._waiting:
            self._waiting.remove((Noticed.FAULT, text))
        elif standing is not None and standing.text == text:
            self._board.tell(Noticed.INFO, say("part-back", part=part))
        else:
            self.notice(Noticed.INFO, say("part-back", part=part))

    def notice(self, kind: Noticed, text: str) -> None:
        """Show a notice, after the one that still waits to be read."""
        standing = self._board.view().notice
        if standing is None or standing.kind is Noticed.INFO:
            self._board.tell(kind, text)
        else:
            self._waiting.append((kind, text))
