"""The screens: what they say, that nothing to be read is cut, and that the glass shows what was drawn."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.intents import LEVELS
from engine.state import Pegs
from firmware.board import Board
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.screens import Screen, screen_of
from firmware.screens.draw import draw
from firmware.screens.model import Twin
from firmware.screens.pages import notice_pages
from firmware.settings import Settings
from firmware.view import Notice, Noticed, Preferences, View
from hardware import fonts
from hardware.oled import OledSettings
from hardware.parts_spec import PartsSpec

GOLDEN = Path(__file__).parents[1] / "golden" / "screens" / "fosters_deal.txt"
FOSTER = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"


def _golden() -> list[tuple[str, list[str]]]:
    rows = GOLDEN.read_text("utf-8").splitlines()[1:]
    return [
        ("" if keys.startswith("(") else keys, lines)
        for keys, *lines in (rows[at : at + 5] for at in range(0, len(rows), 6))
    ]


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106", "ssd1309"])
def test_fosters_deal_screen_by_screen_on_each_panel(new_cabinet: Callable[..., Any], chip: Any) -> None:
    """Key by key the screens of Foster's deal are as written down, and each panel shows them to the pixel."""
    cabinet = new_cabinet(PartsSpec(oled=OledSettings(chip)))
    for keys, lines in _golden():
        cabinet.tap_all(list(keys.replace(" ", "")))
        shown = cabinet.shown()
        assert shown.screen.text == lines
        assert shown.glass.tobytes() == draw(shown.screen).tobytes()


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106", "ssd1309"])
def test_big_theme_on_each_panel(new_cabinet: Callable[..., Any], chip: Any) -> None:
    """In the big theme the glass shows both sides' holes to go in numerals 48 pixels tall, and whose turn it is."""
    cabinet = new_cabinet(PartsSpec(oled=OledSettings(chip)))
    cabinet.tap_all(list("#2#DD1#*12A7C8D"))
    shown = cabinet.shown()
    assert shown.screen.text == ["121 119", "15 Ann: card"]
    columns = shown.glass.crop((0, 0, 128, 48)).getbbox()
    assert columns is not None
    assert columns[3] - columns[1] == 48


def test_big_numerals_stand_apart() -> None:
    """Two numerals of three digits are parted by a line with dark on both sides of it."""
    picture = draw(Screen(("", "", "", ""), Twin(""), numerals=("121", "119")))
    lit = [any(picture.getpixel((x, y)) for y in range(48)) for x in range(128)]
    assert lit[63]
    assert lit[64]
    assert not any(lit[x] for x in (60, 61, 62, 65, 66, 67))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (FOSTER + "8#", "Ann 23f Bob 10f Ann 8, true 10 A takes 2 #leave Bob: count? n#"),
        (FOSTER + "12#", "Ann 25f Bob 10f Ann 12, true 10 2D AH 2H 3C QS Bob: count? n#"),
        (FOSTER, "106 111 Ann's hand: n#"),
        (FOSTER + "10#", "96 111 Bob's hand: n#"),
        (FOSTER + "10#14#", "96 97 crib card 1 of 4"),
        (FOSTER + "10#14#11D11A10D1A", "96 97 Bob's crib: n#"),
        (FOSTER + "10#14#11D11A10D1A9#", "96 88 Ann deals: card"),
        ("#", "Cut for deal low card deals Ann's card or seat and #"),
    ],
)
def test_big_theme_never_hides_what_must_be_read(table: Any, keys: str, words: str) -> None:
    """A flag, an offer, the cut: in the big theme too they are shown in words; all else has its prompt."""
    assert table.press("D D 1# *").press(keys).words == words


NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)


@pytest.fixture
def stages(new_table: Callable[..., Any]) -> list[View]:
    """A view of every stage of a deal."""
    keys = [FOSTER[:end] for end in (1, 4, 8, 17, len(FOSTER))]
    keys += [FOSTER + more for more in ("8#", "10#12#", "10#14#11D", "10#14#11D11A10D1A9#", "10#14#11D11A10D1A8#")]
    return [new_table().press(one).view for one in keys]


def test_scores_and_levels_are_never_cut(stages: list[View]) -> None:
    """Whatever the names, every score from 0 to 121 stands whole with its level beside it, at every stage."""
    names = ("Oliver", "Maximilianus")
    checked = 0
    for view in stages:
        public = view.public
        assert public is not None
        if public.stage.value in ("cut",):
            continue
        for one, other, level in itertools.product((0, 9, 10, 99, 100, 121), (0, 10, 121), LEVELS):
            changed = replace(
                public,
                names=names,
                side_names=names,
                pegs=(Pegs(one, 0), Pegs(other, 0)),
                levels=(level, level),
            )
            header = screen_of(replace(view, public=changed)).text[0]
            assert header.split() == [
                header.split()[0],
                f"{one}{level[0]}",
                header.split()[2],
                f"{other}{level[0]}",
            ]
            assert names[0].startswith(header.split()[0])
            assert names[1].startswith(header.split()[2])
            unsaved = screen_of(replace(view, public=changed, saved=False)).text[0]
            assert unsaved.startswith("!")
            assert f" {one}{level[0]}" in unsaved
            assert unsaved.endswith(f" {other}{level[0]}")
            checked += 1
    assert checked > 100


@settings(max_examples=20)
@given(NAMES, NAMES, st.booleans(), st.sampled_from(["", "1", "12"]), st.sampled_from(["normal", "big"]))
def test_no_screen_is_wider_than_the_glass_or_without_a_spoken_line(
    stages_once: list[View], first: str, second: str, saved: bool, typed: str, theme: Any
) -> None:
    """Every screen is four lines of sixteen at most (eleven beside a large count), in characters the fonts have."""
    small = fonts.load("8x16")
    for view in stages_once:
        names = (first, second)
        public = None if view.public is None else replace(view.public, names=names, side_names=names)
        agreed = replace(view.settings, names=names)
        preferences = Preferences(theme=theme)
        screen = screen_of(
            replace(view, public=public, settings=agreed, saved=saved, typed=typed, preferences=preferences)
        )
        widths = [11 if screen.big and row in (1, 2) else 16 for row in range(4)]
        assert all(len(line) <= width for line, width in zip(screen.lines, widths, strict=True))
        assert all(small.has(one) for line in screen.lines for one in line)
        assert screen.spoken.strip()
        if typed and not view.setting_up:
            assert screen.lines[3].endswith(f"{typed}_")


@pytest.fixture(scope="module")
def stages_once(tmp_path_factory: pytest.TempPathFactory) -> list[View]:
    """A view of every stage, made once for many cases."""
    views = []
    for keys in (
        "",
        FOSTER[:1],
        FOSTER[:4],
        FOSTER[:8],
        FOSTER[:17],
        FOSTER,
        FOSTER + "8#",
        FOSTER + "10#14#11D",
        "#2#B8##",
    ):
        journal = open_journal(tmp_path_factory.mktemp("stages"), now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        board = Board(journal, Settings(names=("Ann", "Bob")))
        for key in split_keys(keys):
            board.press(key, 0.0)
        views.append(board.view())
        journal.close()
    return views


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "NOT SAVED, key it again. The journal cannot be written: it can only be read: check who owns the folder and "
        "how the disk is mounted.",
        "the strip on /dev/spidev0.0 stopped answering (No such device): check its plug; it is tried again",
    ],
)
def test_long_notices_page_without_losing_a_word(text: str) -> None:
    """A notice too long for the glass is paged, each page but the last saying so, and no letter of it is lost."""
    pages = notice_pages(text)
    assert all(len(page) <= 4 for page in pages)
    assert all(page[-1].endswith("# more") for page in pages[:-1])
    assert not pages[-1][-1].endswith("# more")
    read = [line.removesuffix("# more").rstrip() for page in pages for line in page]
    assert "".join(read).replace(" ", "") == text.replace(" ", "")


def test_hash_turns_the_pages_of_a_notice_and_then_means_what_it_always_means(table: Any) -> None:
    """``#`` goes on through a long notice before it counts again; any other key drops the notice and acts."""
    text = "the screen is gone: look at its four wires, then at the settings of its bus in the configuration"
    table.press("# 2#").cards("QS 7C")
    count = len(notice_pages(text))
    assert count > 1
    table.board.tell(Noticed.FAULT, text)
    for _ in range(count - 1):
        assert table.lines[-1].endswith("# more")
        table.press("#")
    assert (table.view.notice, "# more" not in table.lines[-1]) == (Notice(Noticed.FAULT, text, count - 1), True)
    assert table.press("#").refused.startswith("no go at 7")
    table.board.tell(Noticed.FAULT, text)
    assert table.cards("8D").state.deal.count == 15


def test_spoken_line_says_what_was_pegged_and_what_is_asked(table: Any) -> None:
    """The spoken twin tells the award in the words of the table, whose act it is, and all else that is drawn."""
    table.press("# 2#").cards("QS 7C 8D")
    assert table.screen.spoken == (
        "Bob: fifteen for two. Count 15. Ann plays. Ann 0. Bob 2. Referee flag. Last card eight of diamonds by Bob."
    )
    table.press("* #").cards("8H")
    assert table.screen.spoken.startswith("Bob: fifteen for two. Count 15. Ann plays. Ann 0. Bob 2.")


def test_spoken_line_offers_what_the_glass_offers(table: Any) -> None:
    """A flagged miscount is spoken with the truth and with what can be done."""
    said = table.press(FOSTER).press("8#").screen.spoken
    assert "Ann's hand: 8 claimed, 10 true" in said
    assert "A-key takes 2, hash leaves it" in said
