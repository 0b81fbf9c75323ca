"""Server-sent events: the state, the glass and the lights, each sent whole, so that a reader may miss any but the last.

Every stream runs by itself and asks for what is new when it is ready to send: one that does not read delays nobody.
Starlette alone carries it: a stream has to end the moment the server is told to stop, which the ready-made responses
learn only by polling.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firmware.web.streams import NAMES, Streams

PING_S: Final = 10.0
"""After so long a silence the stream says ``ping``, by which the page knows that the board is still there."""
LAST_WORD_S: Final = 5.0
RETRY_MS: Final = 1000
"""How long a browser waits before it connects again."""


class EventStream(Response):
    """One reader's stream: all three events on connection, then each one whose content has changed."""

    media_type = "text/event-stream"

    def __init__(self, streams: Streams, address: str = "", *, here: bool = False) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self.address = address
        self._here = here
        self._streams = streams
        self._due: dict[str, None] = dict.fromkeys(NAMES)
        self._wake = asyncio.Event()
        self._over = asyncio.Event()

    def tell(self, name: str) -> None:
        """That event is to be sent if it has changed."""
        self._due[name] = None
        self._wake.set()

    def end(self) -> None:
        """Let the stream finish, even while its reader does not read."""
        self._over.set()
        self._wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the stream until its reader goes, the source ends or the server stops."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body"})
            return
        self._streams.add(self)
        tasks = [
            asyncio.create_task(self._over.wait()),
            asyncio.create_task(self._reader_goes(receive)),
            asyncio.create_task(self._send_all(send)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            self.end()
            # What is under way is let through; the server cuts off a reader that has stopped reading.
            await asyncio.wait(tasks[2:], timeout=LAST_WORD_S)
        finally:
            self.end()  # a cancellation that comes with a change is lost on Python 3.11: the stream ends by itself
            self._streams.remove(self)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _reader_goes(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def _send_all(self, send: Send) -> None:
        async for chunk in self._chunks():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})

    async def _chunks(self) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY_MS}\n\n".encode()
        sent: dict[str, bytes] = {}
        over = self._over.is_set
        while not over():
            while self._due and not over():
                name = next(iter(self._due))
                del self._due[name]
                words = self._streams.words(name, self._here)
                if sent.get(name) != words:
                    sent[name] = words
                    yield words
            self._wake.clear()
            if over() or self._due:
                continue
            try:
                await asyncio.wait_for(self._wake.wait(), PING_S)
            except TimeoutError:
                yield b"event: ping\ndata: {}\n\n"
