"""One game as CSV (RFC 4180): a row an award, always the same columns, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any, Final

from firmware.archive import Found

COLUMNS: Final = (
    *("game", "date", "kind", "rules", "deal", "dealer", "starter", "event", "player", "points", "why", "count"),
    *("score_1", "score_2", "score_3"),
)
_RUN: Final = "=+-@\t\r\n＝＋－＠"
"""What a cell must not begin with, or a spreadsheet takes it for a formula."""


def to_csv(found: Found) -> str:
    """The game's awards, miscounts and false gos in order; lines end in CR LF.

    ``points`` are holes moved, or for a miscount how far it was out; ``score_1`` to ``score_3`` the sides after it.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    listed = found.listed
    game = [listed.identity, listed.at[:10], listed.kind, listed.book]
    for deal in found.history.deals:
        for line in deal.lines:
            writer.writerow(
                [_safe(one) for one in (*game, deal.number, deal.dealer or "", deal.starter or "", *_row(line))]
            )
    return text.getvalue()


def _row(line: dict[str, Any]) -> list[Any]:
    match line["event"]:
        case "award":
            why = "; ".join(f"{one['kind']} {one['points']}" for one in line["why"])
            return ["award", line["player"], line["points"], why, line.get("count", ""), *_scores(line)]
        case "miscount":
            why = f"claimed {line['claimed']}, true {line['true']}"
            return ["miscount", line["player"], line["claimed"] - line["true"], why, "", "", "", ""]
    why = " ".join(line["cards"])
    return ["false-go", line["player"], line["points"], why, line["count"], "", "", ""]


def _scores(line: dict[str, Any]) -> list[Any]:
    scores = list(line["scores"].values())
    return [*scores, *[""] * (3 - len(scores))]


def _safe(cell: Any) -> Any:
    """A text that would be run gets an apostrophe before it; numbers stay numbers.

    >>> _safe("=1+1"), _safe(-2), _safe("Ann")
    ("'=1+1", -2, 'Ann')
    """
    return f"'{cell}" if isinstance(cell, str) and cell[:1] and cell[0] in _RUN else cell
