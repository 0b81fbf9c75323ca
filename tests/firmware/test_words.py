"""The message catalogue: everything fits the glass, and everything in it is said somewhere."""

from __future__ import annotations

from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import firmware
from engine.rule_book import Counted
from firmware.overlay import Asking, UndoOffer
from firmware.screens import screen_of
from firmware.screens.pages import ADJUSTMENTS, MENU, wrap
from firmware.settings import Settings
from firmware.view import View
from firmware.words import CATALOGUE, localise, say
from firmware.words_aloud import ALOUD
from hardware import fonts

LONGEST = {
    "address": "http://127.0.0.1:65535/",
    "amount": "99",
    "book": "a-book-of-twenty-let",
    "caller": "Maximilianus",
    "card": "10H",
    "cards": "5H 6H 7H",
    "claimed": "99",
    "count": "31",
    "field": "99",
    "kind": "hand",
    "kinds": "hands, cribs",
    "last": "cards of the play",
    "left": "4",
    "level": "teach",
    "miscount": "Maximilianus's hand: 29 claimed, 29 true",
    "most": "29",
    "name": "Maximilianus",
    "number": "99",
    "own": "4",
    "part": "screen",
    "points": "99",
    "reason": "crib-over-dealer-short",
    "seat": "4",
    "tries": "5",
    "true": "29",
    "value": "three-handed",
    "was": "10H",
    "way": "many",
    "what": "",
    "where": "hands",
    "whose": "Maximilianus",
    "why": "",
}
"""The longest value that each place of a message can have."""

BOOKS = {"nothing-callable", "not-covered", "none-covered", "no-call-many"}
"""Messages that name the rule book, which may be the table's own: with one of the sources they fit."""

PAGED = {"about", "not-saved", "false-go", "was-first", "phones-not-kept", "phones-come-back"}
PAGED |= {"miscount-back", "miscount-pegged", *BOOKS}
"""Messages that carry something of any length: they are paged, not cut."""

SPOKEN = {"answer", *(key for key in CATALOGUE if key.startswith("told-"))}
"""Messages that are only spoken, or written where there is room: the glass says the same in lines of its own."""


def _longest(key: str) -> str:
    return say(key, **{name: LONGEST[name] for _, name, _, _ in Formatter().parse(CATALOGUE[key]) if name})


@pytest.mark.parametrize("key", sorted(set(CATALOGUE) - PAGED - SPOKEN))
def test_every_message_fits_the_glass(key: str) -> None:
    """Every message, with the longest values it can have, wraps into four lines of sixteen."""
    assert len(wrap(_longest(key))) <= 4
    assert all(len(line) <= 16 for line in wrap(_longest(key)))


@pytest.mark.parametrize("key", sorted(key for key in CATALOGUE if key.startswith("did-")))
def test_undo_offer_names_what_it_takes_back_in_full(key: str) -> None:
    """However long the name, the undo offer shows all of it, and what ``#`` does."""
    lines = screen_of(_view(UndoOffer(_longest(key)))).lines
    assert " ".join(lines).split() == f"Undo: {_longest(key)}? # yes".split()


@pytest.mark.parametrize("task", [task for _, task in ADJUSTMENTS])
def test_adjust_asks_in_full_with_a_line_left_for_what_is_typed(task: str) -> None:
    """Every adjustment's question stands on three lines, so that the fourth can show the digits."""
    shown = screen_of(_view(Asking(task, reason="misdeal"), typed="12")).lines  # type: ignore[arg-type]
    assert " ".join(shown[:3]).split() == say(f"ask-{task}", reason="misdeal").split()
    assert shown[3] == "12_"


@pytest.mark.parametrize("key", [key for key, _ in ADJUSTMENTS] + list(MENU))
def test_choices_fit_their_line_with_number_and_value(key: str) -> None:
    """A choice fits one line with its number before it and its longest value after it."""
    value = {"menu-theme": " normal", "menu-blink": " off", "menu-sound": " off"}.get(key, "")
    value = {"menu-speech": " off", "menu-rate": " 350"}.get(key, value)
    assert len(f"1 {say(key)}{value}") <= 16


def test_every_character_of_every_message_is_in_the_font() -> None:
    """No message draws an empty box."""
    font = fonts.load("8x16")
    assert {one for text in CATALOGUE.values() for one in text if not font.has(one)} == set()


def test_every_message_is_said_somewhere() -> None:
    """The catalogue holds no message that nothing says."""
    folder = Path(firmware.__file__).parent
    catalogues = ("words.py", "words_aloud.py")
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.name not in catalogues)
    built = {f"ask-{task}{end}" for _, task in ADJUSTMENTS for end in ("", "-help")}
    built |= {f"key-{key}" for key in "#*ABCD"} | {"say-last-claim", "say-last-claim-besides"}
    fields = {field.partition(" ")[0] for field in Settings().fields}
    built |= {f"field-{field}{end}" for field in fields for end in ("", "-is")}
    built |= {f"{part}-{kind}" for part in ("kinds", "where") for kind in get_args(Counted)}
    assert [key for key in (*CATALOGUE, *ALOUD) if f'"{key}"' not in source and key not in built] == []


def test_no_message_stands_twice() -> None:
    """A message is either drawn or only heard: its key stands in one part of the catalogue."""
    assert set(CATALOGUE) & set(ALOUD) == set()


def test_british_tables_say_box() -> None:
    """en-GB says box for crib, wherever the word stands by itself; en-US says crib."""
    assert (
        localise("Crib's cards: the crib, two cribs, describe", "en-GB") == "Box's cards: the box, two boxes, describe"
    )
    assert localise("the crib", "en-US") == "the crib"


def test_no_message_is_longer_in_british() -> None:
    """What fits the glass in American fits it in British."""
    assert [key for key, text in CATALOGUE.items() if len(localise(text, "en-GB")) > len(text)] == []


def _view(overlay: object, typed: str = "") -> View:
    return View(None, Settings(), True, typed=typed, overlay=overlay)  # type: ignore[arg-type]
