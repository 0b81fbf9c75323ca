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
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("show", "deal", "keys", "process", "hostile")


def main() -> int:
    """Measure, print, and say whether the required ratios hold."""
    asked = arguments()
    quick = asked.quick
    rounds = asked.rounds or (1 if quick else 9)
    if rounds < 1:
        sys.exit("bench: --rounds must be 1 or more")
    lines = []
    # Beside the code, not in /tmp: there a sync may cost nothing.
    scratch = ROOT / "build"
    scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=scratch) as folder:
        for part in asked.only or PARTS:
            print(f"measuring: {part} ...", file=sys.stderr, flush=True)
            lines += measured(part, rounds, Path(folder) / part, quick=quick)
    if asked.json:
        print(
            json.dumps(
                {"python": platform.python_version(), "rounds": rounds, "lines": [one.to_dict() for one in lines]}
            )
        )
    else:
        load = f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors"
        print(f"Python {platform.python_version()}, {platform.machine()}; {rounds} interleaved rounds; {load}")
        print(table(lines))
    missed = [line.what for line in lines if line.missed]
    if missed:
        print(f"A required ratio is missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed and not quick else 0


def measured(part: str, rounds: int, folder: Path, *, quick: bool) -> Iterator[Line]:
    """The lines of one part."""
    folder.mkdir()
    if part == "show":
        import show

        yield from show.lines(rounds, 200 if quick else 20_000, all_deals=not quick)
    elif part == "deal":
        import deal

        yield from deal.lines(rounds, 5 if quick else 200, folder)
    elif part == "keys":
        import keys

        yield from keys.lines(1 if quick else 15, folder)
    elif part == "hostile":
        import hostile

        yield from hostile.lines(1 if quick else 5, 10 if quick else 40, folder)
    else:
        import process

        yield from process.lines(1 if quick else 9, 1 if quick else 20, folder)


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output instead of the table")
    parser.add_argument("--rounds", type=int, help="interleaved rounds (9)")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="measure only these parts")
    parser.add_argument("--quick", action="store_true", help="try the bench itself: the figures mean nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from measure import Line, table

    sys.exit(main())
