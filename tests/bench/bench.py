"""How fast the board is, measured here and now: ``make bench``.

Ratios are medians of interleaved rounds in this process, each round beside the thing it is measured against; three of
them must hold, or the exit code is 1. All other figures belong to the machine they were measured on.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = ("show", "deal", "keys", "screen", "process", "hostile")
"""What is measured, in order. Each is a file beside this one; its ``lines(asked)`` yields ``Line`` and ``Table``."""


def main() -> int:
    """Measure, print, and say whether the required ratios hold."""
    told = arguments()
    rounds = told.rounds or (1 if told.quick else 9)
    if rounds < 1:
        sys.exit("bench: --rounds must be 1 or more")
    results: list[Line | Table] = []
    # Beside the code, not in /tmp: there a sync may cost nothing.
    scratch = ROOT / "build"
    scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=scratch) as folder:
        for section in told.only or SECTIONS:
            print(f"measuring: {section} ...", file=sys.stderr, flush=True)
            asked = Asked(rounds, told.quick, Path(folder) / section)
            asked.folder.mkdir()
            results += import_module(section).lines(asked)
    lines = [one for one in results if isinstance(one, Line)]
    if told.json:
        tables = [one.to_dict() for one in results if isinstance(one, Table)]
        whole = {"python": platform.python_version(), "rounds": rounds, "lines": [one.to_dict() for one in lines]}
        print(json.dumps(whole | {"tables": tables}))
    else:
        load = f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors"
        print(f"Python {platform.python_version()}, {platform.machine()}; {rounds} interleaved rounds; {load}")
        print(report(results))
    missed = [line.what for line in lines if line.missed]
    if missed:
        print(f"A required ratio is missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed and not told.quick else 0


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output instead of the table")
    parser.add_argument("--rounds", type=int, help="interleaved rounds (9)")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="measure only these sections")
    parser.add_argument("--quick", action="store_true", help="try the bench itself: the figures mean nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from measure import Asked, Line, Table, report

    sys.exit(main())
