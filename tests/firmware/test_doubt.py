"""Counts that no hand can show, said only where nothing is judged by a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(("level", "said"), [("flag", True), ("teach", True), ("call", False), ("off", False)])
def test_a_nineteen_is_doubted_but_never_under_call(new_table: Callable[..., Any], level: str, said: bool) -> None:
    """Nineteen cannot be shown by four cards and a starter: the board says so, and pegs it all the same."""
    table = new_table(entry="points", level=level).press("# 2# # # #").press("19#")
    assert table.scores == (19, 0)
    notice = table.view.notice
    assert (notice is not None and "No hand can count 19" in notice.text) is said


def test_a_count_that_can_be_shown_is_not_doubted(new_table: Callable[..., Any]) -> None:
    """Twenty-nine is rare, and possible."""
    assert new_table(entry="points").press("# 2# # # #").press("29#").view.notice is None
