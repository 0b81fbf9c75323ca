"""Ctrl-C once a command is at work: it ends in its own way, with what it has begun."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from firmware.start import leave_at_once


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it an interrupt that would end the process at once is KeyboardInterrupt."""
    ours = signal.getsignal(signal.SIGINT) is leave_at_once
    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, leave_at_once)
