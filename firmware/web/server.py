"""Serving the page inside the service's own loop, at the address that the configuration names."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import uvicorn

from firmware.addresses import LOOPBACK, is_loopback, own_addresses, reached_at
from firmware.mdns import Announcer
from firmware.web.app import make_app
from firmware.web.connection import Connection
from firmware.web.door import KERNEL_BYTES, Door
from firmware.web.guard import names_for
from firmware.web.limits import HEAD_BYTES, Limits
from firmware.web.pace import Pace
from firmware.web.source import PageSource

PORT: Final = 8121
TRIED: Final = 100
BACKLOG: Final = 128
CUT_S: Final = 0.4
"""How long answers that are under way may take when the server stops."""


def listen(port: int | None = None, host: str = LOOPBACK) -> socket.socket:
    """A socket for the page at an address of this machine: on that port (0: any), or without one on 8121 or the next
    that is free.

    Raises OSError, naming the port or the address, when it cannot be had.
    """
    ports = range(PORT, PORT + TRIED) if port is None else (port,)
    for one in ports:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            for way in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                sock.setsockopt(socket.SOL_SOCKET, way, KERNEL_BYTES)
            sock.bind((host, one))
            sock.listen(BACKLOG)
            sock.setblocking(False)
        except (OSError, OverflowError) as error:
            sock.close()
            number = getattr(error, "errno", None) or errno.EINVAL
            if port is None and number == errno.EADDRINUSE:
                continue
            if number == errno.EADDRNOTAVAIL:
                there = ", ".join([LOOPBACK, *own_addresses()])
                text = f"the page cannot be served at {host}: this machine has {there}; set page.host to one of these"
                raise OSError(number, f"{text}, or to 0.0.0.0 for all") from error
            raise OSError(
                number, f"the page cannot be served on port {one} ({error}): choose another with --port"
            ) from error
        return sock
    raise OSError(errno.EADDRINUSE, f"ports {PORT} to {PORT + TRIED - 1} are all in use: choose another with --port")


class PageServer(uvicorn.Server):
    """The page's server; ``await serve()`` in the service's loop, ``stop()`` ends it and all its streams at once.

    ``names`` are more names that it may be asked for off the loopback; with ``tls`` it is served as https; off the
    loopback, with ``announce``, it is found by name, and a line for people is told where it is not. It leaves the
    process's signals to the service, and says nothing on standard output.
    """

    def __init__(
        self,
        source: PageSource,
        sock: socket.socket,
        *,
        names: Iterable[str] = (),
        tls: ssl.SSLContext | None = None,
        limits: Limits | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self._host, self._port = sock.getsockname()[:2]
        self._limits = limits or Limits()
        self.names = names_for(self._host, names)
        """The names by which it may be asked for beside its address; it may be given more."""
        app = make_app(source, names=self.names, streams=self._limits.streams)
        super().__init__(
            uvicorn.Config(
                app,
                loop="none",
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",  # what strangers send wrong is not for the log
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,  # who asks is who is connected, whatever he says
                timeout_keep_alive=self._limits.keep_s,
                timeout_graceful_shutdown=2,
                h11_max_incomplete_event_size=HEAD_BYTES,
            )
        )
        self._streams = app.state.streams
        self._sock = sock
        self._tls = tls
        self._announcer = None
        if announce is not None and self.on_the_network:
            self._announcer = Announcer(self.port, self.names.add, announce, scheme="https" if tls else "http")
        self._pace = Pace()
        self._ended = asyncio.Event()

    @property
    def port(self) -> int:
        """Its port."""
        return int(self._port)

    @property
    def address(self) -> str:
        """Where the page is, by number: looked up now, since a machine's address may come late or change."""
        return f"{'https' if self._tls else 'http'}://{reached_at(self._host)}:{self._port}/"

    def look(self) -> str:
        """The address now; whoever seeks the page by name is sent there from now on. Cheap, to be called often."""
        if self._announcer is not None and self.started:
            address = reached_at(self._host)
            self._announcer.at("" if is_loopback(address) else address)
        return self.address

    @property
    def on_the_network(self) -> bool:
        """Whether other machines can reach it."""
        return not is_loopback(self._host)

    def stop(self) -> None:
        """End the streams and the server; ``serve`` then returns. Harmless twice."""
        self._streams.end()
        if self._announcer is not None:
            self._announcer.leave()
        self.should_exit = True
        self._ended.set()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``stop``."""
        await super().serve(sockets or [self._sock])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the door."""
        await self.lifespan.startup()
        self.servers: list[Any] = []
        for sock in sockets or [self._sock]:
            self.servers.append(Door(sock, self._connection, self._pace, self._limits.connections, self._tls))
        self.started = True
        self.look()

    def _connection(self) -> asyncio.Protocol:
        door = self.servers[0]
        return Connection(door, self._pace, self._limits, self.config, self.server_state, {})

    async def main_loop(self) -> None:
        """Wait for the end instead of looking for it ten times a second; nothing here depends on the time of day."""
        await self.on_tick(0)
        await self._ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, however the end was asked for, then whatever connection is still left."""
        self._streams.end()
        cut = asyncio.get_running_loop().call_later(CUT_S, self._cut_off)
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()
            self._cut_off()
            await asyncio.sleep(0)
            if self._announcer is not None:
                await asyncio.to_thread(self._announcer.join)

    def _cut_off(self) -> None:
        """Let nobody hold the server up who does not read what he asked for."""
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield
