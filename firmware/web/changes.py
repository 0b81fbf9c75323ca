"""Telling any number of readers that something has changed, without ever waiting for one of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


class Changes:
    """A notice board for one event loop: ``note`` what has changed, and every ``watch`` hears of it.

    A reader that is slow finds each name once, however often it was noted meanwhile, so nothing piles up.
    """

    def __init__(self) -> None:
        self._readers: set[_Reader] = set()
        self._closed = False

    def note(self, *names: str) -> None:
        """Say that these have changed. Call it in the loop's thread; it returns at once."""
        for reader in self._readers:
            reader.names.update(dict.fromkeys(names))
            reader.wake.set()

    def close(self) -> None:
        """End every watch, now and later; harmless twice."""
        self._closed = True
        self.note()

    async def watch(self) -> AsyncIterator[str]:
        """Yield the names noted from now on, in the order in which they were first noted."""
        reader = _Reader()
        self._readers.add(reader)
        try:
            while not self._closed:
                while reader.names:
                    name = next(iter(reader.names))
                    del reader.names[name]
                    yield name
                reader.wake.clear()
                if not self._closed:
                    await reader.wake.wait()
        finally:
            self._readers.discard(reader)


class _Reader:
    """What one watch has yet to be told."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.wake = asyncio.Event()
