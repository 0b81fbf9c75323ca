"""One thread a part, with a slot for one frame: the newest wins, and a slow part never holds up the board."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

HAND_OVER_S: Final = 0.0005
"""For ``sys.setswitchinterval`` in the program: a writer that has a frame waits no longer for a thread that draws or
answers the page. By the interpreter's own 5 ms a light would wait until a slow machine has drawn its screen."""


class Writer(Generic[T]):
    """Hands what is offered to ``write`` on a thread of its own. A frame not yet begun is replaced by a newer one.

    ``done`` is called on that thread after each frame, with None or the error that ``write`` raised; an error ends
    nothing, the next frame is tried.
    """

    def __init__(self, name: str, write: Callable[[T], None], done: Callable[[Exception | None], None]) -> None:
        self._write = write
        self._done = done
        self._slot: list[T] = []
        self._ready = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def offer(self, item: T) -> None:
        """Leave a frame to be written; one that is still waiting is dropped for it."""
        with self._ready:
            self._slot[:] = [item]
            self._ready.notify()

    def close(self, timeout_s: float = 2.0) -> None:
        """Write what still waits, then end the thread."""
        with self._ready:
            self._closing = True
            self._ready.notify()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._ready:
                while not self._slot and not self._closing:
                    self._ready.wait()
                if not self._slot:
                    return
                item = self._slot.pop()
            failure: Exception | None = None
            try:
                self._write(item)
            except Exception as error:  # a part must never end the game: it is reported, and the next frame is tried
                failure = error
            self._done(failure)
