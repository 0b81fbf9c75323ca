"""Where the holes are: a strip of lights laid out on a board, forth and back, in millimetres.

The strip is one line. Wherever its holes do not simply go on, it is turned back (or cut, and joined by short wires), so
its pieces lie below each other in the order of their pixels, each running against the one before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hardware.lanes import Jump, Layout

LANES_APART: Final = 15.0
"""Between two lanes that run side by side, middle to middle; a strip is up to 12 mm wide."""
BANDS_APART: Final = 28.0
"""Between two stretches of the track."""
STREET: Final = 5
"""Holes in a street of a cribbage board."""


@dataclass(frozen=True, slots=True)
class Place:
    """One hole: lane from 0, hole from 1, the pixel behind it, and its middle."""

    lane: int
    hole: int
    pixel: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A straight piece of strip: its holes from left to right. ``forth``: the data runs to the right.

    ``heads_band``: no lane runs beside it above. ``unused``: pixels without a hole between the piece before and it.
    """

    places: tuple[Place, ...]
    forth: bool
    heads_band: bool
    unused: int

    @property
    def lane(self) -> int:
        """The lane, from 0."""
        return self.places[0].lane

    @property
    def y(self) -> float:
        """How far down the piece lies."""
        return self.places[0].y

    @property
    def upwards(self) -> bool:
        """Whether its holes count from left to right."""
        return self.places[0].hole <= self.places[-1].hole and (len(self.places) > 1 or self.forth)

    @property
    def holes(self) -> range:
        """Its holes, lowest first."""
        low, high = sorted((self.places[0].hole, self.places[-1].hole))
        return range(low, high + 1)

    @property
    def first(self) -> Place:
        """The hole at the end where the data comes in."""
        return self.places[0 if self.forth else -1]

    @property
    def last(self) -> Place:
        """The hole at the end where the data goes out."""
        return self.places[-1 if self.forth else 0]


def folded(layout: Layout, row: int) -> Layout:
    """The same lanes in rows of ``row`` holes, the strip cut at each row's end and joined to the next piece below.

    The track runs forth and back, its lanes beside each other; the strip runs along every row of every lane in turn. A
    last hole that would be alone in a row stands at the end of the one before. Raises LayoutError for a row under 1.

    >>> from hardware.lanes import two_lanes
    >>> [folded(two_lanes(), 30).pixel(lane, hole) for lane, hole in ((0, 30), (1, 30), (1, 31), (0, 31))]
    [29, 30, 90, 89]
    """
    holes, lanes = layout.holes, layout.lane_count
    row = max(1, min(row, holes))
    starts = list(range(1, holes + 1, row))
    if len(starts) > 1 and starts[-1] == holes:
        starts.pop()
    placed: list[dict[int, int]] = [{} for _ in range(lanes)]
    pixel = 0
    for band, start in enumerate(starts):
        end = starts[band + 1] if band + 1 < len(starts) else holes + 1
        for lane in range(lanes):
            up = (band * lanes + lane) % 2 == band % 2
            for hole in range(start, end) if up else range(end - 1, start - 1, -1):
                placed[lane][hole] = pixel
                pixel += 1
    runs = tuple(tuple(run[hole] for hole in range(1, holes + 1)) for run in placed)
    jumps = frozenset(
        Jump(lane, hole)
        for lane, run in enumerate(runs)
        for hole in range(1, holes)
        if abs(run[hole] - run[hole - 1]) != 1
    )
    return replace(layout, name=f"{layout.name}, rows of {row}", pixels=pixel, lanes=runs, jumps=jumps, spacing=1)


def pieces(layout: Layout, pitch: float, row: int | None = None) -> tuple[Piece, ...]:
    """The strip on the board, in the order of its pixels; ``pitch`` is from light to light, in millimetres.

    The top left hole that the game hole does not push aside is at 0, 0. With ``row`` a piece also ends where a row of
    so many holes does.
    """
    laid: list[Piece] = []
    for run in _runs(layout, row):
        forth = len(laid) % 2 == 0
        before = laid[-1] if laid else None
        beside = before is not None and before.lane != run[0][0] and before.holes == _span(run)
        y = 0.0 if before is None else before.y + (LANES_APART if beside else BANDS_APART)
        start = 0 if before is None else _turn(before, layout) - _overhang(run, layout) * (1 if forth else -1) * pitch
        ahead = 1 if forth else -1
        first_pixel = run[0][2]
        places = [
            Place(lane, hole, pixel, start + ahead * (pixel - first_pixel) * pitch, y) for lane, hole, pixel in run
        ]
        unused = first_pixel - (before.last.pixel + 1 if before is not None else 0)
        laid.append(Piece(tuple(places if forth else places[::-1]), forth, not beside, unused))
    return tuple(laid)


Run = list[tuple[int, int, int]]
"""Lane, hole and pixel of each hole of a piece, in the order of its pixels."""


def _runs(layout: Layout, row: int | None) -> list[Run]:
    runs: list[Run] = []
    for lane, pixels in enumerate(layout.lanes):
        run: Run = []
        for hole, pixel in enumerate(pixels, 1):
            ends = row is not None and (hole - 1) % row == 0 and not (hole == layout.holes and hole > 1)
            if run and (ends or Jump(lane, hole - 1) in layout.jumps):
                runs.append(run)
                run = []
            run.append((lane, hole, pixel))
        runs.append(run)
    return sorted((sorted(run, key=lambda place: place[2]) for run in runs), key=lambda run: run[0][2])


def _span(run: Run) -> range:
    low, high = sorted((run[0][1], run[-1][1]))
    return range(low, high + 1)


def _overhang(run: Run, layout: Layout) -> int:
    """How many pixels the game hole stands out where the run begins: its streets are to lie below the others'."""
    alone = run[0][1] == layout.holes and layout.holes % STREET == 1 and len(run) > 1
    return abs(run[1][2] - run[0][2]) if alone else 0


def _turn(before: Piece, layout: Layout) -> float:
    """Where the next piece begins: below the end of the one before, its game hole left aside."""
    last, other = before.last, before.places[-2 if before.forth else 1] if len(before.places) > 1 else before.last
    return other.x if last.hole == layout.holes and layout.holes % STREET == 1 else last.x
