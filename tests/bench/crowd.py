"""Clients of the page, as many as one process can be, until ended: ``crowd.py PORT spectators`` or ``strangers``.

The spectators are fifty honest readers of events. The strangers mean harm: a thousand connections that say nothing,
heads and bodies that never end or are too long, readers of events that do not read, names and origins of others,
cookies made up, bytes that are no HTTP, and a flood of whole requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import sys
from collections.abc import Awaitable, Callable
from itertools import cycle

SPECTATORS = 50
SILENT = 1000
OTHERS = 20
"""So many of each other kind at once."""
PATIENCE_S = 5.0
LONG = b"x" * 65536

HOST = b"Host: 127.0.0.1\r\n"
KEY = b'Content-Type: application/json\r\nContent-Length: 11\r\n\r\n{"key":"7"}'
WHOLE = cycle(
    (
        b"GET /state HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET /state HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"POST /key HTTP/1.1\r\n" + HOST + b"Origin: http://evil.example\r\n" + KEY,
        b"POST /key HTTP/1.1\r\n" + HOST + b"Sec-Fetch-Site: cross-site\r\nCookie: muggins=e30.forged.again\r\n" + KEY,
        b"GET /nowhere HTTP/1.1\r\n" + HOST + b"\r\n",
        bytes(range(256)) + b"\r\n\r\n",
    )
)


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say nothing until the other side has had enough."""
    await reader.read()


async def half_a_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One more line of a head now and then, for ever."""
    writer.write(b"GET /state HTTP/1.1\r\n" + HOST)
    for number in range(1000):
        writer.write(b"X-%d: y\r\n" % number)
        await writer.drain()
        await asyncio.sleep(0.3)


async def half_a_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A body that says it is longer than what comes."""
    writer.write(b"POST /key HTTP/1.1\r\n" + HOST + KEY.replace(b"11", b"900"))
    await reader.read()


async def long_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A head without end, as fast as it is taken."""
    writer.write(b"GET /state HTTP/1.1\r\n" + HOST + b"X: ")
    for _ in range(1000):
        writer.write(LONG)
        await writer.drain()


async def long_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A body without end, in chunks."""
    writer.write(b"POST /key HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n")
    writer.write(b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(1000):
        writer.write(b"10000\r\n" + LONG + b"\r\n")
        await writer.drain()


async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ask for the events, and read none."""
    writer.write(b"GET /events HTTP/1.1\r\n" + HOST + b"\r\n")
    await asyncio.sleep(PATIENCE_S)


async def spectator(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read the events as a page does."""
    writer.write(b"GET /events HTTP/1.1\r\n" + HOST + b"\r\n")
    while await reader.read(65536):
        pass


async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Whole requests one after the other, the next before the answer to the last is there."""
    for request in WHOLE:
        writer.write(request)
        await writer.drain()
        if not await reader.read(65536):
            return


Kind = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def again_and_again(kind: Kind, port: int) -> None:
    """Come back whenever one is thrown out."""
    while True:
        with contextlib.suppress(OSError, TimeoutError):
            sock = socket.socket()
            sock.setblocking(False)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port)), PATIENCE_S)
            reader, writer = await asyncio.open_connection(sock=sock)
            try:
                await kind(reader, writer)
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.05)


async def main(port: int, crowd: str) -> None:
    """Everybody at once; a line once all have begun."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    others = (half_a_head, half_a_body, long_head, long_body, deaf, flood)
    strangers = [silent] * SILENT + [kind for kind in others for _ in range(OTHERS)]
    people = strangers if crowd == "strangers" else [spectator] * SPECTATORS
    tasks = [asyncio.create_task(again_and_again(kind, port)) for kind in people]
    await asyncio.sleep(0)
    print("all here", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
