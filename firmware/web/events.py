"""Server-sent events: the state, the glass and the lights, each sent whole, so that a reader may miss any but the last.

Every stream runs by itself and asks the source when it is ready to send: a reader that does not read delays nobody.
Starlette alone carries it: a stream has to end the moment the server is told to stop, which the ready-made responses
learn only by polling.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firmware.web.source import PageSource

NAMES: Final = ("state", "glass", "lights")
PING_S: Final = 10.0
"""After so long a silence the stream says ``ping``, by which the page knows that the board is still there."""
LAST_WORD_S: Final = 5.0
RETRY_MS: Final = 1000
"""How long a browser waits before it connects again."""


class Streams:
    """All streams of one app; ``end`` ends them, so that the server can stop."""

    def __init__(self) -> None:
        self._open: set[EventStream] = set()
        self.ended = False

    def add(self, stream: EventStream) -> None:
        """Let ``end`` reach this stream."""
        self._open.add(stream)
        if self.ended:
            stream.end()

    def remove(self, stream: EventStream) -> None:
        """Forget a stream that is over."""
        self._open.discard(stream)

    def end(self) -> None:
        """End every stream, and each one that is opened later at once; harmless twice."""
        self.ended = True
        for stream in tuple(self._open):
            stream.end()


class EventStream(Response):
    """One reader's stream: all three events on connection, then each one whose content has changed."""

    media_type = "text/event-stream"

    def __init__(self, source: PageSource, streams: Streams) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._source = source
        self._streams = streams
        self._due: dict[str, None] = dict.fromkeys(NAMES)
        self._wake = asyncio.Event()
        self._over = False

    def end(self) -> None:
        """Let the stream finish, even while its reader does not read."""
        self._over = True
        self._wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the stream until its reader goes, the source ends or the server stops."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body"})
            return
        self._streams.add(self)
        tasks = [
            asyncio.create_task(self._notice()),
            asyncio.create_task(self._reader_goes(receive)),
            asyncio.create_task(self._send_all(send)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            self.end()
            # What is under way is let through; the server cuts off a reader that has stopped reading.
            await asyncio.wait(tasks[2:], timeout=LAST_WORD_S)
        finally:
            self._streams.remove(self)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _notice(self) -> None:
        watched = self._source.watch()
        async for name in watched:
            if name in NAMES:
                self._due[name] = None
                self._wake.set()

    async def _reader_goes(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def _send_all(self, send: Send) -> None:
        async for chunk in self._chunks():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})

    async def _chunks(self) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY_MS}\n\n".encode()
        sent: dict[str, str] = {}
        while not self._over:
            while self._due and not self._over:
                name = next(iter(self._due))
                del self._due[name]
                data = as_json(CONTENT[name](self._source))
                if sent.get(name) != data:
                    sent[name] = data
                    yield f"event: {name}\ndata: {data}\n\n".encode()
            self._wake.clear()
            if self._over or self._due:
                continue
            try:
                await asyncio.wait_for(self._wake.wait(), PING_S)
            except TimeoutError:
                yield b"event: ping\ndata: {}\n\n"


def as_json(value: Any) -> str:
    """One line of JSON, as short as can be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def glass_content(source: PageSource) -> dict[str, Any]:
    """``w``, ``h`` and ``bits``: the panel's pixels as base64."""
    width, height, bits = source.glass()
    return {"w": width, "h": height, "bits": base64.b64encode(bits).decode("ascii")}


def lights_content(source: PageSource) -> dict[str, Any]:
    """``lanes``: for each lane six hexadecimal digits a hole, from hole 1."""
    return {"lanes": [bytes(part for hole in lane for part in hole).hex() for lane in source.lights()]}


CONTENT: Final = {
    "state": lambda source: source.snapshot(),
    "glass": glass_content,
    "lights": lights_content,
}
