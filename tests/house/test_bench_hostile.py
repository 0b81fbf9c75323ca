"""The bench among strangers runs: once, with so few keys that its figures mean nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_bench_among_strangers_loses_no_key_and_bounds_the_slowest() -> None:
    """Keys are measured with nobody, with spectators and with strangers, none is lost, and only the slowest of those
    among strangers has a bound: one that the same run sets."""
    program = [sys.executable, str(ROOT / "tests" / "bench" / "bench.py")]
    done = subprocess.run(
        [*program, "--quick", "--json", "--only", "hostile"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)["lines"]
    assert all(line["value"] > 0 for line in lines)
    values = {line["what"]: line["value"] for line in lines}
    (bounded,) = [line for line in lines if line["required"]]
    alone = values["finger to strip bytes, nobody connected, p99"]
    assert bounded["what"] == "finger to strip bytes, 1,000 strangers, p99"
    assert bounded["most"] == pytest.approx(max(2 * alone, alone + 20))
