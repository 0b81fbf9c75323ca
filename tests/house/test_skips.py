"""How a run tells what it left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
SAMPLE = """
import pytest

def test_plain():
    pass

@pytest.mark.slow
def test_long():
    pass

@pytest.mark.wire("a_driver_that_is_nowhere")
def test_wire():
    pass

@pytest.mark.browser
def test_page():
    pass

@pytest.mark.speech
def test_voice():
    pass

@pytest.mark.xfail(strict=True)
def test_known_fault():
    assert False
"""
WHOLE_FILE = 'import pytest\n\npytest.importorskip("spidev_of_nowhere")\n'


class Run:
    """Runs the sample tests in a folder of their own, on a machine without Chromium or a voice."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copy(CONFTEST, folder / "conftest.py")
        (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    wire\n    browser\n    speech\n")
        (folder / "test_sample.py").write_text(SAMPLE)

    def __call__(self, *words: str, require_all: str) -> tuple[int, str]:
        line = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no", *words]
        env = {
            **os.environ,
            "REQUIRE_ALL": require_all,
            "PATH": str(self.folder),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        env.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(line, cwd=self.folder, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The sample run."""
    return Run(tmp_path)


def test_a_plain_run_passes_and_names_the_packages_that_are_missing(run: Run) -> None:
    """Without REQUIRE_ALL skips pass, and the end names each skipped test, its reason and Debian's packages for it."""
    code, text = run(require_all="")
    assert code == 0, text
    assert "1 passed, 3 skipped, 1 deselected, 1 xfailed" in text.splitlines()[-1]
    end = text[text.index("not run here") :]
    assert "test_sample.py::test_wire" in end
    assert "needs Chromium: 1 skipped" in end
    assert "apt install gcc python3-dev linux-libc-dev chromium espeak-ng" in end


def test_under_require_all_a_skip_is_a_failure(run: Run) -> None:
    """REQUIRE_ALL=1 fails each skipped test, but neither an expected failure nor a long job set aside."""
    code, text = run(require_all="1")
    assert code == 1, text
    assert "1 passed, 1 deselected, 1 xfailed, 3 errors" in text.splitlines()[-1]
    assert "each of these counts as a failure" in text


def test_under_require_all_a_skipped_file_is_a_failure(run: Run) -> None:
    """REQUIRE_ALL=1 fails a run in which a whole file was skipped while it was collected; without it the run passes."""
    (run.folder / "test_sample.py").write_text("def test_plain():\n    pass\n")
    (run.folder / "test_file.py").write_text(WHOLE_FILE)
    code, text = run(require_all="")
    assert code == 0, text
    assert "apt install gcc python3-dev linux-libc-dev" in text
    code, text = run(require_all="1")
    assert code == 1, text
    assert "each of these counts as a failure" in text


def test_all_brings_the_long_jobs(run: Run) -> None:
    """--all runs the long jobs too, and so does asking for them by their mark or name."""
    assert "2 passed, 3 skipped, 1 xfailed" in run("--all", require_all="")[1].splitlines()[-1]
    assert "1 passed in" in run("test_sample.py::test_long", require_all="")[1].splitlines()[-1]
    assert "1 passed, 5 deselected" in run("-m", "slow", require_all="")[1].splitlines()[-1]
