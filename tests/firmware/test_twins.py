"""Every screen has its spoken twin: plain words that say all that is drawn, in both languages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from string import Formatter
from typing import Any, get_args

import pytest

from engine.cards import PACK
from engine.spoken import number_word
from firmware.board import Board
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.overlay import ADJUSTMENTS, Address, Asking, Overlay, Pairing, PhoneList
from firmware.screens import Screen, screen_of
from firmware.screens.pages import notice_pages
from firmware.settings import Choices, Settings
from firmware.view import Notice, Noticed, Preferences, View
from firmware.words import CATALOGUE, LANGUAGES, localise, say
from firmware.words_aloud import ALOUD, plain

CODE = re.compile(r"\b([2-9TJQKA])([SHCD])\b")
SUITS = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
RANKS = dict(
    zip("A23456789TJQK", "ace two three four five six seven eight nine ten jack queen king".split(), strict=True)
)
SYMBOLS = set("#*&_+=<>\u25bc")
NUMBERS = {str(number): re.compile(rf"(?<![\w-]){number_word(number)}(?![\w-])") for number in range(200)}


def check(screen: Screen) -> None:
    """The promises of a twin, for one screen in each language."""
    for language in LANGUAGES:
        said = localise(screen.spoken, language)
        drawn = localise(" ".join(screen.text), language)
        assert said.strip()
        assert not CODE.search(said), said
        assert not SYMBOLS & set(said), said
        assert not (language == "en-GB" and re.search(r"\b[Cc]ribs?\b", said))
        for rank, suit in CODE.findall(drawn):
            assert f"{RANKS[rank]} of {SUITS[suit]}" in said, (drawn, said)
        for number in re.findall(r"\d+", CODE.sub("", drawn)):
            there = re.search(rf"(?<!\d){number}(?!\d)", said) or NUMBERS[str(int(number))].search(said)
            assert there, (number, drawn, said)


def both(view: View) -> Iterator[View]:
    """The moment in each theme, with and without something typed."""
    for theme in ("normal", "big"):
        yield replace(view, preferences=Preferences(theme=theme))  # type: ignore[arg-type]
    yield replace(view, typed="12")
    yield replace(view, saved=False)


DEAL = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"
SHOWN = DEAL + "10#14#11D11A0D1A9#"
WAYS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "set-up": ({}, ["", "9", "12", "B", "D", "C", "C#", "C##", "C###", "C9", "C3#"]),
    "cut": ({}, ["#", "# 5A", "# 5A 5B"]),
    "deal": ({}, ["# 2#", "# 2# #", SHOWN, SHOWN + "12A", DEAL + "10#12#11D11A0D1A8#"]),
    "play": ({}, ["# 2# 12A", "# 2# 12A 4A", DEAL[:20], "# 2# 12A 0A 0B 11A #", "# 2# 12A 7C 8D C", "# 2# 11A"]),
    "play under off": ({"level": "off"}, ["# 2# 12A 4A", "# 2# 12A 7C 8D 2#", DEAL, DEAL + "# 3#"]),
    "play under call": ({"level": "call", "book": "acc"}, ["# 2# 12A 7C 8D", "# 2# 12A 7C 8D 2# A", DEAL, DEAL + "#"]),
    "show": ({}, [DEAL, DEAL + "8#", DEAL + "12#", DEAL + "10#", DEAL + "10#14#11D", DEAL + "10#14#11D11A0D1A"]),
    "teach": ({"level": "teach"}, [DEAL, DEAL + "##", DEAL + "##11D11A0D1A#"]),
    "call": (
        {"level": "call", "book": "acc"},
        [
            DEAL + "#" + more
            for more in ("8#", "8#A", "8#AA", "8#A2#", "8#A2##", "8#A2#*", "8#*#", "8#*##", "8#14#A", "8#14#AB")
        ],
    ),
    "points": (
        {"entry": "points", "level": "call", "book": "acc"},
        ["# 2# #", "# 2# # 2A 3B", "# 2# # # 8# A 2# *", "# 2# # # 8# A 2# * 12A", "# 2# # # 8# A 2# * 12A 4A"],
    ),
    "three hands": (
        {"game": "three-handed", "names": ("Ann", "Bob", "Cal"), "level": "call", "book": "acc"},
        ["#", "# 3#", "# 3# 12A", "# 3# 12A 4A A", "# 3# 12A 4A D"],
    ),
    "partners": (
        {"game": "four-handed", "names": ("Ann", "Bob", "Cal", "Dot")},
        ["", "#", "# 4# 12A", "# 4# 12A 4A", "# 4# D D 4#", "# 4# B 9#"],
    ),
    "winning": (
        {"level": "call", "book": "acc"},
        ["# 2# B1#99A B1#13A 12A 4A 2D 3D 1B 5C 2B 4C 3C # B1#1A 8#", "# 2# B1#99A B1#13A 12A" + DEAL[9:] + "# 29#"],
    ),
    "end": (
        {},
        [
            "# 2# B1#99A B1#22A" + more
            for more in ("", "C", "C#", "C##", "C###", "C####", "C#####", "*", "B", "B3", "B3#", "B5", "BC3#", "D", "#")
        ]
        + ["# 2# B8##", "# 2# B8#"],
    ),
    "menu": ({}, [f"# 2# DD{more}" for more in ("", "#", "4#", "4#1#", "4#1##", "6#", "7#", "8#", "99#")]),
    "adjust": (
        {},
        [f"# 2# 12A 4A B{more}" for more in ("", "#", "##", "6#", "6##", "6###", "6####", "6#1#", "6#2#", "3#4A")],
    ),
    "undo": ({}, ["# *", "# 2# 12A 4A *", DEAL + "8# *"]),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_screen_says_all_that_it_shows(new_table: Callable[..., Any], way: str) -> None:
    """At every stage, under every overlay, in both themes and languages: words, no symbols, and every number drawn."""
    choices, keys = WAYS[way]
    sides = 3 if choices.get("game") == "three-handed" else 2
    for one in keys:
        table = new_table(sides=sides, **choices).press(one)
        for view in both(table.view):
            check(screen_of(view))


def test_no_kind_of_overlay_is_left_out(new_table: Callable[..., Any]) -> None:
    """The walk above, the questions below and the screens that invite phones are all that lies over the game."""
    met = {Asking, Address, Pairing, PhoneList}
    for choices, keys in WAYS.values():
        sides = 3 if choices.get("game") == "three-handed" else 2
        met |= {type(new_table(sides=sides, **choices).press(one).view.overlay) for one in keys}
    assert set(get_args(Overlay)) - met == set()


@pytest.mark.parametrize("task", [task for _, task in ADJUSTMENTS])
def test_every_question_is_spoken(table: Any, task: Any) -> None:
    """Each adjustment asks aloud for what it still needs, and says what is typed."""
    view = table.press("# 2# 12A 4A").view
    for overlay in (
        Asking(task, reason="misdeal"),
        Asking(task, reason="misdeal", amount=2, to=1),
        Asking(task, PACK[5]),
    ):
        for one in both(replace(view, overlay=overlay)):
            check(screen_of(one))


VALUES = {"cards": "5H 6H", "card": "10H", "was": "TH", "name": "Ann", "caller": "Bob"}


@pytest.mark.parametrize("key", sorted({*CATALOGUE, *ALOUD}))
def test_every_message_of_the_catalogue_is_said_in_words(table: Any, key: str) -> None:
    """Whatever the board can say, a notice of it is spoken whole, on each of its pages, without a symbol."""
    text = CATALOGUE.get(key) or ALOUD[key]
    text = say(key, **{name: VALUES.get(name, "7") for _, name, _, _ in Formatter().parse(text) if name})
    for page in range(len(notice_pages(text))):
        screen = screen_of(replace(table.view, notice=Notice(Noticed.REFUSED, text, page)))
        check(screen)
        assert screen.spoken == screen_of(replace(table.view, notice=Notice(Noticed.REFUSED, text))).spoken


@pytest.mark.parametrize("seed", range(6))
def test_a_monkey_finds_no_screen_without_its_twin(quick_folder: Any, seed: int) -> None:
    """Random keys over whole games at every level: each screen that comes up is said in full."""
    chance = random.Random(seed)
    level, entry = ("flag", "teach", "call", "off")[seed % 4], ("full", "shows", "points")[seed % 3]
    journal = open_journal(quick_folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    choice = Settings(names=("Ann", "Bob"), level=level, entry=entry, book="acc")  # type: ignore[arg-type]
    board = Board(journal, choice, choices=Choices())
    keys = ["#"] * 4 + [*"ABCD*", "@1", "@2", "hold(@1)"] + [f"{n}#" for n in (1, 2, 4, 8, 29)]
    keys += [f"{rank}{suit}" for rank in range(14) for suit in "ABCD"]
    for _ in range(400):
        for key in split_keys(chance.choice(keys)):
            board.press(key, 0.0)
            check(screen_of(board.view()))
    journal.close()


def test_a_long_text_is_said_whole_and_a_list_by_pages(table: Any) -> None:
    """Why? says the whole explanation on each page; the menu says the page that is shown, and that there are more."""
    table.press(DEAL + "10#C")
    first = table.screen.spoken
    assert "double run of three makes ten" in first
    assert table.press("#").view.overlay is None or table.screen.spoken == first
    table.press("* D D")
    assert "1 theme normal" in table.screen.spoken
    assert table.screen.spoken.endswith("Hash turns the page.")


def test_d_says_it_all_at_once(table: Any) -> None:
    """``D``: both scores, the holes to go, whose crib, the starter, the count and the turn in one utterance."""
    assert table.press("# 2# 12A 7C 8D D").screen.spoken == (
        "Ann 0, 121 to go. Bob 2, 119 to go. Bob's crib. Starter queen of spades. Count 15. Ann's turn."
    )


def test_a_player_may_be_called_like_a_card() -> None:
    """A name that looks like a card stays a name; the cards beside it are said."""
    assert plain("JD played 5H & 6C", ("JD",)) == "JD played five of hearts and six of clubs"
