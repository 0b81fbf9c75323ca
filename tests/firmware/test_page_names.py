"""The players' names on the page: typed at the set-up, kept on the board, removed, and nobody else's business."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from firmware.entry import split_keys

ROOT = Path(__file__).resolve().parents[2]
ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


class Board:
    """A running service."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, data: Any = None, kind: str = "application/json") -> tuple[int, Any]:
        """Status and answer; ``data`` is posted as JSON, bytes as they are."""
        body = data if data is None or isinstance(data, bytes) else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, {"Content-Type": kind})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                found, status = answer.read(), answer.status
        except urllib.error.HTTPError as error:
            found, status = error.read(), error.code
            error.close()
        return status, json.loads(found) if found else None

    def press(self, keys: str) -> dict[str, Any]:
        """Press these keys; the state after them."""
        for key in split_keys(keys):
            assert self.ask("key", {"key": key})[0] == 204
        state = self.ask("state")[1]
        assert isinstance(state, dict)
        return state

    @property
    def seated(self) -> list[str]:
        """Who sits where."""
        return [seat["name"] for seat in self.ask("state")[1]["seats"]]


@pytest.fixture
def board(quick_folder: Path) -> Iterator[Board]:
    """A service at its set-up."""
    nobody = {"HOME": str(quick_folder), "XDG_CONFIG_HOME": str(quick_folder), "XDG_STATE_HOME": str(quick_folder)}
    line = [sys.executable, "-m", "firmware", "run", "--port", "0", "--state", str(quick_folder / "state")]
    with subprocess.Popen(line, cwd=ROOT, env=os.environ | nobody, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            yield Board(service.stdout.readline().strip())
        finally:
            service.terminate()
            try:
                service.wait(20)
            finally:
                service.kill()


def test_a_name_is_kept_given_and_removed(board: Board, quick_folder: Path) -> None:
    """A name posted for a seat sits there, is listed, and once removed is in no byte of the board's folder."""
    assert board.ask("names", {"name": " Zenobia ", "seat": 1}) == (200, {"name": "Zenobia"})
    assert board.seated == ["Zenobia", "Amber"]
    assert board.ask("names")[1]["kept"] == ["Zenobia"]
    assert board.ask("names/remove", {"name": "zenobia"})[0] == 409
    assert board.ask("names", {"name": "Ann", "seat": 1})[0] == 200
    assert board.ask("names/remove", {"name": "zenobia"}) == (200, {})
    assert board.ask("names/remove", {"name": "zenobia"})[0] == 404
    assert board.ask("names")[1]["kept"] == ["Ann"]
    data = b"".join(path.read_bytes() for path in (quick_folder / "state").iterdir())
    assert b"Zenobia" not in data
    assert board.press("# 2#")["seats"][0]["name"] == "Ann"
    assert board.ask("names", {"name": "Cal", "seat": 1})[0] == 422


def test_what_is_no_name_changes_nothing(board: Board) -> None:
    """Names that cannot be, seats that are not there and bodies that are none are refused in words."""
    for name in ("", "A" * 25, "A\u202eB", 'A"B', "AMBER"):
        status, said = board.ask("names", {"name": name, "seat": 1})
        assert status == 422
        assert said["error"]
    for body in (
        b"",
        b"[]",
        b"{}",
        b'{"name": 3}',
        b'{"name": "A", "x": 1}',
        b'{"name": "A", "seat": "1"}',
        b"[" * 900,
    ):
        assert board.ask("names", body)[0] == 400
        assert board.ask("names/remove", body)[0] == 400
    assert board.ask("names", {"name": "A", "seat": 3})[0] == 422
    assert board.ask("names", b"name=A", "application/x-www-form-urlencoded")[0] == 415
    assert board.seated == ["Blue", "Amber"]
    assert board.ask("names")[1]["kept"] == []


@pytest.mark.browser
def test_names_are_typed_on_the_page(board: Board, chromium: str) -> None:
    """At the set-up a field a seat takes a name by keyboard alone; its letters are no keys; in a game they are gone."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        page: Page = browser.new_page(viewport={"width": 360, "height": 740})
        page.set_default_timeout(15000)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(board.address)
        first = page.get_by_label("Seat 1", exact=True)
        expect(first).to_have_value("Blue")
        first.fill("")
        first.press_sequentially("Bob 7")
        first.press("Enter")
        expect(page.locator("#names-said")).to_have_text("Seat 1: Bob 7.")
        assert board.seated == ["Bob 7", "Amber"]
        assert board.ask("state")[1]["typed"] == ""
        first.fill("amber")
        first.press("Enter")
        expect(page.locator("#names-said")).to_contain_text("Amber sits at seat 2")
        first.fill("\u0416\u0435\u043d\u044f")
        page.get_by_role("button", name="Keep the name of seat 1").click()
        expect(page.locator("#names-said")).to_contain_text("it draws boxes")
        page.get_by_text("Names kept here").click()
        page.get_by_role("button", name="Remove Bob 7").click()
        expect(page.locator("#names-said")).to_contain_text("no longer kept")
        expect(page.locator("#kept-box")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        board.press("#")
        expect(page.locator("#names")).to_be_hidden()
        assert complaints == []
        browser.close()
