"""Where connections come in: a few at a time, and never more at once than the page can bear."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from firmware.web.pace import Pace

AT_ONCE: Final = 4
"""So many are let in in one turn of the loop."""
AGAIN_S: Final = 0.05
"""When everybody inside is busy the next one waits outside for so long."""
HANDSHAKE_S: Final = 5.0
STALE_S: Final = 20
"""A peer that has acknowledged nothing for so many seconds is gone, such as a phone that has left the room."""
KERNEL_BYTES: Final = 65536
"""What the system may hold for one connection each way."""


class Guest(Protocol):
    """A connection as the door sees it."""

    address: str

    @property
    def idle(self) -> bool:
        """Whether nothing is being done for it: it has sent no whole request."""
        ...

    def drop(self) -> None:
        """End it at once."""
        ...


class Door:
    """Lets connections in while ``most`` at once are not exceeded.

    When the room is full, whoever comes takes the place of one that only waits: the longest waiting one of the address
    that holds the most. A request that is being answered is never cut off for another.
    """

    def __init__(
        self,
        sock: socket.socket,
        make: Callable[[], asyncio.Protocol],
        pace: Pace,
        most: int,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._sock = sock
        self._make = make
        self._pace = pace
        self._most = most
        self._tls = tls
        self._guests: dict[Guest, None] = {}
        self._coming: dict[asyncio.Task[None], str] = {}
        self._arrivals: dict[object, asyncio.Task[None]] = {}
        self._loop = asyncio.get_running_loop()
        self._open = True
        self._again: asyncio.TimerHandle | None = None
        self._watch()

    # What the server asks of it.
    def close(self) -> None:
        """Let nobody in any more. Harmless twice."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._sock)
            if self._again is not None:
                self._again.cancel()
            for task in self._coming:
                task.cancel()

    async def wait_closed(self) -> None:
        """Wait for those who are just coming in."""
        if self._coming:
            await asyncio.wait(tuple(self._coming))

    # What a connection tells it.
    def entered(self, guest: Guest) -> None:
        """A connection is open: from now on it counts as inside, no longer as coming."""
        self._guests[guest] = None
        task = self._arrivals.pop(guest, None)
        if task is not None:
            self._coming.pop(task, None)

    def left(self, guest: Guest) -> None:
        """A connection is over."""
        self._guests.pop(guest, None)

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return len(self._guests) + len(self._coming)

    def _watch(self) -> None:
        if self._open:
            self._loop.add_reader(self._sock, self._knock)

    def _knock(self) -> None:
        self._loop.remove_reader(self._sock)
        self._pace.add("", self._let_in)

    def _let_in(self) -> None:
        if not self._open:
            return
        for _ in range(1 if self._tls else AT_ONCE):
            full = self.inside >= self._most
            make_room = self._way_out() if full else None
            if full and make_room is None:
                self._later()
                return
            try:
                sock, (address, *_) = self._sock.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError:  # no more files: somebody has to leave first
                self._later()
                return
            if make_room is not None:
                make_room()
            sock.setblocking(False)
            with contextlib.suppress(OSError):  # it may be gone again
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if hasattr(socket, "TCP_USER_TIMEOUT"):
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALE_S * 1000)
            task = self._loop.create_task(self._enter(sock))
            self._coming[task] = address
            task.add_done_callback(self._came)
        self._watch()

    def _later(self) -> None:
        self._again = self._loop.call_later(AGAIN_S, self._watch)

    async def _enter(self, sock: socket.socket) -> None:
        task = asyncio.current_task()
        assert task is not None

        def make() -> asyncio.Protocol:
            guest = self._make()
            self._arrivals[guest] = task
            return guest

        try:
            await self._loop.connect_accepted_socket(
                make, sock, ssl=self._tls, ssl_handshake_timeout=HANDSHAKE_S if self._tls else None
            )
        except (OSError, TimeoutError):  # gone already, or no TLS at all
            sock.close()
        except asyncio.CancelledError:
            sock.close()
            raise

    def _came(self, task: asyncio.Task[None]) -> None:
        self._coming.pop(task, None)
        self._arrivals = {guest: other for guest, other in self._arrivals.items() if other is not task}
        if not task.cancelled():
            task.exception()

    def _turn_away(self, task: asyncio.Task[None]) -> None:
        self._coming.pop(task, None)
        task.cancel()

    def _way_out(self) -> Callable[[], None] | None:
        """What sends one away that only waits; None where there is none."""
        held = Counter(guest.address for guest in self._guests)
        held.update(self._coming.values())
        idle = [guest for guest in self._guests if guest.idle]
        if idle:
            return max(idle, key=lambda guest: held[guest.address]).drop  # of equals the first, who came first
        if self._tls and self._coming:  # a handshake that does not come to its end
            slow = max(self._coming, key=lambda task: held[self._coming[task]])
            return lambda: self._turn_away(slow)
        return None
