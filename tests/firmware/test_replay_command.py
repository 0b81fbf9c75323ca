"""``muggins replay`` as a person and a program see it: output, errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.replay_command import MOST_BYTES, replay

HEAD = "crib 1\ngame six-card\nrules modern\nplayers Ann Bob\n"
DEAL = HEAD + "deal Bob\nstarter JC\nplay Ann 5C\nplay Bob TD\n"


def run(*args: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(replay, list(args), input=given)


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def crib(tmp_path: Path) -> Path:
    path = tmp_path / "game.crib"
    path.write_text(DEAL)
    return path


def test_json_is_one_object_a_line_with_the_keys_in_order(crib: Path) -> None:
    """Each thing is one JSON object with its keys in the format's order, and the end comes once, last."""
    result = run(str(crib), "--json")
    assert result.exit_code == 0
    heels, five, ten, end = lines(result)
    assert list(heels.items()) == [
        ("line", 6),
        ("event", "award"),
        ("player", "Bob"),
        ("points", 2),
        ("why", [{"kind": "heels", "points": 2}]),
        ("scores", {"Ann": 0, "Bob": 2}),
    ]
    assert list(five) == ["line", "event", "player", "points", "why", "count", "scores"]
    assert (five["points"], five["why"], five["count"]) == (0, [], 5)
    assert ten["why"] == [{"kind": "fifteen", "points": 2, "cards": ["5C", "TD"]}]
    assert list(end.items()) == [("event", "end"), ("winner", None), ("scores", {"Ann": 0, "Bob": 4}), ("skunks", {})]


def test_words_without_json(crib: Path) -> None:
    """Without --json every thing is told in words."""
    result = run(str(crib))
    assert result.exit_code == 0
    assert "line 6: Bob pegs 2: heels 2 (Ann 0, Bob 2)" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("as_json", [False, True])
def test_a_file_without_end_is_no_record(as_json: bool) -> None:
    """No more of a file is read than a record may have; a longer one is refused by its name, with the limit."""
    result = run("/dev/zero", *["--json"] * as_json)
    assert result.exit_code == 2
    if as_json:
        (error,) = lines(result)
        assert (error["event"], error["line"], error["column"]) == ("error", 1, MOST_BYTES + 1)
        assert "more than 4 MB" in str(error["message"])
    else:
        assert f"/dev/zero:1:{MOST_BYTES + 1}: found more than 4 MB" in result.stderr


def test_standard_input_as_bytes() -> None:
    """- reads standard input, CRLF and a byte order mark included."""
    result = run("-", "--json", given=b"\xef\xbb\xbf" + DEAL.replace("\n", "\r\n").encode())
    assert result.exit_code == 0
    assert lines(result)[-1]["scores"] == {"Ann": 0, "Bob": 4}


@pytest.mark.parametrize(("line", "code", "column"), [("play Ann 11C", 2, 10), ("play Ann TD", 1, 10)])
def test_an_error_in_json_is_the_last_line_of_standard_output(line: str, code: int, column: int) -> None:
    """Under --json the awards before the error stand, the error object is last, and standard error is empty."""
    result = run("-", "--json", given=DEAL + line + "\nplay Ann 2C\n")
    assert result.exit_code == code
    assert result.stderr == ""
    *awards, error = lines(result)
    assert [award["event"] for award in awards] == ["award"] * 3
    assert (error["event"], error["line"], error["column"]) == ("error", 9, column)
    assert "Bob deals, count 15, Ann's turn" in str(error["message"])


def test_an_error_in_words_names_file_line_and_column(crib: Path) -> None:
    """Without --json the error is one line on standard error that names file:line:column."""
    crib.write_text(DEAL + "go Ann\n")
    result = run(str(crib))
    assert result.exit_code == 1
    assert f"{crib}:9:4: no go at 15" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Ann 0, Bob 4" in result.stdout
    assert "the record stops here" not in result.stdout


def test_a_missing_file(tmp_path: Path) -> None:
    """A file that is not there is exit 1 with one line that names it; under --json one error object."""
    missing = str(tmp_path / "none.crib")
    in_words = run(missing)
    assert (in_words.exit_code, in_words.stdout) == (1, "")
    assert missing in in_words.stderr
    in_json = run(missing, "--json")
    assert (in_json.exit_code, in_json.stderr) == (1, "")
    assert [(line["event"], line["line"]) for line in lines(in_json)] == [("error", 0)]
    assert run(str(tmp_path), "--json").exit_code == 1


@pytest.mark.parametrize("args", [["--json"], ["--json", "--jsn", "x"]])
def test_a_usage_error_in_json(args: list[str]) -> None:
    """A wrong command line under --json is a single error object on standard output, exit 2."""
    result = run(*args)
    assert (result.exit_code, result.stderr) == (2, "")
    (error,) = lines(result)
    assert "error" in (*error, error.get("event"))


def test_several_files_say_which(crib: Path, tmp_path: Path) -> None:
    """With several files each object names its file, and the first error stops everything."""
    bad = tmp_path / "bad.crib"
    bad.write_text(HEAD + "deal Bob\nstarter 11C\n")
    result = run(str(crib), str(bad), str(crib), "--json")
    assert result.exit_code == 2
    told = lines(result)
    assert [line["file"] for line in told] == [str(crib)] * 4 + [str(bad)]
    assert told[3]["event"] == "end"
    assert (told[-1]["event"], told[-1]["line"]) == ("error", 6)


def test_bytes_that_are_no_text() -> None:
    """Bytes that are not UTF-8 are one error that names their line."""
    result = run("-", "--json", given=b"crib 1\n\xff\xfe\n")
    assert result.exit_code == 2
    (error,) = lines(result)
    assert (error["line"], error["column"]) == (2, 1)


OWN_BOOK = '[book]\nname = "club"\nbased_on = "modern"\nfalse_go = "each-card"\n'


def test_a_tables_own_book_is_known_from_its_configuration(tmp_path: Path) -> None:
    """A record by a table's own book plays with its configuration; without it the refusal says what is missing."""
    (tmp_path / "muggins.toml").write_text(OWN_BOOK)
    (tmp_path / "game.crib").write_text(DEAL.replace("rules modern", "rules club"))
    known = run(str(tmp_path / "game.crib"), "--config", str(tmp_path / "muggins.toml"), "--json")
    assert known.exit_code == 0
    assert lines(known)[-1]["scores"] == {"Ann": 0, "Bob": 4}
    unknown = run(str(tmp_path / "game.crib"), "--json")
    assert unknown.exit_code == 2
    error = lines(unknown)[-1]
    assert (error["line"], error["column"]) == (3, 7)
    assert "'club'" in str(error["message"])
    assert "--config FILE" in str(error["message"])


def test_a_configuration_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A configuration that is not there is refused in one line, before any record is played."""
    (tmp_path / "game.crib").write_text(DEAL)
    result = run(str(tmp_path / "game.crib"), "--config", str(tmp_path / "none.toml"))
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert "none.toml" in result.stderr
