"""Phones at the page's own addresses: who may press, what a cookie says, and that no page elsewhere sees the code."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from firmware.config import parse_config
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.phones import REMEMBERED_S, Phones
from firmware.screens import screen_of
from firmware.screens.draw import draw
from firmware.service import Service
from firmware.web.app import make_app
from firmware.web.phones import OWN
from firmware.web.streams import CONTENT, as_json
from firmware.web.who import COOKIE, SPECTATOR
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

BOARD, PHONE, OTHER, HERE = ("192.0.2.7", 8121), ("192.0.2.50", 50000), ("192.0.2.51", 50000), ("127.0.0.1", 50000)
CONFIG = b'[table]\nnames = ["Ann", "Bob"]\n'
CODES = ("482913", "173059")


@dataclass
class Answer:
    """What a request was answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        """The words of a refusal, which is nothing but them."""
        data = json.loads(self.body)
        assert list(data) == ["error"]
        return str(data["error"])

    @property
    def cookie(self) -> str:
        """What the browser is to send from now on."""
        return self.headers["set-cookie"].partition(";")[0]


class Page:
    """The page of a real service on simulated parts, asked from anywhere."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.app = make_app(service)

    def scope(self, path: str, method: str, client: Any, scheme: str, headers: dict[str, str]) -> dict[str, Any]:
        """A request as the server hands it on."""
        server = BOARD if client != HERE else ("127.0.0.1", 8121)
        named = {"host": f"{server[0]}:{server[1]}", "content-type": "application/json"} | headers
        return {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(),
            "query_string": b"", "scheme": scheme, "client": client, "server": server, "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        }  # fmt: skip

    async def ask(
        self, path: str, body: Any = None, *, client: Any = PHONE, scheme: str = "http", cookie: str = "", **more: str
    ) -> Answer:
        """One request: a GET, or with a body a POST."""
        raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {name.replace("_", "-"): value for name, value in more.items()} | (
            {"cookie": cookie} if cookie else {}
        )
        scope = self.scope(path, "GET" if body is None else "POST", client, scheme, headers)
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": raw, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Answer(sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]))

    async def pair(self, seat: str = "", client: Any = PHONE) -> str:
        """Pair the phone at that address; its cookie."""
        self.press(f"D D 10# {seat}")
        answer = await self.ask("/pair", {"code": self.service.board.view().overlay.code}, client=client)  # type: ignore[union-attr]
        assert answer.status == 204
        return answer.cookie

    def press(self, keys: str) -> None:
        """Press keys at the board."""
        for key in split_keys(keys):
            self.service.press(key)

    @property
    def typed(self) -> str:
        """What is typed."""
        return self.service.board.view().typed

    @asynccontextmanager
    async def listening(self, client: Any) -> AsyncIterator[list[bytes]]:
        """Everything that an open stream of events is sent."""
        heard: list[bytes] = []

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            heard.append(message.get("body", b""))

        task = asyncio.create_task(self.app(self.scope("/events", "GET", client, "http", {}), receive, send))
        try:
            yield heard
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def served(folder: Path, *codes: str, address: str = "http://192.0.2.7:8121/") -> AsyncIterator[Page]:
    """A board whose page the network reaches; it runs, and is seen to end."""
    left = iter(codes or CODES)
    phones = Phones(folder, digits=lambda: next(left))
    journal = open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    service = Service(parse_config(CONFIG), open_devices(PartsSpec()), journal, phones=phones)
    service.board.address = address
    task = asyncio.create_task(service.run(None, lambda: None))
    await asyncio.sleep(0)
    try:
        yield Page(service)
    finally:
        service.stop()
        async with asyncio.timeout(30):
            await task


def on_a_board(test: Callable[[Page], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    """A test of the page of a running board."""

    def run(quick_folder: Path) -> None:
        async def play() -> None:
            async with served(quick_folder) as page:
                await test(page)

        asyncio.run(play())

    run.__doc__, run.__name__ = test.__doc__, test.__name__
    return run


@on_a_board
async def test_a_spectator_presses_nothing(page: Page) -> None:
    """A key from a device that is not paired is refused in plain words, and nothing is pressed."""
    answer = await page.ask("/key", {"key": "7"})
    assert (answer.status, answer.error) == (403, SPECTATOR)
    assert page.typed == ""
    assert json.loads((await page.ask("/me")).body) == {
        "may": False,
        "here": False,
        "seat": None,
        "name": "",
        "lost": False,
    }


@on_a_board
async def test_a_paired_phone_presses_keys(page: Page) -> None:
    """With the cookie that the right code brings a phone presses keys, and is told who it is."""
    cookie = await page.pair("2#")
    assert (await page.ask("/key", {"key": "7"}, cookie=cookie)).status == 204
    assert page.typed == "7"
    me = json.loads((await page.ask("/me", cookie=cookie)).body)
    assert me == {"may": True, "here": False, "seat": 1, "name": "Phone 1", "lost": False}
    assert json.loads((await page.ask("/me", client=HERE)).body)["here"] is True


@on_a_board
async def test_the_cookie_is_out_of_reach(page: Page) -> None:
    """Neither a script nor another site gets at the cookie; it outlasts the pairing, and keeps to https."""
    page.press("D D 10#")
    plain = (await page.ask("/pair", {"code": CODES[0]})).headers["set-cookie"]
    page.press("D D 10#")
    safe = (await page.ask("/pair", {"code": CODES[1]}, scheme="https", client=OTHER)).headers["set-cookie"]
    for text, secure in ((plain, False), (safe, True)):
        words = {word.strip().lower() for word in text.split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/", f"max-age={REMEMBERED_S}"} <= words
        assert ("secure" in words) == secure
        assert not any(word.startswith("domain") for word in words)
        assert text.startswith(f"{COOKIE}=")


@on_a_board
async def test_a_phone_let_go_at_the_board_is_a_spectator(page: Page) -> None:
    """A phone let go from the menu presses no more, and its old cookie, sent again, pairs nobody."""
    cookie = await page.pair()
    before = json.loads((await page.ask("/state")).body)["phones"]
    page.press("D D 11# 1#")
    assert json.loads((await page.ask("/state")).body)["phones"] != before
    assert (await page.ask("/key", {"key": "7"}, cookie=cookie)).status == 403
    await page.pair()
    assert (await page.ask("/key", {"key": "7"}, cookie=cookie)).status == 403
    assert json.loads((await page.ask("/me", cookie=cookie)).body)["lost"]


@on_a_board
async def test_a_phone_lets_itself_go(page: Page) -> None:
    """A phone may give its keys back, and its browser is told to forget the cookie."""
    cookie = await page.pair()
    answer = await page.ask("/unpair", {}, cookie=cookie)
    assert answer.status == 204
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert page.service.board.phones.paired == ()
    assert (await page.ask("/unpair", {}, cookie=cookie)).status == 403


@on_a_board
async def test_a_phone_paired_again_is_one_phone(page: Page) -> None:
    """A phone that is paired anew has its new keys, and its old ones no more."""
    old = await page.pair("1#")
    page.press("D D 10# 2#")
    answer = await page.ask("/pair", {"code": CODES[1]}, cookie=old)
    assert [phone.seat for phone in page.service.board.phones.paired] == [1]
    assert (await page.ask("/key", {"key": "7"}, cookie=old)).status == 403
    assert (await page.ask("/key", {"key": "7"}, cookie=answer.cookie)).status == 204


@on_a_board
async def test_wrong_codes_end_in_a_lock(page: Page) -> None:
    """Wrong codes are told with what is left, the fifth makes the code void, the sixth has to wait."""
    page.press("D D 10#")
    answers = [await page.ask("/pair", {"code": "000000"}) for _ in range(6)]
    assert [answer.status for answer in answers] == [403, 403, 403, 403, 410, 429]
    assert "Tries left: 4" in answers[0].error
    assert 1 <= int(answers[5].headers["retry-after"]) <= 60
    assert (await page.ask("/pair", {"code": CODES[0]}, client=OTHER)).status == 410
    assert "void" in " ".join(screen_of(page.service.board.view()).text)


@on_a_board
async def test_the_boards_own_page_needs_no_phone(page: Page) -> None:
    """On the board's own machine there is nothing to pair and nothing to let go."""
    page.press("D D 10#")
    for path, body in (("/pair", {"code": CODES[0]}), ("/unpair", {})):
        answer = await page.ask(path, body, client=HERE)
        assert (answer.status, answer.error) == (409, OWN)
    assert page.service.board.phones.paired == ()


@on_a_board
async def test_only_the_boards_own_page_posts(page: Page) -> None:
    """A post from another site's page is refused, with a paired phone's cookie too."""
    cookie = await page.pair()
    page.press("D D 10#")
    for path, body in (("/key", {"key": "7"}), ("/pair", {"code": CODES[1]}), ("/unpair", {})):
        for foreign in ({"origin": "http://evil.example"}, {"sec_fetch_site": "cross-site"}):
            assert (await page.ask(path, body, cookie=cookie, **foreign)).status == 403
        assert (await page.ask(path, body, cookie=cookie, content_type="text/plain")).status == 415
        assert (await page.ask(path, body, cookie=cookie, host="evil.example")).status == 400
    assert len(page.service.board.phones.paired) == 1
    assert page.typed == ""


@on_a_board
async def test_what_is_no_code_costs_no_try(page: Page) -> None:
    """Junk in place of a code is refused in one line, and is no try."""
    page.press("D D 10#")
    bad: list[Any] = [{"code": code} for code in (482913, None, "48291", "4829134", "48291x", "４８２９１３")]
    for junk in (*bad, {}, {"code": CODES[0], "more": 1}, [], 7, b"{", b"\xff"):
        answer = await page.ask("/pair", junk)
        assert answer.status == 400
        assert "six digits" in answer.error or "code" in answer.error
    for junk in (b"{", [], b"\xff"):
        assert (await page.ask("/unpair", junk)).status == 400
    assert page.service.board.view().overlay.wrong == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("cookie", ["x", "", "=", f"{COOKIE}=", f"{COOKIE}=x.y", f"{COOKIE}=é", f"{COOKIE}=W10.x; a=b"])
def test_no_made_up_cookie_presses(quick_folder: Path, cookie: str) -> None:
    """Whatever stands in a cookie that the board did not sign, its sender only watches."""

    async def play() -> None:
        async with served(quick_folder) as page:
            assert (await page.ask("/key", {"key": "7"}, cookie=cookie)).status == 403

    asyncio.run(play())


@on_a_board
async def test_two_phones_press_at_once(page: Page) -> None:
    """Of two phones pressing on the same moment one is taken; the other is told by its answer and on the board."""
    page.press("# 2# 12A")
    ann, bob = await page.pair("1#"), await page.pair("2#", client=OTHER)
    seen = json.loads((await page.ask("/state")).body)["moment"]
    presses = [(ann, PHONE, key) for key in "4A"] + [(bob, OTHER, key) for key in "5A"]
    answers = await asyncio.gather(
        *(page.ask("/key", {"key": key, "seen": seen}, cookie=cookie, client=at) for cookie, at, key in presses)
    )
    assert [answer.status for answer in answers] == [204, 204, 204, 409]
    assert answers[-1].error.startswith("Ann's phone was first: Ann played 4S")
    notice = json.loads((await page.ask("/state")).body)["notice"]
    assert notice == {"kind": "refused", "text": answers[-1].error}
    assert page.service.board.view().public.count == 4  # type: ignore[union-attr]


# The code is for those at the table.


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


KEYS = ["D", "D", "1", "0", "#", "1", "#", "wrong", "7", "*", "wrong", "0", "#", "*", "3", "*", "D", "*", "C"]
"""A life of a code: asked for, bound to a seat, tried, bound anew, left; and what comes after it."""


def event(sight: Any, name: str) -> bytes:
    """What a stream is sent of the present moment."""
    return f"event: {name}\ndata: {as_json(CONTENT[name](sight))}\n\n".encode()


async def life(folder: Path, code: str, client: Any) -> tuple[list[bytes], list[bytes]]:
    """All that a page at that address is told while a code lives: by its stream of events, and asked after each key."""
    asked: list[bytes] = []
    async with served(folder, code) as page:
        page.press("# 2# 12A")
        panel = page.service._devices.twins.panel
        assert panel is not None
        async with page.listening(client) as heard:
            for key in KEYS:
                if key == "wrong":
                    page.service.phones.pair("555555", "192.0.2.99")
                else:
                    page.press(key)
                drawn = draw(screen_of(page.service.board.view())).tobytes()
                await until(lambda drawn=drawn: panel.glass().tobytes() == drawn)  # type: ignore[misc]
                asked.append((await page.ask("/state", client=client)).body)
                sight = page.service if client == HERE else page.service.from_afar()
                await until(lambda sight=sight: all(event(sight, name) in heard for name in ("state", "glass")))  # type: ignore[misc]
    return heard, asked


def words_of(heard: list[bytes]) -> set[bytes]:
    """The states and pictures among some events; how far the lights had swept is a matter of time."""
    return {one for one in heard if one.startswith((b"event: state", b"event: glass"))}


@pytest.mark.parametrize("client", [PHONE, ("127.0.0.2", 50000)])
def test_no_page_elsewhere_is_told_the_code(quick_folder: Path, client: Any) -> None:
    """Two boards with different codes tell a page elsewhere the same, byte for byte: state, glass and words, while the
    code is shown and after it."""
    (one, asked), (other, again) = (
        asyncio.run(life(quick_folder / code, code, client)) for code in ("482913", "170605")
    )
    same = asked == again and words_of(one) == words_of(other)  # compared here: so much is not for an error message
    assert same
    told = b" ".join([*one, *asked])
    found = [shape for shape in (b"482913", b"482 913", b"4 8 2", b"482, 913", b"The code is on") if shape in told]
    assert found == [b"The code is on"]
    assert len({one for one in words_of(one) if one.startswith(b"event: glass")}) > 4


def test_the_boards_own_page_shows_the_code(quick_folder: Path) -> None:
    """A page on the board's machine mirrors the glass to the pixel, the code with it: it is the simulator's face."""
    heard, asked = asyncio.run(life(quick_folder, "482913", HERE))
    shown = any(b"482 913" in one for one in asked), any(b"4 8 2, 9 1 3" in one for one in heard)
    assert shown == (True, True)
