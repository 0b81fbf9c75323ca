"""Telling the service manager how it goes: one datagram a message to the socket that it names, and none without one."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Final

PETS: Final = 4
"""How often within the watchdog's time it is petted: a few lost or late ones end nothing."""


class Notifier:
    """Says READY=1 and the like to ``NOTIFY_SOCKET``, a path or (with a leading @) an abstract name.

    ``pet_s`` is how often the watchdog wants to be petted, in seconds; None where it does not watch this process.
    Nothing raises: a manager that does not listen must not end a game.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        name = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name
        self._status = ""
        self._petted: float | None = None
        self.pet_s = _pet_s(environ) if name else None

    def send(self, *lines: str) -> None:
        """Send assignments such as ``READY=1`` in one message."""
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.setblocking(False)
            sock.sendto("\n".join(lines).encode("utf-8", "replace"), self._address)

    def status(self, text: str) -> None:
        """One line for whoever asks how the service is; sent when it is another one."""
        line = " ".join(text.split())
        if line != self._status:
            self._status = line
            self.send(f"STATUS={line}")

    def pet(self, now: float) -> None:
        """Tell the watchdog at ``now`` (seconds, monotonic) that a tick was done; as often as it wants, no oftener."""
        if self.pet_s is None or (self._petted is not None and now - self._petted < self.pet_s):
            return
        self._petted = now
        self.send("WATCHDOG=1")


def _pet_s(environ: Mapping[str, str]) -> float | None:
    """Seconds from one petting to the next, where the watchdog is on and means this process."""
    try:
        time_us = int(environ.get("WATCHDOG_USEC", "0"))
        meant = int(environ.get("WATCHDOG_PID") or os.getpid()) == os.getpid()
    except ValueError:
        return None
    return time_us / 1_000_000 / PETS if meant and time_us > 0 else None
