"""One service for each state folder: a lock that the system itself gives back when its holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from firmware.odd_files import set_aside

NAME: Final = "lock"


class FolderInUse(RuntimeError):
    """Another service has the folder; the message names its process. ``pid`` is None when it could not be read."""

    def __init__(self, folder: Path, pid: int | None) -> None:
        who = f"process {pid}" if pid else "its number is not known"
        super().__init__(
            f"Another muggins is already running with the state folder {folder} ({who}): "
            "use that one, stop it, or give this one another folder."
        )
        self.pid = pid


class StateLock:
    """Holds the folder until ``close``, the end of a ``with``, or the end of the process.

    Raises FolderInUse, naming the other's process, while another holds it. A folder that cannot be written is not
    held (``held`` is False), and is to be taken before anything is written there after all.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle = -1
        with suppress(OSError):
            self.take()

    def take(self) -> None:
        """Hold the folder, if it is not held already. Raises FolderInUse, or OSError where it cannot be written."""
        if self.held:
            return
        path = self._folder / NAME
        self._folder.mkdir(parents=True, exist_ok=True)
        set_aside(path)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            number = os.pread(handle, 20, 0).strip()
            os.close(handle)
            raise FolderInUse(self._folder, int(number) if number.isdigit() else None) from error
        self._handle = handle
        os.ftruncate(handle, 0)
        os.pwrite(handle, b"%d\n" % os.getpid(), 0)

    @property
    def held(self) -> bool:
        """Whether the folder is this process's own."""
        return self._handle >= 0

    def close(self) -> None:
        """Give the folder back; harmless twice. The file stays: a removed one could be locked twice."""
        if self.held:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
