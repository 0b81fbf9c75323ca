"""Installing, running, upgrading and uninstalling in a bare Debian."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("debootstrap_test.sh")


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_a_bare_debian_takes_it_runs_it_and_gives_it_up(suite: str) -> None:
    """In a bare Debian of that name it is installed, played, upgraded with its games and uninstalled without them."""
    if shutil.which("debootstrap") is None and not Path("/usr/sbin/debootstrap").exists():
        pytest.skip("needs debootstrap")
    if os.geteuid() != 0:
        pytest.skip("needs root, for debootstrap")
    done = subprocess.run([str(SCRIPT), suite], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all well\n")
