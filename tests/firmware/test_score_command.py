"""The command `muggins score`: answers in words and in JSON, a stream of hands, and every wrong word told clearly."""

from __future__ import annotations

import errno
import io
import json
import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from firmware.score_command import score

HAND = "4S 3D 4C 5C --starter QS"
HAND_JSON = {
    "total": 10,
    "fifteens": 2,
    "pairs": 2,
    "runs": 6,
    "flush": 0,
    "nobs": 0,
    "awards": [
        {"kind": "fifteen", "cards": ["QS", "5C"], "points": 2},
        {"kind": "pair", "cards": ["4C", "4S"], "points": 2},
        {"kind": "run", "cards": ["5C", "4C", "3D"], "points": 3},
        {"kind": "run", "cards": ["5C", "4S", "3D"], "points": 3},
    ],
    "spoken": "fifteen two, and a double run of three makes ten",
}


def run(arguments: str | list[str], stdin: str | bytes = "") -> Result:
    """The command run with these words; anything but a proper exit fails the test."""
    words = arguments.split() if isinstance(arguments, str) else arguments
    result = CliRunner().invoke(score, words, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answer(arguments: str, stdin: str | bytes = "") -> dict[str, Any]:
    """The one object answered, on one line, with nothing on standard error."""
    result = run(arguments, stdin)
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_a_hand_in_words() -> None:
    """Without JSON the answer is the spoken count."""
    result = run(HAND)
    assert (result.stdout, result.exit_code) == ("fifteen two, and a double run of three makes ten\n", 0)


def test_a_hand_in_json() -> None:
    """With JSON the answer has the totals, every award and the spoken count, and no claim unless one was made."""
    assert answer(f"{HAND} --json") == HAND_JSON


@pytest.mark.parametrize(
    ("claim", "verdict", "words"),
    [("10", "right", "claimed ten, right"), ("8", "under", "claimed eight, under by two"),
     ("12", "over", "claimed twelve, over by two"), ("0", "under", "claimed zero, under by ten"),
     ("1000", "over", "claimed 1000, over by nine hundred and ninety")],
)  # fmt: skip
def test_a_claim_is_judged(claim: str, verdict: str, words: str) -> None:
    """A claim is answered right, over or under, and by how much in words."""
    assert answer(f"{HAND} --json --claim {claim}") == HAND_JSON | {"claim": int(claim), "verdict": verdict}
    result = run(f"{HAND} --claim {claim}")
    assert result.exit_code == 0
    assert result.stdout.endswith(f"; {words}\n")


def test_a_crib_needs_the_starters_suit() -> None:
    """The same cards are a flush in the hand and none in the crib."""
    assert answer("2H 4H 6H 8H --starter KS --json")["flush"] == 4
    assert answer("2H 4H 6H 8H --starter KS --crib --json")["flush"] == 0


@pytest.mark.parametrize(
    "words",
    ["4s 3d 4c 5c --starter qs", "--starter QS 4S 3D 4C 5C --game six-card --rules modern"],
)
def test_codes_are_case_blind_and_options_stand_anywhere(words: str) -> None:
    """Small letters and any order of options give the same answer."""
    assert run(words).stdout == run(HAND).stdout


def test_ten_may_be_written_out() -> None:
    """10H is the ten of hearts."""
    assert answer("10H 5C 2D 3S --starter KC --json") == answer("TH 5C 2D 3S --starter KC --json")


def test_a_hand_in_one_word() -> None:
    """Quoted together, the cards are read as well."""
    assert run(["4S 3D 4C 5C", "--starter", "QS"]).stdout == run(HAND).stdout


BAD = [
    ("4S 3D 4C 11C --starter QS", "'11C' is no card"),
    ("4S 3D 4C 4S --starter QS", "4S stands twice"),
    ("4S 3D 4C 5C --starter 5C", "5C stands twice"),
    ("4S 3D 4C --starter QS", "a six-card hand has 4 cards and the starter, not 3"),
    ("4S 3D 4C 5C 6C --starter QS", "a six-card hand has 4 cards and the starter, not 5"),
    ("4S 3D 4C --starter QS --crib", "a six-card crib has 4 cards and the starter, not 3"),
    ("4S 3D 4C 5C", "no starter"),
    ("4S 3D 4C xx", "'xx' is no card"),
    ("--starter QS", "no cards"),
    ("- 4S 3D 4C --starter QS", "'-' is no card"),
    (f"{'x' * 5000} 3D 4C 5C --starter QS", "4980 characters more are no card"),
    (f"{HAND} --game sixcard", "did you mean six-card?"),
    (f"{HAND} --rules modrn", "did you mean modern?"),
    (f"{HAND} --claim ten", "'ten' is no number of points"),
    (f"{HAND} --claim -1", "'-1' is no number of points"),
    (f"{HAND} --claim 1_0", "'1_0' is no number of points"),
    (f"{HAND} --claim {'9' * 5000}", "is no number of points"),
    (f"{HAND} --claim", "'--claim' requires an argument"),
    (f"{HAND} --bogus", "--bogus"),
    ("- --starter QS", "with - the starter and the crib stand on each line"),
    ("- --crib", "with - the starter and the crib stand on each line"),
    ("- --claim 3", "with - the starter and the crib stand on each line"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[message for _, message in BAD])
def test_words_not_understood_end_in_2(words: str, message: str) -> None:
    """A wrong word ends in 2 and one line on standard error that names it; nothing on standard output."""
    result = run(words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 200


@pytest.mark.parametrize(("words", "message"), BAD, ids=[message for _, message in BAD])
def test_words_not_understood_in_json(words: str, message: str) -> None:
    """With JSON the error is one object on standard output, and standard error stays empty."""
    words = f"--json {words}"
    assert message in answer(words)["error"]
    assert run(words).exit_code == 2


def test_bytes_that_are_no_text_in_a_word() -> None:
    """A word that is no UTF-8, as the system hands it over, is no card; the answer is plain characters."""
    result = run(["\udcff", "3D", "4C", "5C", "--starter", "QS", "--json"])
    assert result.exit_code == 2
    assert "is no card" in json.loads(result.stdout)["error"]
    assert result.stdout.isascii()


def test_a_pairing_the_book_does_not_have_ends_in_1() -> None:
    """A game and a book that are both known and do not go together are understood and forbidden."""
    result = run("4S 3D 4C --starter QS --game five-card --rules acc")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "acc has no five-card game" in result.stderr


def test_other_games_hold_other_numbers_of_cards() -> None:
    """A five-card hand has three cards, and by the books that say so three of a suit are a flush; its crib has four."""
    assert answer("4H 7H 8H --starter KS --game five-card --rules foster --json")["flush"] == 3
    assert answer("4H 7H 8H KH --starter 2H --crib --game five-card --rules foster --json")["flush"] == 5


LINES = "4S 3D 4C 5C | QS\n2H 4H 6H 8H | KS | crib\nxx\n4S 3D 4C 5C | QS\n"


def test_a_stream_is_answered_line_by_line() -> None:
    """Every line has one answer in its order, a bad line an error in its place, and the end is 2."""
    result = run("-", LINES)
    good = "fifteen two, and a double run of three makes ten"
    first, second, third, fourth = result.stdout.splitlines()
    assert (first, fourth) == (good, good)
    assert second.endswith("a crib needs the starter's suit too")
    assert third.startswith("error: line 3: 'xx' is no hand and starter")
    assert (result.exit_code, result.stderr) == (2, "")


def test_a_stream_in_json() -> None:
    """In JSON a stream is one object a line, the error in its place with the number of its line."""
    result = run("- --json", LINES)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [found.get("total") for found in answers] == [10, 0, None, 10]
    assert answers[0] == HAND_JSON
    assert answers[2].keys() == {"error", "line"}
    assert answers[2]["line"] == 3
    assert (result.exit_code, result.stderr) == (2, "")


def test_a_good_stream_ends_in_0() -> None:
    """Without a bad line the end is 0; an empty stream has no answers."""
    assert run("-", "4S 3D 4C 5C | QS").exit_code == 0
    empty = run("-", "")
    assert (empty.stdout, empty.exit_code) == ("", 0)


def test_line_ends_blanks_and_small_letters() -> None:
    """CRLF, blank lines, a byte order mark, small letters, 10 for T and any blanks are read."""
    stream = "\ufeff4s 3d 4c 5c|qs\r\n\r\n  \t\r\n 10h 5c  2d 3s | kc | CRIB \r\n".encode()
    result = run("- --json", stream)
    assert [json.loads(line)["total"] for line in result.stdout.splitlines()] == [10, 8]
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"4S 3D 4C 5C", "is no hand and starter"),
        (b"4S 3D 4C 5C | QS KS", "is no hand and starter"),
        (b"4S 3D 4C 5C |", "is no hand and starter"),
        (b"4S 3D 4C 5C | QS | crib | crib", "is no hand and starter"),
        (b"4S 3D 4C 5C | QS | box", "'box' after the starter"),
        (b"4S 3D 4C 5C | QS |", "'' after the starter"),
        (b"| QS", "no cards"),
        (b"4S 3D 4C | QS", "has 4 cards and the starter, not 3"),
        (b"4S 3D 4C 4S | QS", "4S stands twice"),
        (b"4S\x00 3D 4C 5C | QS", "'4S\\x00' is no card"),
        (b"4S 3D 4C \xff | QS", "byte 0xff at 10 is not UTF-8 text"),
        ("4S 3D 4C 5♣ | QS".encode(), "'5\\u2663' is no card"),
        (b"4S " * 3000 + b"| QS", "9004 bytes in one line"),
    ],
)  # fmt: skip
def test_a_bad_line_is_told_and_the_rest_go_on(line: bytes, message: str) -> None:
    """Whatever a line holds, it is answered by one short plain error and the next line is counted."""
    result = run("- --json", line + b"\n4S 3D 4C 5C | QS\n")
    bad, good = (json.loads(line) for line in result.stdout.splitlines())
    assert message in bad["error"]
    assert len(bad["error"]) < 300
    assert result.stdout.isascii()
    assert good["total"] == 10
    assert result.exit_code == 2


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a standard input the command says so and ends in 1: the machine forbids it."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        score(["-"])
    assert ended.value.code == 1
    assert "standard input cannot be read: it is closed" in capsys.readouterr().err


def test_a_failing_standard_input_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A standard input that cannot be read is told in one line and ends in 1."""

    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any, /) -> int:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Failing())))
    with pytest.raises(SystemExit) as ended:
        score(["-", "--json"])
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert "Input/output error" in json.loads(printed.out)["error"]
    assert printed.err == ""


def test_its_errors_are_its_own_inside_a_group() -> None:
    """As one of a group's commands it still answers a usage error itself, in JSON, with 2."""
    group = click.Group("muggins", commands=[score])
    result = CliRunner().invoke(group, ["score", "--bogus", "--json"])
    assert result.exit_code == 2
    assert json.loads(result.stdout).keys() == {"error"}
    assert result.stderr == ""


def test_a_line_without_end_is_refused() -> None:
    """Input that never ends its line is given up after a million bytes, with the line's number."""
    result = run("-", "4S 3D 4C 5C | QS\n" + "x" * 3_000_000)
    assert result.exit_code == 2
    assert "line 2 has more than 1000000 bytes" in result.output
    assert result.output.startswith("fifteen")
