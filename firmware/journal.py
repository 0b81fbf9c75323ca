"""The journal: every accepted act, on the disk before it is shown; on in memory while the disk fails, caught up after.

The rule of the board: decide, append, apply. The first ``append`` that fails raises JournalError: the board shows
NOT SAVED and does not apply; the state is as it was. From then on ``saved`` is False and every ``append`` is taken in
memory, and tried on the disk together with all before it, in order, in one transaction; ``retry`` (from a tick, say)
tries without an act. As soon as that works ``saved`` is True again and nothing is missing.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from engine.events import Event
from firmware.journal_file import NAME, trouble, verify
from firmware.journal_games import GameSummary
from firmware.journal_remove import Stretch
from firmware.journal_rows import Act, JournalError, Row
from firmware.journal_store import Journal, MemoryJournal
from firmware.lock import FolderInUse

UNREAD: Final = 1_700_000_000
"""Acts are numbered from here on at least, or from the seconds of the wall clock, where the file cannot be read."""

__all__ = ["Act", "GameSummary", "Journal", "JournalError", "MemoryJournal", "Row", "SafeJournal", "open_journal"]


def open_journal(folder: Path, *, now: Callable[[], datetime], take: Callable[[], None] = lambda: None) -> SafeJournal:
    """The folder's journal, come what may: in memory (``saved`` False, a note says why) when it cannot be written.

    What could only be read is known all the same. Raises nothing for a bad disk, folder or file. It is opened without
    checking the rows of earlier matches, so that a long history keeps nobody waiting: ``verify`` does that, later.
    ``take`` holds the folder for us before its file is opened, now or later: it raises FolderInUse or OSError where
    that cannot be.
    """

    def opened(*, whole: bool = True) -> Journal:
        try:
            take()
        except FolderInUse as error:
            raise JournalError(str(error), reopen=True) from error
        except OSError as error:
            raise trouble(error, "opened") from error
        return Journal.open(folder, now=now, whole=whole)

    return SafeJournal(opened, folder, now, lambda: opened(whole=False))


class SafeJournal:
    """The interface of ``Journal``; see this module for what ``append`` does when the disk fails."""

    def __init__(
        self,
        opener: Callable[[], Journal],
        folder: Path,
        now: Callable[[], datetime],
        first: Callable[[], Journal] | None = None,
    ) -> None:
        """``first`` opens it this time, ``opener`` whenever there was reason to doubt it."""
        self._opener = opener
        self._folder = folder
        self._now = now
        self._file: Journal | None = None
        self._memory: MemoryJournal | None = None
        self._settings: dict[str, Any] = {}
        self._closed = False
        self._file_holds = 1
        self._ever = True
        self.trouble = ""
        """Why the last write failed, for the person; empty while all is well."""
        self.notes: tuple[str, ...] = ()
        """Plain sentences for the person about what was found at opening, or since."""
        try:
            self._file = (first or opener)()
            self.notes = self._file.notes
        except JournalError as error:
            self._memory = _readable(folder, now)
            self._ever = False
            self._file_holds = self._memory.next_number
            self.trouble = str(error)
            self.notes = (f"{error} What is played now is NOT SAVED until it can be.",)

    @property
    def saved(self) -> bool:
        """Whether everything accepted so far is on the disk, and the disk was well when last asked."""
        return self._memory is None

    @property
    def unsaved(self) -> int:
        """How many acts would be lost if the power failed now."""
        if self._memory is None:
            return 0
        known = self._file_holds if self._file is None else self._file.next_number
        return self._memory.count_from(known)

    def verify(self, stop: threading.Event) -> str:
        """Check every row of the file, slowly, in a thread of its own; says what is wrong, for ``mend``, or nothing."""
        return verify(self._folder / NAME, stop)

    def mend(self, why: str) -> bool:
        """Set a file that ``verify`` found damaged aside, with what can be read carried over; gives ``saved``."""
        if self._memory is None:
            self._fall_back(JournalError(f"The journal is damaged ({why}).", reopen=True))
        return self.retry()

    @property
    def next_number(self) -> int:
        """The number for the next act."""
        return self._used.next_number

    def append(self, number: int, act: Act, at: datetime | None = None) -> None:
        """Have an act on the disk, or, once a failure has been told, in memory.

        Raises JournalError on the first failure only, while ``saved`` was True: that act is not accepted.
        """
        if self._memory is None:
            try:
                self._used.append(number, act, at)
            except JournalError as error:
                self._fall_back(error)
                raise
            return
        self._memory.append(number, act, at)
        self.retry()

    def retry(self) -> bool:
        """Try to have on the disk what is only in memory; gives ``saved``."""
        if self._memory is None:
            return True
        try:
            self._catch_up(self._memory)
        except JournalError as error:
            self.trouble = str(error)
            return False
        self._memory.close()
        self._memory, self._settings, self.trouble = None, {}, ""
        return True

    def load(self) -> list[tuple[int, Act]]:
        """As ``Journal.load``, what is only in memory included."""
        return self._used.load()

    def load_earlier(self, before: int) -> list[tuple[int, Act]]:
        """As ``Journal.load_earlier``, what is only in memory included; empty, with a note, where it cannot be read."""
        try:
            return self._used.load_earlier(before)
        except JournalError as error:
            self.notes += (f"{error} What was played before act {before} cannot be undone now.",)
            return []

    def setting(self, name: str) -> Any:
        """As ``Journal.setting``; None too when the file cannot be read."""
        try:
            return self._used.setting(name)
        except JournalError:
            return None

    def set_setting(self, name: str, value: Any) -> None:
        """Keep a JSON value, in memory if need be: ``saved`` is then False. Raises nothing for a bad disk."""
        if self._memory is None:
            try:
                self._used.set_setting(name, value)
            except JournalError as error:
                self._fall_back(error)
            else:
                return
        self._settings[name] = value
        self._used.set_setting(name, value)

    def games(self) -> list[GameSummary]:
        """As ``Journal.games``, what is only in memory included."""
        return self._used.games()

    def events_of(self, game: int) -> list[Event]:
        """As ``Journal.events_of``, what is only in memory included."""
        return self._used.events_of(game)

    def match_of(self, game: int) -> dict[int, list[Event]]:
        """As ``Journal.match_of``, what is only in memory included."""
        return self._used.match_of(game)

    def records(self) -> dict[int, tuple[str, str]]:
        """As ``Journal.records``."""
        return self._used.records()

    def bad_records(self) -> list[int]:
        """As ``Journal.bad_records``."""
        return self._used.bad_records()

    @property
    def removed(self) -> bool:
        """As ``Journal.removed``."""
        return self._used.removed

    def stretch_of(self, game: int) -> Stretch:
        """As ``Journal.stretch_of``."""
        return self._used.stretch_of(game)

    def remove(self, stretch: Stretch) -> None:
        """As ``Journal.remove``. Raises JournalError, too, while not everything is saved."""
        self._well().remove(stretch)

    def drop(self, record: int) -> None:
        """As ``Journal.drop``. Raises JournalError, too, while not everything is saved."""
        self._well().drop(record)

    def keep(self, texts: Iterable[str]) -> list[int]:
        """As ``Journal.keep``. Raises JournalError, too, while not everything is saved."""
        return self._well().keep(texts)

    def scrub(self) -> None:
        """As ``Journal.scrub``."""
        self._well().scrub()

    def look(self) -> Journal:
        """The file, for another thread to read by a connection of its own. Raises JournalError as ``Journal.look``."""
        return Journal.look(self._folder, now=self._now, whole=False)

    def set_aside(self) -> list[str]:
        """The files of damaged journals that were once set aside, by name."""
        return sorted(path.name for path in self._folder.glob("journal-*.db*"))

    def _well(self) -> Journal:
        """The file, while it can be written."""
        if self._memory is not None or self._file is None:
            raise JournalError(f"The games are NOT SAVED now, and none can be changed. {self.trouble}")
        return self._file

    def close(self) -> None:
        """Try once more to have everything on the disk, and let the file go; harmless twice."""
        if not self._closed:
            self.retry()
        self._closed = True
        for journal in (self._file, self._memory):
            if journal is not None:
                journal.close()

    @property
    def _used(self) -> Journal:
        if self._memory is not None:
            return self._memory
        assert self._file is not None
        return self._file

    def _fall_back(self, error: JournalError) -> None:
        """Go on in memory, with all that the file still tells."""
        assert self._file is not None
        self.trouble = str(error)
        memory = MemoryJournal(now=self._now, first_number=self._file.next_number)
        try:
            memory.copy(self._file)
        except JournalError:
            memory = MemoryJournal(now=self._now, first_number=self._file.next_number)
        self._memory = memory
        self._file_holds = self._file.next_number
        if error.reopen:
            self._file.close()
            self._file = None

    def _catch_up(self, memory: MemoryJournal) -> None:
        """Write what the file lacks. A file that is at fault itself is opened anew, which mends or replaces it."""
        if self._file is None:
            file = self._opener()
            if not self._ever and file.next_number > self._file_holds and memory.count_from(self._file_holds):
                file.close()  # what is numbered twice would be lost without a word
                raise JournalError("Another muggins has played with this state folder since: start this one anew.")
            self._file, self._ever = file, True
            self.notes += self._file.notes
        try:
            again = {"written again": self._now().isoformat(timespec="seconds")}  # so that there is always a write
            self._file.append_all(memory.acts_from(self._file.next_number), self._settings | again)
        except JournalError as error:
            if error.reopen:
                with suppress(JournalError):
                    self._file.close()
                self._file = None
            raise


def _readable(folder: Path, now: Callable[[], datetime]) -> MemoryJournal:
    """What can be read of a folder that cannot be written. Acts are numbered past all that could not be read."""
    memory = MemoryJournal(now=now)
    path = folder / NAME
    try:
        if not path.is_file():
            return memory
        with TemporaryDirectory() as name:
            for end in ("", "-wal"):
                if Path(f"{path}{end}").is_file():
                    shutil.copyfile(f"{path}{end}", Path(name) / f"{NAME}{end}")
            journal = Journal.open(Path(name), now=now)
            memory.copy(journal)
            journal.close()
    except (OSError, JournalError):
        # Past every number in the file, also by a clock that was never set: the file's own begin at 1.
        return MemoryJournal(now=now, first_number=max(UNREAD, int(now().timestamp())))
    return memory
