"""Rounds, medians and the lines of the report."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter
from typing import Any


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


def table(lines: Sequence[Line]) -> str:
    """The report for a person; notes stand under their line."""
    heads = ("what", "measured", "limit or aim", "")
    rows = [heads, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    text = []
    for row, line in zip(rows, (None, *lines), strict=True):
        cells = (row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]), row[3])
        text.append("  ".join(cells).rstrip())
        if line is None:
            text.append("-" * len(text[0]))
        elif line.note:
            text.append(f"    {line.note}")
    return "\n".join(text)


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
