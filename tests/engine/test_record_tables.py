"""Whole tables from real arguments, each as a record with what it must come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.record_words import RecordError
from engine.replay import Line, replay

TABLES = json.loads((Path(__file__).parents[1] / "golden" / "records" / "tables.json").read_text())


def told(record: str) -> tuple[list[Line], RecordError | None]:
    lines: list[Line] = []
    try:
        lines.extend(replay(record))
    except RecordError as error:
        return lines, error
    return lines, None


@pytest.mark.parametrize("table", [one for one in TABLES if "exit" not in one["expect"]], ids=lambda one: one["id"])
def test_a_table_comes_to_what_it_must(table: dict[str, Any]) -> None:
    """The record's scores, winner, skunks and proofs are those given."""
    lines, error = told(table["record"])
    assert error is None
    expect, end = table["expect"], lines[-1]
    assert {key: end[key] for key in ("scores", "winner", "skunks") if key in expect} == {
        key: value for key, value in expect.items() if key in ("scores", "winner", "skunks")
    }
    events = {line["event"] for line in lines}
    assert expect.get("has", "end") in events
    assert expect.get("has_not") not in events


@pytest.mark.parametrize("table", [one for one in TABLES if "exit" in one["expect"]], ids=lambda one: one["id"])
def test_a_table_is_refused_where_it_must_be(table: dict[str, Any]) -> None:
    """The record is refused at the given line, with the given exit code, after every award before it."""
    lines, error = told(table["record"])
    assert error is not None
    assert (error.line, error.exit_code) == (table["expect"]["refused_line"], table["expect"]["exit"])
    assert all(line["line"] < error.line for line in lines)
