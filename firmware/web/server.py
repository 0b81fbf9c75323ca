"""Serving the page inside the service's own loop, on this machine's loopback address."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn

from firmware.web.app import make_app
from firmware.web.source import PageSource

PORT: Final = 8121
TRIED: Final = 100
HOST: Final = "127.0.0.1"
CUT_S: Final = 0.4
"""How long answers that are under way may take when the server stops."""


def listen(port: int | None = None) -> socket.socket:
    """A socket for the page: on that port (0: any), or without one on 8121 or the next that is free.

    Raises OSError, naming the port, when it cannot be had.
    """
    ports = range(PORT, PORT + TRIED) if port is None else (port,)
    for one in ports:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((HOST, one))
            sock.listen(64)
            sock.setblocking(False)
        except (OSError, OverflowError) as error:
            sock.close()
            if port is None and isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
                continue
            raise OSError(
                getattr(error, "errno", None) or errno.EINVAL,
                f"the page cannot be served on port {one} ({error}): choose another with --port",
            ) from error
        return sock
    raise OSError(errno.EADDRINUSE, f"ports {PORT} to {PORT + TRIED - 1} are all in use: choose another with --port")


class PageServer(uvicorn.Server):
    """The page's server; ``await serve()`` in the service's loop, ``stop()`` ends it and all its streams at once.

    It leaves the process's signals to the service, and says nothing on standard output.
    """

    def __init__(self, source: PageSource, sock: socket.socket) -> None:
        app = make_app(source)
        super().__init__(
            uvicorn.Config(
                app,
                loop="none",
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        self._streams = app.state.streams
        self._sock = sock
        self._ended = asyncio.Event()
        self.address = f"http://{HOST}:{sock.getsockname()[1]}/"
        """Where the page is."""

    def stop(self) -> None:
        """End the streams and the server; ``serve`` then returns. Harmless twice."""
        self._streams.end()
        self.should_exit = True
        self._ended.set()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``stop``."""
        await super().serve(sockets or [self._sock])

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

    def _cut_off(self) -> None:
        """Let nobody hold the server up who does not read what he asked for."""
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield
