"""The page's work, a piece at a time, so that the keys never wait for it.

The service has one loop for everything. Whatever the network asks of it waits here for its turn: one piece, then a rest
as long as the loop's turn took, in which keys, lights and screen go on. Each address has its turn after the others', so
that one that asks a thousand times makes only itself wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable


class Pace:
    """A fair queue for one event loop. ``clock`` is seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lines: dict[str, deque[Callable[[], None]]] = {}
        self._began = 0.0
        self._awake = False

    def add(self, whose: str, work: Callable[[], None]) -> None:
        """Have a piece of work done when it is the turn of whoever it is for. Call it in the loop's thread."""
        line = self._lines.get(whose)
        if line is None:
            line = self._lines[whose] = deque()
        line.append(work)
        if not self._awake:
            self._awake = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        if not self._lines:
            self._awake = False
            return
        whose = next(iter(self._lines))
        line = self._lines.pop(whose)
        work = line.popleft()
        if line:
            self._lines[whose] = line  # behind all others
        self._began = self._clock()
        loop = asyncio.get_running_loop()
        try:
            work()
        finally:
            # What the work began, an answer say, is in the loop's next turn: the rest is counted after it.
            loop.call_soon(self._rest)

    def _rest(self) -> None:
        asyncio.get_running_loop().call_later(self._clock() - self._began, self._next)
