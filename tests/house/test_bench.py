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
def lines() -> list[dict[str, Any]]:
    """The lines of a quick bench, without the parts that start the program."""
    program = [sys.executable, str(ROOT / "tests" / "bench" / "bench.py")]
    done = subprocess.run(
        [*program, "--quick", "--json", "--only", "show", "deal", "keys"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    lines: list[dict[str, Any]] = json.loads(done.stdout)["lines"]
    return lines


def test_a_bench_measures_every_line(lines: list[dict[str, Any]]) -> None:
    """Each line of the bench is measured, but for what is compared with a package that may be missing."""
    missing = [line["what"] for line in lines if line["value"] is None and "cribbage-scorer" not in line["what"]]
    assert missing == []
    assert all(line["value"] is None or line["value"] > 0 for line in lines)


def test_a_bench_requires_the_ratios_and_nothing_else(lines: list[dict[str, Any]]) -> None:
    """Only ratios are required: a figure of one machine never fails the bench."""
    assert {line["most"] for line in lines if line["required"]} == {2, 1 / 20}
    assert {line["unit"] for line in lines if line["required"]} == {"x"}


def test_a_bench_measures_what_was_promised(lines: list[dict[str, Any]]) -> None:
    """The aims are those that were set: a deal in 1 ms, a frame on the wire within 5 ms of its key."""
    aims = {line["what"]: (line["most"], line["unit"]) for line in lines if line["most"] and not line["required"]}
    assert aims == {
        "a deal's intents decided and applied": (1, "ms"),
        "key accepted to frame on the wire, p50": (5, "ms"),
        "key accepted to frame on the wire, p99": (5, "ms"),
    }
