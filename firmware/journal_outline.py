"""What a journal knows of its rows without folding them: where games were opened, and what was undone by which act."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Self

from engine.events import EVENT_VERSION
from firmware.journal_rows import Act, Line, Removed, line_of, plain


class Unsound(Exception):
    """Rows that were not written like this, or not all of them are there; the message says where."""


class Newer(Exception):
    """A row, or the file, of a version that only a newer program reads; the message names it."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A game was opened in that row. ``match`` says that nothing before it is needed to fold what follows.

    ``gone`` stands for games that were deleted: no undo leads past it.
    """

    seq: int
    entry: int
    game: int
    at: str
    match: bool
    gone: bool = False


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

    def lines(self, number: int, act: Act | Removed, at: str, least: int = 0) -> list[Line]:
        """The rows of an act that comes next. Raises ValueError for a number already used, or an act of nothing.

        A game that it opens has the number after the last one's, but not less than ``least``.
        """
        if number < self.next_number:
            raise ValueError(f"act {number} is in the journal already: the next one is {self.next_number}")
        if act == ():
            raise ValueError(f"act {number} is empty")
        game, lines, values = self.game, [], plain(act)
        for place, (kind, data) in enumerate(values):
            if kind in ("GameOpened", "Removed"):
                new = kind == "GameOpened"
                game = max(game + new, *(opening.game + new for opening in self.openings[-1:]), least)
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
        self.stand_after(*_end(line))
        self._note(line, begins)

    def skip_to(self, line: Line, begins: bool) -> None:
        """Take up a row that opens a game or undoes one, without those before it; ``begins``: it begins its act.

        Raises Unsound where it is not as it was written.
        """
        if not line.sound:
            raise Unsound(f"row {line.seq} is not as it was written")
        self._note(line, begins)

    def stand_after_line(self, line: Line) -> None:
        """The next row to come is the one after that, or after what it stands for."""
        self.stand_after(*_end(line))

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
            newest = next((one for one in reversed(self.openings) if one.gone or one.entry not in self.undone), None)
            self.game = 0 if newest is None or newest.gone else newest.game
        elif line.kind == "Removed":
            self.openings.append(Opening(line.seq, line.entry, line.game, line.at, True, True))
            self.game = 0

    def remove(self, line: Line) -> None:
        """Take up that a row of the kind ``Removed`` stands where the rows that it counts stood."""
        seq, entry, _ = _end(line)
        before = [one for one in self.openings if one.seq < line.seq]
        after = [one for one in self.openings if one.seq > seq]
        self.openings = [*before, Opening(line.seq, line.entry, line.game, line.at, True, True), *after]
        self.undone = {one: by for one, by in self.undone.items() if not line.entry <= one <= entry}
        if not after:
            self.game = 0

    @property
    def removed(self) -> bool:
        """Whether nothing stands any more but what comes before games that were deleted."""
        return self.match_start() is None and any(one.gone for one in self.openings)

    def finish(self) -> None:
        """Raises Unsound when rows of the last act are missing."""
        if self._more:
            raise Unsound(f"entry {self._entry} is not all there")

    def match_start(self, before: int | None = None) -> Opening | None:
        """The opening of the match that was under way just before that act, or is now; None when none was."""
        for opening in reversed(self.openings):
            if before is not None and opening.entry >= before:
                continue
            if opening.gone:
                return None
            undone = self.undone.get(opening.entry)
            if opening.match and (undone is None or (before is not None and undone >= before)):
                return opening
        return None

    def matches(self) -> list[tuple[Opening, int | None]]:
        """Each match that stands: its opening, and the act that opened the match after it."""
        starts = [one for one in self.openings if one.gone or (one.match and one.entry not in self.undone)]
        ends = [*(opening.entry for opening in starts[1:]), None]
        return [pair for pair in zip(starts, ends[: len(starts)], strict=True) if not pair[0].gone]


def _end(line: Line) -> tuple[int, int, int]:
    """Row, act, and rows to come of that act, where a row ends. Raises Unsound for one that stands for nothing."""
    if line.kind != "Removed":
        return line.seq, line.entry, line.more
    gone = json.loads(line.data)
    if not (gone["rows"] >= 1 and gone["entries"] >= 1):
        raise Unsound(f"row {line.seq} stands for no rows")
    return line.seq + gone["rows"] - 1, line.entry + gone["entries"] - 1, 0
