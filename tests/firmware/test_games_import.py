"""`muggins games --import` and `--delete`: what comes in is checked whole, what goes out is what came in."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.record_read import steps
from engine.record_words import RecordError
from engine.record_write import write
from firmware.archive import MOST_BYTES
from firmware.cli import cli
from firmware.journal_file import NAME
from firmware.lock import StateLock
from firmware.overlay import ADJUSTMENTS

TABLES = json.loads((Path(__file__).parents[1] / "golden" / "records" / "tables.json").read_text())
GOOD = [one for one in TABLES if "exit" not in one["expect"]]
HEAD = "crib 1\ngame six-card\nrules modern\nplayers Ann Bob\n"
GAME = HEAD + "date 2020-02-29\ndeal Bob\nstarter JC\nplay Ann 5C\nplay Bob TD\n"
FOSTER = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"


def run(*words: str, given: bytes | None = None) -> Result:
    """The command with these words; anything but a proper exit fails the test."""
    result = CliRunner().invoke(cli, ["games", *words], prog_name="muggins", input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answer(*words: str, given: bytes | None = None, exit_code: int = 0) -> dict[str, Any]:
    """The one object answered, on one line, with nothing on standard error."""
    result = run(*words, "--json", given=given)
    assert (result.stderr, result.stdout.count("\n"), result.exit_code) == ("", 1, exit_code), result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def state(quick_folder: Path) -> str:
    """A state folder with nothing in it."""
    return str(quick_folder / "state")


def test_golden_records_come_out_as_they_went_in(state: str, tmp_path: Path) -> None:
    """Every good record imported and exported is the same, byte for byte, and importing it again finds it there."""
    texts = list(dict.fromkeys(one["record"] for one in GOOD))
    files = []
    for place, text in enumerate(texts):
        files.append(tmp_path / f"{place}.crib")
        files[-1].write_bytes(text.encode())
    names = [one["id"] for one in answer("--import", *map(str, files), "--state", state)["imported"]]
    assert names == [f"i{place}" for place in range(1, len(texts) + 1)]
    for name, file in zip(names, files, strict=True):
        assert run(name, "--state", state).stdout_bytes == file.read_bytes()
    again = answer("--import", *map(str, files), "--state", state)["imported"]
    assert [(one["id"], one["there_already"]) for one in again] == [(name, True) for name in names]
    assert len(answer("--state", state)["games"]) == len(texts)


@pytest.mark.parametrize("record", [one["record"] for one in GOOD], ids=[one["id"] for one in GOOD])
def test_a_record_written_again_is_the_same(record: str) -> None:
    """The events of a record, written and read and written again, make the same record."""
    once = write([step.event for step in steps(record)])
    assert write([step.event for step in steps(once)]) == once


def test_what_the_board_exports_comes_back(table: Any, tmp_path: Path, state: str) -> None:
    """A game played here is exported, imported elsewhere and exported again: the same bytes, and the same scores."""
    table.press(FOSTER).press("B 8# # #")
    record = run("1", "--state", str(table.folder)).stdout_bytes
    (tmp_path / "game.crib").write_bytes(record)
    answer("--import", str(tmp_path / "game.crib"), "--state", state)
    assert run("i1", "--state", state).stdout_bytes == record
    (game,) = answer("--state", state)["games"]
    assert (game["id"], game["imported"], game["players"], game["scores"]) == ("i1", True, ["Ann", "Bob"], [25, 33])
    table.close()
    (again,) = answer("--import", str(tmp_path / "game.crib"), "--state", str(table.folder))["imported"]
    assert (again["id"], again["there_already"]) == ("1", True)


def test_a_long_name_stays_as_it_was_given(state: str) -> None:
    """A name of a hundred letters in a record is kept whole; only the printed list shortens it."""
    text = GAME.replace("Bob", "B" * 100)
    answer("--import", "-", "--state", state, given=text.encode())
    assert run("i1", "--state", state).stdout == text
    assert answer("--state", state)["games"][0]["players"] == ["Ann", "B" * 100]
    assert f"Ann v {'B' * 21}...  six-card" in run("--state", state).stdout


def test_a_record_is_taken_as_it_is_written(state: str) -> None:
    """Remarks, CRLF and a byte order mark of a record typed by hand are kept as they are."""
    typed = ("\ufeff# after the dispute\r\n" + GAME.replace("\n", "  # so\r\n")).encode()
    answer("--import", "-", "--state", state, given=typed)
    assert run("i1", "--state", state).stdout_bytes == typed
    assert answer("--state", state)["games"][0]["opened_at"] == "2020-02-29"


LONG = HEAD.encode() + b"# " + b"x" * 500 + b"\n"
BAD = {
    "not utf-8": (HEAD.encode() + b"deal B\xffb\n", 5, 7, 2, "UTF-8"),
    "nul": (HEAD.encode() + b"deal\0Bob\n", 5, 5, 2, "NUL"),
    "too large": (
        HEAD.encode() + (b"# " + b"x" * 97 + b"\n") * 3000,
        4 + (256 * 1024 - len(HEAD)) // 100 + 1,
        None,
        2,
        "bytes",
    ),
    "too many lines": (GAME.encode() + b"peg Ann 1\npeg Ann -1\n" * 3000, 5001, 1, 2, "lines"),
    "cut in a line": (GAME.encode()[:-4], 9, None, 2, "card"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1, 1, 2, "UTF-8"),
    "json": (b'{"game": "six-card"}\n', 1, 20, 2, "quotation mark"),
    "a web page": (b"<!doctype html>\n", 1, 1, 2, "crib 1"),
    "empty": (b"", 1, 1, 2, "crib 1"),
    "newer": (GAME.replace("crib 1", "crib 2").encode(), 1, 6, 2, "crib 2"),
    "unknown book": (GAME.replace("modern", "club").encode(), 3, 7, 2, "--config FILE"),
    "one line of a megabyte": (b"crib 1 " * 30_000, 1, 1001, 2, "characters"),
    "forbidden": (GAME.encode() + b"play Bob 9D\n", 10, 10, 1, "turn"),
    "a name of 101 letters": (GAME.replace("Bob", "B" * 101).encode(), 4, 13, 2, "at most 100"),
    "a tower of accents": (GAME.replace("Bob", "Bo\u0301\u0316\u0317\u0318b").encode(), 4, 13, 2, "accents"),
    "a name that cannot be": (GAME.replace("Bob", '"\u202eBob"').encode(), 4, 13, 2, "name"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_damaged_or_foreign_file_is_refused_with_its_line_and_column(state: str, tmp_path: Path, case: str) -> None:
    """What is no sound record is refused with file, line, column and reason; nothing is imported, good ones neither."""
    data, line, column, code, word = BAD[case]
    (tmp_path / "good.crib").write_text(GAME)
    (tmp_path / "bad.crib").write_bytes(data)
    files = [str(tmp_path / name) for name in ("good.crib", "bad.crib")]
    error = answer("--import", *files, "--state", state, exit_code=code)
    assert (error["event"], error["file"], error["line"]) == ("error", files[1], line)
    assert column is None or error["column"] == column
    assert word in error["message"]
    told = run("--import", *files, "--state", state)
    assert told.stdout == ""
    assert f"bad.crib:{line}:" in told.stderr
    assert answer("--state", state) == {"games": []}


@pytest.mark.parametrize("damage", ["text = 'crib 1'", "text = CAST(x'ff00' AS TEXT)", "crc = 1", "text = x'00'"])
def test_a_damaged_record_is_told_and_the_others_are_read(state: str, damage: str) -> None:
    """An imported record that is not as it was kept stands in the list as such, exit 1; the others are read as ever."""
    answer("--import", "-", "--state", state, given=GAME.encode())
    answer("--import", "-", "--state", state, given=HEAD.encode())
    with closing(sqlite3.connect(Path(state) / NAME, isolation_level=None)) as db:
        db.execute(f"UPDATE records SET {damage} WHERE number = 1")
    found = answer("--state", state, exit_code=1)
    assert "i1 cannot be read" in found["error"]
    assert [one["id"] for one in found["games"]] == ["i1", "i2"]
    listed = run("--state", state)
    assert listed.exit_code == 1
    assert "i1" in listed.stdout
    assert "damaged" in listed.stdout
    assert "Ann v Bob" in listed.stdout
    assert run("i2", "--state", state).stdout == HEAD
    assert "cannot be read" in answer("i1", "--state", state, exit_code=1)["error"]
    assert answer("--delete", "i1", "--yes", "--state", state)["deleted"] == ["i1"]
    assert answer("--state", state)["games"][0]["id"] == "i2"


def test_a_file_that_is_not_there_is_refused(state: str) -> None:
    """A file that cannot be opened: exit 1, naming it; no file at all: exit 2."""
    assert "none.crib" in answer("--import", "none.crib", "--state", state, exit_code=1)["message"]
    assert run("--import", "--state", state).exit_code == 2


def test_an_own_book_is_known_from_its_configuration(state: str, tmp_path: Path) -> None:
    """A record by a table's own book is taken with its configuration, and shown with it; without it that is said."""
    own = '[book]\nname = "club"\nbased_on = "modern"\nfalse_go = "each-card"\n'
    (tmp_path / "muggins.toml").write_text(own)
    known = ("--state", state, "--config", str(tmp_path / "muggins.toml"))
    answer("--import", "-", *known, given=GAME.replace("modern", "club").encode())
    assert answer(*known)["games"][0]["rules"] == "club"
    assert "cannot be read" in run("--state", state).stdout
    assert run("i1", "--state", state).exit_code == 2


def test_the_match_under_way_goes_on(table: Any, tmp_path: Path) -> None:
    """Importing and deleting imported games leaves the match on the board as it was, undo included."""
    table.press("# 2#").cards("QS 7C")
    before, acts = table.state, table.acts()
    table.close()
    answer("--import", "-", "--state", str(table.folder), given=GAME.encode())
    table.reopen()
    assert (table.state, table.acts()) == (before, acts)
    table.close()
    assert answer("--delete", "i1", "--yes", "--state", str(table.folder)) == {"deleted": ["i1"]}
    table.reopen().press("* #")
    assert table.state.deal.played == ()
    assert b"2020-02-29" not in b"".join(path.read_bytes() for path in table.folder.iterdir())


def test_a_running_board_keeps_its_games_to_itself(table: Any) -> None:
    """While a board runs, importing and deleting are refused with its process and the way by its page."""
    table.press("# 2#")
    with StateLock(table.folder):
        lock = (table.folder / "lock").read_text().strip()
        for words in (("--import", "-"), ("--delete", "1", "--yes")):
            error = answer(*words, "--state", str(table.folder), given=GAME.encode(), exit_code=1)["error"]
            assert f"process {lock}" in error
            assert "/games" in error


def test_deleting_asks_and_takes_the_whole_match(new_table: Callable[..., Any]) -> None:
    """Nothing goes without --yes; then the games of one match go together and are named; the one on the board stays."""
    table = new_table(names=("Zenobia", "Quentin"))
    stop = f"B {[key for key, _ in ADJUSTMENTS].index('adjust-stop') + 1}# #"
    table.press("# 2# 12A").press(stop)
    table.press("# 2# 12A").press(stop)  # the rematch
    table.press("B 3# # 2# 12A")  # to another hole: another match
    folder = str(table.folder)
    table.close()
    listed = [one["id"] for one in answer("--state", folder)["games"]]
    assert len(listed) == 3
    assert "say --yes" in answer("--delete", listed[0], "--state", folder, exit_code=1)["error"]
    assert run("--delete", listed[0], "--state", folder).exit_code == 1
    assert [one["id"] for one in answer("--state", folder)["games"]] == listed
    assert "on the board" in answer("--delete", listed[-1], "--yes", "--state", folder, exit_code=1)["error"]
    assert answer("--delete", listed[1], "--yes", "--state", folder) == {"deleted": listed[:2]}
    assert [one["id"] for one in answer("--state", folder)["games"]] == listed[2:]
    assert "no game 99" in answer("--delete", "99", "--yes", "--state", folder, exit_code=1)["error"]


def test_deleting_where_nothing_is_kept_makes_nothing(state: str) -> None:
    """A folder that was never begun has no game to delete, and none is begun for it."""
    assert "none at all" in answer("--delete", "1", "--yes", "--state", state, exit_code=1)["error"]
    assert not Path(state).exists()


@pytest.mark.parametrize(
    "words", [("--delete",), ("--csv",), ("1", "2"), ("1", "--csv", "--json"), ("1", "--csv", "--report"), ("i0",)]
)
def test_words_that_make_no_sense_end_with_2(state: str, words: tuple[str, ...]) -> None:
    """A wish without its game, two wishes at once, a game's name that is none: exit 2."""
    assert run(*words, "--state", state).exit_code == 2


def test_records_of_any_length_are_read_up_to_the_limit() -> None:
    """The limit is far above what a game needs."""
    longest = max(len(one["record"]) for one in GOOD)
    assert longest * 20 < MOST_BYTES
    with pytest.raises(RecordError):
        list(steps("crib 2\n"))
