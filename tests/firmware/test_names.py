"""The players' names: what can be one, who keeps them, and that nothing typed breaks a record or the glass."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record_read import steps
from engine.record_words import LONGEST_LINE, RecordError
from engine.record_write import write
from engine.replay import replay
from firmware.config import Config, ConfigError, config_from
from firmware.hands import Presser
from firmware.names import LONGEST, MOST, Roster, alike, proper_name
from firmware.seating import drop_name, keep_name
from firmware.settings import Settings
from hardware import fonts

PAGE = Presser("page", None, "the page")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),
        ("#1", "#1"),
        ("O'Brien", "O'Brien"),
        ("Łukasz", "Łukasz"),
        ("Анна", "Анна"),
        ("四郎", "四郎"),
        ("A" * LONGEST, "A" * LONGEST),
        ("e\u0301" * LONGEST, "é" * LONGEST),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_a_name_is_kept_as_people_write_it(typed: str, kept: str) -> None:
    """Blanks are tidied, accents composed, and a name in any script is one."""
    assert proper_name(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "", "   ", "A" * (LONGEST + 1), "A\nB", "A\tB", "A\0", "A\x1b[2J", 'A"B', "\u202eAnn", "A\u200bnn", "\u2066x",
        "\ufeffAnn", "A\u00adnn", "A\ud800", "\u2028", "A\u00a0B", "\u0301", "a\u0316\u0317\u0318", "Ann & Bob",
        "\ue000", "\u3164", "\u2800", "\u115f", "\uffa0", "a\u034f", "A\ufe00", "\U000e0100", "A\u17b4", "A\u180b",
    ],
)  # fmt: skip
def test_what_can_be_no_name(typed: str) -> None:
    """Empty, too long, with a character that cannot be seen, turns the writing, or breaks a record: refused."""
    with pytest.raises(ValueError, match=r"a name|1 to 24") as refusal:
        proper_name(typed)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 200


@given(st.lists(st.text(max_size=30), min_size=4, max_size=4))
def test_any_names_taken_make_a_record_that_replays(texts: list[str]) -> None:
    """Four names that were taken, however odd, stand in a record that is read back with the same names."""
    names: list[str] = []
    for place, text in enumerate(texts):
        try:
            name = proper_name(text)
        except ValueError:
            name = f"Guest {place}"
        names.append(name if not any(alike(name, other) for other in names) else f"No. {place}")
    if len({unicodedata.normalize("NFC", name).casefold() for name in names}) < 4:
        return
    quoted = " ".join(f'"{name}"' for name in names)
    head = f"crib 1\ngame four-handed\nrules modern\nplayers {quoted}\nreferee call\n"
    record = head + f'deal "{names[3]}"\nstarter JC\npeg "{names[0]}" 3\n'
    events = [step.event for step in steps(record)]
    again = write(events)
    assert [step.event for step in steps(again)] == events
    assert max(map(len, again.splitlines())) < LONGEST_LINE
    assert len(list(replay(again))) == len(list(replay(record)))
    assert events[0].names == tuple(names)  # type: ignore[union-attr]


@given(st.text(max_size=40))
def test_a_kept_name_is_kept_the_same_again(text: str) -> None:
    """What was once taken as a name is taken again unchanged."""
    try:
        name = proper_name(text)
    except ValueError:
        return
    assert proper_name(name) == name
    assert 1 <= len(name) <= LONGEST
    assert name.isprintable()


def test_names_alike_are_kept_once() -> None:
    """A name that differs only in case or in how its accents were typed is the one known already."""
    roster = Roster((), ("Blue", "Amber")).keep("Zoë").keep("Ann")
    assert roster.kept == ("Ann", "Zoë")
    assert roster.spelled("zoe\u0308") == "Zoë"
    assert roster.keep(roster.spelled("ANN")) == roster
    assert roster.keep("blue") == roster
    assert roster.offered == ("Ann", "Zoë", "Blue", "Amber")


@pytest.mark.parametrize(("one", "other"), [("\uff21nn", "ANN"), ("\ufb00", "FF"), ("\u212a", "k"), ("\u2460", "1")])
def test_names_that_look_the_same_are_one(one: str, other: str) -> None:
    """Wide, joined and ringed letters are the plain ones: such names are known already, and not two at one table."""
    assert alike(one, other)
    assert Roster().keep(other).spelled(one) == other
    with pytest.raises(ConfigError, match="two players have the same name"):
        config_from({"table": {"names": [one, other]}}, Config())
    with pytest.raises(RecordError, match="no two names alike") as refusal:
        list(steps(f"crib 1\ngame six-card\nrules modern\nplayers {one} {other}\n"))
    assert (refusal.value.line, refusal.value.column) == (4, 10 + len(one))


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u115f", "\uffa0", "a\u034f"])
def test_what_nobody_sees_makes_no_name_anywhere(name: str) -> None:
    """A name with a character that draws nothing is refused in a configuration and in a record too."""
    with pytest.raises(ConfigError, match="cannot be seen"):
        config_from({"table": {"names": [name, "Bob"]}}, Config())
    with pytest.raises(RecordError, match="expected a name") as refusal:
        list(steps(f"crib 1\ngame six-card\nrules modern\nplayers Bob {name}\n"))
    assert (refusal.value.line, refusal.value.column) == (4, 13)


def test_a_board_keeps_so_many_names() -> None:
    """When as many names as are kept are there, one more is refused; one of them is taken as ever."""
    roster = Roster()
    for place in range(MOST):
        roster = roster.keep(f"Guest {place}")
    with pytest.raises(ValueError, match="remove one"):
        roster.keep("Ann")
    assert roster.keep("Guest 5") == roster


def test_a_typed_name_sits_at_its_seat_and_is_offered_by_the_keys(table: Any) -> None:
    """Typed for seat 1 it is in the set-up; later the keys of the set-up offer it, after a restart too."""
    assert keep_name(table.board, " zoë ", PAGE, 0) == "zoë"
    assert table.view.settings.names == ("zoë", "Bob")
    table.reopen()
    assert table.view.settings.names == ("zoë", "Bob")
    offered = []
    for _ in range(len(table.view.choices.names)):
        table.press("8#")
        offered.append(table.view.settings.names[0])
    assert "zoë" in offered
    assert "Bob" not in offered
    keep_name(table.board, "zoë", PAGE, 0)
    table.press("# 2#")
    assert table.state.names == ("zoë", "Bob")


def test_no_two_alike_at_one_table(table: Any) -> None:
    """A name that sits at another seat is refused whatever its case, by typing and by the keys; nothing has changed."""
    with pytest.raises(ValueError, match="seat 2"):
        keep_name(table.board, "BOB", PAGE, 0)
    assert table.view.settings.names == ("Ann", "Bob")
    assert table.board.roster.kept == ()
    with pytest.raises(ValueError, match="no seat 3"):
        keep_name(table.board, "Cal", PAGE, 2)
    assert table.board.roster.kept == ()


def test_names_are_given_at_the_set_up_only(table: Any) -> None:
    """Once a game is opened no seat is renamed; a name may still be kept for the next time."""
    table.press("# 2#")
    with pytest.raises(ValueError, match="set-up"):
        keep_name(table.board, "Cal", PAGE, 0)
    assert table.state.names == ("Ann", "Bob")
    assert keep_name(table.board, "Cal", PAGE) == "Cal"
    assert table.board.roster.kept == ("Cal",)


def test_a_name_can_be_removed_unless_it_sits_at_the_table(table: Any) -> None:
    """A kept name is forgotten for good; not while it sits at the table; one that is not kept is said to be none."""
    keep_name(table.board, "Cal", PAGE, 0)
    with pytest.raises(ValueError, match="sits at the table"):
        drop_name(table.board, "cal")
    keep_name(table.board, "Ann", PAGE, 0)
    drop_name(table.board, "cal")
    assert table.board.roster.kept == ()
    assert "Cal" not in table.view.choices.names
    with pytest.raises(LookupError):
        drop_name(table.board, "Ann")  # the configuration's own
    table.journal.scrub()
    table.close()
    assert b"Cal" not in b"".join(path.read_bytes() for path in table.folder.iterdir())


def test_a_press_meant_for_the_old_name_is_not_taken(table: Any) -> None:
    """A key of another page that still showed the old name is told who was first: it would open another game."""
    moment = table.view.moment
    keep_name(table.board, "Cal", PAGE, 0)
    assert table.board.press("#", 1.0, Presser("phone", None, "a phone"), moment) != ""
    assert table.board.state is None


@pytest.mark.parametrize("name", ["8x16", "12x24", "16x32"])
def test_letters_with_accents_are_drawn_as_the_letter(name: Any) -> None:
    """A letter that the glass has no glyph for is drawn without its accent; one of another script as a box."""
    font = fonts.load(name)
    for odd, plain in zip("şŁčőŻđıł", "sLcoZdil", strict=True):
        assert font.glyph(odd).tobytes() == font.glyph(plain).tobytes()
    assert font.glyph("ж").tobytes() == font.glyph(fonts.MISSING).tobytes()
    assert font.glyph("é").tobytes() != font.glyph("e").tobytes()


def test_a_seat_takes_no_name_like_another() -> None:
    """The agreement itself refuses a name that differs from another seat's by its case only."""
    with pytest.raises(ValueError, match="seat 2"):
        Settings(names=("Ann", "Bob")).named(0, "bob")
    assert Settings(names=("Ann", "Bob")).named(1, "bob").names == ("Ann", "bob")
