"""Paired phones over starts of the real program: ended by Ctrl-C, killed, on another port, on a disk that is shut."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.phones import NAME

OPEN = "[page]\nhost = '0.0.0.0'\nmdns = false\n[table]\nnames = ['Ann', 'Bob']\n"
PHONE = {"Host": "muggins.local", "Content-Type": "application/json"}
"""By this name the page is another device's, wherever it is asked from."""


class Phone:
    """A browser off the board: it keeps its cookie, whatever port it is asked on."""

    def __init__(self, service: Any) -> None:
        self._service = service
        self._cookie = ""

    def ask(self, path: str, data: object = None) -> tuple[int, Any]:
        """One request, and its answer."""
        body = None if data is None else json.dumps(data).encode()
        headers = PHONE | ({"Cookie": self._cookie} if self._cookie else {})
        request = urllib.request.Request(f"{self._service.address}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                self._cookie = (answer.headers["set-cookie"] or self._cookie).partition(";")[0]
                text, status = answer.read(), answer.status
        except urllib.error.HTTPError as error:
            text, status = error.read(), error.code
        return status, json.loads(text) if text else None

    def pair(self) -> None:
        """Be paired as seat 2's."""
        code = self._service.press("D D 10# 2#")["screen"][0].replace(" ", "")
        assert self.ask("pair", {"code": code})[0] == 204

    @property
    def me(self) -> Any:
        """Who the board says this is."""
        return self.ask("me")[1]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_phone_stays_paired_over_a_start(new_service: Callable[..., Any], end: signal.Signals) -> None:
    """However the board ended, a phone paired before presses keys after the next start, on another port too."""
    service = new_service(OPEN)
    phone = Phone(service)
    phone.pair()
    service.end(end)
    service.port = 0
    service.start()
    assert phone.me == {"may": True, "here": False, "seat": 1, "name": "Phone 1", "lost": False}
    assert phone.ask("key", {"key": "7"})[0] == 204
    assert service.state()["typed"] == "7"


def test_a_phone_stays_paired_where_nothing_can_be_written(new_service: Callable[..., Any]) -> None:
    """A register that is there is read, even where the board can write nothing any more."""
    service = new_service(OPEN)
    phone = Phone(service)
    phone.pair()
    service.end(signal.SIGKILL)
    state: Path = service.folder / "state"
    (state / NAME).chmod(0o400)
    state.chmod(0o500)
    try:
        service.start()
        assert phone.me["may"]
    finally:
        state.chmod(0o700)


def test_a_phone_is_told_that_its_pairing_is_lost(new_service: Callable[..., Any]) -> None:
    """A phone whose register is gone is told so, and what it keeps pairs it no more."""
    service = new_service(OPEN)
    phone, stranger = Phone(service), Phone(service)
    phone.pair()
    service.end(signal.SIGKILL)
    (service.folder / "state" / NAME).unlink()
    service.start()
    assert (phone.me["may"], phone.me["lost"]) == (False, True)
    assert (stranger.me["may"], stranger.me["lost"]) == (False, False)
    phone.pair()
    assert (phone.me["may"], phone.me["lost"]) == (True, False)
