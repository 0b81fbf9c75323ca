"""All readers of the board's events: what is new is put into words once for all of them."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import Counter
from typing import Any, Final, Protocol

from firmware.web.source import PageSource, Sight

NAMES: Final = ("state", "glass", "lights")
AT_ONCE: Final = 8
"""So many readers are told in one turn of the loop: keys come between them."""


class Reader(Protocol):
    """One stream as this room sees it."""

    address: str

    def tell(self, name: str) -> None:
        """Something that it sends has changed."""
        ...

    def end(self) -> None:
        """It is to finish."""
        ...


class Streams:
    """All streams over one source, at most so many at once; ``end`` ends them, so that the server can stop.

    The source is watched while there is any reader.
    """

    def __init__(self, source: PageSource, most: int) -> None:
        self._source = source
        self._most = most
        self._open: dict[Reader, None] = {}
        self._words: dict[tuple[str, bool], bytes] = {}
        self._watch: asyncio.Task[None] | None = None
        self.ended = False

    def __len__(self) -> int:
        return len(self._open)

    def room_for(self, address: str) -> bool:
        """Whether one more reader from that address can be taken.

        Where there are as many as there may be, an address that has at least two more than this one gives one up.
        """
        if len(self._open) < self._most:
            return True
        held = Counter(reader.address for reader in self._open)
        victim = max(self._open, key=lambda reader: held[reader.address])
        if held[victim.address] < held[address] + 2:
            return False
        self.remove(victim)
        victim.end()
        return True

    def add(self, reader: Reader) -> None:
        """Tell this reader what changes from now on; whatever it asks for first is looked up anew."""
        self._open[reader] = None
        self._words.clear()
        if self.ended:
            reader.end()
        elif self._watch is None:
            self._watch = asyncio.get_running_loop().create_task(self._spread())

    def remove(self, reader: Reader) -> None:
        """Forget a reader; harmless twice."""
        self._open.pop(reader, None)
        if not self._open and self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def end(self) -> None:
        """End every stream, and each one that is opened later at once; harmless twice."""
        self.ended = True
        for reader in tuple(self._open):
            reader.end()

    def words(self, name: str, here: bool) -> bytes:
        """The event of that name as it is sent to this machine, or to others; made once after each change."""
        found = self._words.get((name, here))
        if found is None:
            data = as_json(CONTENT[name](self._source if here else self._source.from_afar()))
            found = self._words[name, here] = f"event: {name}\ndata: {data}\n\n".encode()
        return found

    async def _spread(self) -> None:
        async for name in self._source.watch():
            if name not in NAMES:
                continue
            for here in (True, False):
                self._words.pop((name, here), None)
            for number, reader in enumerate(tuple(self._open), 1):
                reader.tell(name)
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)
        for reader in tuple(self._open):  # the source has ended
            reader.end()


def as_json(value: Any) -> str:
    """One line of JSON, as short as can be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def glass_content(source: Sight) -> dict[str, Any]:
    """``w``, ``h`` and ``bits``: the panel's pixels as base64."""
    width, height, bits = source.glass()
    return {"w": width, "h": height, "bits": base64.b64encode(bits).decode("ascii")}


def lights_content(source: Sight) -> dict[str, Any]:
    """``lanes``: for each lane six hexadecimal digits a hole, from hole 1."""
    return {"lanes": [bytes(part for hole in lane for part in hole).hex() for lane in source.lights()]}


CONTENT: Final = {
    "state": lambda source: source.snapshot(),
    "glass": glass_content,
    "lights": lights_content,
}
