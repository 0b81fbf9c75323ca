"""Ctrl-C: while the program is being read in it ends it in one line; later it ends a command in its own way.

An interrupt in the midst of an import could come out as anything, and as a traceback at the very start. So nothing is
imported here that takes time.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

_Handler = Callable[[int, FrameType | None], object]


def leave_at_once(number: int, frame: FrameType | None) -> NoReturn:
    """End the process with the line that every interrupted command ends with: nothing is under way yet, or any more."""
    where, line = (1, b'{"error": "interrupted"}\n') if "--json" in sys.argv else (2, b"error: interrupted\n")
    with suppress(OSError):
        os.write(where, line)
    os._exit(1)


def leave_quietly() -> None:
    """From here on an interrupt ends the process at once, unless this process is to know of none."""
    _turn(signal.default_int_handler, leave_at_once)


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it an interrupt is KeyboardInterrupt: for a command that has begun something and must end it."""
    turned = _turn(leave_at_once, signal.default_int_handler)
    try:
        yield
    finally:
        if turned:
            _turn(signal.default_int_handler, leave_at_once)


def _turn(was: _Handler, then: _Handler) -> bool:
    """Have interrupts go to ``then``, if they go to ``was`` now; whether they do."""
    if signal.getsignal(signal.SIGINT) is not was:
        return False
    with suppress(ValueError):  # not in the main thread: then it is somebody else's program
        signal.signal(signal.SIGINT, then)
        return True
    return False
