"""The page off the loopback: by which names it answers, to whom it lets press keys, and its certificate."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from firmware import addresses
from firmware.certificate import CertificateFault, secured
from firmware.complaints import FORBIDDEN
from firmware.config import Config, ConfigError, parse_config, simulated_only
from firmware.hands import Presser
from firmware.journal import open_journal
from firmware.service import Service
from firmware.web.app import make_app
from firmware.web.guard import names_for
from firmware.web.server import PageServer, listen
from hardware.open_devices import open_devices
from hardware.ports import Colour

TLS = Path(__file__).resolve().parents[1] / "golden" / "tls"
BOARD = ("192.0.2.20", 8121)
PHONE = ("192.0.2.77", 50000)
HERE = ("127.0.0.1", 50000)


class Source:
    """A board that remembers its keys."""

    def __init__(self) -> None:
        self.pressed: list[str] = []

    def snapshot(self) -> dict[str, Any]:
        return {}

    def glass(self) -> tuple[int, int, bytes]:
        return 1, 1, b"\x80"

    def lights(self) -> list[list[Colour]]:
        return []

    def from_afar(self) -> Any:
        return self

    def press(self, key: str, by: Presser, seen: int | None) -> str:
        self.pressed.append(key)
        return ""

    async def watch(self) -> AsyncIterator[str]:
        yield "state"


class Asked:
    """One request to an app, by an address, at an address; and what it answered."""

    def __init__(
        self,
        source: Source,
        path: str,
        body: bytes = b"",
        *,
        client: tuple[str, int] = PHONE,
        server: tuple[str, int] = BOARD,
        scheme: str = "http",
        names: tuple[str, ...] = (),
        at: str = "0.0.0.0",
        **headers: str,
    ) -> None:
        named = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
        named.setdefault(b"host", f"{server[0]}:{server[1]}".encode())
        if body:
            named.setdefault(b"content-type", b"application/json")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST" if body else "GET",
            "scheme": scheme,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": list(named.items()),
            "client": client,
            "server": server,
        }
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self.body += message.get("body", b"")

        app = make_app(source, names=names_for(at, names))
        asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is called Attic."""
    monkeypatch.setattr("socket.gethostname", lambda: "Attic.home")


@pytest.mark.parametrize(
    "host",
    ["192.0.2.20", "192.0.2.20:8121", "muggins.local:8121", "MUGGINS.LOCAL", "attic.home", "attic.local", "board.club"],
)  # fmt: skip
def test_the_board_answers_to_its_names_on_the_network(source: Source, host: str) -> None:
    """Its address by number, muggins.local, the machine's name with and without .local, and the names set."""
    assert Asked(source, "/state", host=host, names=("Board.club",)).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "192.0.2.21", "muggins.local.evil.example", "muggins", "127.0.0.1", "localhost", "0.0.0.0", "",
     "192.0.2.20.evil.example", "other.club", "192.0.2.20:x"],
)  # fmt: skip
def test_no_other_name_reaches_the_board_over_the_network(source: Source, host: str) -> None:
    """A site that points its own name at the board gets neither the page nor a key; nor do the loopback's names from
    outside, or another machine's address."""
    for path in ("/", "/state", "/events", "/static/main.js"):
        answer = Asked(source, path, host=host, names=("board.club",))
        assert answer.status == 400
        assert "by number" in json.loads(answer.body)["error"]
    assert Asked(source, "/key", b'{"key":"7"}', host=host).status == 400
    assert source.pressed == []


@pytest.mark.parametrize("host", ["muggins.local", "attic.local", "board.club", "192.0.2.20"])
def test_on_the_loopback_there_are_no_names_of_the_network(source: Source, host: str) -> None:
    """A page served to this machine only answers to the loopback's names, whatever names are set."""
    here = {"client": HERE, "server": ("127.0.0.1", 8121), "at": "127.0.0.1", "names": ("board.club",)}
    assert Asked(source, "/state", host=host, **here).status == 400
    assert Asked(source, "/state", host="localhost:8121", **here).status == 200


def test_a_stranger_looks_on_and_presses_nothing(source: Source) -> None:
    """A device on the network sees the state; a key that it sends is refused, and so is one that says it was passed on
    for this machine."""
    assert Asked(source, "/state").status == 200
    for headers in ({}, {"x_forwarded_for": "127.0.0.1"}, {"forwarded": "for=127.0.0.1"}, {"host": "muggins.local"}):
        answer = Asked(source, "/key", b'{"key":"7"}', **headers)
        assert answer.status == 403
        assert "pair" in json.loads(answer.body)["error"]
    assert source.pressed == []


def test_this_machines_browser_presses_keys_where_the_network_looks_on(source: Source) -> None:
    """Served to the network too, the page still takes keys from the board's own machine, under the loopback's names."""
    here = {"client": HERE, "server": ("127.0.0.1", 8121)}
    assert Asked(source, "/key", b'{"key":"7"}', **here).status == 204
    assert Asked(source, "/key", b'{"key":"8"}', host="attic.home", **here).status == 403
    assert source.pressed == ["7"]


@pytest.mark.parametrize(
    ("scheme", "origin", "status"),
    [
        ("https", "https://127.0.0.1:8121", 204),
        ("https", "http://127.0.0.1:8121", 403),
        ("http", "https://127.0.0.1:8121", 403),
        ("http", "http://127.0.0.1", 403),
        ("http", "http://muggins.local:8121", 403),
    ],
)
def test_a_keys_origin_is_the_page_with_its_scheme(source: Source, scheme: str, origin: str, status: int) -> None:
    """A key's Origin is this page's scheme, name and port, all three, or the key is refused."""
    here = {"client": HERE, "server": ("127.0.0.1", 8121), "scheme": scheme}
    assert Asked(source, "/key", b'{"key":"7"}', origin=origin, **here).status == status
    assert source.pressed == ["7"] * (status == 204)


def test_only_a_safe_page_is_set_apart_from_others(source: Source) -> None:
    """Over plain http from the network the opener policy, of which browsers would only complain, is left out; nobody is
    ever bound to https."""
    assert "cross-origin-opener-policy" not in Asked(source, "/state").headers
    assert "cross-origin-opener-policy" in Asked(source, "/state", scheme="https").headers
    local = Asked(source, "/state", client=HERE, server=("127.0.0.1", 8121))
    assert "cross-origin-opener-policy" in local.headers
    assert "strict-transport-security" not in Asked(source, "/state", scheme="https").headers


@pytest.mark.parametrize("length", ["1000001", "99999999999999999999", "-1", "x"])
def test_a_body_that_says_it_is_too_long_is_not_read(source: Source, length: str) -> None:
    """A length past the bound, or none that can be read, is refused by the request's first lines."""
    here = {"client": HERE, "server": ("127.0.0.1", 8121), "content_length": length}
    assert Asked(source, "/key", b'{"key":"7"}', **here).status == 413
    assert source.pressed == []


# The address.


@pytest.mark.parametrize(
    ("leads_out", "there", "found"),
    [
        ("192.0.2.20", [], "192.0.2.20"),
        (None, ["169.254.3.4", "127.0.0.1", "10.0.0.1"], "10.0.0.1"),
        (None, ["127.0.0.1", "169.254.3.4"], "169.254.3.4"),
        (None, ["127.0.0.1"], "127.0.0.1"),
        ("127.0.0.1", ["127.0.0.1"], "127.0.0.1"),
    ],
)
def test_the_present_address_is_the_one_that_leads_out(
    monkeypatch: pytest.MonkeyPatch, leads_out: str | None, there: list[str], found: str
) -> None:
    """The interface that leads out has it, else one on a network, else one that nobody gave, else the loopback."""

    class Way:
        def __init__(self, *kind: Any) -> None: ...
        def __enter__(self) -> Way:
            return self

        def __exit__(self, *why: Any) -> None: ...
        def connect(self, where: Any) -> None:
            if leads_out is None:
                raise OSError("Network is unreachable")

        def getsockname(self) -> tuple[str | None, int]:
            return leads_out, 1

    class Adapter:
        def __init__(self) -> None:
            self.ips = [type("IP", (), {"ip": one}) for one in [*there, ("fe80::1", 0, 2)]]

    monkeypatch.setattr("socket.socket", Way)
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [Adapter()])
    assert addresses.present_address() == addresses.reached_at("0.0.0.0") == found
    assert addresses.reached_at("192.0.2.9") == "192.0.2.9"


def test_the_address_is_followed_while_the_board_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that gets its address late, or another one, has the board show the present one, and nothing of the game
    changes."""
    there = ["127.0.0.1"]
    monkeypatch.setattr(addresses, "present_address", lambda: there[0])

    async def followed() -> list[str]:
        config = simulated_only(Config())
        journal = open_journal(tmp_path, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        service = Service(config, open_devices(config.parts_spec()), journal, log=lambda line: None, retry_s=0)
        server = PageServer(service, listen(0, "0.0.0.0"))
        service.board.address = server.address
        running = asyncio.create_task(service.run(server, lambda: None))
        seen = [service.board.view().address]
        for there[0] in ("192.0.2.20", "192.0.2.33"):
            while service.board.view().address == seen[-1]:
                await asyncio.sleep(0)
            seen.append(service.board.view().address)
        service.stop()
        await running
        return [one.replace(f":{server.port}/", "") for one in seen]

    assert asyncio.run(followed()) == ["http://127.0.0.1", "http://192.0.2.20", "http://192.0.2.33"]


def test_an_address_of_another_machine_is_named_with_those_there_are() -> None:
    """An address that this machine does not have is told with the ones it has, and with the setting."""
    with pytest.raises(OSError, match=r"198\.51\.100\.7.*127\.0\.0\.1.*page\.host"):
        listen(0, "198.51.100.7")


# The settings.


@pytest.mark.parametrize(
    ("text", "path", "word"),
    [
        ("host = 'muggins.local'", "page.host", "0.0.0.0"),
        ("host = '::'", "page.host", "192.168.1.20"),
        ("host = '224.0.0.251'", "page.host", "0.0.0.0"),
        ("names = ['a b']", "page.names", "without port"),
        ("names = ['board:8121']", "page.names", "without port"),
        ("certificate = 'cert.pem'", "page.certificate", "whole path"),
        ("certificate = '/etc/cert.pem'", "page.key", "is missing"),
        ("key = '/etc/key.pem'", "page.certificate", "is missing"),
    ],
)
def test_what_the_page_cannot_be_served_by_is_refused(text: str, path: str, word: str) -> None:
    """A name for an address, a port in a name, a path that is not whole, half of a certificate: told at its key."""
    with pytest.raises(ConfigError) as error:
        parse_config(f"[page]\n{text}".encode())
    (fault,) = error.value.faults
    assert (fault.path, word in fault.message) == (path, True)


def test_localhost_is_the_loopback_by_number() -> None:
    """localhost for an address is 127.0.0.1, and names are kept in small letters."""
    config = parse_config(b"[page]\nhost = 'localhost'\nnames = ['Board.Club']")
    assert (config.host, config.page_names) == ("127.0.0.1", ("board.club",))


# The certificate.


def test_a_certificate_without_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that never ends is read no further than a certificate could be, and refused by its name."""
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read whole"))
    with pytest.raises(CertificateFault, match="/dev/zero is no PEM file"):
        secured("/dev/zero", "/dev/zero")


def test_a_sound_certificate_serves_https() -> None:
    """A certificate and its key make what serves the page; none at all make plain http."""
    assert isinstance(secured(str(TLS / "certificate.pem"), str(TLS / "key.pem")), ssl.SSLContext)
    assert secured("", "") is None


def test_the_page_is_served_over_https(source: Source) -> None:
    """With a certificate the page's address is https and its state comes over TLS; who speaks plain http there gets
    nothing, and holds nobody up."""

    async def asked() -> tuple[str, bytes, bytes]:
        server = PageServer(source, listen(0), tls=secured(str(TLS / "certificate.pem"), str(TLS / "key.pem")))
        serving = asyncio.create_task(server.serve())
        plain, speaks = await asyncio.open_connection("127.0.0.1", server.port)
        speaks.write(b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        trusts = ssl.create_default_context(cafile=str(TLS / "certificate.pem"))
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusts)
        writer.write(b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        answers = await reader.read(), await plain.read()
        for one in (writer, speaks):
            one.close()
        server.stop()
        await serving
        return server.address, *answers

    address, safe, plain = asyncio.run(asked())
    assert re.fullmatch(r"https://127\.0\.0\.1:\d+/", address)
    assert safe.startswith(b"HTTP/1.1 200 ")
    assert safe.endswith(b"{}")
    assert plain == b""


@pytest.mark.parametrize(
    ("certificate", "key", "says"),
    [
        (None, "key.pem", "page.certificate: there is no file"),
        ("certificate.pem", None, "page.key: there is no file"),
        (b"\x30\x82", "key.pem", "page.certificate: .* is no PEM file"),
        ("certificate.pem", b"-----BEGIN ENCRYPTED PRIVATE KEY-----", "page.key: .* password"),
        ("certificate.pem", "other", "is not the key of"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "key.pem", "cannot be used together"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_told_plainly(
    tmp_path: Path, certificate: str | bytes | None, key: str | bytes | None, says: str
) -> None:
    """A file that is missing, no PEM, locked by a password, of another pair or broken is named with what to do."""

    def path(what: str | bytes | None, name: str) -> str:
        if what == "other":
            what = OTHER_KEY
        if isinstance(what, str):
            return str(TLS / what)
        if what is not None:
            (tmp_path / name).write_bytes(what)
        return str(tmp_path / name)

    with pytest.raises(CertificateFault, match=says):
        secured(path(certificate, "c"), path(key, "k"))


OTHER_KEY = (TLS / "other-key.pem").read_bytes()


def test_a_certificate_that_cannot_be_used_ends_the_start_plainly(tmp_path: Path) -> None:
    """`muggins run` with a certificate that is not there says so in one line and exits 1."""
    file = tmp_path / "muggins.toml"
    file.write_text("[page]\ncertificate = '/nowhere/c.pem'\nkey = '/nowhere/k.pem'\n")
    words = ["run", "--config", str(file), "--state", str(tmp_path / "state"), "--port", "0"]
    done = subprocess.run([sys.executable, "-m", "firmware", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == FORBIDDEN
    assert "page.certificate: there is no file /nowhere/c.pem" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "state").exists()
