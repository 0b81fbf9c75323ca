"""What the board tells of its history: only what is asked for, and once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import firmware.story
from firmware.lights import frame
from firmware.overlay import ADJUSTMENTS
from firmware.screens import screen_of
from hardware.lanes import two_lanes

END = "# 2# # 120A # 1A"
"""At the points level: the set-up, seat 2 deals, no starter, and Ann pegs her way out."""


def test_a_digit_tells_nothing_anew(table: Any) -> None:
    """While a number is typed the history stands: its public state is the very same one."""
    before = table.press("# 2# 12A").view
    assert table.press("7").view.public is before.public
    assert table.press("C").view.public is not before.public


def test_why_tells_nothing_of_an_earlier_match(new_table: Callable[..., Any]) -> None:
    """In a new match why? explains nothing until something is pegged, the same before and after a restart."""
    table = new_table(entry="points").press("# 1# # 5A")
    assert table.view.why
    number = [key for key, _ in ADJUSTMENTS].index("adjust-stop") + 1
    table.press(f"B {number}# #").press("B 3# #")
    assert (table.phase, table.view.why) == ("cut", "")
    asked = table.press("C").lines
    assert table.press("*").reopen().press("C").lines == asked
    rematch = new_table(entry="points").press("# 1# # 5A").press(f"B {number}# #").press("#")
    assert rematch.view.why == rematch.reopen().view.why != ""


def test_the_end_of_a_game_does_not_wait_for_its_report(
    new_table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The award that ends a game is drawn, lights and screen, before its report is worked out; then it is, once."""
    worked_out = []
    report = firmware.story.report

    def slow(events: Any) -> Any:
        worked_out.append(events)
        return report(events)

    monkeypatch.setattr(firmware.story, "report", slow)
    table = new_table(entry="points", target=61)
    table.press("# 2# # 31A 30A")
    assert table.phase == "end"
    frame(table.view, two_lanes(), 1.0)
    screen_of(table.view)
    assert not worked_out
    assert table.view.report == table.press("7").view.report != ()
    assert len(worked_out) == 1
