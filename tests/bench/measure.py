"""Rounds, medians and the lines of the report."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any


@dataclass(frozen=True)
class Asked:
    """How thoroughly a section is to measure. ``quick`` only tries the bench: its figures mean nothing."""

    rounds: int
    """Interleaved rounds, for what is measured in rounds."""
    quick: bool
    folder: Path
    """An empty folder of the section's own, on the disk that the code lies on."""


@dataclass(frozen=True)
class Line:
    """One line of the report. ``most`` is a limit that must be kept where ``required``, else an aim; None: neither."""

    what: str
    value: float | None
    """None where it could not be measured; ``note`` then says why."""
    unit: str
    most: float | None = None
    required: bool = False
    note: str = ""

    @property
    def ok(self) -> bool | None:
        """Whether the limit or aim is kept; None where there is none, or nothing was measured."""
        return None if self.most is None or self.value is None else self.value <= self.most

    @property
    def missed(self) -> bool:
        """Whether this line alone makes the bench fail."""
        return self.required and self.ok is False

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"ok": self.ok}

    def cells(self) -> tuple[str, str, str, str]:
        """What, measured, limit or aim, verdict."""
        measured = "-" if self.value is None else f"{_figure(self.value)} {self.unit}"
        bound = ""
        if self.most is not None:
            bound = f"{'at most' if self.required else 'aim'} {_figure(self.most)} {self.unit}"
        verdict = {None: "", True: "ok", False: "MISSED" if self.required else "over"}[self.ok]
        if self.value is None:
            verdict = "not measured"
        return self.what, measured, bound, verdict


def _figure(value: float) -> str:
    """Three digits that count, and no power of ten."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


@dataclass(frozen=True)
class Table:
    """A table of its own, for what does not fit a line: the first column is words, the others are figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def text(self) -> str:
        """For a person."""
        rows = [[one if isinstance(one, str) else _figure(one) for one in row] for row in self.rows]
        return "\n".join([self.title, *_aligned([list(self.heads), *rows], right=range(1, len(self.heads)))])


def report(results: Iterable[Line | Table]) -> str:
    """Everything for a person: lines in one table, notes under their line, then the tables of their own."""
    results = list(results)
    lines = [one for one in results if isinstance(one, Line)]
    heads, *rows = _aligned([["what", "measured", "limit or aim", ""], *([*line.cells()] for line in lines)], right=[1])
    text = [heads, "-" * len(heads)]
    for line, row in zip(lines, rows, strict=True):
        text += [row, f"    {line.note}"] if line.note else [row]
    for one in results:
        if isinstance(one, Table):
            text += ["", one.text()]
    return "\n".join(text if lines else text[3:])


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> list[str]:
    """Rows as text, each column as wide as its widest cell."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def interleaved(jobs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each job in each round; every round runs all jobs, beginning with another one."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    names = list(jobs)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            seconds[name].append(timed(jobs[name]))
    return seconds


def timed(job: Callable[[], object]) -> float:
    """Seconds of one run, without a collection of garbage in the middle of it."""
    gc.collect()
    gc.disable()
    try:
        start = perf_counter()
        job()
        return perf_counter() - start
    finally:
        gc.enable()


def ratio(ours: Sequence[float], reference: Sequence[float]) -> float:
    """The median of the rounds' own ratios: what slows a whole round cancels out."""
    return median(one / other for one, other in zip(ours, reference, strict=True))


def spread(ours: Sequence[float], reference: Sequence[float]) -> str:
    """The lowest and the highest ratio of a round."""
    ratios = [one / other for one, other in zip(ours, reference, strict=True)]
    return f"rounds {_figure(min(ratios))} to {_figure(max(ratios))}"


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that ``percent`` of the values do not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
