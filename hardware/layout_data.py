"""Any board by data: a plain dict, as a TOML file gives it, read into a checked Layout; all faults are told at once.

Either ``{"preset": "two-lanes", "holes": 121, "skip_first": 0, "colour_order": "GRB"}`` (each may be left out), or::

    holes = 121            # lit holes of every lane
    pixels = 250           # length of the strip, without the skipped ones
    skip_first = 1
    colour_order = "GRB"
    spacing = 1            # pixels from hole to hole; 2 where every second pixel is a hole
    [[lanes]]
    segments = [{from = 1, to = 60, first_pixel = 0}, {from = 61, to = 121, first_pixel = 130, step = -1}]
    jumps = [60]           # after hole 60 the strip does not simply go on
    [[lanes]]
    segments = [{from = 1, to = 121, first_pixel = 131, row = 30, gap = 2}]

A segment lays holes ``from`` to ``to`` on pixels from ``first_pixel`` in steps of ``step`` (default: ``spacing``;
negative runs back). With ``row`` it is serpentine: rows of that many holes, every second one running against the first,
with ``gap`` unused pixels between; its own row ends count as declared jumps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from hardware.errors import LayoutError
from hardware.lanes import (
    COLOUR_ORDERS,
    GAME_HOLE,
    PRESETS,
    Jump,
    Layout,
    hole_faults,
    jump_faults,
    preset,
)
from hardware.words import did_you_mean, in_words

MOST: Final = 10_000
"""No hole, pixel or step number may be larger: a slip of the finger should not fill the memory."""

PRESET_KEYS: Final = ("preset", "holes", "skip_first", "colour_order")
LAYOUT_KEYS: Final = ("name", "holes", "pixels", "skip_first", "colour_order", "spacing", "lanes")
LANE_KEYS: Final = ("segments", "jumps")
SEGMENT_KEYS: Final = ("from", "to", "first_pixel", "step", "row", "gap")


def from_dict(data: Mapping[str, object], *, path: str = "") -> Layout:
    """The layout such a dict describes. Raises LayoutError with every fault, each with its key path below ``path``."""
    reader = _Reader()
    layout = reader.preset(data) if "lanes" not in data else reader.layout(data)
    if layout is None or reader.faults:
        raise LayoutError(*(f"{path}.{fault}" if path else fault for fault in reader.faults))
    return layout


class _Reader:
    """Collects faults while reading; a value that cannot be read becomes one that does no further harm."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def preset(self, data: Mapping[str, object]) -> Layout | None:
        self.keys(data, "", (*PRESET_KEYS, "lanes"))
        name = self.name(data.get("preset", "two-lanes"), "preset", PRESETS, "built-in board")
        holes = self.number(data, "holes", "", GAME_HOLE, low=1)
        skip = self.number(data, "skip_first", "", 0)
        order = self.name(data.get("colour_order", "GRB"), "colour_order", COLOUR_ORDERS, "colour order")
        if self.faults or name is None or holes is None or skip is None or order is None:
            return None
        return preset(name, holes=holes, skip_first=skip, colour_order=order)

    def layout(self, data: Mapping[str, object]) -> Layout | None:
        self.keys(data, "", LAYOUT_KEYS)
        name = data.get("name", "own")
        if not isinstance(name, str):
            self.faults.append(f"name: wants words, not {name!r}")
        holes = self.number(data, "holes", "", GAME_HOLE, low=1)
        pixels = self.number(data, "pixels", "", None, low=1)
        skip = self.number(data, "skip_first", "", 0)
        spacing = self.number(data, "spacing", "", 1, low=1)
        order = self.name(data.get("colour_order", "GRB"), "colour_order", COLOUR_ORDERS, "colour order")
        lanes: list[tuple[int | None, ...]] = []
        jumps: set[Jump] = set()
        for index, lane in enumerate(self.tables(data["lanes"], "lanes")):
            run, after = self.lane(lane, f"lanes[{index}]", holes or GAME_HOLE, spacing or 1)
            lanes.append(run)
            jumps.update(Jump(index, hole) for hole in after)
        if lanes or not self.faults:
            self.faults += hole_faults(lanes, pixels or MOST)
        if spacing is not None:
            self.faults += jump_faults(lanes, jumps, spacing)
        placed = [tuple(pixel for pixel in run if pixel is not None) for run in lanes]
        if self.faults or pixels is None or skip is None or spacing is None or order is None:
            return None
        return Layout(str(name), pixels, tuple(placed), frozenset(jumps), skip, order, spacing)

    def lane(
        self, lane: Mapping[str, object], where: str, holes: int, spacing: int
    ) -> tuple[tuple[int | None, ...], set[int]]:
        """One pixel a hole (None where none is known) and the holes after which a jump is declared."""
        self.keys(lane, where, LANE_KEYS)
        placed: dict[int, int] = {}
        twice: Counter[int] = Counter()
        after = set(self.numbers(lane.get("jumps", ()), f"{where}.jumps"))
        unread = False
        for index, segment in enumerate(self.tables(lane.get("segments", ()), f"{where}.segments")):
            here = f"{where}.segments[{index}]"
            laid = self.segment(segment, here, holes, spacing)
            unread = unread or laid is None
            for hole, pixel in laid or ():
                if hole in placed:
                    twice[hole] += 1
                placed.setdefault(hole, pixel)
            if laid and "row" in segment:
                after.update(hole for (hole, p), (_, q) in pairwise(laid) if abs(p - q) != spacing)
            if twice:
                self.faults.append(f"{here}: {in_words(twice)} used twice in this lane")
                twice.clear()
        missing = [hole for hole in range(1, holes + 1) if hole not in placed]
        if missing and not unread:
            self.faults.append(f"{where}: {in_words(missing)} missing; the lane's holes are 1 to {holes}")
        return tuple(placed.get(hole) for hole in range(1, holes + 1)), after

    def segment(self, data: Mapping[str, object], where: str, holes: int, spacing: int) -> list[tuple[int, int]] | None:
        """The (hole, pixel) pairs of one segment, or None where it cannot be read."""
        self.keys(data, where, SEGMENT_KEYS)
        before = len(self.faults)
        first = self.number(data, "from", where, None, low=1)
        last = self.number(data, "to", where, None, low=1)
        start = self.number(data, "first_pixel", where, None)
        step = self.number(data, "step", where, spacing, low=-MOST)
        row = self.number(data, "row", where, MOST, low=1)
        gap = self.number(data, "gap", where, 0)
        if "gap" in data and "row" not in data:
            self.faults.append(f"{where}.gap: only rows have gaps between them; say how long a row is")
        if step == 0:
            self.faults.append(f"{where}.step: 0 would put every hole on one pixel; 1 goes up the strip, -1 down")
        if first is not None and last is not None and first > last:
            self.faults.append(f"{where}: from {first} to {last} runs backwards; let holes count up and give step = -1")
        elif last is not None and last > holes:
            self.faults.append(f"{where}.to: hole {last} is past the last hole, {holes}")
        if len(self.faults) > before or not (first and last and step and row) or start is None or gap is None:
            return None
        laid = []
        for index in range(last - first + 1):
            turn, along = divmod(index, row)
            offset = turn * (row + gap) + (along if turn % 2 == 0 else row - 1 - along)
            pixel = start + step * offset
            if pixel < 0:
                self.faults.append(f"{where}: hole {first + index} would be on pixel {pixel}, before the strip begins")
                return None
            laid.append((first + index, pixel))
        return laid

    def keys(self, data: Mapping[str, object], where: str, known: Sequence[str]) -> None:
        dot = f"{where}." if where else ""
        self.faults += [f"{dot}{key}: {did_you_mean(key, known, 'setting here')}" for key in data if key not in known]

    def name(self, value: object, where: str, known: Iterable[str], kind: str) -> str | None:
        names = list(known)
        if isinstance(value, str) and value in names:
            return value
        self.faults.append(f"{where}: {did_you_mean(value, names, kind)}")
        return None

    def number(
        self, data: Mapping[str, object], key: str, where: str, default: int | None, *, low: int = 0
    ) -> int | None:
        path = f"{where}.{key}" if where else key
        if key not in data and default is None:
            self.faults.append(f"{path}: is missing; give a whole number from {low}")
        value = data.get(key, default)
        if value is None or (type(value) is int and low <= value <= MOST):
            return value if isinstance(value, int) else None
        self.faults.append(f"{path}: wants a whole number from {low} to {MOST}, not {value!r}")
        return None

    def numbers(self, value: object, where: str) -> list[int]:
        if isinstance(value, list | tuple) and all(type(one) is int for one in value):
            return list(value)
        self.faults.append(f"{where}: wants a list of hole numbers, not {value!r}")
        return []

    def tables(self, value: object, where: str) -> list[Mapping[str, object]]:
        if isinstance(value, list | tuple) and all(isinstance(one, Mapping) for one in value):
            return list(value)
        self.faults.append(f"{where}: wants a list of tables, not {value!r}")
        return []
