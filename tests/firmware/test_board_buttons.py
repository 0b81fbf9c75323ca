"""Seat buttons that nobody sits at, and records of claims made after their card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.record_write import write

FLAGGED = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 8#"


@pytest.mark.parametrize("key", ["@3", "@4", "hold(@3)", "hold(@4)", "1@3"])
@pytest.mark.parametrize("before", ["", "#", "# 2#", "# 2# 12A 4A", FLAGGED, f"{FLAGGED} *"])
def test_a_button_that_nobody_sits_at_is_refused(new_table: Callable[..., Any], before: str, key: str) -> None:
    """A third or fourth button at a table for two is refused wherever the game stands, and changes nothing."""
    table = new_table().press(before) if before else new_table()
    state = table.board.state
    assert "1 to 2" in table.press(key).refused
    assert table.board.state is state


@pytest.mark.parametrize("names", [("peg", "Bob"), ("a peg b", "c peg d")])
def test_a_claim_is_written_with_its_own_card(new_table: Callable[..., Any], names: tuple[str, str]) -> None:
    """A claim made after its card stands on the card's line, whatever the name and whatever was pegged between."""
    table = new_table(names=names, level="off").press("# 2# 12A 4A B1# 1A 2#")
    lines = write(table.board.history.events()).splitlines()
    who = names[0] if " " not in names[0] else f'"{names[0]}"'
    assert lines[-2:] == [f"play {who} 4S peg 2", f"peg {who} 1"]
