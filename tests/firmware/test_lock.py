"""One service for each state folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.lock import FolderInUse, StateLock

HOLDER = """
import pathlib, sys
from firmware.lock import StateLock
lock = StateLock(pathlib.Path(sys.argv[1]))
print(lock.held, flush=True)
input()
"""


def test_a_second_service_is_told_which_process_has_the_folder(tmp_path: Path) -> None:
    """A folder held by another process is refused, naming that process; when it is killed the folder is free."""
    line = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with pytest.raises(FolderInUse, match=f"process {other.pid}") as refused:
            StateLock(tmp_path)
        assert refused.value.pid == other.pid
        other.kill()
        other.wait()
    with StateLock(tmp_path) as lock:
        assert lock.held


def test_a_lock_given_back_can_be_taken(tmp_path: Path) -> None:
    """Closed, also twice, the folder is free; held, not even the same process takes it again."""
    lock = StateLock(tmp_path / "new")
    with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
        StateLock(tmp_path / "new")
    lock.close()
    lock.close()
    assert not lock.held
    StateLock(tmp_path / "new").close()


def test_a_shorter_number_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    """The file holds the number of the process that holds it, and nothing of the one before."""
    (tmp_path / "lock").write_text("99999999999\n")
    with StateLock(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_two_folders_have_two_services(tmp_path: Path) -> None:
    """The lock is of the folder, not of the machine."""
    with StateLock(tmp_path / "one") as one, StateLock(tmp_path / "two") as two:
        assert one.held
        assert two.held


def test_a_folder_that_cannot_be_written_is_not_held(tmp_path: Path) -> None:
    """Where no file can be made nothing is locked, and nothing is raised: the service goes on in memory."""
    (tmp_path / "file").write_text("")
    assert not StateLock(tmp_path / "file" / "state").held


def test_a_folder_is_held_as_soon_as_it_can_be_made(tmp_path: Path) -> None:
    """What could not be locked at the start is locked before anything is written there, or not written."""
    (tmp_path / "file").write_text("")
    late, later = (StateLock(tmp_path / "file" / "state") for _ in range(2))
    with pytest.raises(OSError, match="Not a directory"):
        late.take()
    (tmp_path / "file").unlink()
    late.take()
    late.take()
    assert late.held
    with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
        later.take()
    late.close()
    later.take()
    assert later.held
    later.close()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_lies_in_the_locks_place_is_set_aside(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe or a folder by the lock's name keeps nobody from holding the folder, and is kept under another name."""
    make(tmp_path / "lock")
    with StateLock(tmp_path) as lock:
        assert lock.held
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "lock-odd"]
