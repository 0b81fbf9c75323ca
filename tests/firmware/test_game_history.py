"""What is told of a game: deal by deal, in words, as CSV, and never more than was known at the table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.record_read import steps
from engine.replay import replay
from firmware.archive import Archive
from firmware.cli import cli
from firmware.game_csv import COLUMNS, to_csv
from firmware.game_history import GameHistory, game_history
from firmware.games_command import in_words

TABLES = json.loads((Path(__file__).parents[1] / "golden" / "records" / "tables.json").read_text())
GOOD = [one["record"] for one in TABLES if "exit" not in one["expect"]]
FOSTER = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"


def told(record: str) -> GameHistory:
    """The history of a record's game."""
    return game_history([[step.event for step in steps(record)]])


def rows(text: str) -> list[dict[str, str]]:
    """A CSV as a spreadsheet reads it."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("record", GOOD, ids=[one["id"] for one in TABLES if "exit" not in one["expect"]])
def test_the_deals_hold_what_a_replay_tells(record: str) -> None:
    """All deals together tell what a replay of the record tells, in its order, with the same end."""
    history = told(record)
    *lines, end = [{key: line[key] for key in line if key != "line"} for line in replay(record)]
    found = [{key: line[key] for key in line if key != "words"} for deal in history.deals for line in deal.lines]
    assert found == lines
    assert {"event": "end"} | history.end == end
    assert all(line["words"] for deal in history.deals for line in deal.lines)


def test_a_deal_has_its_dealer_starter_awards_and_scores(table: Any) -> None:
    """The first deal of a game: who dealt, what was turned up, every award, where the pegs stood after it."""
    table.press(FOSTER)
    found = Archive(table.journal).find("1")
    deal, *rest = found.history.deals
    assert rest == []
    assert (deal.number, deal.dealer, deal.starter, deal.void) == (1, "Bob", "QS", False)
    assert deal.scores == {"Ann": 25, "Bob": 33}
    assert sum(line["points"] for line in deal.lines if line["player"] == "Ann") == 25
    text = in_words(found)
    assert "Deal 1: Bob deals, starter QS" in text
    assert "fifteen two, and a double run of three makes ten" in text
    assert text.splitlines()[0].endswith("under way")


def test_the_report_comes_with_the_end(new_table: Callable[..., Any]) -> None:
    """A game that was won has its report with the match so far; while it is under way there is none."""
    table = new_table(entry="points", target=61).press("# 2# #")
    table.press("30A 29B #")
    assert Archive(table.journal).find("1").history.report is None
    table.press("20# 6# 3#")
    table.press("#" if table.phase == "deal" else "").press("11A" if table.phase == "play" else "")
    found = Archive(table.journal).find("1")
    assert table.phase == "end"
    assert found.listed.ended
    plain = found.history.plain()
    assert plain["winner"] == "Ann"
    assert plain["report"]["match"]["games"] == {"Ann": 1, "Bob": 0}
    assert plain["report"]["sides"][0]["play"] == 41
    assert plain["report"]["words"][0] == "Ann won"


def test_a_void_deal_is_marked(table: Any) -> None:
    """A deal that was void is told as such, and the same dealer deals the next one."""
    table.press("# 2#").cards("JS")
    table.press("B 4# #").cards("KD")
    first, second = Archive(table.journal).find("1").history.deals
    assert (first.void, second.void) == (True, False)
    assert (first.dealer, second.dealer) == ("Bob", "Bob")


def test_csv_is_plain_rows_of_the_same_columns(table: Any) -> None:
    """One row an award, each as long as the header, lines ending in CR LF, and the last scores those of the game."""
    table.press(FOSTER)
    text = to_csv(Archive(table.journal).find("1"))
    assert text.split("\r\n")[0] == ",".join(COLUMNS)
    assert "\n" not in text.replace("\r\n", "")
    found = rows(text)
    assert all(len(row) == len(COLUMNS) and None not in row.values() for row in found)
    assert (found[-1]["score_1"], found[-1]["score_2"], found[-1]["score_3"]) == ("25", "33", "")
    ann = [int(row["points"]) for row in found if (row["event"], row["player"]) == ("award", "Ann")]
    assert sum(ann) == 25


@pytest.mark.parametrize("name", ["=1+1", "+Bob", "-Bob", "@sum", "=HYPERLINK(1;2)", "\uff1dx"])
def test_csv_runs_nothing_in_a_spreadsheet(name: str) -> None:
    """A name that a spreadsheet would take for a formula stands in the table as text; names with commas are quoted."""
    record = f'crib 1\ngame six-card\nrules modern\nplayers "{name}" "B, ob"\ndeal "B, ob"\nstarter JC\n'
    (row,) = rows(_csv_of(record))
    assert row["dealer"] == row["player"] == "B, ob"
    (row,) = rows(_csv_of(record.replace('deal "B, ob"', f'deal "{name}"')))
    assert row["player"] == f"'{name}"


def _csv_of(record: str) -> str:
    class Kept:
        def games(self) -> list[Any]:
            return []

        def match_of(self, game: int) -> dict[int, list[Any]]:
            return {}

        def records(self) -> dict[int, tuple[str, str]]:
            return {1: ("2026-01-01T00:00:00+00:00", record)}

        def bad_records(self) -> list[int]:
            return []

    return to_csv(Archive(Kept()).find("i1"))


def answers(table: Any) -> tuple[str, ...]:
    """The list, and the table, the report and the JSON of a game under way, its own record left out."""
    listed = CliRunner().invoke(cli, ["games", "--json", "--state", str(table.folder)])
    assert listed.exit_code == 0, listed.output
    found = Archive(table.journal).find("1")
    whole = found.plain()
    del whole["record"]
    return (listed.stdout, to_csv(found), in_words(found), json.dumps(whole))


CRIB = ("2C 2D 2H 3C", "2C 2D 2H 9C")
"""Worth different points with the queen of spades turned up."""


@pytest.mark.parametrize("claim", ["7#", "0#", "29#"])
def test_under_call_nothing_tells_a_right_claim_from_a_wrong_one(new_table: Callable[..., Any], claim: str) -> None:
    """Two tables alike but for the cards that a claim was made for: until it is accepted all that is told is equal."""
    tables = [new_table(entry="shows", level="call", book="acc").press("# 2#").cards("QS").press("#") for _ in CRIB]
    for table in tables:
        table.cards("4S 3D 4C 5C").press("10#").cards("6D 7D 8D 9D").press("8#")
    first, second = (answers(table.cards(cards).press(claim)) for table, cards in zip(tables, CRIB, strict=True))
    assert [table.view.public.claims[-1].what for table in tables] == ["crib", "crib"]
    assert first == second
    assert not any('"true"' in one or "too few" in one for one in first)


def test_under_call_a_winning_claim_is_not_reported_before_it_is_accepted(new_table: Callable[..., Any]) -> None:
    """A claim that reaches the last hole under call leaves the game under way, without its report, until accepted."""
    table = new_table(entry="points", level="call", target=61).press("# 2# #").press("55A 9B #").press("20#")
    assert table.state.winner is not None
    assert table.state.claims
    found = Archive(table.journal).find("1")
    assert not found.listed.ended
    assert found.history.report is None
    table.press("#")
    assert Archive(table.journal).find("1").history.report is not None


def test_a_finished_game_names_the_card_and_the_count(table: Any) -> None:
    """Each card laid is told with its player and the count; what is pegged besides is told once, without a sign."""
    table.press("# 2# 12A 4A 0B 13C 7D B8##")
    text = in_words(Archive(table.journal).find("1"))
    assert "Bob lays TH: fourteen" in text
    assert "Ann lays KC: twenty-four" in text
    assert "Bob lays 7D: thirty-one for two" in text
    assert "+" not in text.split("The game")[0]


def test_under_call_no_card_is_named_before_the_end(new_table: Callable[..., Any]) -> None:
    """Under call the cards of the play are told once the game is over, with what was claimed for them."""
    table = new_table(level="call", book="acc").press("# 2# 12A 7C 8D 2#")
    assert "8D" not in "".join(answers(table))
    table.press("B8##")
    text = in_words(Archive(table.journal).find("1"))
    assert "Bob lays 8D: fifteen, nothing claimed" in text
    assert "Bob claims for 8D: fifteen, two claimed" in text
