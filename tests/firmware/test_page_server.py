"""The page's server over real sockets: what it answers, to whom, and that junk changes nothing."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from firmware.hands import Presser
from firmware.web.changes import Changes
from firmware.web.server import PageServer, listen
from firmware.web.source import KEYS
from firmware.web.who import SPECTATOR
from hardware.ports import Colour


class Source:
    """A board that remembers the keys it was given."""

    def __init__(self) -> None:
        self.changes = Changes()
        self.pressed: list[str] = []
        self.hands: list[tuple[str, int | None]] = []
        self.count = 0
        self.padding = ""
        self.asked = 0

    def snapshot(self) -> dict[str, Any]:
        self.asked += 1
        return {"count": self.count, "pressed": list(self.pressed), "spoken": "nine ♥" + self.padding}

    def glass(self) -> tuple[int, int, bytes]:
        return 9, 2, b"\x80\x80\x01\x00"

    def lights(self) -> list[list[Colour]]:
        return [[(0, 0, 255), (0, 0, 0)], [(255, 140, 0), (1, 2, 3)]]

    def from_afar(self) -> Any:
        return self

    def press(self, key: str, by: Presser, seen: int | None) -> str:
        if key == "D":
            raise ValueError("D is asleep: press another key")
        if key == "C":
            raise RuntimeError("the journal burns")
        if key == "B" and seen is not None:
            return "Ann was first"
        self.pressed.append(key)
        self.hands.append((by.id, seen))
        self.changes.note("state")
        return ""

    def watch(self) -> AsyncIterator[str]:
        return self.changes.watch()


class Served:
    """A source behind a real server in a thread of its own."""

    def __init__(self) -> None:
        self.source = Source()
        sock = listen(0)
        self.server = PageServer(self.source, sock)
        self.port: int = sock.getsockname()[1]
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        self.loop.run_until_complete(self.server.serve())
        self.loop.close()

    def stop(self) -> None:
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.server.stop)
            self.thread.join(20)
        assert not self.thread.is_alive(), "the server did not end"

    def in_loop(self, act: Any) -> None:
        """Run something in the server's loop and wait for it."""
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (act(), done.set()))
        assert done.wait(20)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """One request and its answer: status, headers with small letters, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def key(self, body: bytes | str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Post something to /key as the page does."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask("POST", "/key", body, {"Content-Type": "application/json"} | named)


class Stream:
    """One reader of /events."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.connection.request("GET", "/events")
        self.answer = self.connection.getresponse()

    def next(self) -> tuple[str, Any]:
        """The next event: its name and its data."""
        name = ""
        while line := self.answer.readline():
            word, _, value = line.decode().rstrip("\n").partition(": ")
            if word == "event":
                name = value
            elif word == "data":
                return name, json.loads(value)
        return "end", None

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Served]:
    one = Served()
    yield one
    one.stop()


@pytest.fixture
def served(running: Served) -> Served:
    """The server that the tests share, with its source as new."""
    running.source.pressed.clear()
    running.source.hands.clear()
    running.source.count = 0
    running.source.padding = ""
    return running


@pytest.fixture
def ending() -> Iterator[Served]:
    """A server of one's own, to be ended."""
    one = Served()
    yield one
    one.stop()


@pytest.fixture
def stream(served: Served) -> Iterator[Stream]:
    one = Stream(served.port)
    yield one
    one.close()


def told(answer: tuple[int, dict[str, str], bytes]) -> str:
    """The one clear line of a refusal."""
    status, headers, body = answer
    assert 400 <= status < 600
    assert headers["content-type"].startswith("application/json")
    data = json.loads(body)
    assert list(data) == ["error"]
    assert "\n" not in data["error"]
    assert "Traceback" not in data["error"]
    return str(data["error"])


def test_the_page_and_its_files_are_served_with_their_types(served: Served) -> None:
    """The page comes at /, and every file it names comes from this server with the type a browser insists on."""
    status, headers, body = served.ask("GET", "/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    html = body.decode()
    named = {part.split('"')[0] for part in html.split('="/')[1:]}
    assert "static/main.js" in named
    for name in named:
        status, headers, body = served.ask("GET", "/" + name)
        assert status == 200, name
        kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png"}
        kinds |= {"webmanifest": "application/manifest+json", "": "text/html"}
        assert headers["content-type"].startswith(kinds[name.rpartition(".")[2] if "." in name else ""])
        assert body


def test_every_answer_carries_the_security_headers(served: Served) -> None:
    """Page, data and refusals alike allow nothing from elsewhere and no inline code."""
    for path in ("/", "/static/main.js", "/state", "/nowhere"):
        _, headers, _ = served.ask("GET", path)
        policy = headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in policy
        assert {"script-src 'self'", "style-src 'self'"} <= set(policy)
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in headers


def test_a_file_that_the_browser_has_is_not_sent_again(served: Served) -> None:
    """A file's tag answers with 304 and nothing more."""
    _, headers, _ = served.ask("GET", "/static/main.js")
    status, _, body = served.ask("GET", "/static/main.js", headers={"If-None-Match": headers["etag"]})
    assert (status, body) == (304, b"")


def test_state_is_the_snapshot(served: Served) -> None:
    """/state answers what the source says, letter for letter."""
    served.source.count = 15
    status, _, body = served.ask("GET", "/state")
    assert status == 200
    assert json.loads(body) == {"count": 15, "pressed": [], "spoken": "nine ♥"}


@pytest.mark.parametrize("key", sorted(KEYS - {"C", "D"}))
def test_a_key_is_pressed_once(served: Served, key: str) -> None:
    """Every key of the board reaches the source, once."""
    status, _, body = served.key(json.dumps({"key": key}))
    assert (status, body) == (204, b"")
    assert served.source.pressed == [key]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"\xff\xfe\x00", "JSON"),
        (b"[" * 1000, "JSON"),
        (b"7", '"key"'),
        (b"null", '"key"'),
        (b'["7"]', '"key"'),
        (b"{}", '"key"'),
        (b'{"keys":"7"}', '"key"'),
        (b'{"key":"7","more":1}', '"key"'),
        (b'{"key":7}', "no key"),
        (b'{"key":null}', "no key"),
        (b'{"key":["7"]}', "no key"),
        (b'{"key":""}', "no key"),
        (b'{"key":"77"}', "no key"),
        (b'{"key":"a"}', "no key"),
        (b'{"key":"@0"}', "no key"),
        (b'{"key":"@5"}', "no key"),
        (b'{"key":"hold(@5)"}', "no key"),
        (b'{"key":"hold(A)"}', "no key"),
        ('{"key":"７"}'.encode(), "no key"),
        (b'{"key":"7\\n"}', "no key"),
        (b'{"key":"7","seen":null}', '"seen"'),
        (b'{"key":"7","seen":"3"}', '"seen"'),
        (b'{"key":"7","seen":true}', '"seen"'),
        (b'{"key":"7","seen":3.0}', '"seen"'),
        (b'{"key":"7","seen":-1}', '"seen"'),
        (b'{"key":"7","seen":9007199254740994}', '"seen"'),
        (b'{"key":"7","window":7}', '"window"'),
        (b'{"key":"7","window":""}', '"window"'),
        (b'{"key":"7","window":"a b"}', '"window"'),
    ],
)
def test_junk_for_a_key_is_refused_in_one_line(served: Served, body: bytes, says: str) -> None:
    """What is no key is answered by one clear line, and no key is pressed."""
    answer = served.key(body)
    assert answer[0] == 400
    assert says in told(answer)
    assert served.source.pressed == []


def test_a_press_tells_its_hand_and_what_it_saw(served: Served) -> None:
    """Two windows of one machine are two hands, and the moment that each showed reaches the board."""
    for body in ('{"key":"7","seen":12,"window":"x-1"}', '{"key":"7","window":"x-2"}', '{"key":"7"}'):
        assert served.key(body)[0] == 204
    assert served.source.hands == [("here/x-1", 12), ("here/x-2", None), ("here", None)]


def test_a_press_that_came_second_is_told_who_was_first(served: Served) -> None:
    """A press that another hand overtook is answered by 409 and the board's own words."""
    answer = served.key('{"key":"B","seen":1}')
    assert (answer[0], told(answer)) == (409, "Ann was first")


def test_a_spectator_presses_nothing(served: Served) -> None:
    """A key from another machine that was never paired is refused in plain words."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20, source_address=("127.0.0.2", 0))
    connection.request("POST", "/key", '{"key":"7"}', {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]) == (403, SPECTATOR)
    connection.close()
    assert served.source.pressed == []


def test_a_key_is_json_by_its_type(served: Served) -> None:
    """A form or plain text, which a page from elsewhere could post, is refused whatever it holds."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = served.key('{"key":"7"}', Content_Type=kind)
        assert answer[0] == 415
        assert "application/json" in told(answer)
    assert served.source.pressed == []


def test_a_long_body_is_refused(served: Served) -> None:
    """More than a kibibyte is not read; a key padded to just that is taken."""
    exact = '{"key":"7"' + " " * (1024 - 11) + "}"
    assert len(exact) == 1024
    assert served.key(exact)[0] == 204
    answer = served.key(exact + " ")
    assert answer[0] == 413
    assert "1024" in told(answer)
    assert served.source.pressed == ["7"]


def test_what_the_board_refuses_is_told(served: Served) -> None:
    """A ValueError of the board comes back as its own words."""
    answer = served.key('{"key":"D"}')
    assert (answer[0], told(answer)) == (400, "D is asleep: press another key")


def test_a_fault_of_the_board_is_one_line_without_its_inside(served: Served) -> None:
    """A failure inside the board answers 500 in plain words, and the server goes on."""
    answer = served.key('{"key":"C"}')
    assert answer[0] == 500
    assert "burns" not in told(answer)
    assert served.key('{"key":"7"}')[0] == 204


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/state/", 404),
        ("GET", "/static/", 404),
        ("GET", "/static/app.py", 404),
        ("GET", "/static/..%2fapp.py", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/key", 405),
        ("PUT", "/key", 405),
        ("POST", "/state", 405),
        ("DELETE", "/", 405),
        ("POST", "/events", 405),
    ],
)
def test_a_wrong_way_in_is_refused_in_one_line(served: Served, method: str, path: str, status: int) -> None:
    """A path or method that is none is answered by one line of JSON."""
    answer = served.ask(method, path)
    assert answer[0] == status
    assert told(answer)


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "LOCALHOST:8121", "127.0.0.1", "[::1]", "[::1]:8121"])
def test_this_machine_s_own_names_are_answered(served: Served, host: str) -> None:
    """The page is served under the loopback's names, with any port."""
    assert served.ask("GET", "/state", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "host",
    ["example.com", "example.com:8121", "127.0.0.1.example.com", "localhost.example.com", "", "192.168.0.7", "::1",
     "127.0.0.1:8121:1", "localhost:http", "evil@localhost", "localhost, example.com"],
)  # fmt: skip
def test_another_name_for_this_machine_is_refused(served: Served, host: str) -> None:
    """A site that points its own name here gets nothing: neither the page, nor the state, nor a key."""
    for path in ("/", "/state", "/events", "/static/main.js"):
        answer = served.ask("GET", path, headers={"Host": host})
        assert answer[0] == 400
        assert "this machine" in told(answer)
    assert served.key('{"key":"7"}', Host=host)[0] == 400
    assert served.source.pressed == []


@pytest.mark.parametrize("origin", ["http://example.com", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", ""])
def test_a_key_from_another_origin_is_refused(served: Served, origin: str) -> None:
    """A key posted by a page from elsewhere is refused and not pressed."""
    answer = served.key('{"key":"7"}', Origin=origin.format(port=served.port))
    assert answer[0] == 403
    assert "own page" in told(answer)
    assert served.key('{"key":"7"}', Sec_Fetch_Site="cross-site")[0] == 403
    assert served.source.pressed == []


def test_a_key_from_the_page_itself_is_taken(served: Served) -> None:
    """The page's own origin presses keys."""
    origin = f"http://127.0.0.1:{served.port}"
    assert served.key('{"key":"7"}', Origin=origin, Sec_Fetch_Site="same-origin")[0] == 204
    assert served.source.pressed == ["7"]


def test_a_stream_begins_with_everything(stream: Stream) -> None:
    """On connection a reader is told the state, the glass and the lights as they are."""
    assert stream.answer.getheader("content-type", "").startswith("text/event-stream")
    events = dict(stream.next() for _ in range(3))
    assert events["state"] == {"count": 0, "pressed": [], "spoken": "nine ♥"}
    assert (events["glass"]["w"], events["glass"]["h"]) == (9, 2)
    assert base64.b64decode(events["glass"]["bits"]) == b"\x80\x80\x01\x00"
    assert events["lights"] == {"lanes": ["0000ff000000", "ff8c00010203"]}


def test_a_key_is_seen_by_every_reader(served: Served, stream: Stream) -> None:
    """What one tab presses, all tabs are told."""
    other = Stream(served.port)
    for reader in (stream, other):
        for _ in range(3):
            reader.next()
    served.key('{"key":"7"}')
    for reader in (stream, other):
        name, state = reader.next()
        assert (name, state["pressed"]) == ("state", ["7"])
    other.close()


def test_what_has_not_changed_is_not_sent_again(served: Served, stream: Stream) -> None:
    """A change that changes nothing public sends nothing: the next event is the next real one."""
    for _ in range(3):
        stream.next()
    served.in_loop(lambda: served.source.changes.note("glass", "lights", "state"))
    served.key('{"key":"8"}')
    assert stream.next()[1]["pressed"] == ["8"]


def test_a_reader_that_does_not_read_delays_nobody(served: Served) -> None:
    """While one reader reads nothing, keys are taken and another is told; nothing piles up for the idle one."""
    served.source.padding = "x" * 1_000_000
    begun = served.source.asked
    idle = socket.create_connection(("127.0.0.1", served.port))
    idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    idle.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for number in range(60):
        served.source.count = number
        assert served.key('{"key":"1"}')[0] == 204
    before = served.source.asked
    other = Stream(served.port)
    assert dict(other.next() for _ in range(3))["state"]["count"] == 59
    assert served.source.asked == before + 1
    assert before - begun < 60
    other.close()
    idle.close()


def test_stopping_ends_every_stream(ending: Served) -> None:
    """When the server stops, readers see the end of their stream, those that do not read are cut off, and it ends."""
    stream = Stream(ending.port)
    for _ in range(3):
        stream.next()
    ending.source.padding = "x" * 20_000_000
    idle = socket.create_connection(("127.0.0.1", ending.port))
    idle.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    begun = b""
    while b"event: state" not in begun:
        begun += idle.recv(64)
    ending.stop()
    assert stream.next() == ("end", None)
    assert not ending.server.server_state.connections
    stream.close()
    idle.close()


def test_a_source_that_ends_ends_its_streams(ending: Served) -> None:
    """When the service closes its changes, every reader's stream comes to its end."""
    stream = Stream(ending.port)
    for _ in range(3):
        stream.next()
    ending.in_loop(ending.source.changes.close)
    assert stream.next() == ("end", None)
    stream.close()


def test_a_reader_that_goes_is_forgotten(served: Served) -> None:
    """Nothing of a closed tab stays behind in the service."""
    gone = Stream(served.port)
    gone.next()
    gone.connection.sock.shutdown(socket.SHUT_RDWR) if gone.connection.sock else None
    gone.close()
    readers = served.source.changes._readers
    for _ in range(2000):
        if not readers:
            break
        served.key('{"key":"1"}')
    assert not readers


def test_asking_for_the_head_of_the_stream_ends(served: Served) -> None:
    """HEAD of the stream answers with its type alone, and the connection is free for the next request."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("HEAD", "/events")
    answer = connection.getresponse()
    assert answer.read() == b""
    assert answer.getheader("content-type", "").startswith("text/event-stream")
    connection.request("GET", "/state")
    assert json.loads(connection.getresponse().read())["count"] == 0
    connection.close()


def test_the_page_takes_the_next_port_that_is_free() -> None:
    """Two boards on one machine have two ports, and a port asked for by number is that one or a clear refusal."""
    first, second = listen(), listen()
    one, other = first.getsockname()[1], second.getsockname()[1]
    assert first.getsockname()[0] == "127.0.0.1"
    assert 8121 <= one < other
    with pytest.raises(OSError, match=str(one)):
        listen(one)
    with pytest.raises(OSError, match="70000"):
        listen(70000)
    first.close()
    second.close()


def test_a_slow_watcher_hears_each_name_once() -> None:
    """However often a change is noted, a watcher finds each name once, and hears the last."""

    async def watched() -> list[str]:
        changes = Changes()
        heard = []
        watch = changes.watch()
        first = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0)
        changes.note("state")
        heard.append(await first)
        for _ in range(1000):
            changes.note("glass", "state")
        heard += [await anext(watch), await anext(watch)]
        changes.close()
        heard += [name async for name in watch]
        return heard

    assert asyncio.run(watched()) == ["state", "glass", "state"]
