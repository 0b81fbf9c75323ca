"""Text too long for the glass, wrapped into lines of sixteen and pages of four."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Final

from engine.penalties import Infraction
from firmware.overlay import (
    ADJUSTMENTS,
    MENU,
    Adjust,
    Fields,
    Levels,
    Menu,
    Overlay,
    Penalties,
    PhoneList,
    Report,
    Says,
    Why,
)
from firmware.screens.model import COLUMNS, LISTED, ROWS
from firmware.screens.names import labels, possessive, seat_label, side_labels
from firmware.screens.set_up import field_lines
from firmware.view import Notice, View
from firmware.words import say

_KEYS: Final = re.compile(r"([#*]) (?=[a-z])")
"""A key and what it does: they stay on one line."""


def wrap(text: str, room: int = COLUMNS) -> list[str]:
    """The text in lines of at most ``room`` characters.

    >>> wrap("5H is in Ann's hand")
    ["5H is in Ann's", 'hand']
    >>> wrap("Crib void? # yes, * no")
    ['Crib void?', '# yes, * no']
    """
    kept = _KEYS.sub("\\1\u00a0", text)
    lines = textwrap.wrap(kept, room, break_long_words=True, break_on_hyphens=False) or [""]
    return [line.replace("\u00a0", " ") for line in lines]


def pages(lines: list[str], foot: str = "") -> list[list[str]]:
    """The lines in pages of the glass. Where there are more, the last line of each page but the last says so.

    ``foot`` tells at the end of every page what a number does there.

    >>> pages(["1 theme", "2 blink", "3 sound", "4 levels"], "n# picks")[0]
    ['1 theme', '2 blink', '3 sound', 'n# picks  # more']
    >>> pages(["1", "2", "3", "4", "5"])
    [['1', '2', '3', '4         # more'], ['5']]
    >>> pages(["1", "2", "3", "to be continued", "5"])
    [['1', '2', '3', '# more'], ['to be continued', '5']]
    """
    cut: list[list[str]] = []
    rest = list(lines) or [""]
    while len(rest) > (LISTED if foot else ROWS):
        beside = foot or rest[LISTED]
        shared = len(beside) + len(MORE) < COLUMNS
        cut.append([*rest[:LISTED], beside.ljust(COLUMNS - len(MORE)) + MORE if shared else MORE])
        rest = rest[ROWS if shared and not foot else LISTED :]
    return [*cut, [*rest, *[""] * (LISTED - len(rest)), foot] if foot else rest]


MORE: Final = say("foot-more")
"""At the end of the last line: ``#`` turns the page."""


def notice_pages(text: str) -> list[list[str]]:
    """A text in pages."""
    return pages(wrap(text))


def report_entries(lines: Iterable[str]) -> list[list[str]]:
    """Each line of a report in lines of the glass, set in as it is; nothing of it is cut.

    >>> report_entries(["nobody saw", " Wilhelmina, deal 1: card +2"])
    [['nobody saw'], [' Wilhelmina,', ' deal 1: card +2']]
    """
    entries = []
    for line in lines:
        lead = line[: len(line) - len(line.lstrip())]
        entries.append([lead + part for part in wrap(line.strip(), COLUMNS - len(lead))])
    return entries


def more(notice: Notice | None) -> bool:
    """Whether a notice goes on past the page that is on the glass: ``#`` then turns it."""
    return notice is not None and notice.page + 1 < len(notice_pages(notice.text))


def score_lines(view: View) -> list[str]:
    """What ``D`` says, line by line."""
    public = view.public
    if public is None:
        return [*labels(view.settings.names, COLUMNS), "no game yet"]
    lines: list[str] = []
    room = COLUMNS - max(len(f" {score}") for score in public.scores)
    for side, name in enumerate(side_labels(public, room)):
        lines += [f"{name} {public.scores[side]}", f"{public.holes_to_go(side)} to go"]
    if public.dealer is not None:
        lines.append(possessive(public, public.dealer, "crib")[0])
    if public.starter is not None and public.dealer is not None and not public.sealed:
        lines.append(f"starter {public.starter}")
    if public.stage.value == "play":
        lines.append(f"count {public.count}")
    if public.turn is not None:
        lines.append(f"turn: {seat_label(public, public.turn, COLUMNS - 6)}")
    return lines


def overlay_pages(view: View, overlay: Overlay) -> list[list[str]]:
    """The pages of a screen that has several."""
    match overlay:
        case Why(text=text):
            return notice_pages(text)
        case Says():
            return pages(score_lines(view))
        case Menu():
            likes = view.preferences
            now = {
                "menu-theme": likes.theme,
                "menu-blink": "on" if likes.blink else "off",
                "menu-sound": "on" if likes.sound else "off",
                "menu-speech": "on" if likes.speech else "off",
                "menu-rate": str(likes.rate),
            }
            rows = [f"{place} {say(key)} {now.get(key, '')}".rstrip() for place, key in enumerate(MENU, 1)]
            return pages(rows, say("foot-picks"))
        case Fields():
            return pages(field_lines(view.settings), say("foot-picks"))
        case Adjust():
            rows = [f"{place} {say(key)}" for place, (key, _) in enumerate(ADJUSTMENTS, 1)]
            return pages(rows, say("foot-picks"))
        case Report(lines=lines):
            return pages([part for entry in report_entries(lines) for part in entry])
        case Levels() if view.public is not None:
            sides = zip(side_labels(view.public, COLUMNS - 8), view.public.levels, strict=True)
            rows = [f"{place} {name} {level}" for place, (name, level) in enumerate(sides, 1)]
            return pages(rows, say("foot-changes"))
        case PhoneList():
            return pages([f"{phone.number} {keys_of(view, phone.seat)}" for phone in view.phones], say("foot-phones"))
        case Penalties():
            named = [_penalty_line(place, one) for place, one in enumerate(view.penalties, 1)]
            named.append(f"{len(named) + 1} {say('by-hand')}")
            named += [_penalty_line(place, one) for place, one in enumerate(view.unruled, len(named) + 1)]
            return pages(named, say("foot-picks"))
        case _:
            return [[""]]


def keys_of(view: View, seat: int | None) -> str:
    """Whose keys a phone has: the seat's name, or the table's.

    A seat that nobody sits at in this game is named by its number.
    """
    if seat is None:
        return say("keys-table")
    return view.names[seat] if seat < len(view.names) else say("keys-seat", seat=seat + 1)


def _penalty_line(number: int, one: Infraction) -> str:
    """Number, name and, where the book says, the amount; a long name gives way."""
    end = f" {one.amount}" if isinstance(one.amount, int) and one.amount else ""
    return f"{number} {one.name}"[: COLUMNS - len(end)] + end


def page_count(view: View, overlay: Overlay) -> int:
    """How many pages that screen has."""
    return len(overlay_pages(view, overlay))
