"""Who has his turn when, who makes way for whom: the page's fair queue, its door and its readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from firmware.web.limits import Limits
from firmware.web.pace import Pace
from firmware.web.server import PageServer, listen
from firmware.web.streams import Streams
from hardware.ports import Colour

PATIENCE_S = 60.0
"""Only ever waited for in full by a test that fails."""


class Source:
    """A board that counts how often its state is asked for."""

    def __init__(self) -> None:
        self.asked = 0
        self.news: asyncio.Queue[str] = asyncio.Queue()

    def snapshot(self) -> dict[str, Any]:
        self.asked += 1
        return {"asked": self.asked}

    def glass(self) -> tuple[int, int, bytes]:
        return 1, 1, b"\x80"

    def lights(self) -> list[list[Colour]]:
        return []

    def from_afar(self) -> Source:
        return self

    def press(self, *what: Any) -> None: ...

    async def watch(self) -> AsyncIterator[str]:
        while True:
            yield await self.news.get()


def test_each_address_has_its_turn_after_the_others() -> None:
    """One that asks for much is served a piece at a time, and whoever asks for little waits for one piece of it."""
    done: list[str] = []

    async def act() -> None:
        pace = Pace(lambda: 0.0)
        over = asyncio.Event()
        for number in range(4):
            pace.add("greedy", lambda number=number: done.append(f"greedy {number}"))
        pace.add("modest", lambda: done.append("modest"))
        pace.add("other", lambda: done.append("other"))
        pace.add("greedy", over.set)
        await over.wait()

    asyncio.run(act())
    assert done == ["greedy 0", "modest", "other", "greedy 1", "greedy 2", "greedy 3"]


def test_keys_come_between_two_pieces() -> None:
    """After each piece, and after what it set going, the loop has a turn for everything else."""
    done: list[str] = []

    async def act() -> None:
        loop = asyncio.get_running_loop()
        pace = Pace(lambda: 0.0)
        over = asyncio.Event()

        def piece(number: int) -> None:
            done.append(f"piece {number}")
            loop.call_soon(lambda: (done.append(f"answer {number}"), loop.call_soon(done.append, "key")))

        for number in range(2):
            pace.add("", lambda number=number: piece(number))
        pace.add("", lambda: loop.call_soon(over.set))
        await over.wait()

    asyncio.run(act())
    assert done == ["piece 0", "answer 0", "key", "piece 1", "answer 1", "key"]


def test_a_rest_is_as_long_as_the_turn() -> None:
    """The next piece is begun no sooner than the last one took, what it set going counted in."""
    rests: list[float] = []

    async def act() -> None:
        now = [100.0]
        loop = asyncio.get_running_loop()
        pace = Pace(lambda: now[0])
        over = asyncio.Event()
        later = loop.call_later

        def resting(seconds: float, what: Any, *more: Any) -> asyncio.TimerHandle:
            rests.append(seconds)
            return later(0, what, *more)

        loop.call_later = resting  # type: ignore[method-assign]

        def passes(seconds: float) -> None:
            now[0] += seconds

        pace.add("", lambda: (passes(0.25), loop.call_soon(passes, 0.5)))
        pace.add("", over.set)
        await over.wait()

    asyncio.run(act())
    assert rests[0] == 0.75


def test_a_piece_that_fails_ends_nothing() -> None:
    """After a piece that raises the next one has its turn."""

    async def act() -> list[Any]:
        loop = asyncio.get_running_loop()
        told: list[Any] = []
        loop.set_exception_handler(lambda loop, context: told.append(context["exception"]))
        pace = Pace(lambda: 0.0)
        over = asyncio.Event()
        pace.add("", lambda: 1 // 0)  # type: ignore[arg-type, return-value]
        pace.add("", over.set)
        await over.wait()
        return told

    assert [type(one) for one in asyncio.run(act())] == [ZeroDivisionError]


async def come(port: int, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from the loopback address of that number, once it has been answered something."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.0.{number}", 0))
    writer.write(b"HEAD /state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def test_the_address_that_holds_the_most_makes_way() -> None:
    """In a full room a newcomer takes the place of the longest waiting connection of the address with the most, and one
    that has a single connection keeps it, however long it has waited."""

    async def act() -> tuple[list[str], bytes]:
        server = PageServer(Source(), listen(0), limits=Limits(connections=4, keep_s=600))
        serving = asyncio.create_task(server.serve())
        people = {}
        for name, number in (("old", 1), ("crowd 1", 2), ("crowd 2", 2), ("crowd 3", 2), ("new", 3)):
            people[name] = await come(server.port, number)
        gone = await asyncio.wait_for(people["crowd 1"][0].read(), PATIENCE_S)
        there = [name for name, (reader, _) in people.items() if not reader.at_eof()]
        server.stop()
        await serving
        for _, writer in people.values():
            writer.close()
        return there, gone

    assert asyncio.run(act()) == (["old", "crowd 2", "crowd 3", "new"], b"")


class Reader:
    """A reader of events that is asked nothing."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ended = False
        self.told: list[str] = []

    def tell(self, name: str) -> None:
        self.told.append(name)

    def end(self) -> None:
        self.ended = True


def test_readers_make_way_only_for_those_who_have_fewer() -> None:
    """Where as many read as may, one from an address that has at least two more than the newcomer's gives up its place;
    among equals the newcomer is refused."""

    async def act() -> list[bool]:
        streams = Streams(Source(), 4)
        crowd = [Reader("crowd") for _ in range(3)]
        modest = Reader("modest")
        for one in (modest, *crowd):
            assert streams.room_for(one.address)
            streams.add(one)
        answers = [streams.room_for("crowd"), streams.room_for("modest"), crowd[0].ended, modest.ended]
        streams.add(Reader("modest"))
        answers += [streams.room_for("modest"), streams.room_for("third"), modest.ended, crowd[1].ended]
        for one in list(streams._open):
            streams.remove(one)
        return answers

    assert asyncio.run(act()) == [False, True, True, False, False, True, True, False]


def test_what_is_new_is_put_into_words_once_for_all() -> None:
    """Fifty readers are all told of a change, and the board is asked once for what they are sent."""

    async def act() -> tuple[int, int, bytes]:
        source = Source()
        streams = Streams(source, 64)
        readers = [Reader("") for _ in range(50)]
        for one in readers:
            streams.add(one)
        first = {streams.words("state", True) for _ in readers}
        source.news.put_nowait("state")
        while not all(one.told for one in readers):
            await asyncio.sleep(0)
        words = {streams.words("state", True) for _ in readers}
        for one in readers:
            streams.remove(one)
        await asyncio.sleep(0)
        assert len(first) == len(words) == 1
        return source.asked, len(streams), words.pop()

    assert asyncio.run(act()) == (2, 0, b'event: state\ndata: {"asked":2}\n\n')


@pytest.mark.parametrize("shown", [1, 3])
def test_a_reader_who_comes_later_sees_what_is(shown: int) -> None:
    """Whoever comes is sent the state as it is then, even if nobody had been told that it changed."""

    async def act() -> list[bytes]:
        streams = Streams(Source(), 64)
        words = []
        for _ in range(shown):
            streams.add(Reader(""))
            words.append(streams.words("state", True))
        for one in list(streams._open):
            streams.remove(one)
        return words

    assert len(set(asyncio.run(act()))) == shown
