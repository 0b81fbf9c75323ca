"""What a journal knows of its rows without folding them: where games were opened, and what was undone by which act."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Self

from engine.events import EVENT_VERSION
from firmware.journal_rows import Act, Line, line_of, plain


class Unsound(Exception):
    """Rows that were not written like this, or not all of them are there; the message says where."""


class Newer(Exception):
    """A row, or the file, of a version that only a newer program reads; the message names it."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A game was opened in that row. ``match`` says that nothing before it is needed to fold what follows."""

    seq: int
    entry: int
    game: int
    at: str
    match: bool


@dataclass(slots=True)
class Outline:
    """The openings and the undone acts of a journal, in step with its rows."""

    next_seq: int = 1
    next_number: int = 1
    game: int = 0
    """The game that is now played; 0 when none stands."""
    openings: list[Opening] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)
    """The number of each undone act, and of the act that undid it."""
    _entry: int = 0
    _more: int = 0

    def copy(self) -> Self:
        """One of its own, to be thrown away when the rows cannot be written."""
        return type(self)(
            self.next_seq,
            self.next_number,
            self.game,
            self.openings.copy(),
            self.undone.copy(),
            self._entry,
            self._more,
        )

    def lines(self, number: int, act: Act, at: str) -> list[Line]:
        """The rows of an act that comes next. Raises ValueError for a number already used, or an act of nothing."""
        if number < self.next_number:
            raise ValueError(f"act {number} is in the journal already: the next one is {self.next_number}")
        if act == ():
            raise ValueError(f"act {number} is empty")
        game, lines, values = self.game, [], plain(act)
        for place, (kind, data) in enumerate(values):
            if kind == "GameOpened":
                game = 1 + max((game, *(opening.game for opening in self.openings[-1:])))
            more = len(values) - place - 1
            lines.append(line_of(self.next_seq + place, game, number, kind, data, at, more))
        return lines

    def add(self, line: Line) -> None:
        """Take up the next row. Raises Unsound where it cannot follow the row before, Newer for a newer version."""
        if not line.sound:
            raise Unsound(f"row {line.seq} is not as it was written")
        if line.version > EVENT_VERSION:
            raise Newer(f"version {line.version} of its entries")
        follows = line.entry == self._entry and line.more == self._more - 1
        begins = line.entry > self._entry and self._more == 0
        if line.seq != self.next_seq or not (follows or begins):
            raise Unsound(f"what lies before row {line.seq} is missing")
        self.stand_after(line.seq, line.entry, line.more)
        self._note(line, begins)

    def skip_to(self, line: Line, begins: bool) -> None:
        """Take up a row that opens a game or undoes one, without those before it; ``begins``: it begins its act.

        Raises Unsound where it is not as it was written.
        """
        if not line.sound:
            raise Unsound(f"row {line.seq} is not as it was written")
        self._note(line, begins)

    def stand_after(self, seq: int, entry: int, more: int) -> None:
        """The next row to come is the one after that."""
        self.next_seq, self.next_number, self._entry, self._more = seq + 1, entry + 1, entry, more

    def _note(self, line: Line, begins: bool) -> None:
        if line.kind == "GameOpened":
            match = begins and (self.game == 0 or not json.loads(line.data)["rematch"])
            self.openings.append(Opening(line.seq, line.entry, line.game, line.at, match))
            self.game = line.game
        elif line.kind == "Undone":
            self.undone[json.loads(line.data)["entry"]] = line.entry
            self.game = next((one.game for one in reversed(self.openings) if one.entry not in self.undone), 0)

    def finish(self) -> None:
        """Raises Unsound when rows of the last act are missing."""
        if self._more:
            raise Unsound(f"entry {self._entry} is not all there")

    def match_start(self, before: int | None = None) -> Opening | None:
        """The opening of the match that was under way just before that act, or is now; None when none was."""
        for opening in reversed(self.openings):
            if before is not None and opening.entry >= before:
                continue
            undone = self.undone.get(opening.entry)
            if opening.match and (undone is None or (before is not None and undone >= before)):
                return opening
        return None

    def matches(self) -> list[tuple[Opening, int | None]]:
        """Each match that stands: its opening, and the act that opened the match after it."""
        starts = [opening for opening in self.openings if opening.match and opening.entry not in self.undone]
        ends = [*(opening.entry for opening in starts[1:]), None]
        return list(zip(starts, ends[: len(starts)], strict=True))
