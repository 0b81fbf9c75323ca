"""What other programs say of a fault is shown in one line, in characters that can be seen, and never at length."""

from __future__ import annotations

import sqlite3
from typing import Any

from firmware.faults import Faults
from firmware.journal_file import trouble
from hardware.errors import FOREIGN

RAMBLING = "Odd\x1b[2J\0\r\n" + "x" * 3000


def test_a_part_s_fault_is_told_in_one_line(table: Any) -> None:
    """On the glass, in the log and to the page a driver's words come without control characters, and cut."""
    log: list[str] = []
    faults = Faults(table.board, log.append)
    faults.tell("keypad", RAMBLING)
    faults.ail({"buttons": f"Stuck: {RAMBLING}"})
    for text in (table.view.notice.text, *log, faults["keypad"]):
        assert text.isprintable()
        assert len(text) < 550
    assert len(log) == 2
    faults.back("keypad")
    assert "keypad" in table.view.notice.text
    assert "back" in table.view.notice.text


def test_the_database_s_words_are_told_in_one_line() -> None:
    """What SQLite says of a damaged file stands in our sentence, cut."""
    text = str(trouble(sqlite3.DatabaseError(RAMBLING), "read"))
    assert text.startswith("The journal cannot be read: the file is damaged (Odd [2J xxx")
    assert text.endswith("xxx...).")
    assert text.isprintable()
    assert len(text) < FOREIGN + 80
