"""Holes to pixels as data: which light of the strip is which hole of which lane.

Lanes and pixels count from 0, holes from 1; hole 0 is the start and has no light. Pixel 0 is the first pixel that may
show anything: sacrificed ones (``skip_first``) come before it and stay dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, permutations
from typing import Final, NamedTuple

from hardware.errors import LayoutError
from hardware.words import did_you_mean, in_words

GAME_HOLE: Final = 121
"""Holes a lane of a full game."""

COLOUR_ORDERS: Final = tuple("".join(p) + white for white in ("", "W") for p in permutations("RGB"))
"""The orders in which strips take their colours; those with a W have a fourth, white light, which stays dark."""


class Jump(NamedTuple):
    """Between ``hole`` and the next one of lane ``lane`` the strip does not simply go on."""

    lane: int
    hole: int


@dataclass(frozen=True)
class Layout:
    """A board of lanes on one strip, checked: every hole has one pixel of its own.

    ``lanes[lane][hole - 1]`` is a pixel. ``pixels`` is the length of a frame, without the ``skip_first`` sacrificed
    pixels before it. ``spacing`` is how many pixels apart consecutive holes are; wherever they are not, ``jumps``
    must say so. Raises LayoutError naming every fault by its key path.

    >>> board = two_lanes()
    >>> board.pixel(lane=1, hole=1), board.hole_of(241), board.pixels
    (241, (1, 1), 242)
    """

    name: str
    pixels: int
    lanes: tuple[tuple[int, ...], ...]
    jumps: frozenset[Jump] = frozenset()
    skip_first: int = 0
    colour_order: str = "GRB"
    spacing: int = 1

    def __post_init__(self) -> None:
        faults = [
            *strip_faults(self.pixels, self.skip_first, self.colour_order, self.spacing),
            *hole_faults(self.lanes, self.pixels),
            *jump_faults(self.lanes, self.jumps, self.spacing),
        ]
        if faults:
            raise LayoutError(*faults)

    @property
    def lane_count(self) -> int:
        """How many lanes there are."""
        return len(self.lanes)

    @property
    def holes(self) -> int:
        """How many lit holes each lane has."""
        return len(self.lanes[0])

    @property
    def wire_pixels(self) -> int:
        """Pixels on the wire: the skipped ones and the frame."""
        return self.skip_first + self.pixels

    def pixel(self, lane: int, hole: int) -> int:
        """The pixel of that hole, 1 to ``holes``. Raises LayoutError for a lane or hole that is not on the board."""
        if not 0 <= lane < self.lane_count:
            raise LayoutError(f"lane {lane} is not on the board: its lanes are 0 to {self.lane_count - 1}")
        if not 1 <= hole <= self.holes:
            raise LayoutError(f"hole {hole} has no light: the lit holes are 1 to {self.holes}")
        return self.lanes[lane][hole - 1]

    def hole_of(self, pixel: int) -> tuple[int, int] | None:
        """Lane and hole of a pixel, or None where no hole is."""
        return self._hole_of.get(pixel)

    @cached_property
    def _hole_of(self) -> dict[int, tuple[int, int]]:
        return {p: (lane, hole) for lane, run in enumerate(self.lanes) for hole, p in enumerate(run, 1)}


def two_lanes(holes: int = GAME_HOLE) -> Layout:
    """One strip up the first lane and back down the second, so that no long wire is needed; hole 1s at both ends."""
    return _folded("two-lanes", 2, holes)


def one_lane(holes: int = GAME_HOLE) -> Layout:
    """One lane that all sides share."""
    return _folded("one-lane", 1, holes)


def three_lanes(holes: int = GAME_HOLE) -> Layout:
    """One strip up the first lane, back down the second, and up the third."""
    return _folded("three-lanes", 3, holes)


PRESETS: Final = {"two-lanes": two_lanes, "one-lane": one_lane, "three-lanes": three_lanes}
"""The built-in boards by name; ``two-lanes`` is the default."""


def preset(
    name: str = "two-lanes", *, holes: int = GAME_HOLE, skip_first: int = 0, colour_order: str = "GRB"
) -> Layout:
    """A built-in board by name. Raises LayoutError for an unknown name, with the nearest one that exists."""
    if name not in PRESETS:
        raise LayoutError(f"preset: {did_you_mean(name, PRESETS, 'built-in board')}")
    if holes < 1:
        raise LayoutError(f"holes: a lane needs at least 1 hole, not {holes}")
    return replace(PRESETS[name](holes), skip_first=skip_first, colour_order=colour_order)


def _folded(name: str, lane_count: int, holes: int) -> Layout:
    runs = [tuple(range(i * holes, (i + 1) * holes)) for i in range(lane_count)]
    return Layout(name, lane_count * holes, tuple(run if i % 2 == 0 else run[::-1] for i, run in enumerate(runs)))


def strip_faults(pixels: int, skip_first: int, colour_order: str, spacing: int) -> list[str]:
    """What is wrong with the strip itself, each with its key path."""
    faults = []
    if pixels < 1:
        faults.append(f"pixels: a strip has at least 1 pixel, not {pixels}")
    if skip_first < 0:
        faults.append(f"skip_first: pixels to skip cannot be {skip_first}; 0 skips none")
    if colour_order not in COLOUR_ORDERS:
        faults.append(f"colour_order: {did_you_mean(colour_order, COLOUR_ORDERS, 'colour order')}")
    if spacing < 1:
        faults.append(f"spacing: holes are at least 1 pixel apart, not {spacing}")
    return faults


def hole_faults(lanes: Sequence[Sequence[int | None]], pixels: int) -> list[str]:
    """Lanes missing, empty or unequal; pixels used twice or past the strip. A None is a hole not placed yet."""
    if not lanes:
        return ["lanes: a board needs at least one lane"]
    faults = []
    owner: dict[int, tuple[int, int]] = {}
    for lane, run in enumerate(lanes):
        if not run:
            faults.append(f"lanes[{lane}]: no holes at all")
        elif len(run) != len(lanes[0]):
            faults.append(f"lanes[{lane}]: {len(run)} holes where lanes[0] has {len(lanes[0])}; lanes are equally long")
        past: dict[int, int] = {}
        twice: dict[int, dict[int, int]] = {}
        for hole, pixel in enumerate(run, 1):
            if pixel is None:
                continue
            if not 0 <= pixel < pixels:
                past[hole] = pixel
            elif pixel in owner:
                twice.setdefault(owner[pixel][0], {})[hole] = pixel
            else:
                owner[pixel] = (lane, hole)
        if past:
            end = f"past the strip, whose pixels are 0 to {pixels - 1}"
            faults.append(f"lanes[{lane}]: {in_words(past)} on pixel {_places(past)}, {end}")
        for other, shared in twice.items():
            theirs = in_words(owner[pixel][1] for pixel in shared.values()).rsplit(" ", 1)[0]
            faults.append(
                f"lanes[{lane}]: {in_words(shared)} on pixel {_places(shared)}, used by lanes[{other}] {theirs}"
            )
    return faults


def _places(holes: dict[int, int]) -> str:
    low, high = min(holes.values()), max(holes.values())
    return str(low) if low == high else f"{low} to {high}"


def jump_faults(lanes: Sequence[Sequence[int | None]], jumps: Iterable[Jump], spacing: int) -> list[str]:
    """Jumps that the layout does not declare, and declared ones that are none. A None is a hole not placed yet."""
    faults = []
    declared = set(jumps)
    apart = "" if spacing == 1 else f", {spacing} pixels apart being no jump here"
    for lane, run in enumerate(lanes):
        for hole, (a, b) in enumerate(pairwise(run), 1):
            if a is None or b is None:
                continue
            where = f"lanes[{lane}].jumps: "
            places = f"holes {hole} and {hole + 1} are on pixels {a} and {b}{apart}"
            if abs(a - b) != spacing and Jump(lane, hole) not in declared:
                faults.append(f"{where}{places}; declare the jump by adding {hole}, or mend the pixels")
            elif abs(a - b) == spacing and Jump(lane, hole) in declared:
                faults.append(f"{where}{hole} is no jump: {places}")
    faults += [
        f"lanes[{j.lane}].jumps: {j.hole} is no jump: the board has no holes {j.hole} and {j.hole + 1} there"
        for j in sorted(declared)
        if not (0 <= j.lane < len(lanes) and 1 <= j.hole < len(lanes[j.lane]))
    ]
    return faults
