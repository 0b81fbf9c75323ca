"""One OLED screen as a value: what is drawn, and the line of plain words that says the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.words_aloud import sentences

COLUMNS: Final = 16
ROWS: Final = 4
LISTED: Final = ROWS - 1
"""Entries on a page of a list: its last line says what the keys do."""
SIDE_COLUMNS: Final = 11
"""Columns left beside a count drawn large."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A screen in plain words: all that is drawn, in the order in which it is wanted."""

    prompt: str
    """What is asked for, or what an overlay says."""
    news: str = ""
    """What the newest entry brought."""
    standing: tuple[str, ...] = ()
    """A sentence a side and more: what stands until it changes."""
    rest: tuple[str, ...] = ()
    """What is drawn besides, and was heard when it was keyed."""
    proof: str = ""
    """The count behind the news: told once, after what is asked."""

    @property
    def caption(self) -> str:
        """What is new, what is asked, and the count behind it: for those who see the scores."""
        return sentences(self.news, self.prompt, self.proof)

    @property
    def text(self) -> str:
        """The whole twin in one line."""
        return sentences(self.caption, *self.standing, *self.rest)

    def map(self, change: Callable[[str], str]) -> Twin:
        """The same with each of its sentences changed."""
        standing, rest = (tuple(map(change, some)) for some in (self.standing, self.rest))
        return Twin(change(self.prompt), change(self.news), standing, rest, change(self.proof))


@dataclass(frozen=True, slots=True)
class Screen:
    """Four lines of sixteen characters. ``big`` is drawn 32 pixels tall before lines 2 and 3 (which then have eleven
    columns); ``numerals`` are drawn 48 pixels tall in place of the first three lines; ``modules``, a QR code's, in the
    left half (the lines then have eight columns)."""

    lines: tuple[str, str, str, str]
    twin: Twin
    big: str = ""
    numerals: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """The spoken twin, whole."""
        return self.twin.text

    @property
    def text(self) -> list[str]:
        """The lines as they are drawn, top to bottom, without trailing blanks."""
        first, second, third, fourth = (line.rstrip() for line in self.lines)
        if self.numerals:
            return [" ".join(self.numerals), fourth]
        return [first, f"{self.big} {second}" if self.big else second, third, fourth]


def screen(
    lines: list[str],
    spoken: str,
    *,
    rest: tuple[str, ...] = (),
    big: str = "",
    numerals: tuple[str, ...] = (),
    modules: tuple[str, ...] = (),
) -> Screen:
    """A screen of at most four lines, each cut to the glass; ``spoken`` says what it asks or tells, ``rest`` what is
    drawn besides. Scores, levels, news and what is typed are told by ``screen_of`` for every screen that has them."""
    full = [*lines, "", "", "", ""][:ROWS]
    cut = [line[: SIDE_COLUMNS if big and row in (1, 2) else COLUMNS] for row, line in enumerate(full)]
    return Screen((cut[0], cut[1], cut[2], cut[3]), Twin(spoken, rest=rest), big, numerals, modules)
