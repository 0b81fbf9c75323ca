"""Clients that mean harm: each is refused or dropped, every key pressed meanwhile arrives, every honest reader is told.

The service is the real one on simulated parts, its page served on the loopback. Its patience is short here; nothing
looks at a clock, and whoever waits does so until what was promised has come.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from firmware.config import Config, simulated_only
from firmware.journal import open_journal
from firmware.service import Service
from firmware.web.limits import HEAD_BYTES, Limits
from firmware.web.server import PageServer, listen
from hardware.open_devices import open_devices

HASTY = Limits(head_s=1, body_s=1, drain_s=1, keep_s=1)
PATIENT = Limits(head_s=600, body_s=600, drain_s=600, keep_s=600)
PATIENCE_S = 60.0
"""Only ever waited for in full by a test that fails."""
KEY = '{{"key":"{}"}}'


class Running:
    """The service in a thread of its own, pressed on its simulated keypad's behalf and on its page."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._config = replace(simulated_only(Config()), entry="points", names=("Ann", "Bob"))
        self._folder = folder
        self._limits = limits
        self._socket = listen(0)
        self.port: int = self._socket.getsockname()[1]
        self.clients: list[Client] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        journal = open_journal(self._folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        self.service = Service(self._config, open_devices(self._config.parts_spec()), journal, log=lambda line: None)
        self.server = PageServer(self.service, self._socket, limits=self._limits)
        await self.service.run(self.server, self._ready.set)

    def client(self, *, narrow: bool = False) -> Client:
        """A connection, closed after the test; a narrow one takes little that is not read at once."""
        self.clients.append(Client(self.port, narrow=narrow))
        return self.clients[-1]

    def leave(self) -> None:
        """Close all connections of a test."""
        while self.clients:
            self.clients.pop().close()

    def in_loop(self, ask: Callable[[], Any]) -> Any:
        """What that gives in the service's loop."""

        async def asked() -> Any:
            return ask()

        return asyncio.run_coroutine_threadsafe(asked(), self._loop).result(PATIENCE_S)

    def keypad(self, keys: str) -> None:
        """Press keys at the board itself."""
        for key in keys:
            self.in_loop(lambda key=key: self.service.press(key))

    def scores(self) -> tuple[int, ...]:
        """What has been pegged."""
        state = self.in_loop(lambda: self.service.board.state)
        return tuple(state.scores) if state is not None else ()

    def inside(self) -> int:
        """How many connections the page holds."""
        return int(self.in_loop(lambda: self.server.servers[0].inside))

    def close(self) -> None:
        """End it."""
        self.leave()
        self._loop.call_soon_threadsafe(self.service.stop)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the service did not end"


@contextmanager
def running(folder: Path, limits: Limits) -> Iterator[Running]:
    """A service at the points level, its play begun."""
    one = Running(folder, limits)
    try:
        one.keypad("#2##")
        yield one
    finally:
        one.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One that has all patience, for all tests that need no other."""
    with running(tmp_path_factory.mktemp("hostile"), PATIENT) as one:
        yield one


@pytest.fixture
def table(shared: Running, caplog: pytest.LogCaptureFixture) -> Iterator[Running]:
    """That one; after each test it takes keys at the board and on the page as ever, and none of it was worth a line in
    its log."""
    yield shared
    before = shared.scores()
    shared.keypad("1A")
    for key in "2B":
        assert shared.client().post(KEY.format(key)).status == 204
    assert shared.scores() == (before[0] + 1, before[1] + 2)
    shared.leave()
    assert caplog.get_records("call") == []


class Client:
    """A connection that sends what it likes. ``status`` and ``error`` are of the answer read last, 0 where there was
    none before the end."""

    def __init__(self, port: int, *, narrow: bool = False) -> None:
        self._socket = socket.socket()
        self._socket.settimeout(PATIENCE_S)
        if narrow:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self._socket.connect(("127.0.0.1", port))
        self.status = 0
        self.error = ""
        self._got = b""

    def send(self, data: bytes) -> Client:
        """Send that, as far as it is taken."""
        with suppress(OSError):
            self._socket.sendall(data)
        return self

    def answer(self) -> Client:
        """Read one answer, or to the end."""
        while not self._whole():
            try:
                data = self._socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                self.status = 0
                return self
            self._got += data
        head, _, rest = self._got.partition(b"\r\n\r\n")
        body, self._got = rest[: self._length(head)], rest[self._length(head) :]
        self.status = int(head.split(b" ")[1])
        self.error = json.loads(body)["error"] if self.status >= 400 else ""
        return self

    def _whole(self) -> bool:
        head, end, body = self._got.partition(b"\r\n\r\n")
        return bool(end) and len(body) >= self._length(head)

    @staticmethod
    def _length(head: bytes) -> int:
        found = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        return int(found[0].split(b":")[1]) if found else 0

    def ended(self) -> bool:
        """Wait until the other side has closed; what it still says is left unread."""
        with suppress(ConnectionError):
            while self._socket.recv(65536):
                pass
        return True

    def post(self, body: str, *headers: str, host: str = "127.0.0.1") -> Client:
        """Send a key as the page does, with more headers, and read the answer."""
        lines = ["POST /key HTTP/1.1", f"Host: {host}", "Content-Type: application/json", "Connection: close"]
        lines += [*headers, f"Content-Length: {len(body)}", "", body]
        return self.send("\r\n".join(lines).encode()).answer()

    def close(self) -> None:
        """Go."""
        self._socket.close()


EVENTS = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEAD = b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /key HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (HEAD + b"X: " + b"x" * 3 * HEAD_BYTES + b"\r\n\r\n", 431),
        (HEAD + b"X: y\r\n" * HEAD_BYTES + b"\r\n", 431),
        (b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 431),
        (POST + b"Content-Length: 4000000\r\n\r\n" + b"x" * 4_000_000, 413),
        (POST + b"Content-Length: 2000\r\n\r\n" + b"x" * 2000, 413),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + (b"8000\r\n" + b"x" * 32768 + b"\r\n") * 40, 413),
        (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (POST + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"key\r\nzz\r\n', 400),
        (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{", 400),
        (b"GET /state HTTP/1.1\r\n\r\n", 400),
        (b"GET /state HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), 400),
        (bytes(range(128, 256)) * 20 + b"\r\n\r\n", 400),
        (b"GET /state HTTP/3.7\r\n\r\n", 400),
    ],
    ids=["long header", "many headers", "long path", "body said long", "long body", "long chunks", "coding", "no chunk",
         "lengths", "no host", "two hosts", "tls", "noise", "version"],
)  # fmt: skip
def test_what_is_too_long_or_no_http_is_refused_with_its_status(table: Running, sent: bytes, status: int) -> None:
    """Heads and bodies past their bounds and bytes that are no request are answered with the status that says so, in
    one line; then the connection is over."""
    client = table.client().send(sent).answer()
    assert client.status == status
    assert client.error
    assert "\n" not in client.error
    assert client.ended()


@pytest.mark.parametrize("path", [b"/state", b"/nowhere", b"/events"])
def test_a_body_that_nobody_asked_for_is_not_read(table: Running, path: bytes) -> None:
    """A body without end, sent where none is wanted, ends the connection once its head is answered."""
    client = table.client()
    client.send(b"DELETE " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert client.answer().status in (404, 405)
    assert client.send(b"8000\r\n" + b"x" * 32768 + b"\r\n").ended()


UNFINISHED = {
    b"": [0],
    b"G": [408],
    HEAD: [408],
    HEAD + b"\r\n" + HEAD: [200, 0],
    POST + b"Content-Length: 11\r\n\r\n": [408],
    POST + b'Content-Length: 11\r\n\r\n{"key"': [408],
    POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{": [408],
}
"""What is sent before nothing more comes, and the answers to it before the end; 0 is the end without one."""


def test_what_is_left_unfinished_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that says nothing is closed; a request left in the middle is answered that it took too long, or, the
    second on its connection, closed as one that rests; a reader of events who takes nothing while much happens is cut
    off; and no key is pressed by any of them."""
    monkeypatch.setattr("firmware.web.door.STALE_S", 600)  # the system's own patience
    with running(tmp_path, HASTY) as table:
        deaf = table.client(narrow=True).send(EVENTS)
        clients = [(table.client().send(sent), statuses) for sent, statuses in UNFINISHED.items()]
        for client, statuses in clients:
            assert [client.answer().status for _ in statuses] == statuses
            assert client.ended()
        for _ in range(3000):
            if not table.in_loop(lambda: len(table.server._streams)):
                break
            table.keypad("D*")
        assert deaf.ended()
        assert table.scores() == (0, 0)
        table.keypad("1A")
        assert table.scores() == (1, 0)


@pytest.mark.parametrize(
    ("headers", "host", "status"),
    [
        ((), "evil.example", 400),
        ((), "127.0.0.1.evil.example", 400),
        ((), "muggins.local", 400),
        (("Origin: http://evil.example",), "127.0.0.1", 403),
        (("Origin: null",), "127.0.0.1", 403),
        (("Origin: https://127.0.0.1",), "127.0.0.1", 403),
        (("Sec-Fetch-Site: cross-site",), "127.0.0.1", 403),
        (("Sec-Fetch-Site: same-site",), "127.0.0.1", 403),
    ],
)
def test_a_key_by_a_strangers_page_is_refused(table: Running, headers: tuple[str, ...], host: str, status: int) -> None:
    """A name that points here and a form of another site press no key."""
    before = table.scores()
    client = table.client().post(KEY.format("#"), *headers, host=host)
    assert (client.status, bool(client.error)) == (status, True)
    assert table.scores() == before


@pytest.mark.parametrize("cookie", ["muggins=", "muggins=e30.Zm9yZ2Vk.c2ln", "=;=;==", "a=" + "b" * 4000, "\x80\xff"])
def test_a_cookie_made_up_breaks_nothing(table: Running, cookie: str) -> None:
    """Whatever stands in a cookie, a request of the board's own machine is taken as it would be without, and nothing
    fails."""
    assert table.client().post(KEY.format("D"), f"Cookie: {cookie}").status == 204
    assert table.client().post(KEY.format("*"), f"Cookie: {cookie}").status == 204


@pytest.mark.parametrize(
    "header",
    ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "X-Forwarded-Proto: https", "X-Real-IP: 192.0.2.1"],
)
def test_who_asks_is_who_is_connected(table: Running, header: str) -> None:
    """What a request says of where it came from changes nothing: the board's own page stays that, by its own scheme."""
    origin = f"Origin: http://127.0.0.1:{table.port}"
    host = f"127.0.0.1:{table.port}"
    assert table.client().post(KEY.format("D"), header, origin, host=host).status == 204
    assert table.client().post(KEY.format("*"), header, origin, host=host).status == 204


def test_readers_past_the_bound_are_told(table: Running) -> None:
    """The reader after the last that may be gets a plain answer, and one that goes makes room for it."""
    readers = [table.client().send(EVENTS) for _ in range(PATIENT.streams)]
    for one in readers:
        assert one._socket.recv(12) == b"HTTP/1.1 200"
    late = table.client().send(EVENTS).answer()
    assert (late.status, "look on" in late.error) == (503, True)
    readers[0].close()
    while table.client().send(EVENTS)._socket.recv(12) != b"HTTP/1.1 200":
        pass


def test_a_thousand_strangers_hold_nobody_up(tmp_path: Path) -> None:
    """With a thousand connections that say nothing, and readers that do not read, each key at the board and on the page
    is taken, and every one of fifty honest readers is told the last state; the strangers never hold more than their
    bound."""
    with running(tmp_path, PATIENT) as table, ExitStack() as stack:
        honest = [Reader(table.port) for _ in range(50)]
        for one in honest:
            stack.callback(one.close)
        strangers: list[socket.socket] = []
        stack.callback(lambda: [one.close() for one in strangers])

        def come(number: int, say: bytes = b"") -> None:
            for _ in range(number):
                sock = socket.create_connection(("127.0.0.1", table.port), timeout=PATIENCE_S)
                strangers.append(sock)
                if say:
                    sock.send(say)

        come(10, EVENTS)
        for number in range(20):
            come(47, [b"", HEAD, POST + b"Content-Length: 11\r\n\r\n{"][number % 3])
            table.keypad("1A")
            for key in "1B":
                assert table.client().post(KEY.format(key)).status == 204
        come(50)
        assert table.inside() <= PATIENT.connections
        assert table.scores() == (20, 20)
        for one in honest:
            one.wait_for([20, 20])


class Reader:
    """An honest reader of the events."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self._socket.sendall(EVENTS)
        self._lines = self._socket.makefile("rb")
        assert self._lines.readline().startswith(b"HTTP/1.1 200")

    def wait_for(self, scores: list[int]) -> None:
        """Read on until the state has these scores."""
        for line in self._lines:
            if line.startswith(b"data: ") and b'"sides"' in line:
                state = json.loads(line[6:])
                if [side["score"] for side in state["sides"]] == scores:
                    return
        raise AssertionError("the stream ended before the last state")

    def close(self) -> None:
        """Go."""
        self._lines.close()
        self._socket.close()


def test_whoever_comes_takes_the_place_of_one_that_waits(tmp_path: Path) -> None:
    """In a full room the longest waiting connection makes way, and never one whose request is being answered."""
    with running(tmp_path, replace(PATIENT, connections=3)) as table:
        reader = Reader(table.port)
        first, second = table.client(), table.client()
        while table.inside() < 3:
            pass
        third = table.client().send(HEAD + b"\r\n").answer()
        assert third.status == 200
        assert first.ended()
        assert second.send(HEAD + b"\r\n").answer().status == 200
        table.keypad("1A")
        reader.wait_for([1, 0])
        reader.close()
