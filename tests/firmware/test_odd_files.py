"""Whatever lies in the state folder under a name of ours: the program starts, sets it aside, says so and saves."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.journal import Journal, JournalError, open_journal
from firmware.odd_files import is_odd, read_plain, set_aside

NOW = datetime(2026, 3, 1, tzinfo=UTC)
JOURNAL = [
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "journal.db-journal",
    "journal.db.new",
    "journal.db.new-wal",
]
ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "device": lambda path: os.symlink("/dev/zero", path),
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
@pytest.mark.parametrize("begun", [False, True], ids=["first start", "games kept"])
@pytest.mark.parametrize("name", JOURNAL)
def test_what_is_no_file_is_set_aside_and_games_are_saved(
    quick_folder: Path, name: str, begun: bool, make: Callable[[Path], None]
) -> None:
    """No pipe is waited for and no device read: it gets another name, that is told, and what is set is kept."""
    if begun:
        journal = open_journal(quick_folder, now=lambda: NOW)
        journal.set_setting("kept", 1)
        journal.close()
    path = quick_folder / name
    path.unlink(missing_ok=True)
    make(path)
    journal = open_journal(quick_folder, now=lambda: NOW)
    assert journal.saved
    assert f"{name} was no plain file: it is kept as {name}-odd." in journal.notes
    assert journal.setting("kept") == (1 if begun and name != "journal.db" else None)
    journal.set_setting("new", 2)
    journal.close()
    again = open_journal(quick_folder, now=lambda: NOW)
    assert again.notes == ()
    assert again.setting("new") == 2
    again.close()
    assert os.path.lexists(f"{path}-odd")


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", JOURNAL[:2])
def test_a_command_beside_says_what_is_no_file(quick_folder: Path, name: str, make: Callable[[Path], None]) -> None:
    """Reading the history changes nothing and waits for nothing: it says what is in the way."""
    open_journal(quick_folder, now=lambda: NOW).close()
    (quick_folder / name).unlink(missing_ok=True)
    make(quick_folder / name)
    with pytest.raises(JournalError, match=f"{name} is no plain file"):
        Journal.look(quick_folder, now=lambda: NOW)
    assert is_odd(quick_folder / name)


def test_a_huge_file_in_the_journals_place_is_set_aside(quick_folder: Path) -> None:
    """A file far larger than any journal is kept under another name, and does not fill the memory."""
    with (quick_folder / "journal.db").open("wb") as file:
        file.truncate(1 << 40)
    journal = open_journal(quick_folder, now=lambda: NOW)
    assert journal.saved
    assert "damaged" in journal.notes[0]
    journal.close()


def test_a_folder_that_is_called_carried_takes_no_journals_place(quick_folder: Path) -> None:
    """Only a file that was made for it is put in the journal's place."""
    journal = open_journal(quick_folder, now=lambda: NOW)
    journal.set_setting("kept", 1)
    journal.close()
    (quick_folder / "journal-damaged-1.carried").mkdir()
    again = open_journal(quick_folder, now=lambda: NOW)
    assert (again.saved, again.setting("kept")) == (True, 1)
    again.close()


def test_plain_files_stay_where_they_are(tmp_path: Path) -> None:
    """A file, a link to one, and nothing at all are no oddity; a second oddity gets a second name."""
    (tmp_path / "file").write_text("a")
    (tmp_path / "link").symlink_to("file")
    assert [set_aside(tmp_path / name) for name in ("file", "link", "none")] == [None, None, None]
    assert read_plain(tmp_path / "link", 1)[0] == b"a"
    with pytest.raises(ValueError, match="longer"):
        read_plain(tmp_path / "file", 0)
    found = []
    for _ in range(3):
        (tmp_path / "x").mkdir()
        found.append(set_aside(tmp_path / "x"))
    assert found == [tmp_path / "x-odd", tmp_path / "x-odd1", tmp_path / "x-odd2"]
