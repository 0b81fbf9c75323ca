"""Ctrl-C at any import of the start ends every command in one line and with 1, never with a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

INTERRUPTED = """
import os, signal, sys
at, begun = int(sys.argv.pop(1)), 0
def hook(event, told):
    global begun
    begun += event == "import"
    if event == "import" and begun == at:
        os.kill(os.getpid(), signal.SIGINT)
from firmware.start import main
sys.addaudithook(hook)
main()
"""


def interrupted(at: int, *words: str) -> subprocess.CompletedProcess[str]:
    """The program with these words, interrupted as it begins to import its module of that number."""
    line = [sys.executable, "-c", INTERRUPTED, str(at), *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("at", [1, 2, 20, 60, 100, 200, 300, 400, 450])
def test_a_start_that_is_interrupted_says_so_in_one_line(tmp_path: Path, at: int) -> None:
    """However far the service has been read in, Ctrl-C ends it with the line that ends every interrupted command."""
    done = interrupted(at, "run", "--no-page", "--state", str(tmp_path / "state"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: interrupted\n")
    assert not (tmp_path / "state" / "journal.db").exists()


@pytest.mark.parametrize("words", [["score", "4S", "3D", "4C", "5C", "--starter", "QS"], ["press", "#"], ["games"]])
@pytest.mark.parametrize("at", [1, 20, 40, 60])
def test_every_command_is_interrupted_in_one_line(words: list[str], at: int) -> None:
    """The same for the others; under ``--json`` it is an object."""
    done = interrupted(at, *words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: interrupted\n")
    done = interrupted(at, *words, "--json")
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (1, {"error": "interrupted"}, "")
