"""The page found by name: asked by a second machine's resolver over the loopback, with its real packets."""

from __future__ import annotations

import builtins
import os
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from zeroconf import AddressResolverIPv4, IPVersion, ServiceInfo, Zeroconf

from firmware.mdns import KIND, Announcer
from firmware.web.server import PageServer, listen

LO = "127.0.0.1"
PATIENCE_S = 30.0
PATIENCE_MS = 10_000
GONE_MS = 600
NAME = f"muggins-under-test-{os.getpid()}"
"""Several runs on one machine are on one network."""


@pytest.fixture(scope="module")
def other() -> Iterator[Zeroconf]:
    """Another machine on the network."""
    with Zeroconf(interfaces=[LO], ip_version=IPVersion.V4Only) as one:
        yield one


class Board:
    """An announcer, and what it said."""

    def __init__(self, name: str, port: int = 8121, ask_ms: int = 100) -> None:
        self.names: list[str] = []
        self.lines: list[str] = []
        self._spoke = threading.Semaphore(0)
        self.announcer = Announcer(port, self._note(self.names), self._note(self.lines), name=name, ask_ms=ask_ms)

    def _note(self, where: list[str]) -> Callable[[str], None]:
        def note(text: str) -> None:
            where.append(text)
            self._spoke.release()

        return note

    def wait(self) -> None:
        """Until it has said something more."""
        assert self._spoke.acquire(timeout=PATIENCE_S)


@pytest.fixture
def boards() -> Iterator[Callable[..., Board]]:
    """Makes boards, ended after the test."""
    made: list[Board] = []

    def make(name: str, **more: Any) -> Board:
        made.append(Board(name, **more))
        return made[-1]

    yield make
    for board in made:
        board.announcer.join()


def addresses(network: Zeroconf, name: str, patience_ms: int = PATIENCE_MS) -> list[str]:
    """What the network says of a name."""
    asked = AddressResolverIPv4(f"{name}.local.")
    asked.request(network, patience_ms)
    return asked.parsed_addresses()


def test_a_board_is_found_by_its_name(other: Zeroconf, boards: Callable[..., Board]) -> None:
    """Another machine finds the board's address under its name, and its page among the network's web pages; at the end
    neither is there any more."""
    name = f"{NAME}-found"
    board = boards(name, port=8199)
    board.announcer.at(LO)
    board.announcer.at(LO)
    board.wait()
    assert (board.names, board.lines) == ([f"{name}.local"], [])
    assert addresses(other, name) == [LO]
    page = other.get_service_info(KIND, f"{name.capitalize()}.{KIND}", PATIENCE_MS)
    assert page is not None
    assert (page.port, page.server, page.properties) == (8199, f"{name}.local.", {b"path": b"/"})
    board.announcer.join()
    with Zeroconf(interfaces=[LO], ip_version=IPVersion.V4Only) as third:
        assert addresses(third, name, GONE_MS) == []


def test_a_name_that_another_board_has_gets_a_number(other: Zeroconf, boards: Callable[..., Board]) -> None:
    """Where another machine has the name already this board is the second of that name, and says so in one line."""
    name = f"{NAME}-taken"
    address = socket.inet_aton("127.0.0.9")
    theirs = ServiceInfo(KIND, f"{name}.{KIND}", port=1, server=f"{name}.local.", addresses=[address])
    other.register_service(theirs)
    board = boards(name, ask_ms=3000)
    board.announcer.at(LO)
    board.wait()
    board.wait()
    assert board.names == [f"{name}-2.local"]
    (line,) = board.lines
    assert f"http://{name}-2.local:8121/" in line
    assert addresses(other, f"{name}-2") == [LO]
    other.unregister_service(theirs)


def test_a_board_without_a_network_is_announced_when_it_has_one(boards: Callable[..., Board]) -> None:
    """An address that is no interface's is told in one line with the page's number; a later one that is serves; and a
    network that goes takes the name with it."""
    name = f"{NAME}-late"
    board = boards(name)
    board.announcer.at("198.51.100.7")
    board.wait()
    (line,) = board.lines
    assert "http://198.51.100.7:8121/" in line
    board.announcer.at(LO)
    board.wait()
    assert board.names == [f"{name}.local"]
    board.announcer.at("")
    board.announcer.at(LO)
    board.wait()
    assert board.names == [f"{name}.local"] * 2


def test_without_the_library_one_line_says_so(monkeypatch: pytest.MonkeyPatch, boards: Callable[..., Board]) -> None:
    """Where zeroconf is not installed the board says once that its page is found by number."""
    really = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name == "zeroconf":
            raise ImportError(name)
        return really(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    board = boards(NAME)
    board.announcer.at(LO)
    board.wait()
    assert board.names == []
    (line,) = board.lines
    assert "zeroconf is not installed" in line
    assert "http://127.0.0.1:8121/" in line


def test_a_page_for_this_machine_only_announces_nothing() -> None:
    """On the loopback there is nobody to be found by, whatever is set."""
    sock = listen(0)
    said: list[str] = []
    server = PageServer(None, sock, announce=said.append)  # type: ignore[arg-type]
    assert server.look() == f"http://127.0.0.1:{server.port}/"
    assert server._announcer is None
    sock.close()
