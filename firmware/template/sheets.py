"""A board on paper: parted over as many sheets as it needs, which are joined again by their marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from firmware.template.board import Board
from firmware.template.shapes import (
    GUIDE,
    MARK,
    NOTE,
    Circle,
    Line,
    Page,
    Shape,
    Words,
    cross,
    moved,
    ruler,
)

Paper = Literal["a4", "letter", "none"]
PAPERS: Final[dict[Paper, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet held upright."""
MARGIN: Final = 10.0
"""Printers leave the paper's edge white; the halves of the marks at an edge reach into this."""
FLAP: Final = 9.0
"""What a sheet has past its cut line, to lie under the next one."""
FOOT: Final = 13.0
"""Room for the ruler."""
MARK_REACH: Final = 4.0


class TooWide(ValueError):
    """The board cannot be parted between its holes into pieces that fit the paper."""


def on_sheets(board: Board, paper: Paper, title: str) -> tuple[Page, ...]:
    """The board's sheets, row by row, at true scale; ``none`` is one sheet as large as the board.

    Every hole is on exactly one sheet. Where sheets meet, both have the same line and the same marks on it. Raises
    TooWide where two neighbouring holes do not fit the paper.
    """
    if paper == "none":
        foot = ruler(4, board.height + FOOT - 3)
        return (Page(board.width, board.height + FOOT, (*board.shapes, *foot), title),)
    tall, wide = PAPERS[paper], PAPERS[paper][::-1]
    plans = []
    for size in (wide, tall):
        try:
            plans.append((size, *_plan(board, size)))
        except TooWide as error:
            fault = error
    if not plans:
        raise fault
    (width, height), columns, rows = min(plans, key=lambda plan: (len(plan[1]) - 1) * (len(plan[2]) - 1))
    count = (len(columns) - 1) * (len(rows) - 1)
    pages = []
    for row, (top, low) in enumerate(pairwise(rows)):
        for column, (left, right) in enumerate(pairwise(columns)):
            area = _Area(left, top, right, low, board)
            shapes = [moved(shape, MARGIN - left, MARGIN - top) for shape in (*area.clip(), *area.marks())]
            number = row * (len(columns) - 1) + column + 1
            base = height - MARGIN - 2
            where = f"Sheet {number} of {count}" + (f": row {row + 1}, column {column + 1}" if count > 1 else "")
            shapes += [*ruler(MARGIN, base), Words(width - MARGIN, base, 3, where, "end")]
            pages.append(Page(width, height, tuple(shapes), title))
    return tuple(pages)


def _plan(board: Board, size: tuple[float, float]) -> tuple[list[float], list[float]]:
    room_x, room_y = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN - FOOT
    return _parts(board.width, room_x, board.cuts_x), _parts(board.height, room_y, board.cuts_y)


def _parts(length: float, room: float, cuts: Sequence[float]) -> list[float]:
    """Where to cut: 0, some of ``cuts``, and the length; all parts fit, and are as equal as the cuts allow."""
    if length <= room:
        return [0.0, length]
    room -= FLAP
    least = _greedy(length, room, cuts)
    even = length / (len(least) - 1)
    # A little more than an equal share, until as few parts do: the cuts lie where the holes let them.
    share = even
    while share < room:
        try:
            found = _greedy(length, share, cuts)
        except TooWide:
            found = []
        if found and len(found) == len(least):
            return found
        share += 0.5
    return least


def _greedy(length: float, room: float, cuts: Sequence[float]) -> list[float]:
    parts = [0.0]
    while length - parts[-1] > room + FLAP:  # the last part needs no flap
        ahead = [cut for cut in cuts if parts[-1] < cut <= parts[-1] + room]
        if not ahead:
            raise TooWide(f"the holes are too far apart: between two cuts are more than {room:.0f} mm")
        parts.append(max(ahead))
    return [*parts, length]


class _Area:
    """The part of a board that one sheet holds."""

    def __init__(self, left: float, top: float, right: float, low: float, board: Board) -> None:
        self._left, self._top, self._right, self._low = left, top, right, low
        self._last_column, self._last_row = right == board.width, low == board.height
        self._board = board

    def clip(self) -> Iterator[Shape]:
        """The shapes whose place is here; long lines are cut where the part ends, its flap included."""
        for shape in self._board.shapes:
            if isinstance(shape, Line) and max(abs(shape.x2 - shape.x1), abs(shape.y2 - shape.y1)) > FLAP:
                right = self._right + (0 if self._last_column else FLAP)
                low = self._low + (0 if self._last_row else FLAP)
                part = _clipped(shape, self._left, self._top, right, low)
                if part is not None:
                    yield part
            elif self._holds(shape):
                yield shape

    def _holds(self, shape: Shape) -> bool:
        x = (shape.x1 + shape.x2) / 2 if isinstance(shape, Line) else shape.x
        y = (shape.y1 + shape.y2) / 2 if isinstance(shape, Line) else shape.y
        across = self._left <= x < self._right or (self._last_column and x >= self._right)
        return across and (self._top <= y < self._low or (self._last_row and y >= self._low))

    def marks(self) -> Iterator[Shape]:
        """The lines where sheets meet, with a cross at each end of them."""
        for name, x, inner in (("left", self._left, self._left > 0), ("right", self._right, not self._last_column)):
            if inner:
                yield Line(x, self._top, x, self._low, GUIDE, f"edge-{name}")
                for y in (self._top + 6, self._low - 6):
                    yield from _mark(x, y)
        for name, y, inner in (("top", self._top, self._top > 0), ("low", self._low, not self._last_row)):
            if inner:
                yield Line(self._left, y, self._right, y, GUIDE, f"edge-{name}")
                for x in (self._left + 6, self._right - 6):
                    yield from _mark(x, y)
        if not self._last_column:
            yield Words(self._right + 1.5, self._top + 3, 2.4, "flap", ink=NOTE)
        if not self._last_row:
            yield Words(self._left + 14, self._low + 4, 2.4, "flap", ink=NOTE)


def _mark(x: float, y: float) -> Iterator[Shape]:
    yield Circle(x, y, MARK_REACH / 2, MARK, f"mark-{x:.3f}-{y:.3f}")
    yield from cross(x, y, MARK_REACH, MARK)


def _clipped(line: Line, left: float, top: float, right: float, low: float) -> Line | None:
    """What lies in the rectangle of a line that runs along it or across; None where nothing does."""
    x1, x2 = (min(max(x, left), right) for x in (line.x1, line.x2))
    y1, y2 = (min(max(y, top), low) for y in (line.y1, line.y2))
    outside = (line.x1 == line.x2 != x1) or (line.y1 == line.y2 != y1)
    return None if outside or (x1, y1) == (x2, y2) else Line(x1, y1, x2, y2, line.ink, line.name)
