"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUNNABLE = ("score", "replay", "press", "config")
"""Commands that answer and end; the others wait for people."""


def shown() -> list[tuple[str, str]]:
    """Each ``$ muggins ...`` line of a console block, with the lines printed under it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, answer = part.partition("\n")
            words = line.split()
            if words[0] == "muggins" and len(words) > 1 and words[1] in RUNNABLE:
                found.append((line, answer))
    return found


def test_the_readmes_python_does_what_it_says() -> None:
    """Every Python example of the README gives the answer printed below it."""
    failed, _ = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize(("line", "answer"), shown() or [pytest.param("", "", id="none")])
def test_the_readmes_commands_answer_as_shown(line: str, answer: str) -> None:
    """Every score, replay, press and config command of the README prints what stands below it."""
    if not line:
        return
    assert not set("|<>&;") & set(shlex.split(line, comments=True)), "a README command is one plain command"
    words = [str(Path(sys.executable).with_name("muggins")), *shlex.split(line, comments=True)[1:]]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL)
    assert (done.stdout + done.stderr).strip() == answer.strip()
