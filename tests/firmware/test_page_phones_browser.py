"""Phones in a real Chromium: watching, pairing, wrong codes, two at once, and letting one go while its page is open."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from firmware.addresses import LOOPBACK, present_address
from firmware.entry import split_keys

pytestmark = pytest.mark.browser

ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


class Board:
    """A board served to the network, with its own keys at hand."""

    def __init__(self, port: str, host: str) -> None:
        self.own = f"http://127.0.0.1:{port}/"
        self.address = f"http://{host}:{port}/"

    def press(self, keys: str) -> dict[str, object]:
        """Press keys on the board's own page; the state after them."""
        for key in split_keys(keys):
            body = json.dumps({"key": key}).encode()
            request = urllib.request.Request(self.own + "key", body, {"Content-Type": "application/json"})
            urllib.request.urlopen(request, timeout=20).close()
        with urllib.request.urlopen(self.own + "state", timeout=20) as answer:
            state: dict[str, object] = json.load(answer)
        return state

    def code(self, seat: str = "") -> str:
        """Open the pairing screen; the code on it."""
        screen = self.press(f"D D 10# {seat}")["screen"]
        assert isinstance(screen, list)
        return str(screen[0]).replace(" ", "")


@pytest.fixture
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A board that the network reaches. Where this machine has no network nothing can be paired."""
    host = present_address()
    if host == LOOPBACK:
        pytest.skip("needs a network interface beside the loopback")
    folder = tmp_path_factory.mktemp("phones")
    settings = folder / "muggins.toml"
    settings.write_text("[page]\nhost = '0.0.0.0'\nmdns = false\n[table]\nnames = ['Ann', 'Bob']\n")
    words = ["run", "--config", str(settings), "--state", str(folder / "state"), "--port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"HOME": str(folder)},
    ) as process:
        assert process.stdout is not None
        found = re.fullmatch(r"http://(.*):(\d+)/", process.stdout.readline().strip())
        assert found is not None
        yield Board(found[2], found[1])
        process.terminate()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield one
        one.close()


def phone(browser: Browser, board: Board) -> tuple[BrowserContext, Page]:
    """A phone that has opened the page by number."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    context.set_default_timeout(15000)
    page = context.new_page()
    page.goto(board.address)
    expect(page.locator("body")).to_have_attribute("data-hand", "watch")
    return context, page


def pair(page: Page, code: str) -> None:
    """Type a code on the phone."""
    page.get_by_label("Six-digit code").fill(code)
    page.get_by_role("button", name="Pair").click()


def test_a_phone_is_paired_presses_and_is_let_go(board: Board, browser: Browser) -> None:
    """A phone watches, is told of wrong codes, is paired with the right one, presses, and is let go while it looks."""
    context, page = phone(browser, board)
    expect(page.locator("#keypad")).to_be_hidden()
    expect(page.locator("#pairing")).to_contain_text("Watching. To press keys, pair this device")
    for box in (page.get_by_label("Six-digit code").bounding_box(), page.locator(".pair-button").bounding_box()):
        assert box is not None
        assert box["height"] >= 44
    code = board.code("1#")
    expect(page.locator("#glass")).to_have_attribute("aria-label", re.compile("phone is being paired"))
    assert code not in page.content()
    pair(page, "000000" if code != "000000" else "111111")
    expect(page.get_by_role("alert").filter(has_text="Tries left: 4")).to_be_visible()
    pair(page, code)
    expect(page.locator("#pairing")).to_contain_text("Phone 1: the keys of Ann.")
    expect(page.locator("#keypad")).to_be_visible()
    expect(page.locator("#seats .seat:visible")).to_have_count(1)
    page.locator("#keypad [data-key='7']").click()
    expect(page.locator("#glass")).to_have_attribute("aria-label", re.compile("Typed"))
    page.reload()
    expect(page.locator("#pairing")).to_contain_text("Phone 1: the keys of Ann.")
    board.press("* D D 11# 1#")
    expect(page.locator("body")).to_have_attribute("data-hand", "watch")
    expect(page.locator("#keypad")).to_be_hidden()
    context.close()


def test_wrong_codes_lock(board: Board, browser: Browser) -> None:
    """Five wrong codes make the code void, and the sixth try has to wait; the page says both."""
    context, page = phone(browser, board)
    code = board.code()
    wrong = "000000" if code != "000000" else "111111"
    for left in (4, 3, 2, 1):
        pair(page, wrong)
        expect(page.locator("#pair-wrong")).to_contain_text(f"Tries left: {left}")
    pair(page, wrong)
    expect(page.locator("#pair-wrong")).to_contain_text("void")
    pair(page, code)
    expect(page.locator("#pair-wrong")).to_contain_text("Too many tries: wait")
    expect(page.locator("body")).to_have_attribute("data-hand", "watch")
    context.close()


def test_two_phones_press_at_once(board: Board, browser: Browser) -> None:
    """Of two phones that press on the same screen one is taken; both pages show who was first."""
    board.press("# 2# 12A")
    phones = [phone(browser, board) for _ in range(2)]
    for (_, page), seat in zip(phones, ("1#", "2#"), strict=True):
        pair(page, board.code(seat))
        expect(page.locator("body")).to_have_attribute("data-hand", "keys")
    (_, ann), (_, bob) = phones
    moment = bob.request.get(f"{board.address}state").json()["moment"]
    ann.keyboard.type("4a")
    expect(ann.locator("#laid")).to_contain_text("4")
    answer = bob.evaluate(
        """async (seen) => {
          const body = JSON.stringify({ key: "#", seen });
          const got = await fetch("/key", { method: "POST", headers: { "Content-Type": "application/json" }, body });
          return [got.status, (await got.json()).error];
        }""",
        moment,
    )
    assert answer == [409, "Ann's phone was first: Ann played 4S. Look, press again"]
    for page in (ann, bob):
        expect(page.locator("#notice")).to_contain_text("Ann's phone was first")
    bob.keyboard.type("5a")
    expect(ann.locator("#phase ~ #brief, #brief")).to_contain_text("count 9")
    for context, _ in phones:
        context.close()
