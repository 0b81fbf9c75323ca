"""Every command ends in words and a proper exit: wherever its answer goes, whatever it is given, when it is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.cli import COMMANDS, cli
from firmware.journal_file import NAME

HAND = "4S 3D 4C 5C | QS\n"
RECORD = "crib 1\ngame six-card\nrules modern\nplayers Zoë Bob\ndeal Bob\nstarter JC\nplay Zoë 5C\n"
ZOE = '[table]\nnames = ["Zoë", "Bob"]\n'

ANSWERED: dict[str, tuple[list[str], str]] = {
    "score": (["score", "5H", "5C", "5S", "JD", "--starter", "5D"], ""),
    "score -": (["score", "-"], HAND),
    "replay": (["replay", "game.crib"], ""),
    "replay -": (["replay", "-"], RECORD),
    "press": (["press", "#", "--config", "muggins.toml"], ""),
    "games": (["games", "--state", "games"], ""),
    "games 1": (["games", "1", "--state", "games"], ""),
    "games --report": (["games", "1", "--report", "--state", "games"], ""),
    "games --csv": (["games", "1", "--csv", "--state", "games"], ""),
    "games --import": (["games", "--import", "-", "--state", "new"], RECORD),
    "config": (["config", "--config", "muggins.toml"], ""),
    "template": (["template", "--out", "board.svg", "--paper", "none"], ""),
    "doctor": (["doctor", "--config", "muggins.toml"], ""),
    "doctor lights": (["doctor", "lights"], "q\n"),
    "doctor screen": (["doctor", "screen"], "q\n"),
    "doctor keys": (["doctor", "keys"], "q\n"),
    "help": (["--help"], ""),
    "version": (["--version"], ""),
}
"""Words that are answered and then done, and what is typed on standard input."""
TALKS = ("doctor lights", "doctor screen", "doctor keys", "help", "version")
"""They speak to people alone; the others take --json."""
SOME = ("score", "replay -", "games 1", "doctor lights", "help")
"""Each way of saying something: every run of the tests tries these everywhere, the long run tries all."""
DOCTOR_EXITS = (0, 1)
"""What the doctor finds is this machine's own affair."""

FILE = ["config --config", "press # --config", "template --config", "doctor --config", "doctor lights --config"]
FILE += ["doctor screen --config", "doctor keys --config", "run --config", "replay"]
"""Words after which a file is named."""


def each(*leave_out: str) -> list[Any]:
    """A test for each command that is answered."""
    names = [name for name in ANSWERED if name not in leave_out]
    return [pytest.param(name, marks=() if name in SOME else pytest.mark.slow) for name in names]


@pytest.fixture
def place(new_table: Callable[..., Any]) -> Path:
    """A folder with a configuration, a record and the games that were played; a player is called Zoë."""
    games = new_table(names=("Zoë", "Bob")).press("# 2# 12A 4A").folder
    folder = Path(games).parent
    (folder / "games").symlink_to(games)
    (folder / "muggins.toml").write_text(ZOE, encoding="utf-8")
    (folder / "game.crib").write_text(RECORD, encoding="utf-8")
    return folder


class Run:
    """The program in a process of its own, in that folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def start(self, *words: str, env: dict[str, str] | None = None, **streams: Any) -> subprocess.Popen[bytes]:
        """Start it; streams that are not named are pipes. It can be interrupted even where these tests cannot."""
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        closed = [number for number, name in enumerate(pipes) if streams.get(name) == "closed"]
        pipes |= {name: subprocess.DEVNULL if stream == "closed" else stream for name, stream in streams.items()}

        def before() -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            for number in closed:
                os.close(number)

        line = [sys.executable, "-m", "firmware", *words]
        return subprocess.Popen(
            line,
            cwd=self._folder,
            env={**os.environ, **(env or {})},
            preexec_fn=before,
            **pipes,  # type: ignore[call-overload]
        )

    def __call__(self, *words: str, given: str = "", **how: Any) -> tuple[int, str, str]:
        """Run it to its end: the exit code, standard output and standard error; what is not a pipe reads as empty."""
        with self.start(*words, **how) as process:
            out, err = process.communicate(given.encode() if how.get("stdin") is None else None)
        return process.returncode, (out or b"").decode(), (err or b"").decode()


@pytest.fixture
def run(place: Path) -> Run:
    """The program in that place."""
    return Run(place)


def is_one_line(text: str) -> bool:
    """Whether that is the one plain line of an error."""
    return text.startswith("error: ") and text.count("\n") == 1 and text.endswith("\n")


def is_one_object(text: str) -> bool:
    """Whether the last line is an error's object."""
    found = json.loads(text.splitlines()[-1])
    return "error" in found or found.get("event") == "error"


@pytest.mark.parametrize("name", each())
def test_an_answer_that_nothing_takes_is_no_success(run: Run, name: str) -> None:
    """A full disk or a closed standard output: one plain line on standard error, exit 1."""
    words, given = ANSWERED[name]
    with open("/dev/full", "wb") as full:
        code, _, err = run(*words, given=given, stdout=full)
    assert code == 1
    assert is_one_line(err), err
    assert "standard output takes no answer" in err


@pytest.mark.parametrize("name", each())
def test_a_closed_standard_output_is_told(run: Run, name: str) -> None:
    """A standard output that is closed is told in one line, and no file gets what was meant for it; exit 1."""
    words, given = ANSWERED[name]
    code, _, err = run(*words, given=given, stdout="closed")
    assert code == 1
    assert is_one_line(err), err


@pytest.mark.parametrize("name", each())
def test_a_reader_who_has_left_is_told_nothing(run: Run, name: str) -> None:
    """A pipe that nobody reads any more ends the command in silence, exit 1."""
    words, given = ANSWERED[name]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        code, _, err = run(*words, given=given, stdout=writer)
    finally:
        os.close(writer)
    assert (code, err) == (1, "")


@pytest.mark.parametrize("name", each("games --report", "games --csv", *TALKS))
def test_json_that_nothing_takes_is_told_in_words(run: Run, name: str) -> None:
    """With JSON an answer that standard output does not take is told on standard error, exit 1."""
    words, given = ANSWERED[name]
    with open("/dev/full", "wb") as full:
        code, _, err = run(*words, "--json", given=given, stdout=full)
    assert code == 1
    assert is_one_line(err), err


@pytest.mark.parametrize("words", [["frobnicate"], ["score"], ["replay", "none.crib", "--json"]], ids=" ".join)
def test_an_error_that_nothing_takes_keeps_its_exit(run: Run, words: list[str]) -> None:
    """Where neither stream takes the error's line, the exit code alone says it."""
    code = run(*words)[0]
    assert code in (1, 2)
    with open("/dev/full", "wb") as full:
        assert run(*words, stdout=full, stderr=full)[0] == code
    assert run(*words, stdout="closed", stderr="closed")[0] == code


@pytest.mark.parametrize("letters", ["ascii", pytest.param("latin-1", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ANSWERED)
def test_a_terminal_of_few_letters_gets_every_answer(run: Run, name: str, letters: str) -> None:
    """What a terminal cannot spell is spelt out for it: names and suits never stop an answer."""
    words, given = ANSWERED[name]
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": f"{letters}:strict"}
    with run.start(*words, env=poor) as process:
        out, err = process.communicate(given.encode())
    assert process.returncode in (DOCTOR_EXITS if name == "doctor" else (0,))
    assert err == b""
    assert out


def test_a_record_is_written_in_utf_8_on_any_terminal(run: Run) -> None:
    """A game that is kept by `muggins games 1 > FILE` can be read again, whatever the terminal spells."""
    with run.start("games", "1", "--state", "games", env={"PYTHONIOENCODING": "latin-1"}) as process:
        record, _ = process.communicate()
    assert "Zoë" in record.decode("utf-8")


@pytest.mark.parametrize("name", each())
def test_without_a_standard_input(run: Run, name: str) -> None:
    """Where standard input is closed the commands that read it say so, or take it for leaving; the others answer."""
    words, _ = ANSWERED[name]
    code, out, err = run(*words, stdin="closed")
    if "-" in words:
        assert code == 1
        assert is_one_line(err), err
        assert "it is closed" in err
        code, out, err = run(*words, "--json", stdin="closed")
        assert (code, err) == (1, "")
        assert is_one_object(out)
    else:
        assert code in (DOCTOR_EXITS if name == "doctor" else (0,))
        assert (bool(out), err) == (True, "")


@pytest.mark.parametrize("name", FILE[:4] + FILE[-2:])
def test_an_interrupted_command_says_so(run: Run, place: Path, name: str) -> None:
    """Control-C in the midst of its work: one plain line, exit 1; with JSON one object."""
    pipe = place / "pipe"
    os.mkfifo(pipe)
    for json_word in ("", "--json") if not name.startswith("run") else ("",):
        # Opening it to write waits until the program has opened it to read.
        with run.start(*f"{name} {pipe} {json_word}".split()) as process, pipe.open("wb"):
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert process.returncode == 1
        if json_word:
            assert err == b""
            assert is_one_object(out.decode())
        else:
            assert (out, err) == (b"", b"error: interrupted\n")


def test_an_interrupted_stream_keeps_its_answers(run: Run) -> None:
    """Control-C while lines are awaited: the answers given stand, the error's object is the last line."""
    with run.start("score", "-", "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HAND.encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["total"] == 10
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, err) == (1, b"")
    assert is_one_object(out.decode())


WRONG_FILES = [
    *(f"{words} {what}" for words in FILE for what in ("FOLDER", "UNREADABLE", "MISSING", "FILE/UNDER")),
    "template --paper none --out FOLDER.svg",
    "template --out MISSING/board.svg",
    "template --out FILE/board.svg",
    "press # --png FILE",
    "press # --png FILE/UNDER",
    "games --state FILE",
    "games --import FOLDER --state STATE",
    "games --import UNREADABLE --state STATE",
    "games --import - --state FILE",
    "games 1 --state FILE",
    "games --state FULL_OF_FOLDERS",
    "doctor --root FILE",
    "doctor --root MISSING",
]


@pytest.mark.parametrize("as_json", [False, True], ids=["words", "json"])
@pytest.mark.parametrize("words", WRONG_FILES)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, words: str, as_json: bool) -> None:
    """A folder where a file is wanted, the reverse, a missing or an unreadable one: one answer, exit 1 or 2."""
    for folder in ("FOLDER", "FOLDER.svg", f"FULL_OF_FOLDERS/{NAME}"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "FILE").write_text("a file\n")
    (tmp_path / "UNREADABLE").symlink_to("/proc/self/mem")  # whoever reads it gets an error, root too
    paths = ("FOLDER", "FILE", "UNREADABLE", "MISSING", "FULL_OF_FOLDERS", "STATE")
    told = [str(tmp_path / word) if word.startswith(paths) else word for word in words.split()]
    result = CliRunner().invoke(cli, [*told, *(["--json"] if as_json else [])], prog_name="muggins")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (1, 2)
    if words.startswith("doctor --config"):  # one of its checks
        assert result.stderr == ""
        return
    if as_json:
        assert result.stderr == ""
        assert is_one_object(result.stdout)
    else:
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")
        assert "Errno" not in result.stderr


FAULTY = """
import sys
from firmware import score_command
def broken(*words, **how):
    return {}["nothing"]
score_command.count = broken
from firmware.cli import main
sys.argv = ["muggins", "score", "5H", *sys.argv[1:]]
main()
"""


def test_a_fault_of_our_own_is_one_line_that_finds_it() -> None:
    """Even what we did wrong is no traceback: one line with the error and the way to it, exit 1; JSON too."""

    def ends(*words: str) -> tuple[int, str, str]:
        done = subprocess.run([sys.executable, "-c", FAULTY, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    code, out, err = ends()
    assert (code, out) == (1, "")
    assert is_one_line(err), err
    assert "KeyError: 'nothing' at <string>:5 < score_command.py:" in err
    code, out, err = ends("--json")
    assert (code, err) == (1, "")
    assert is_one_object(out)


def test_the_board_plays_on_where_its_words_go_nowhere(run: Run, place: Path) -> None:
    """`run` whose address and log nothing takes still comes up, serves its page, and ends when told to."""
    words = ["run", "--port", "0", "--state", "state"]
    with open("/dev/full", "wb") as full:
        with run.start(*words, stdout=full) as process:
            assert process.stderr is not None
            assert b"http://127.0.0.1:" in process.stderr.readline()
            process.terminate()
            process.communicate()
        assert process.returncode == 0
        (place / "away.toml").write_text('[parts]\nnumpad = "usb"\n')
        with run.start(*words, "--config", "away.toml", stderr=full) as process:
            assert process.stdout is not None
            assert process.stdout.readline().startswith(b"http://127.0.0.1:")
            process.terminate()
            process.communicate()
        assert process.returncode == 0


def test_every_command_is_tried() -> None:
    """No command is left out of these tests."""
    named = {words[0] for words, _ in ANSWERED.values()} | {words.split()[0] for words in FILE}
    assert set(COMMANDS) <= named
