"""A configuration is read whole or not at all, with every fault told; written out it reads back as the same."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.config import Config, ConfigError, Fault, config_from, parse_config, simulated_only, to_toml
from firmware.config_kinds import Flag, Kind, OneOf, Whole
from firmware.config_read import lane_fault
from firmware.config_schema import KEYS, Key
from firmware.names import proper_name
from firmware.settings import Settings
from hardware.errors import LayoutError
from hardware.lanes import preset
from hardware.layout_data import from_dict
from hardware.oled import OledSettings
from hardware.wiring import Wiring

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "config.md").read_text(encoding="utf-8")


def faults(text: str) -> tuple[Fault, ...]:
    """Every fault of a file that cannot be used."""
    with pytest.raises(ConfigError) as caught:
        parse_config(text.encode())
    return caught.value.faults


def fault(text: str) -> Fault:
    """The one fault of a file."""
    (only,) = faults(text)
    return only


def test_five_faults_are_told_in_one_go() -> None:
    """A file with five faults of five kinds answers all five, each with its key path and a cure."""
    found = faults(
        """
        [strip]
        layuot = "two-lanes"
        max_ma = "lots"
        [screen]
        chip = "ssd1307"
        [wiring]
        seats = [17, 27, 5]
        [layout]
        pixels = 300
        [[layout.lanes]]
        segments = [{from = 1, to = 122, first_pixel = 0}]
        """
    )
    said = {one.path: one.message for one in found}
    assert sorted(said) == [
        "layout.lanes[0].segments[0].to",
        "screen.chip",
        "strip.layuot",
        "strip.max_ma",
        "wiring.seats[2]",
    ]
    assert "did you mean strip.layout?" in said["strip.layuot"]
    assert 'found "lots", expected a whole number from 1 to 60000' in said["strip.max_ma"]
    assert 'found "ssd1307"' in said["screen.chip"]
    assert 'did you mean "ssd1309"?' in said["screen.chip"] or 'did you mean "ssd1306"?' in said["screen.chip"]
    assert "GPIO5 is already a row" in said["wiring.seats[2]"]
    assert "past the last hole" in said["layout.lanes[0].segments[0].to"]


def test_an_error_in_words_has_every_fault_on_a_line_of_its_own() -> None:
    """The message of an error counts the faults and lists each with its path; one alone stands on the first line."""
    with pytest.raises(ConfigError) as two:
        parse_config(b"[board]\nblink = 1\nsound = 2\n")
    first, *rest = str(two.value).splitlines()
    assert "2 faults" in first
    assert [line.strip().partition(":")[0] for line in rest] == ["board.blink", "board.sound"]
    with pytest.raises(ConfigError) as one:
        parse_config(b"[board]\nblink = 1\n")
    assert str(one.value) == "the configuration: board.blink: found 1, expected true or false"


@pytest.mark.parametrize(
    ("text", "path", "near"),
    [
        ("[strip]\nlayuot = 'two-lanes'", "strip.layuot", "strip.layout"),
        ("[strip]\nMAX_MA = 100", "strip.MAX_MA", "strip.max_ma"),
        ("[strip]\nblink = true", "strip.blink", "board.blink"),
        ("[board]\nmaxma = 100", "board.maxma", "strip.max_ma"),
        ("[screen]\nadress = 60", "screen.adress", "screen.address"),
        ("[bord]\nblink = true", "bord", "[board]"),
        ("max_ma = 100", "max_ma", "strip.max_ma"),
        ("[strip]\nlayout = 'two-lane'", "strip.layout", '"two-lanes"'),
        ("[strip]\ncolour_order = 'grb'", "strip.colour_order", '"GRB"'),
        ("[parts]\nstrip = 'spidv'", "parts.strip", '"spidev"'),
        ("[layout]\npixels = 121\n[[layout.lanes]]\nsegmets = []", "layout.lanes[0].segmets", "segments"),
    ],
)
def test_a_near_miss_is_named(text: str, path: str, near: str) -> None:
    """A word that is nearly a table, key or choice is answered with the one that was meant."""
    found = {one.path: one.message for one in faults(text)}
    assert f"did you mean {near}?" in found[path] or f"did you mean '{near}'?" in found[path]


def test_a_key_like_no_other_is_answered_with_those_there_are() -> None:
    """An unknown key without a near miss lists its table's keys, an unknown table lists the tables."""
    assert "[board] has language, blink, sound" in fault("[board]\nqqqqqq = 1").message
    assert "[parts], [strip]" in fault("[qqqqqq]").message


def _wrong_for(key: Key) -> list[str]:
    """Values in TOML that a kind must refuse."""
    if isinstance(key.kind, Flag):
        return ["1", '"true"', "[]"]
    if isinstance(key.kind, Whole):
        return [str(key.kind.low - 1), str(key.kind.high + 1), "true", "1.0", '"1"', "nan"]
    if isinstance(key.kind, OneOf):
        return ['"qqqq"', "true", "false", "0.0", "3.0", "-3", "[]", "1979-05-27"]
    return ['"x"', "3", "[true]", "[[]]", "[1.5]"]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_each_key_refuses_what_it_does_not_take(key: Key) -> None:
    """A value of a wrong type or out of range is one fault at its key, saying what was expected."""
    for value in _wrong_for(key):
        found = fault(f"[{key.table}]\n{key.name} = {value}")
        assert found.path == key.path
        assert f"expected {key.kind.expected}" in found.message


@pytest.mark.parametrize("table", ["parts", "strip", "layout", "wiring", "table"])
def test_a_table_that_is_none_is_told(table: str) -> None:
    """A name of a table that holds a plain value is one fault, found and expected."""
    found = fault(f"{table} = 3")
    assert (found.path, found.message) == (table, f"found 3, expected a table, [{table}]")


def test_a_file_that_says_nothing_changes_nothing() -> None:
    """An empty file, and one with a byte order mark, is the defaults."""
    assert parse_config(b"") == parse_config(b"\xef\xbb\xbf") == Config()


def test_what_a_file_leaves_out_is_as_in_the_defaults() -> None:
    """A file is laid over the defaults it is given, such as those of a Pi."""
    on_a_pi = Config(strip="spidev", screen="oled")
    found = parse_config(b"[parts]\nscreen = 'none'", on_a_pi)
    assert (found.strip, found.screen) == ("spidev", "none")


# What is right alone and wrong together.


def test_a_limit_below_the_dark_rest_is_refused() -> None:
    """A current limit that the dark strip alone would pass, skipped lights counted, is a fault: nothing would ever be
    lit."""
    found = fault("[strip]\nmax_ma = 250\nskip_first = 8")
    assert found.path == "strip.max_ma"
    assert "250 mA even when dark" in found.message
    assert parse_config(b"[strip]\nmax_ma = 251\nskip_first = 8").max_ma == 251


def test_a_column_that_the_chip_does_not_have_is_refused() -> None:
    """A column past the chip's memory is a fault; the sh1106 has four more."""
    assert fault("[screen]\nchip = 'ssd1306'\ncolumn = 2").path == "screen.column"
    assert parse_config(b"[screen]\nchip = 'sh1106'\ncolumn = 4").parts_spec().oled.column == 4


def test_a_game_needs_as_many_holes_as_it_goes_to() -> None:
    """Lanes shorter than the game and than a lap are a fault of table.to; those long enough for either are none."""
    assert fault("[strip]\nholes = 60").path == "table.to"
    assert parse_config(b"[strip]\nholes = 61").layout.holes == 61


@pytest.mark.parametrize(("lanes", "sides", "enough"), [(1, 2, True), (1, 3, False), (2, 2, True), (2, 3, False)])
def test_lanes_are_shared_by_all_or_one_a_side(lanes: int, sides: int, enough: bool) -> None:
    """One lane serves any number of sides, several must be at least as many as the sides."""
    assert (lane_fault(lanes, sides) == "") is enough


@pytest.mark.parametrize(
    ("names", "word"),
    [
        ("['Ann']", "2 players"),
        ("['Ann', 'Bob', 'Cy']", "2 players"),
        ("['Ann', 'ANN']", "same"),
        ("['', 'B']", "empty"),
        ("['A\u202eB', 'C']", "seen"),
    ],
)
def test_the_names_are_those_of_a_table(names: str, word: str) -> None:
    """Too few or too many names, two alike or an empty one are a fault of table.names."""
    found = fault(f"[table]\nnames = {names}")
    assert found.path == "table.names"
    assert word in found.message


def test_a_key_that_no_keypad_has_is_refused() -> None:
    """Letters that mean nothing to the board cannot be on its keys."""
    found = fault("[wiring]\nkeys = ['123A', '456B', '789C', '*0#x']")
    assert (found.path, '"x"' in found.message) == ("wiring.keys[3]", True)


def test_wiring_faults_come_with_those_of_single_pins() -> None:
    """A pin list that cannot be read hides no clash of the others, and makes none up."""
    found = faults("[wiring]\nseats = 'x'\nrows = [5, 6, 13, 17]\nbuzzer = 5")
    assert sorted(one.path for one in found) == ["wiring.buzzer", "wiring.seats"]
    assert fault("[wiring]\nbuzzer = 'x'\nseats = [26]").path == "wiring.buzzer"


@pytest.mark.parametrize(
    ("part", "pins", "field"),
    [
        ("keypad", "buzzer = 5", "rows"),
        ("buttons", "buzzer = 17", "seats"),
        ("buzzer", "seats = [26]", "buzzer"),
        ("screen", "buzzer = 3", "i2c"),
        ("strip", "buzzer = 10", "spi"),
    ],
)
def test_the_pins_of_a_part_that_is_not_there_are_free(part: str, pins: str, field: str) -> None:
    """A pin that belongs to a part may not be used twice, unless that part is none."""
    assert "already" in fault(f"[wiring]\n{pins}").message
    config = parse_config(f"[parts]\n{part} = 'none'\n[wiring]\n{pins}".encode())
    assert getattr(config.parts_spec().wiring, field) in ((), None)


def test_a_strip_by_pwm_takes_its_own_pin_and_frees_the_bus() -> None:
    """With ws281x on another pin than 10 that pin is the strip's, a clash is told at it, and the SPI pins are free."""
    text = "[parts]\nstrip = 'ws281x'\n[strip]\npin = 18\n[wiring]\nbuzzer = 10\n"
    wiring = parse_config(text.encode()).parts_spec().wiring
    assert (wiring.strip, wiring.spi, wiring.buzzer) == (18, (), 10)
    found = fault(text.replace("10", "18"))
    assert (found.path, "strip.pin" in found.message) == ("wiring.buzzer", True)


# Lanes of one's own.

OWN = """
[strip]
skip_first = 2
colour_order = "RGB"
[layout]
name = "bent"
holes = 121
pixels = 250
[[layout.lanes]]
segments = [{from = 1, to = 60, first_pixel = 0}, {from = 61, to = 121, first_pixel = 124, step = -1}]
jumps = [60]
[[layout.lanes]]
segments = [{from = 1, to = 121, first_pixel = 125}]
"""


def test_a_layout_table_describes_the_lanes() -> None:
    """The lanes of a [layout] table are those of the board, with the skipped lights and colour order of [strip]."""
    layout = parse_config(OWN.encode()).layout
    assert (layout.pixel(0, 60), layout.pixel(0, 61), layout.pixel(1, 1)) == (59, 124, 125)
    assert (layout.name, layout.skip_first, layout.colour_order) == ("bent", 2, "RGB")


def test_a_built_in_layout_and_a_table_are_one_too_many() -> None:
    """A [layout] table beside a built-in layout that is named is a fault, beside "own" it is none."""
    assert fault(OWN.replace("[strip]", "[strip]\nlayout = 'one-lane'")).path == "strip.layout"
    assert parse_config(OWN.replace("[strip]", "[strip]\nlayout = 'own'").encode()).layout.name == "bent"


def test_own_lanes_need_their_table() -> None:
    """The layout "own" without a [layout] table is a fault."""
    assert fault("[strip]\nlayout = 'own'").path == "strip.layout"


@pytest.mark.parametrize("name", ["skip_first = 1", "colour_order = 'RGB'"])
def test_what_belongs_to_the_strip_is_said_once(name: str) -> None:
    """A setting of the strip in the [layout] table is a fault that says where it belongs."""
    found = fault(OWN.replace("[layout]", f"[layout]\n{name}"))
    word = name.partition(" ")[0]
    assert (found.path, f"strip.{word}" in found.message) == (f"layout.{word}", True)


def test_a_layout_table_without_lanes_says_that_they_are_missing() -> None:
    """Lanes under a wrong name are told as unknown, with the right name, and as missing."""
    found = {one.path: one.message for one in faults("[layout]\npixels = 10\n[[layout.lane]]\n")}
    assert "did you mean 'lanes'?" in found["layout.lane"]
    assert "is missing" in found["layout.lanes"]


def test_every_fault_of_a_layout_keeps_its_path() -> None:
    """All that the reader of layouts finds comes through, with the table's name before it."""
    table = {"holes": 3, "pixels": 2, "lanes": [{"segments": [{"from": 1, "to": 2, "first_pixel": 0}]}], "spacng": 1}
    with pytest.raises(LayoutError) as caught:
        from_dict(table)
    with pytest.raises(ConfigError) as told:
        config_from({"layout": table}, Config())
    assert [str(one) for one in told.value.faults] == [f"layout.{one}" for one in caught.value.faults]
    assert len(caught.value.faults) > 1


# Out of the configuration again.


def _kind_values(kind: Kind) -> st.SearchStrategy[Any]:
    if isinstance(kind, Flag):
        return st.booleans()
    if isinstance(kind, OneOf):
        return st.sampled_from(kind.choices)
    assert isinstance(kind, Whole)
    return st.integers(kind.low, kind.high) | (st.just("auto") if kind.auto else st.nothing())


_WILD = {"strip.layout", "strip.max_ma", "strip.holes", "screen.column", "wiring.buzzer"}
_WILD |= {"table.game", "table.rules", "table.to"}
"""Keys that others limit; they are drawn below."""
_NAMES = st.text(st.characters(exclude_categories=("C", "Z", "M"), exclude_characters='"&'), min_size=1, max_size=12)
_NAMES = _NAMES.map(proper_name)


_PLAYED = [
    ("six-card", "modern", 121),
    ("six-card", "acc", 121),
    ("five-card", "foster", 61),
    ("seven-card", "foster", 181),
]
"""Games for two that a table may be set to, with a book that has them."""


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A sound file as TOML gives it, any key left out or not."""
    data: dict[str, dict[str, Any]] = {}

    def put(path: str, value: Any) -> None:
        table, _, name = path.partition(".")
        data.setdefault(table, {})[name] = value

    for key in KEYS:
        if key.path not in _WILD and isinstance(key.kind, Flag | OneOf | Whole) and draw(st.booleans()):
            put(key.path, draw(_kind_values(key.kind)))
    put("strip.skip_first", draw(st.integers(0, 20)))
    put("strip.max_ma", draw(st.integers(1000, 60_000)))
    pins = draw(st.permutations([pin for pin in range(4, 28) if pin not in (*Wiring().spi, 12, 13, 18, 19, 21)]))
    put("wiring.rows", pins[:4])
    put("wiring.columns", pins[4:7])
    put("wiring.keys", draw(st.sampled_from([["123", "456", "789", "*0#"], ["ABC", "123", "456", "789"]])))
    put("wiring.seats", pins[7 : draw(st.integers(7, 9))])
    put("wiring.buzzer", pins[9])
    game, book, hole = draw(st.sampled_from(_PLAYED))
    put("table.game", game)
    put("table.rules", book)
    put("table.to", hole)
    put("table.names", draw(st.lists(_NAMES, min_size=2, max_size=2, unique_by=str.casefold)))
    if draw(st.booleans()):
        put("strip.layout", draw(st.sampled_from(["two-lanes", "one-lane", "three-lanes"])))
        put("strip.holes", draw(st.integers(121, 200)))
    else:
        data["layout"] = draw(layouts())
    return data


@st.composite
def layouts(draw: st.DrawFn) -> dict[str, Any]:
    """A [layout] table with two lanes in scattered stretches, every jump declared."""
    spacing = draw(st.integers(1, 3))
    lanes, pixel = [], 0
    for _ in range(2):
        cuts = sorted(draw(st.sets(st.integers(1, 120), max_size=5)))
        places: list[int] = []
        segments = []
        for first, last in zip([1, *(cut + 1 for cut in cuts)], [*cuts, 121], strict=True):
            size, back = last - first + 1, draw(st.booleans())
            run = [pixel + spacing * index for index in range(size)]
            run = run[::-1] if back else run
            segment = {"from": first, "to": last, "first_pixel": run[0], "step": -spacing if back else spacing}
            segments.append(segment)
            places += run
            pixel += spacing * size + draw(st.integers(0, 3))
        jumps = [hole for hole in range(1, 121) if abs(places[hole] - places[hole - 1]) != spacing]
        lanes.append({"segments": segments, "jumps": jumps})
    return {"name": draw(st.text(max_size=5)), "pixels": pixel, "spacing": spacing, "lanes": lanes}


@given(tables(), st.booleans())
def test_a_configuration_written_out_reads_back_as_the_same(data: dict[str, Any], ascii_only: bool) -> None:
    """Whatever a sound file says: the whole of it, or only what differs, written as TOML and read again, is the same
    configuration, with the same parts and settings."""
    config = config_from(data, Config())
    whole = parse_config(to_toml(config, ascii_only=ascii_only).encode())
    changed = parse_config(to_toml(config, Config(), ascii_only=ascii_only).encode())
    assert whole == changed == config
    assert whole.parts_spec() == config.parts_spec()
    assert not ascii_only or to_toml(config, ascii_only=True).isascii()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["lanes", "segments", "jumps", "from", "to", "strip", "layout"]), inner)
        ),
        max_leaves=8,
    ),
    st.sampled_from([*KEYS, None]),
)
def test_whatever_a_file_holds_it_is_read_or_its_faults_are_told(value: Any, key: Key | None) -> None:
    """A value of any shape anywhere either makes a configuration or a ConfigError with a path, never another error."""
    data = {"layout": value} if key is None else {key.table: {key.name: value}}
    found: tuple[Fault, ...] = ()
    try:
        config_from(data, Config()).parts_spec()
    except ConfigError as error:
        found = error.faults
    assert all(one.path and one.message and one.path.isprintable() for one in found)


def test_the_parts_are_as_the_file_says() -> None:
    """What the file says of the parts is what they are opened with."""
    spec = parse_config(
        b"""
        parts = {strip = "spidev", screen = "oled", keypad = "gpio", buttons = "none", buzzer = "gpio"}
        strip = {layout = "one-lane", skip_first = 1, max_ma = 900, spi_bus = 1, spi_device = 2, spi_bits = 4}
        screen = {chip = "sh1106", address = 0x3D, port = 3, column = 0, rotate = 180}
        keys = {debounce_ms = 30, hold_ms = 900}
        """
    ).parts_spec()
    assert (spec.strip, spec.screen, spec.keypad, spec.buttons, spec.buzzer) == (
        "spidev",
        "sh1106",
        "gpio",
        "none",
        "gpio",
    )
    assert spec.layout == replace(preset("one-lane"), skip_first=1)
    assert (spec.max_ma, spec.spi_bus, spec.spi_device, spec.spi_bits) == (900, 1, 2, 4)
    assert spec.oled == OledSettings("sh1106", 3, 0x3D, 0, 180)
    assert (spec.debounce_ms, spec.hold_ms) == (30, 900)


def test_the_table_is_as_the_file_says() -> None:
    """What the file says of the table is offered, and what it says of the board is preferred."""
    config = parse_config(
        b"""
        table = {names = ["Ann", "Bob"], to = 61, muggins = false, referee = "teach", entry = "shows"}
        board = {blink = false, sound = false, language = "en-GB"}
        screen = {theme = "big"}
        """
    )
    assert config.settings() == Settings("six-card", "modern", 61, False, "teach", "shows", ("Ann", "Bob"))
    assert (config.preferences().theme, config.preferences().blink, config.preferences().sound) == ("big", False, False)
    assert config.language == "en-GB"


@pytest.mark.parametrize(("text", "port"), [("", None), ("port = 8121", None), ("port = 0", 0), ("port = 9000", 9000)])
def test_the_usual_port_gives_way_and_another_does_not(text: str, port: int | None) -> None:
    """The page's port is None, for 8121 or the next free one, unless another is named."""
    assert parse_config(f"[page]\n{text}".encode()).port == port


def test_simulated_only_leaves_no_real_part_and_adds_none() -> None:
    """Every real part becomes simulated, a part that is not fitted stays away, all else stays."""
    config = Config(strip="ws281x", strip_pin=18, screen="oled", keypad="gpio", buttons="none", chip="sh1106")
    found = simulated_only(config)
    assert (found.strip, found.screen, found.keypad, found.buttons) == ("simulated", "simulated", "simulated", "none")
    assert (found.chip, found.parts_spec().screen) == ("sh1106", "simulated")


# The guide.


def test_every_key_keeps_a_value_of_its_own() -> None:
    """Each key has one field of the configuration, and each field one key, but for what the file itself gives."""
    kept = [key.field for key in KEYS]
    assert len(set(kept)) == len(kept) == len({key.path for key in KEYS})
    assert {one.name for one in fields(Config)} - set(kept) == {"own_layout", "own_book", "file"}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_the_guide_tells_every_key_with_its_default(key: Key) -> None:
    """docs/config.md has a row for each key, and the default it names is the one that holds."""
    row = re.search(rf"^\| `{re.escape(key.path)}` \| `([^`]*)` \|", DOCS, re.MULTILINE)
    assert row is not None, f"docs/config.md does not tell {key.path}"
    assert tomllib.loads(f"x = {row[1]}")["x"] == key.plain(Config())


def test_the_guide_tells_no_key_that_is_not_there() -> None:
    """Every key that docs/config.md tells in its tables is one."""
    told = re.findall(r"^\| `([a-z]+\.[a-z0-9_]+)` ", DOCS, re.MULTILINE)
    assert {one for one in told if not one.startswith("layout.")} == {key.path for key in KEYS}


def test_the_guides_examples_can_be_used() -> None:
    """Every example of docs/config.md is a sound file."""
    examples = re.findall(r"^```toml\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    assert len(examples) == 4
    for example in examples:
        parse_config(example.encode())


OWN_BOOK = b"""
[book]
name = "club"
based_on = "acc"
muggins = true
"""


def test_a_book_of_the_tables_own_is_offered() -> None:
    """A [book] table is a rule book like any other, and the one that the first set-up offers."""
    config = parse_config(OWN_BOOK)
    opened = config.settings().open_game(config.choices())
    assert (opened.rules.book, opened.rules.false_go, opened.rules.muggins) == ("club", "each-card", True)
    assert parse_config(to_toml(config, Config()).encode()) == config


def test_every_fault_of_an_own_book_is_told_by_its_key() -> None:
    """A book with two faults and a table that names another: three faults, each with its path."""
    with pytest.raises(ConfigError) as error:
        parse_config(b'[book]\nname = "x"\nbased_on = "modrn"\nmugins = true\n[table]\nrules = "y"\n')
    assert [one.path for one in error.value.faults] == ["book.based_on", "book.mugins", "table.rules"]
    assert "did you mean modern" in error.value.faults[0].message
