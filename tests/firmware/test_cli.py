"""The program's own answers: unknown words, help, version; never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from firmware.cli import COMMANDS, cli


def run(*words: str) -> Result:
    """The program with these words; anything but a proper exit fails the test."""
    result = CliRunner().invoke(cli, words, prog_name="muggins")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


WRONG = [
    ["frobnicate"],
    ["--frobnicate"],
    *[[name, "--frobnicate"] for name in COMMANDS],
    ["press"],
    ["press", "#", "more"],
    ["press", "#", "--config"],
    ["run", "--port", "many"],
    ["games", "one"],
    ["games", "-1"],
    ["games", "1", "2"],
    ["score"],
]


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_what_is_not_understood_ends_with_2_in_words(words: list[str]) -> None:
    """A command, an option or a number of words that is not understood: a line on standard error, exit 2."""
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("words", [words for words in WRONG if words != ["press", "#", "--config"]], ids=" ".join)
def test_what_is_not_understood_is_one_object_under_json(words: list[str]) -> None:
    """With JSON the same is one object on one line, exit 2, and nothing on standard error."""
    result = run(*words, "--json")
    assert (result.exit_code, result.stderr, result.stdout.count("\n")) == (2, "", 1)
    found = json.loads(result.stdout)
    assert found["error"] if "error" in found else found["event"] == "error"


def test_near_commands_are_named() -> None:
    """An unknown command is answered with those there are."""
    assert all(name in run("frobnicate").stderr for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    """Every command tells how it is used."""
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: muggins {name}")


def test_help_lists_every_command() -> None:
    """The program's help lists every command with a line of what it does."""
    result = run("--help")
    assert result.exit_code == 0
    for name, (_, _, line) in COMMANDS.items():
        assert f"  {name} " in result.stdout
        assert line in result.stdout


def test_version() -> None:
    """``--version`` tells the name and the version."""
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.split()[0] == "muggins"


def test_module_is_the_program() -> None:
    """``python -m firmware`` is ``muggins``, and its error ends without a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "frobnicate", "--json"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert "frobnicate" in json.loads(done.stdout)["error"]
