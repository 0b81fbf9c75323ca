"""The page before the real service at every kind of table: three lanes, partners, laps, open claims, the report."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect, sync_playwright

from firmware.entry import split_keys

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "big": (1920, 1000)}

THREE = """
[strip]
layout = "three-lanes"
[table]
game = "three-handed"
names = ["Ann", "Bob", "Cleopatra"]
rules = "foster"
referee = "call"
entry = "points"
"""
PARTNERS = """
[table]
game = "four-handed"
names = ["Ann", "Bob", "Cal", "Dee"]
entry = "points"
"""
SEVEN = """
[table]
game = "seven-card"
rules = "foster"
to = 181
names = ["Ann", "Bob"]
entry = "points"
"""
SHORT = """
[table]
to = 61
names = ["Ann", "Bob"]
entry = "points"
"""

OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".side h2 .name, .side .score, .side .togo, .side .level, .side .tag")];
  const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return boxes.some((box, at) => boxes.slice(at + 1).some((other) => !apart(box, other)));
}"""
"""Whether any two words of the scores lie on each other."""


class Board:
    """A service as people start it, and a page of each size before it."""

    def __init__(self, address: str, pages: dict[str, Page]) -> None:
        self.address = address
        self.pages = pages
        for page in pages.values():
            page.goto(address)

    def press(self, keys: str) -> dict[str, Any]:
        """Press these keys one after the other; the state after them."""
        for key in split_keys(keys):
            body = json.dumps({"key": key}).encode()
            request = urllib.request.Request(self.address + "key", body, {"Content-Type": "application/json"})
            urllib.request.urlopen(request, timeout=20).close()
        with urllib.request.urlopen(self.address + "state", timeout=20) as answer:
            state = json.load(answer)
        assert isinstance(state, dict)
        return state


@pytest.fixture(scope="module")
def pages(chromium: str) -> Iterator[dict[str, Page]]:
    """A page of each size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        found: dict[str, Page] = {}
        for name, (width, height) in SIZES.items():
            found[name] = browser.new_page(viewport={"width": width, "height": height})
            found[name].set_default_timeout(15000)
        yield found
        browser.close()


@pytest.fixture
def set_up(quick_folder: Path, pages: dict[str, Page]) -> Iterator[Callable[..., Board]]:
    """Starts the service with a configuration, and pages of all sizes or of those named, which must not complain."""
    complaints: list[str] = []

    def on_console(line: ConsoleMessage) -> None:
        complaints.append(line.text)

    def on_error(error: Error) -> None:
        complaints.append(str(error))

    for page in pages.values():
        page.on("console", on_console)
        page.on("pageerror", on_error)
    with ExitStack() as leave:

        def start(config: str, *sizes: str) -> Board:
            shown = {name: page for name, page in pages.items() if name in (sizes or SIZES)}
            return Board(leave.enter_context(_service(quick_folder, config)), shown)

        yield start
        for page in pages.values():
            page.remove_listener("console", on_console)
            page.remove_listener("pageerror", on_error)
            page.goto("about:blank")
    assert complaints == []


@contextmanager
def _service(folder: Path, config: str) -> Iterator[str]:
    file = folder / "muggins.toml"
    file.write_text(config)
    nobody = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    line = [sys.executable, "-m", "firmware", "run", "--port", "0", "--state", str(folder / "state")]
    with subprocess.Popen(
        [*line, "--config", str(file)], cwd=ROOT, env=os.environ | nobody, stdout=subprocess.PIPE, text=True
    ) as service:
        try:
            assert service.stdout is not None
            yield service.stdout.readline().strip()
        finally:
            service.terminate()
            try:
                service.wait(20)
            finally:
                service.kill()


def stands_on(page: Page, kind: str, side: str, lane: int, hole: int) -> None:
    """Wait until that peg is drawn on that hole of that lane."""
    peg = page.locator(f".peg.{kind}[data-side='{side}']")
    led = page.locator(f".led[data-lane='{lane}'][data-hole='{hole}']")
    expect(peg).to_have_attribute("data-hole", str(hole))
    at = led.evaluate("l => [l.getAttribute('cx'), l.getAttribute('cy')]")
    expect(peg).to_have_attribute("transform", f"translate({at[0]} {at[1]})")


def alight(page: Page, lane: int, hole: int) -> None:
    """Wait until that hole's light is on."""
    expect(page.locator(f".led[data-lane='{lane}'][data-hole='{hole}']")).not_to_have_attribute("opacity", "0")


def test_three_hands_have_a_lane_each_and_open_claims_are_told(set_up: Callable[..., Board]) -> None:
    """Three lanes, pegs and scores stand apart at every size; under ``call`` an open claim is told until accepted."""
    board = set_up(THREE)
    state = board.press("# 2# # 15A 10B 31C 2A 8B 5C # 8#")
    assert state["claims"] == [{"who": "Cleopatra", "what": "hand", "claimed": 8, "called": False}]
    for name, page in board.pages.items():
        expect(page.locator(".side .score")).to_have_text(["17", "18", "44"])
        expect(page.locator(".side .name")).to_have_text(["Ann", "Bob", "Cleopatra"])
        expect(page.locator(".led")).to_have_count(363)
        for lane, (side, front, back) in enumerate((("Ann", 17, 15), ("Bob", 18, 10), ("Cleopatra", 44, 36))):
            stands_on(page, "front", side, lane, front)
            stands_on(page, "back", side, lane, back)
            alight(page, lane, front)
        assert page.evaluate(OVERLAPS) is False, name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        told = page.get_by_text("Cleopatra claims 8") if name == "phone" else page.locator(".side").nth(2)
        expect(told).to_contain_text("claims 8")
        expect(told).to_be_visible()
        assert page.locator(".level:visible [aria-hidden]:visible").all_inner_texts() == (
            ["C", "C", "C"] if name == "phone" else ["call"] * 3
        )
    assert board.press("#")["claims"] == []
    for page in board.pages.values():
        expect(page.locator("#claims")).to_have_text("")
        expect(page.locator(".tag.claims")).to_have_count(0)


def test_partners_share_a_lane_and_each_side_has_its_level(set_up: Callable[..., Board]) -> None:
    """Partners peg on one lane under both their names, in full where room is little; each side has its level letter."""
    board = set_up(PARTNERS, "phone", "tablet")
    state = board.press("13# 13# # 2# # 15A 10B # 8# 6#")
    assert [side["level"] for side in state["sides"]] == ["flag", "call"]
    for page in board.pages.values():
        expect(page.locator(".side .name")).to_have_text(["Ann & Cal", "Bob & Dee"])
        expect(page.locator(".side .score")).to_have_text([str(side["score"]) for side in state["sides"]])
        expect(page.locator("#seats .cap")).to_have_text(["Ann", "Bob", "Cal", "Dee"])
        expect(page.locator(".led")).to_have_count(242)
        for lane, side in enumerate(state["sides"]):
            stands_on(page, "front", side["name"], lane, side["front"])
        for name in page.locator(".side .name").all():
            assert name.evaluate("n => n.scrollWidth <= n.clientWidth")
        assert page.locator(".level:visible [aria-hidden]:visible").all_inner_texts() == ["flag", "call"]
        assert page.evaluate(OVERLAPS) is False


def test_a_game_of_181_goes_round_again_and_is_reported(set_up: Callable[..., Board]) -> None:
    """Past hole 120 a peg stands on its hole of the second lap with the lap written; the end brings the report."""
    board = set_up(SEVEN, "phone", "big")
    state = board.press("# 2# # 99A 60B 31A 2A")
    assert (state["target"], state["lap_holes"], state["report"]) == (181, 120, [])
    assert [(side["front_hole"], side["back_hole"], side["lap"]) for side in state["sides"]] == [
        (12, 10, 1),
        (60, 0, 0),
    ]
    for page in board.pages.values():
        expect(page.locator(".side .score")).to_have_text(["132", "60"])
        expect(page.locator(".led")).to_have_count(242)
        stands_on(page, "front", "Ann", 0, 12)
        stands_on(page, "back", "Ann", 0, 10)
        stands_on(page, "front", "Bob", 1, 60)
        alight(page, 0, 12)
        alight(page, 0, 121)
        expect(page.locator(".tag.lap")).to_have_text(["lap 2 of 2", "lap 1 of 2"])
        expect(page.locator(".tag.lap").first).to_be_in_viewport()
        expect(page.locator(".peg.front .lap")).to_have_text(["2"])
        expect(page.locator("svg.holes")).to_have_attribute(
            "aria-label", re.compile("front peg 132, .*lap 2; .*lap 1;")
        )
        expect(page.locator("#report")).to_be_hidden()
        assert page.evaluate(OVERLAPS) is False
    state = board.press("49A")
    assert state["phase"] == "end"
    assert state["report"][:2] == ["Ann", " play 181"]
    for page in board.pages.values():
        stands_on(page, "front", "Ann", 0, 61)
        expect(page.locator("#report .group").first).to_have_text(re.compile("Ann.*play 181"))
        expect(page.locator("#report")).to_be_visible()
        expect(page.locator(".tag.won")).to_be_visible()
        lines = page.locator("#report p").all_inner_texts()
        assert [line.strip() for line in lines] == [line.strip() for line in state["report"]]
    assert board.press("# 2#")["report"] == []
    expect(board.pages["big"].locator("#report")).to_be_hidden()


def test_a_game_of_61_ends_in_the_middle_of_the_lanes(set_up: Callable[..., Board]) -> None:
    """On lanes of 121 the game hole of 61 is marked where it is, and the holes past it are dimmed."""
    board = set_up(SHORT, "phone", "big")
    board.press("# 2# # 29A 15B")
    for page in board.pages.values():
        stands_on(page, "front", "Ann", 0, 29)
        expect(page.locator(".pit.past")).to_have_count(2 * 60)
        games = page.locator(".pit.game")
        expect(games).to_have_count(2)
        for lane in (0, 1):
            led = page.locator(f".led[data-lane='{lane}'][data-hole='61']")
            assert games.nth(lane).get_attribute("cx") == led.get_attribute("cx")
