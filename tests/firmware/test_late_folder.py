"""A state folder that can only be made later: whoever writes there holds it, and nobody's acts are lost unsaid."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from firmware.board import Board
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.lock import StateLock
from firmware.phones import Phones
from firmware.settings import Settings


class Muggins:
    """A board started on that folder as the service starts it."""

    def __init__(self, folder: Path) -> None:
        self.lock = StateLock(folder)
        self.journal = open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC), take=self.lock.take)
        self.board = Board(
            self.journal, Settings(names=("Ann", "Bob"), entry="points"), phones=Phones(folder, take=self.lock.take)
        )

    def press(self, keys: str) -> None:
        """Press these keys."""
        for key in split_keys(keys):
            self.board.press(key, 1.0)

    @property
    def scores(self) -> tuple[int, ...]:
        """What stands."""
        assert self.board.state is not None
        return self.board.state.scores

    def end(self) -> None:
        """As the service ends."""
        self.journal.close()
        self.lock.close()


@pytest.fixture
def late(quick_folder: Path) -> tuple[Path, Callable[[], None]]:
    """A state folder that cannot be made yet, and what lets it be made."""
    (quick_folder / "disk").write_text("not mounted")
    return quick_folder / "disk" / "state", (quick_folder / "disk").unlink


def test_who_saves_late_holds_the_folder(late: Any) -> None:
    """Who saves once the folder can be made has it to itself: another is told whose it is, and saves nothing."""
    folder, mount = late
    first, second = Muggins(folder), Muggins(folder)
    first.press("* # 1# # 5A")
    second.press("* # 1# # 3B")
    assert not first.journal.saved
    mount()
    first.board.retry_saving()
    second.board.retry_saving()
    assert first.journal.saved
    assert not second.journal.saved
    assert "Another muggins" in second.journal.trouble
    assert f"process {os.getpid()}" in second.journal.trouble
    first.press("2A")
    assert first.journal.saved
    assert first.scores == (7, 0)
    first.end()
    again = Muggins(folder)
    assert again.scores == (7, 0)
    again.end()
    second.end()


def test_acts_played_beside_another_board_are_never_called_saved(late: Any) -> None:
    """Where another board has saved a game meanwhile and is gone, what was only in memory is still NOT SAVED."""
    folder, mount = late
    first, second = Muggins(folder), Muggins(folder)
    first.press("* # 1# # 5A")
    second.press("* # 1# # 3B")
    mount()
    first.board.retry_saving()
    first.end()
    second.board.retry_saving()
    assert not second.journal.saved
    assert "Another muggins has played" in second.journal.trouble
    assert second.scores == (0, 3)
    second.end()


def test_phones_are_not_written_beside_another_board(late: Any) -> None:
    """A board that does not hold the folder leaves the register of the one that does alone."""
    folder, mount = late
    second = Muggins(folder)
    mount()
    first = Muggins(folder)
    kept = first.board.phones.add(0)
    gone = second.board.phones.add(1)
    second.board.phones.remove(gone.id)
    assert "Another muggins" in second.board.phones.trouble
    first.end()
    assert Phones(folder).paired == (kept,)
    second.end()
