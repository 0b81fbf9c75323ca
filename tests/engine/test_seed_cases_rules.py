"""Rules of the sources with nothing to compute: each tied to the field, the infraction or the table that follows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import intents as want
from engine import report
from engine.apply import apply
from engine.cards import parse_cards
from engine.decide import decide
from engine.penalties import find
from engine.record_words import RecordError
from engine.replay import Line, replay
from engine.rules import BOOKS, GAMES, rules_for, targets_for

CASES = json.loads((Path(__file__).parents[1] / "golden" / "seed" / "rules.json").read_text())


def having(key: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if key in case]


@pytest.mark.parametrize("case", having("fields"))
def test_a_rule_is_a_field_of_its_book(case: dict[str, Any]) -> None:
    """The source's rule is the value of a field of its book, and the field cites a source."""
    book = BOOKS[case["book"]]
    for field, value in case["fields"].items():
        assert getattr(book, field) == (tuple(value) if isinstance(value, list) else value)
        assert book.citation(field)


@pytest.mark.parametrize("case", having("rules"))
def test_a_rule_is_a_value_of_its_game(case: dict[str, Any]) -> None:
    """The source's rule for one of its games is a value of the rules that the game is played by."""
    rules, kind = rules_for(case["game"], case["book"]), GAMES[case["game"]]
    for field, value in case["rules"].items():
        assert getattr(rules if hasattr(rules, field) else kind, field) == value


@pytest.mark.parametrize("case", having("infraction"))
def test_a_penalty_is_an_infraction_of_its_book(case: dict[str, Any]) -> None:
    """What a source does about an irregularity is that infraction's amount, receiver and remedy."""
    found = find(BOOKS[case["book"]], case["infraction"])
    assert (found.amount, found.to) == (case["amount"], case["to"])
    assert case["remedy"] in found.remedy
    assert case["source"] in found.source


@pytest.mark.parametrize("case", having("constant"))
def test_a_yardstick_is_the_reports(case: dict[str, Any]) -> None:
    """At home and safe at home are measured as the sources measure them."""
    assert getattr(report, case["constant"]) == case["value"]


@pytest.mark.parametrize("case", having("targets"))
def test_targets_by_agreement(case: dict[str, Any]) -> None:
    """A game that may go to more than one last hole offers each of them."""
    assert targets_for(case["game"], case["book"]) == tuple(case["targets"])


@pytest.mark.parametrize("case", having("record"))
def test_a_rule_is_followed_at_the_table(case: dict[str, Any]) -> None:
    """A table played by the rule comes to what the source says; what the rule forbids is refused."""
    lines: list[Line] = []
    refused = None
    try:
        lines.extend(replay(case["record"]))
    except RecordError as error:
        refused = (error.line, error.exit_code)
    expect = case["expect"]
    line = expect.get("refused_line")
    assert refused == (None if line is None else (line, 1))
    if line is not None:
        before = "\n".join(case["record"].splitlines()[: line - 1]) + "\n"
        lines = list(replay(before))
    end = lines[-1]
    assert {key: end[key] for key in ("scores", "winner", "skunks") if key in expect} == {
        key: value for key, value in expect.items() if key in ("scores", "winner", "skunks")
    }
    kinds = {why["kind"] for one in lines for why in one.get("why", ())}
    assert expect.get("has_not") not in kinds


@pytest.mark.parametrize("case", having("cuts"))
def test_the_low_card_deals(case: dict[str, Any]) -> None:
    """The seat that cuts the lower card deals; equal cards are cut again."""
    for cut, dealer in case["cuts"].items():
        state = apply(None, decide(None, want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag")))[0])
        for card in parse_cards(cut.split()):
            for event in decide(state, want.CutForDeal(card)):
                state = apply(state, event)
        assert (None if state.deal is None else state.deal.dealer) == dealer


@pytest.mark.parametrize("case", having("hands_only"))
def test_handling_the_cards_scores_nothing(case: dict[str, Any]) -> None:
    """How cards are cut, dealt and laid out is up to the people: no field or infraction speaks of it."""
    assert set(case) == {"id", "source", "lines", "hands_only"}


def test_every_rule_is_tied_to_something() -> None:
    """No case stands in the list without a check of some kind."""
    checks = {"fields", "rules", "infraction", "constant", "targets", "record", "cuts", "hands_only"}
    assert [case["id"] for case in CASES if not checks & set(case)] == []
