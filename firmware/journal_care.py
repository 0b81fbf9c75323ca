"""What a running service does for its journal beside writing it: the whole check, and saying what is not saved."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from firmware.faults import Faults
from firmware.journal import SafeJournal
from firmware.view import Noticed


class JournalCare:
    """Watches over a journal. ``log`` takes a line for whatever begins or ends."""

    def __init__(self, journal: SafeJournal, faults: Faults, log: Callable[[str], None]) -> None:
        self._journal = journal
        self._faults = faults
        self._log = log
        self._saved = True
        self._leave_off = threading.Event()
        self._over = False
        self.work: asyncio.Future[str] | None = None
        """The whole check while it goes on, in a thread of its own."""

    def begin(self) -> None:
        """Start the whole check: opening the journal has looked only at what was needed. To be called in the loop."""
        if self._over:
            return
        self.work = asyncio.ensure_future(asyncio.to_thread(self._journal.verify, self._leave_off))
        self.work.add_done_callback(self._verified)

    def leave_off(self) -> None:
        """End the check soon: the service stops."""
        self._over = True
        self._leave_off.set()

    async def pause(self) -> None:
        """End the check, and wait for its end: the file is to be written anew. ``begin`` starts it again."""
        self._leave_off.set()
        if self.work is not None:
            await asyncio.wait([self.work])
        if not self._over:
            self._leave_off = threading.Event()

    def look(self) -> None:
        """Log when saving begins to fail, and when all is saved again; the board itself shows it."""
        saved = self._journal.saved
        if saved != self._saved:
            self._saved = saved
            self._log("journal: saved again" if saved else f"journal: NOT SAVED. {self._journal.trouble}")

    def parts(self) -> list[dict[str, str]]:
        """A line among the parts for the page, while not everything is saved: what would be lost."""
        if self._journal.saved:
            return []
        lost = f"{_acts(self._journal.unsaved)} would be lost if the power failed now"
        return [{"name": "journal", "state": "missing", "say": f"NOT SAVED: {lost}. {self._journal.trouble}"}]

    def close(self) -> None:
        """Let the journal go; logs what could not be saved to the very end."""
        unsaved = self._journal.unsaved
        self._journal.close()
        if not self._journal.saved:
            self._log(f"journal: NOT SAVED: {_acts(unsaved)} lost. {self._journal.trouble}")

    def _verified(self, done: asyncio.Future[str]) -> None:
        """Back in the loop: what is wrong with the rows of earlier matches, if anything is."""
        self.work = None
        why = "" if done.cancelled() else done.result()
        if not why or self._leave_off.is_set():
            return
        self._journal.mend(why)
        for note in self._journal.notes[-1:]:
            self._log(f"journal: {note}")
            self._faults.notice(Noticed.FAULT, note)


def _acts(number: int) -> str:
    return "1 act" if number == 1 else f"{number} acts"
