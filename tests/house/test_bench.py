"""The bench measures what there is: it is run once, with rounds too small for its figures to mean anything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What a quick bench tells, without the section that starts the program."""
    program = [sys.executable, str(ROOT / "tests" / "bench" / "bench.py")]
    done = subprocess.run(
        [*program, "--quick", "--json", "--only", "show", "deal", "keys", "screen"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture(scope="module")
def lines(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Its lines."""
    found: list[dict[str, Any]] = told["lines"]
    return found


def test_a_bench_measures_every_line(lines: list[dict[str, Any]]) -> None:
    """Each line of the bench is measured, but for what is compared with a package that may be missing."""
    missing = [line["what"] for line in lines if line["value"] is None and "cribbage-scorer" not in line["what"]]
    assert missing == []
    assert all(line["value"] is None or line["value"] >= 0 for line in lines)


def test_a_bench_requires_the_ratios_and_nothing_else(lines: list[dict[str, Any]]) -> None:
    """Only ratios are required: a figure of one machine never fails the bench."""
    assert {line["most"] for line in lines if line["required"]} == {2, 1 / 20}
    assert {line["unit"] for line in lines if line["required"]} == {"x"}


def test_a_bench_measures_what_was_promised(lines: list[dict[str, Any]]) -> None:
    """The aims are those that were set: a deal in 1 ms, a frame on the wire within 5 ms of its key."""
    aims = {line["what"]: (line["most"], line["unit"]) for line in lines if line["most"] and not line["required"]}
    assert aims == {
        "a deal's intents decided and applied": (1, "ms"),
        "the same with its history": (1, "ms"),
        "of it: key known to frame handed over, p50": (5, "ms"),
        "of it: key known to frame handed over, p99": (5, "ms"),
        "of it: the same without the commit, p50": (5, "ms"),
        "of it: the same without the commit, p99": (5, "ms"),
        "processor time of a press, all drawn, p50": (5, "ms"),
        "processor time of a press, all drawn, p99": (5, "ms"),
    }


def test_a_screens_changes_are_counted_by_their_kind(told: dict[str, Any]) -> None:
    """A digit is the cheapest change of the screen on its wire, and everything drawn anew the dearest; none takes more
    than a whole picture's bytes at nine clocks each, and what sets the panel up."""
    (table,) = told["tables"]
    kinds = [row[0] for row in table["rows"]]
    assert kinds[0] == "a digit typed"
    assert kinds[-1].startswith("everything")
    for row in table["rows"][:-1]:
        assert row[3] <= 128 * 64 / 8 + 2 + 8
        assert 9 * row[3] < row[5] * 400 < 9 * row[3] + 2 * row[3]
