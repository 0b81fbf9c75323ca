"""The glass itself: every screen there is, on each of the three panels, read back from what the panel shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engine.intents import LEVELS
from engine.state import Pegs, Stage
from firmware.board import Board
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.overlay import Address, Adjust, Fields, Menu, Overlay, Pairing, Penalties, PhoneList, Report, Says
from firmware.screens import Screen, screen_of
from firmware.screens.draw import draw
from firmware.screens.model import Twin
from firmware.screens.names import labels
from firmware.screens.pages import page_count
from firmware.settings import Choices, Settings
from firmware.snapshot import snapshot
from firmware.view import Notice, Noticed, Preferences, View
from hardware import fonts
from hardware.oled import CHIPS, OledSettings
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

TEXT_TALL, COUNT_TALL, BIG_TALL = 16, 32, 48
"""Pixels: the least that a player has to read, the count, the numerals of the big theme."""
TWO, THREE, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cal"), ("Ann", "Bob", "Cal", "Dot")
CALL = {"level": "call", "book": "acc", "muggins": True}
POINTS = {**CALL, "entry": "points"}
DEAL = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C"
WAYS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["", "8", "#", "# 5B", "# 2#", "# 2# 12A", "# 2# 12A 7C 8D", "# 2# 12A 0A 0B 11A #", DEAL]),
    (
        {},
        [DEAL + more for more in ("8#", "12#", "10#", "10# 14#", "10# 14# 11D 11A 10D 1A", "10# *", "10# C", "10# D")],
    ),
    ({}, [DEAL + more for more in ("10# 14# 11D 11A 10D 1A 9#", "DD", "DD#", "DD 4#", "DD 4# 1#", "B", "B#", "B##")]),
    ({}, [DEAL + f"B {number}#" for number in range(1, 11)] + [DEAL + "B 3# 4A", DEAL + "B 8# #"]),
    ({"book": "foster"}, [DEAL + "B 6#", DEAL + "B 6# 1#", DEAL + "B 6# 3#"]),
    ({}, ["# 2# B1#99A B1#30A" + more for more in ("", "C", "C#", "D")]),
    (CALL, ["# 2# 12A 7C 8D", "# 2# 12A 7C 8D 2#", "# 2# 12A 7C 8D A", DEAL, DEAL + "# 8#", DEAL + "# 8# A 2#"]),
    (CALL, [DEAL + "# B1#99A B1#12A 10#"]),
    (POINTS, ["# 2#", "# 2# #", "# 2# # #", "# 2# # # 8# A 2# *", "# 2# # # 8# A 2# * 12A 4A"]),
    (
        {"game": "three-handed", "names": THREE},
        ["", "# 3# 12A", "# 3# 12A 4A 4B 4C", "# 3# D", "# 3# 12A B1#99A B1#99B"],
    ),
    ({"game": "three-handed", "names": THREE, **CALL}, ["# 3# 12A 4A 4B A"]),
    ({"game": "four-handed", "names": FOUR}, ["", "# 4# 12A", "# 4# 12A 4A 4B", "# 4# D"]),
    ({}, ["C", "C#", "C 8"]),
]


PHONES: list[Overlay] = [
    Address(),
    Pairing("123456"),
    Pairing("123456", seat=1, wrong=2),
    Pairing("", wrong=5),
    Pairing("123456", hidden=True),
    PhoneList(),
]
"""What lies over the game while phones are invited."""


def _board(folder: Any, choices: dict[str, Any]) -> Board:
    journal = open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    choice = Settings(**{"names": TWO, **choices})
    return Board(journal, choice, choices=Choices(sides=3 if choice.game == "three-handed" else 2))


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> list[View]:
    """A view of every kind of screen."""
    found = []
    for choices, ways in WAYS:
        for keys in ways:
            board = _board(tmp_path_factory.mktemp("glass"), choices)
            for key in split_keys(keys):
                board.press(key, 0.0)
            found.append(board.view())
    served = replace(found[6], address="http://192.168.178.23:8121/")
    return found + [replace(served, overlay=overlay) for overlay in PHONES]


def both(views: Sequence[View]) -> Iterator[Screen]:
    """Their screens in both themes, plain, with a number typed, and while acts are not saved."""
    for view in views:
        for theme in ("normal", "big"):
            themed = replace(view, preferences=Preferences(theme=theme))  # type: ignore[arg-type]
            yield screen_of(themed)
            yield screen_of(replace(themed, typed="12"))
            yield screen_of(replace(themed, saved=False))
    text = "the screen is gone: look at its four wires, then at the settings of its bus"
    yield from (screen_of(replace(views[0], notice=Notice(Noticed.FAULT, text, page))) for page in (0, 1))


def test_every_screen_with_more_pages_shows_the_same_mark(views: list[View]) -> None:
    """Each page that has one after it ends in "# more", the last one never, and a foot says what a number does."""
    several = set()
    for view in views:
        page = getattr(view.overlay, "page", None)
        if view.overlay is None or page is None:
            continue
        count = page_count(view, view.overlay)
        turned = [replace(view.overlay, page=at) for at in range(count)]  # type: ignore[call-arg]
        shown = [screen_of(replace(view, overlay=one, typed="")).lines for one in turned]
        assert [lines[3].endswith("# more") for lines in shown] == [True] * (count - 1) + [False]
        assert not any("# more" in line for lines in shown for line in lines[:3])
        if isinstance(view.overlay, Menu | Adjust | Penalties | Fields):
            assert all(lines[3].startswith("n# picks") for lines in shown)
        several |= {type(view.overlay)} if count > 1 else set()
    assert several >= {Menu, Adjust, Penalties, Fields, Says, Report}


def test_every_kind_of_screen_is_among_them(views: list[View]) -> None:
    """The screens that are looked at here are of every stage and every overlay."""
    assert {type(view.overlay) for view in views} >= set(get_args(Overlay))
    assert {view.public.stage for view in views if view.public is not None} == set(Stage)


@pytest.mark.parametrize("chip", CHIPS)
def test_every_screen_on_each_panel(views: list[View], chip: Any) -> None:
    """In both themes, where it belongs and a pixel aside, the glass of each panel shows each screen to the pixel."""
    devices = open_devices(PartsSpec(oled=OledSettings(chip)))
    try:
        assert devices.screen is not None
        assert devices.twins.panel is not None
        for screen in both(views):
            for shift in (0, 1):
                devices.screen.show(draw(screen, shift))
                assert devices.twins.panel.glass().tobytes() == draw(screen, shift).tobytes(), screen.text
    finally:
        devices.close()


@cache
def _glyphs(name: Any) -> dict[bytes, str]:
    font = fonts.load(name)
    return {font.glyph(chr(code)).tobytes(): chr(code) for code in range(0x2FFF, 31, -1) if font.has(chr(code))}


def _cells(glass: Image.Image, left: int, top: int, wide: int, tall: int, most: int) -> str:
    """What stands in these cells, read by the shape of the glyphs."""
    known = _glyphs(f"{wide}x{tall}")
    boxes = [(left + place * wide, top, left + (place + 1) * wide, top + tall) for place in range(most)]
    return "".join(known[glass.crop(box).tobytes()] for box in boxes)


def _numerals(glass: Image.Image) -> list[str]:
    """The numerals of the big theme: stretches of lit columns, each a digit 48 pixels tall or the line between two."""
    lit = [glass.crop((x, 0, x + 1, BIG_TALL)).getbbox() is not None for x in range(128)] + [False]
    font = fonts.load("20x48")
    shapes = {font.glyph(digit).crop(font.glyph(digit).getbbox()).tobytes(): digit for digit in "0123456789"}
    found, start = [""], 0
    for x, on in enumerate(lit):
        if on and not (x and lit[x - 1]):
            start = x
        elif not on and x and lit[x - 1]:
            ink = glass.crop((start, 0, x, BIG_TALL))
            top, bottom = (ink.getbbox() or (0, 0, 0, 0))[1::2]
            if bottom - top < BIG_TALL:
                found.append("")
            else:
                found[-1] += shapes[ink.tobytes()]
    return found


def read(glass: Image.Image, screen: Screen) -> list[str]:
    """The lines of a screen read from the glass alone, in cells no less than sixteen pixels tall."""
    if screen.modules:
        return [_cells(glass, 64, row * TEXT_TALL, 8, TEXT_TALL, 8).rstrip() for row in range(4)]
    if screen.numerals:
        return [" ".join(_numerals(glass)), _cells(glass, 0, 48, 8, TEXT_TALL, 16).rstrip()]
    rows = [_cells(glass, 0, row * TEXT_TALL, 8, TEXT_TALL, 16).rstrip() for row in (0, 3)]
    if not screen.big:
        middle = [_cells(glass, 0, row * TEXT_TALL, 8, TEXT_TALL, 16).rstrip() for row in (1, 2)]
        return [rows[0], *middle, rows[1]]
    count = _cells(glass, 0, 16, 16, COUNT_TALL, 2).strip()
    beside = [_cells(glass, 40, row * TEXT_TALL, 8, TEXT_TALL, 11).rstrip() for row in (1, 2)]
    assert glass.crop((32, 16, 40, 48)).getbbox() is None
    return [rows[0], f"{count} {beside[0]}".rstrip(), beside[1], rows[1]]


def test_nothing_is_smaller_than_sixteen_pixels(views: list[View]) -> None:
    """All that is lit is letters 16 pixels tall, a count of 32 or numerals of 48, and reads as the screen's text."""
    for screen in both(views):
        text = screen.lines if screen.modules else screen.text
        assert read(draw(screen), screen) == [line.rstrip() for line in text]


def _is_moved(image: Image.Image, aside: Image.Image) -> bool:
    """Whether the one picture is the other, moved by one pixel with nothing lost and nothing come round."""
    steps = [(1, 0), (-1, 0), (0, 1)]
    same = [step for step in steps if ImageChops.offset(image, *step).tobytes() == aside.tobytes()]
    left, _, right, bottom = image.getbbox() or (1, 1, 1, 1)
    room = {(1, 0): right < 128, (-1, 0): left > 0, (0, 1): bottom < 64}
    return any(room[step] for step in same)


def test_a_pixel_aside_loses_nothing(views: list[View]) -> None:
    """To spare the panel every screen of both themes moves by a pixel, and no pixel of it falls off the glass."""
    for screen in both(views):
        assert _is_moved(draw(screen), draw(screen, 1)), screen.text


letters = st.text(st.sampled_from("MTYgyW%_|@A1 "), min_size=16, max_size=16)


@given(st.tuples(letters, letters, letters, letters))
def test_a_pixel_aside_loses_nothing_of_a_full_glass(lines: tuple[str, str, str, str]) -> None:
    """However full the glass is, moved aside it has every pixel that it had."""
    screen = Screen(lines, Twin(""))
    assert _ink(draw(screen, 1)) == _ink(draw(screen))


def _ink(picture: Image.Image) -> int:
    """How many pixels are lit."""
    return sum(byte.bit_count() for byte in picture.tobytes())


@pytest.mark.parametrize("numerals", [("121", "119"), ("888", "888"), ("1", "88"), ("181",), ("99", "100")])
def test_big_numerals_are_48_pixels_tall_and_whole(numerals: tuple[str, ...]) -> None:
    """Numerals of one to three digits are read back whole, with room to move aside."""
    screen = Screen(("", "", "", "0 Ann      to go"), Twin(""), numerals=numerals)
    assert read(draw(screen), screen) == [" ".join(numerals), "0 Ann      to go"]
    assert _is_moved(draw(screen), draw(screen, 1))


# Names

name = st.text(st.sampled_from("ABann-é1 "), min_size=1, max_size=24).map(str.strip).filter(bool)


def table_of(count: int) -> st.SearchStrategy[list[str]]:
    """So many names, no two alike, many of them alike for a long way."""
    begun = st.tuples(st.sampled_from(["", "Ann-Ma", "Maximilian "]), name).map(lambda pair: "".join(pair)[:24].strip())
    return st.lists(begun, min_size=count, max_size=count, unique_by=str.casefold)


@given(st.integers(2, 4).flatmap(table_of), st.integers(1, 24))
def test_no_two_cut_names_look_alike(names: list[str], room: int) -> None:
    """However little room there is, every name of a table stays within it and apart from the others."""
    found = labels(names, room)
    assert all(0 < len(one) <= room for one in found)
    assert len({one.casefold() for one in found}) == len(names)
    assert all(short == whole or len(whole) > room for short, whole in zip(found, names, strict=True) if room > 1)


HEADER = {
    2: re.compile(r"!?(?P<n0>.+?) +(?P<s0>\d+)(?P<l0>[ftco]) +(?P<n1>.+?) +(?P<s1>\d+)(?P<l1>[ftco])"),
    3: re.compile(
        r"!?(?P<n0>\D+)(?P<s0>\d+)(?P<l0>[ftco]?) ?(?P<n1>\D+?)(?P<s1>\d+)(?P<l1>[ftco]?) ?"
        r"(?P<n2>\D+?)(?P<s2>\d+) ?(?P<l2>[ftco])"
    ),
}
tables = st.sampled_from([(2, 2), (3, 3), (4, 2)])
"""Seats and sides."""
score = st.sampled_from([0, 9, 10, 99, 100, 121])


@settings(max_examples=40)
@given(
    st.data(), st.sampled_from([(2, 2), (3, 3), (4, 2)]), st.booleans(), st.sampled_from(["", "1", "12"]), st.booleans()
)
def test_numbers_are_whole_and_names_apart(
    views: list[View], data: st.DataObject, table: tuple[int, int], saved: bool, typed: str, mixed: bool
) -> None:
    """Names of 24 letters, two to four players, scores of three digits: scores, levels, count, holes to go and what is
    typed stand whole on every screen of the play and the show, and the sides' names differ."""
    seats, sides = table
    names = data.draw(table_of(seats).filter(lambda some: all(one[:1].isalpha() for one in some)))
    scores = data.draw(st.lists(score, min_size=sides, max_size=sides))
    levels = data.draw(st.lists(st.sampled_from(LEVELS), min_size=sides, max_size=sides))
    levels = levels if mixed else levels[:1] * sides
    for view in views:
        public = view.public
        if public is None or len(public.names) != seats or view.overlay is not None or view.notice is not None:
            continue
        if public.stage in (Stage.CUT, Stage.END) or any(claim.waits for claim in public.claims):
            continue
        joined = tuple(
            " & ".join(one for one, at in zip(names, public.sides, strict=True) if at == side) for side in range(sides)
        )
        changed = replace(
            public,
            names=tuple(names),
            side_names=joined,
            pegs=tuple(Pegs(one, 0) for one in scores),
            levels=tuple(levels),
        )
        now = replace(view, public=changed, saved=saved, typed=typed, setting_up=False)
        normal = screen_of(now)
        found = HEADER[sides].fullmatch(normal.lines[0])
        assert found is not None, normal.lines[0]
        assert [int(found[f"s{side}"]) for side in range(sides)] == scores
        told = [found[f"l{side}"] or found[f"l{sides - 1}"] for side in range(sides)]
        assert told == [level[0] for level in levels]
        assert len({found[f"n{side}"].casefold() for side in range(sides)}) == sides
        assert normal.lines[0].startswith("!") is not saved
        if normal.big:
            assert normal.big == str(public.count)
        large = screen_of(replace(now, preferences=Preferences(theme="big")))
        if large.numerals:
            assert set(large.numerals) <= {str(public.target - one) for one in scores}
            assert len(large.numerals) == (sides if sides == 2 else 1)
        for shown in (normal, large):
            assert all(len(line) <= 16 for line in shown.lines)
            assert not typed or shown.lines[3].endswith(f" {typed}_")


def test_big_theme_says_whose_act_it_is_and_which(views: list[View]) -> None:
    """In the big theme the line under the numerals asks for something; the page's caption says what they are."""
    asked = re.compile(r"(card|starter|n?#|# again|A or B|card \d of \d|\d_|calls)$")
    seen = 0
    for view in views:
        now = replace(view, preferences=Preferences(theme="big"))
        big = screen_of(now)
        if big.numerals and view.overlay is None:
            assert asked.search(big.lines[3]), big.lines[3]
            told = snapshot(now, big, (), [], shared_lane=False)["caption"]
            assert told.endswith("The large figures are holes to go.")
            seen += 1
    assert seen > 5
