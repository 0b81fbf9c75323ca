"""``muggins config``: what is in force, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.config import Config, parse_config
from firmware.config_command import config
from firmware.config_schema import KEYS


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file of this machine is in force."""
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    monkeypatch.setenv("MUGGINS_CONFIG", str(empty))


def run(*words: str) -> Result:
    return CliRunner().invoke(config, list(words))


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "muggins.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_it_prints_what_is_in_force_as_a_file(tmp_path: Path) -> None:
    """The output names the file it came from, holds every key, and reads back as the same configuration."""
    text = "[strip]\nmax_ma = 777\n[table]\nnames = ['Zoë', 'Bob']\n"
    done = run("--config", written(tmp_path, text))
    assert done.exit_code == 0
    assert "muggins.toml" in done.stdout.splitlines()[0]
    assert parse_config(done.stdout.encode()) == parse_config(text.encode())
    assert [key.path for key in KEYS if f"\n{key.name} = " not in done.stdout] == []


def test_changed_prints_only_what_differs(tmp_path: Path) -> None:
    """With --changed only the keys that differ from the defaults are printed, and they read back as the same."""
    done = run("--changed", "--config", written(tmp_path, "[strip]\nmax_ma = 777\nskip_first = 0\n"))
    assert [line for line in done.stdout.splitlines() if line and line[0] != "#"] == ["[strip]", "max_ma = 777"]


def test_changed_says_when_nothing_differs() -> None:
    """Where nothing differs --changed says so, in a comment, and as JSON has no table."""
    done = run("--changed")
    assert "Nothing differs" in done.stdout
    assert parse_config(done.stdout.encode()) == Config()
    assert list(json.loads(run("--changed", "--json").stdout)) == ["file"]


def test_json_is_one_object_on_one_line(tmp_path: Path) -> None:
    """With --json the answer is one line: the file, and every table with its plain values."""
    path = written(tmp_path, "[screen]\naddress = 0x3d\n")
    done = run("--json", "--config", path)
    assert done.stdout.count("\n") == 1
    answer = json.loads(done.stdout)
    assert answer["file"] == path
    assert answer["screen"]["address"] == 0x3D
    assert answer["wiring"]["seats"] == [17, 27, 22, 23]


FAULTY = "[strip]\nlayuot = 1\n[board]\nblink = 1\n"


def test_a_faulty_file_is_told_in_words(tmp_path: Path) -> None:
    """A file that cannot be understood ends with 2 and every fault on standard error, none on standard output."""
    done = run("--config", written(tmp_path, FAULTY))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "did you mean strip.layout?" in done.stderr
    assert "board.blink" in done.stderr


def test_a_faulty_file_is_told_as_json(tmp_path: Path) -> None:
    """With --json the faults are a list of paths and messages in one object on one line; standard error is empty."""
    done = run("--json", "--config", written(tmp_path, FAULTY))
    assert done.exit_code == 2
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    answer = json.loads(done.stdout)
    assert sorted(answer) == ["error", "faults"]
    assert [one["path"] for one in answer["faults"]] == ["strip.layuot", "board.blink"]
    assert answer["faults"][1]["message"] == "found 1, expected true or false"


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_file_that_is_not_there_ends_with_1(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """A file that cannot be read ends with 1, in words on standard error or as an object on standard output."""
    done = run(*flags, "--config", str(tmp_path / "gone.toml"))
    assert done.exit_code == 1
    said = json.loads(done.stdout)["error"] if flags else done.stderr
    assert "there is no such file" in said
    assert (done.stderr if flags else done.stdout) == ""


def test_an_output_that_takes_no_accents_gets_escapes(tmp_path: Path) -> None:
    """Where the standard output cannot take a name's letters they are escaped, and read back as the same name."""
    path = written(tmp_path, "[table]\nnames = ['Zoë', 'Bob']\n")
    done = CliRunner(charset="ascii").invoke(config, ["--config", path])
    assert done.exit_code == 0
    assert parse_config(done.stdout.encode()).names == ("Zoë", "Bob")
    assert "Zo\\U000000EB" in done.stdout
