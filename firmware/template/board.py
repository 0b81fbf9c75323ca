"""The board as a drawing: every hole, and what a cribbage board has marked around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from firmware.template.places import LANES_APART, STREET, Piece
from firmware.template.shapes import (
    CUT,
    FINE,
    GUIDE,
    HEAVY,
    MARK,
    NOTE,
    Anchor,
    Circle,
    Line,
    Outline,
    Shape,
    Words,
    cross,
)

LEFT, RIGHT, TOP, BOTTOM = 17.5, 5.5, 17.0, 13.0
"""Room around the strip's outermost ends, above its first middle and below its last, in millimetres."""
JOINT: Final = 5.0
"""How far the joints reach out past the strip's ends."""
STRIP: Final = 10.0
"""Width of the usual strip."""
LANE_NAMES: Final = ("blue", "amber", "white")


@dataclass(frozen=True, slots=True)
class Board:
    """The drawing of a whole board: ``width`` by ``height`` millimetres from 0, 0, and where it may be parted.

    ``cuts_x`` and ``cuts_y`` are lines that touch no hole.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    cuts_x: tuple[float, ...]
    cuts_y: tuple[float, ...]


def draw_board(
    strip: Sequence[Piece], *, pitch: float, hole: float, skunks: Sequence[int], skip_first: int, title: str
) -> Board:
    """The board of those pieces of strip; ``hole`` is the diameter of a hole in millimetres.

    ``skunks`` are the scores below which a loser is skunked, doubly below the second; ``skip_first`` lights before the
    first one lie dark behind the wood.
    """
    xs = [place.x for piece in strip for place in piece.places]
    left = LEFT + pitch / 2 + skip_first * pitch
    dx, dy = left - min(xs), TOP
    width, height = left + max(xs) - min(xs) + pitch / 2 + RIGHT, TOP + strip[-1].y + BOTTOM
    pen = _Pen(strip, pitch, hole, dx, dy)
    shapes = [
        *pen.strip(skip_first),
        *pen.joints(),
        *pen.streets(),
        *pen.skunk_lines(skunks),
        *pen.start_and_game_hole(),
        *pen.numbers(),
        Words(4, height - 1.5, 3.2, title),
        *pen.middles(),
        *pen.holes(),
    ]
    span = sorted({round(x + dx, 6) for x in xs})
    cuts_x = tuple((a + b) / 2 for a, b in pairwise(span) if b - a > hole)
    ys = sorted({piece.y + dy for piece in strip})
    cuts_y = tuple((a + b) / 2 for a, b in pairwise(ys))
    return Board(width, height, tuple(shapes), cuts_x, cuts_y)


class _Pen:
    """Draws one board whose first hole lies at ``dx``, ``dy``."""

    def __init__(self, strip: Sequence[Piece], pitch: float, hole: float, dx: float, dy: float) -> None:
        self._strip = strip
        self._pitch = pitch
        self._radius = hole / 2
        self._dx, self._dy = dx, dy
        self._game_hole = max(place.hole for piece in strip for place in piece.places)

    def holes(self) -> Iterator[Shape]:
        """What is drilled or cut."""
        for piece in self._strip:
            for place in piece.places:
                x, y = self._at(place.x, piece)
                yield Circle(x, y, self._radius, CUT, f"lane-{place.lane + 1}-hole-{place.hole}")

    def middles(self) -> Iterator[Shape]:
        """Where the drill's point goes."""
        for piece in self._strip:
            for place in piece.places:
                yield from cross(*self._at(place.x, piece), self._radius * 0.7, FINE)

    def strip(self, skip_first: int) -> Iterator[Shape]:
        """Where the strip lies behind the wood, which way its data runs, and the dark lights before the first."""
        for index, piece in enumerate(self._strip):
            reach = self._pitch / 2
            left, y = self._at(piece.places[0].x - reach, piece)
            right, _ = self._at(piece.places[-1].x + reach, piece)
            if index == 0:
                left -= skip_first * self._pitch
            for edge in (y - STRIP / 2, y + STRIP / 2):
                yield Line(left, edge, right, edge, GUIDE)
            start, ahead = (left, 1) if piece.forth else (right, -1)
            tip = start - ahead * 0.8
            yield Outline(tip, y, ((tip - ahead * 3, y - 1.6), (tip - ahead * 3, y + 1.6)), NOTE)
            if index == 0:
                yield Words(left - 5, y - 2.6, 2.6, "data in", "end", NOTE)
        first = self._strip[0]
        for dark in range(1, skip_first + 1):
            yield Circle(*self._at(first.first.x - dark * self._pitch, first), 1.5, GUIDE, f"dark-{dark}")

    def joints(self) -> Iterator[Shape]:
        """The wires, or the bends, from each piece to the next."""
        for index, (a, b) in enumerate(pairwise(self._strip), 1):
            ahead = 1 if a.forth else -1
            x1, y1 = self._at(a.last.x + ahead * self._pitch / 2, a)
            x2, y2 = self._at(b.first.x + ahead * self._pitch / 2, b)
            out = max(x1 * ahead, x2 * ahead) * ahead + ahead * JOINT
            yield Line(x1, y1, out, y1, GUIDE)
            yield Line(out, y1, out, y2, GUIDE)
            yield Line(out, y2, x2, y2, GUIDE, f"joint-{index}")
            if b.unused:
                words = f"{b.unused} lights without a hole"
                yield Words(out - ahead, (y1 + y2) / 2 + 1, 2.6, words, "end" if ahead > 0 else "start", NOTE)

    def streets(self) -> Iterator[Shape]:
        """A line across after every five holes."""
        for piece in self._strip:
            for hole in piece.holes:
                if hole % STREET == 0 and hole != self._game_hole:
                    x, y = self._past(hole, piece)
                    yield Line(x, y - LANES_APART / 2, x, y + LANES_APART / 2, MARK, f"street-{piece.lane + 1}-{hole}")

    def skunk_lines(self, skunks: Sequence[int]) -> Iterator[Shape]:
        """Heavy lines just before the holes that save from a skunk."""
        names = ("skunk line", "double skunk line")
        for line, words in zip(skunks, names, strict=False):
            for piece in self._strip:
                if line - 1 in piece.holes:
                    x, y = self._past(line - 1, piece)
                    half = LANES_APART / 2
                    top = y - half - (3.5 if piece.heads_band else 0)
                    yield Line(x, top, x, y + half, HEAVY, f"skunk-{piece.lane + 1}-{line}")
                    if piece.heads_band:
                        ahead: Anchor = "end" if piece.upwards else "start"
                        beside = x - 1.2 if piece.upwards else x + 1.2
                        yield Words(beside, y - half - 1.5, 2.8, f"{words}: {line} is safe", ahead)

    def start_and_game_hole(self) -> Iterator[Shape]:
        """The start, the lanes' names, and a ring around each game hole."""
        for piece in self._strip:
            ahead = 1 if piece.upwards else -1
            if 1 in piece.holes:
                place = next(place for place in piece.places if place.hole == 1)
                x, y = self._at(place.x - ahead * self._pitch / 2, piece)
                half = LANES_APART / 2
                yield Line(x, y - half, x, y + half, HEAVY, f"start-{piece.lane + 1}")
                if piece.heads_band:
                    yield Words(x, y - half - 1.2, 3.2, "START", "middle")
            if self._game_hole in piece.holes:
                place = next(place for place in piece.places if place.hole == self._game_hole)
                x, y = self._at(place.x, piece)
                ring = min(self._radius + 1.5, self._pitch / 2)
                yield Circle(x, y, ring, MARK, f"game-hole-{piece.lane + 1}")
                if piece.heads_band:
                    anchor: Anchor = "start" if ahead < 0 else "end"
                    edge = x + ahead * self._pitch / 2
                    yield Words(edge, y - LANES_APART / 2 - 4.2, 3.2, f"GAME HOLE {self._game_hole}", anchor)
            name = LANE_NAMES[piece.lane] if piece.lane < len(LANE_NAMES) else ""
            yield Words(2, piece.y + self._dy + 1, 2.6, f"{piece.lane + 1} {name}".strip())

    def numbers(self) -> Iterator[Shape]:
        """Every fifth hole's number, above the uppermost lane of a band."""
        for piece in self._strip:
            for place in piece.places:
                if piece.heads_band and place.hole % STREET == 0:
                    x, y = self._at(place.x, piece)
                    yield Words(x, y - LANES_APART / 2 + 1.4, 2.6, str(place.hole), "middle")

    def _past(self, hole: int, piece: Piece) -> tuple[float, float]:
        """Just past a hole, half way to the next."""
        place = next(place for place in piece.places if place.hole == hole)
        return self._at(place.x + (1 if piece.upwards else -1) * self._pitch / 2, piece)

    def _at(self, x: float, piece: Piece) -> tuple[float, float]:
        return x + self._dx, piece.y + self._dy
