"""The keypad keeps its place: whatever the page has to say in a game, no key moves under the finger that reaches it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.entry import split_keys

pytestmark = pytest.mark.browser

SIZES = [(360, 640), (390, 844), (768, 1024), (1024, 768), (1920, 1080)]

TWO = '[table]\nnames = ["Bartholomew", "Persephone"]\n'
THREE = '[strip]\nlayout = "three-lanes"\n[table]\ngame = "three-handed"\nnames = ["Bartholomew", "Bo", "Persephone"]\n'
PARTNERS = '[table]\ngame = "four-handed"\nnames = ["Bartholomew", "Persephone", "Al", "Cleopatra"]\n'

DEAL = """
# C 2# 14A 12A 12A 4A B * 2D 3D C * 1B D D # 1# 1# * 5C 5C 2B 4C 3C * # 3C
10# 9# A 11D 11A 10D 1A 0# # 6C 5A
"""
"""A deal with a refused card, refused numbers, why?, the scores, the menu, both themes, an undo, a miscount taken."""
THREE_DEAL = "# 2# 12A 4A 2D 3D 1B 5C 12A * C * # 6C 7C 8C D D 1# * 9C 10C 11C 12C B *"

BOXES = """() => Object.fromEntries([...document.querySelectorAll("#keypad button, #seats button")].map((key) => {
  const { x, y, width, height } = key.getBoundingClientRect();
  return [key.dataset.key, [x, y + scrollY, width, height]];
}))"""
NEEDED = "#phase, .side .name, .side .score, .side .togo, #laid, #bezel, #words, #keypad button, #seats button"


def shown(page: Page, state: dict[str, Any]) -> dict[str, list[float]]:
    """Where the keys are once the page shows this state."""
    page.wait_for_function("text => document.getElementById('spoken').textContent === text", arg=state["caption"])
    boxes = page.evaluate(BOXES)
    assert len(boxes) == 16 + len(state["seats"])
    return dict(boxes)


def pages_of(chrome: Browser, address: str, sizes: Sequence[tuple[int, int]]) -> dict[str, Page]:
    """A page of each size."""
    found = {}
    for width, height in sizes:
        page = chrome.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(20000)
        page.goto(address)
        found[f"{width}x{height}"] = page
    return found


@pytest.mark.parametrize(
    ("config", "keys", "sizes"),
    [
        (TWO, DEAL, SIZES[::2]),
        (THREE, THREE_DEAL, SIZES[:1]),
        (PARTNERS, THREE_DEAL, SIZES[:1]),
        pytest.param(TWO, DEAL, SIZES, marks=pytest.mark.slow),
        pytest.param(PARTNERS, THREE_DEAL, SIZES, marks=pytest.mark.slow),
        pytest.param(THREE, THREE_DEAL, SIZES, marks=pytest.mark.slow),
    ],
    ids=["two", "three", "partners", "two at every size", "partners at every size", "three at every size"],
)
def test_no_key_moves_in_a_whole_deal(
    chrome: Browser, new_service: Callable[..., Any], config: str, keys: str, sizes: list[tuple[int, int]]
) -> None:
    """From the set-up to the next deal, and when the board goes away, every key keeps its place at every size."""
    service = new_service(config)
    pages = pages_of(chrome, service.address, sizes)
    first = {size: shown(page, service.state()) for size, page in pages.items()}
    kinds = set()
    for key in split_keys(keys):
        state = service.press(key)
        kinds.add(state["notice"]["kind"] if state["notice"] else "")
        for size, page in pages.items():
            assert shown(page, state) == first[size], (size, key, state["caption"])
    assert "refused" in kinds
    service.stop()
    for size, page in pages.items():
        expect(page.locator("body")).to_have_attribute("data-link", "lost")
        expect(page.locator("#alarms")).to_be_visible()
        assert page.evaluate(BOXES) == first[size], size
        page.close()


@pytest.mark.parametrize(
    ("config", "keys"),
    [(TWO, "# 2# 12A 4A 2D 3D 1B 5C"), (PARTNERS, "# 2# 12A 4A 2D 3D 1B 5C"), (THREE, "# 2# 12A 4A 2D 3D 1B 5C")],
    ids=["two sides", "partners", "three sides"],
)
def test_a_small_phone_needs_no_scrolling(
    chrome: Browser, new_service: Callable[..., Any], config: str, keys: str
) -> None:
    """On 360 by 640 scores, cards, screen, words and all keys are in sight at once, each key 44 pixels or more."""
    service = new_service(config)
    state = service.press(keys)
    page = chrome.new_page(viewport={"width": 360, "height": 640})
    page.goto(service.address)
    shown(page, state)
    for part in page.locator(NEEDED).all():
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 640, part
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    for x, y, width, height in page.evaluate(BOXES).values():
        assert min(width, height) >= 44, (x, y)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()
