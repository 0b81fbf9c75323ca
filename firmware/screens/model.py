"""One OLED screen as a value: what is drawn, and the line of plain words that says the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

COLUMNS: Final = 16
ROWS: Final = 4
SIDE_COLUMNS: Final = 11
"""Columns left beside a count drawn large."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Four lines of sixteen characters. ``big`` is drawn 32 pixels tall before lines 2 and 3 (which then have eleven
    columns); ``numerals`` are drawn 48 pixels tall in place of the first three lines."""

    lines: tuple[str, str, str, str]
    spoken: str
    big: str = ""
    numerals: tuple[str, ...] = ()

    @property
    def text(self) -> list[str]:
        """The lines as they are drawn, top to bottom, without trailing blanks."""
        first, second, third, fourth = (line.rstrip() for line in self.lines)
        if self.numerals:
            return [" ".join(self.numerals), fourth]
        return [first, f"{self.big} {second}" if self.big else second, third, fourth]


def screen(lines: list[str], spoken: str, *, big: str = "", numerals: tuple[str, ...] = ()) -> Screen:
    """A screen of at most four lines, each cut to the glass."""
    full = [*lines, "", "", "", ""][:ROWS]
    cut = [line[: SIDE_COLUMNS if big and row in (1, 2) else COLUMNS] for row, line in enumerate(full)]
    return Screen((cut[0], cut[1], cut[2], cut[3]), spoken, big, numerals)
