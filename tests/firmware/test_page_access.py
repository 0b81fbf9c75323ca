"""The page for everyone: checked by axe-core in a real Chromium, view by view, in both themes, at two sizes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[1] / "golden" / "axe"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = [(360, 640), (1920, 1080)]
BIG = "D D 1# *"
PLAY = "# 2# 12A 4A 2D 3D 1B 5C"
MISCOUNT = "2B 4C 3C 10# 12#"
CALL = '[table]\nnames = ["Ann", "Bob"]\nreferee = "call"\n'
SHORT = '[table]\nto = 61\nnames = ["Ann", "Bob"]\nentry = "points"\n'

RUN = """async tags => {
  const found = await axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  const told = (rule, node) => `${rule.id}: ${node.target} ${node.html.slice(0, 120)}`;
  return found.violations.flatMap((rule) => rule.nodes.map((node) => told(rule, node)));
}"""


def test_axe_is_the_version_it_says() -> None:
    """The checker in the repository is the release that its README names, byte for byte, with its licence."""
    told = (AXE / "README.md").read_text(encoding="utf-8")
    script = (AXE / "axe.min.js").read_bytes()
    version = re.search(r"axe-core (\d+\.\d+\.\d+)\n", told)
    assert version is not None
    assert script.startswith(f"/*! axe v{version[1]}\n".encode())
    assert f"`{hashlib.sha256(script).hexdigest()}`" in told
    assert "Mozilla Public License" in (AXE / "LICENSE").read_text(encoding="utf-8")


class Checked:
    """Pages of both sizes at one service, and what axe finds on them."""

    def __init__(self, chrome: Browser) -> None:
        self.pages: list[Page] = []
        for width, height in SIZES:
            page = chrome.new_page(viewport={"width": width, "height": height})
            page.emulate_media(reduced_motion="reduce")
            page.set_default_timeout(20000)
            self.pages.append(page)
        self.script = (AXE / "axe.min.js").read_text(encoding="utf-8")

    def go(self, address: str) -> None:
        """Open this address at both sizes."""
        for page in self.pages:
            page.goto(address)
            page.evaluate(self.script)

    def find(self, state: dict[str, Any] | None = None) -> list[str]:
        """What axe finds once both show this state."""
        found: list[str] = []
        for page in self.pages:
            if state is not None:
                expect(page.locator("#spoken")).to_have_text(state["caption"])
                expect(page.locator("html[data-theme]").or_(page.locator("html.tv"))).to_have_count(1)
            assert page.viewport_size is not None
            found += [f"{page.viewport_size['width']} {one}" for one in page.evaluate(RUN, TAGS)]
        return found


@pytest.fixture
def checked(chrome: Browser) -> Iterator[Checked]:
    """Pages to be checked."""
    one = Checked(chrome)
    yield one
    for page in one.pages:
        page.close()


def test_no_view_of_a_game_has_a_fault(checked: Checked, new_service: Callable[..., Any]) -> None:
    """Set-up, play, a flagged miscount, a refusal, menu, both themes and a lost connection are free of findings."""
    service = new_service()
    checked.go(service.address)
    assert checked.find(service.state()) == []
    for keys in (PLAY, "12A", BIG, MISCOUNT, "D D", "* D D 1# *"):
        assert checked.find(service.press(keys)) == [], keys
    service.stop()
    for page in checked.pages:
        expect(page.locator("body")).to_have_attribute("data-link", "lost")
        page.locator("#alarms summary").click()
    assert checked.find() == []


def test_no_view_of_a_call_or_an_end_has_a_fault(checked: Checked, new_service: Callable[..., Any]) -> None:
    """An open claim, a call and the answer to it, and a game's end with its report, are free of findings."""
    service = new_service(CALL)
    checked.go(service.address)
    for keys in (f"{PLAY} 2B 4C 3C #", "10#", "A", "2#"):
        assert checked.find(service.press(keys)) == [], keys
    service = new_service(SHORT)
    checked.go(service.address)
    for keys in ("# 2# # 29A 15B 32A", BIG):
        assert checked.find(service.press(keys)) == [], keys


def test_the_scoreboard_has_no_fault(checked: Checked, new_service: Callable[..., Any]) -> None:
    """The scoreboard is free of findings in the play, at a game's end and without its board."""
    service = new_service()
    checked.go(f"{service.address}scoreboard")
    assert checked.find(service.press(PLAY)) == []
    assert checked.find(service.press(f"{MISCOUNT} {BIG}")) == []
    service.stop()
    for page in checked.pages:
        expect(page.locator("body")).to_have_attribute("data-link", "lost")
    assert checked.find() == []


def test_the_history_has_no_fault(checked: Checked, new_service: Callable[..., Any]) -> None:
    """The list of games, empty and not, one game with its deals open, and the question before deleting are too."""
    service = new_service(SHORT)
    checked.go(f"{service.address}games")
    assert checked.find() == []
    service.press("# 2# # 29A 15B 32A B 3# # 2#")
    checked.go(f"{service.address}games")
    for page in checked.pages:
        expect(page.locator("#list li")).to_have_count(2)
    assert checked.find() == []
    checked.go(f"{service.address}games/1")
    for page in checked.pages:
        page.get_by_role("button", name="Open all deals").click()
    assert checked.find() == []
    for page in checked.pages:
        page.get_by_role("button", name="Delete this game").click()
    assert checked.find() == []


def test_a_spectator_s_page_has_no_fault(checked: Checked, new_service: Callable[..., Any]) -> None:
    """Who looks on without being paired finds no key, a place for the code within the page's width, and no fault."""
    service = new_service('[page]\nhost = "0.0.0.0"\nmdns = false\n[table]\nnames = ["Ann", "Bob"]\n')
    state = service.press(PLAY)
    checked.go(f"http://muggins.local:{service.port}/")
    for page in checked.pages:
        expect(page.locator("#pair-code")).to_be_visible()
        expect(page.locator("#keypad")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = page.locator("#pairing").bounding_box()
        assert box is not None
        assert page.viewport_size is not None
        assert box["x"] + box["width"] <= page.viewport_size["width"]
    assert checked.find(state) == []
