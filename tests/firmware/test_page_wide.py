"""Beside the keypad everything stands on one screen: no scrolling of the page, no word, name or card cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.words import CATALOGUE

pytestmark = pytest.mark.browser

WIDE = [(768, 1024), (1280, 720), (1920, 1080)]
ALL = [(360, 640), (360, 740), *WIDE]

TWELVE = ["Bartholomews", "Wilhelmina-X"]
LONGEST = [
    "Bartholomew-Maximilian X",
    "Wilhelmina-Alexandrina Y",
    "Cleopatra-Persephone Zoe",
    "Constantine-Ferdinand XI",
]
OPEN = "2# 12A 4A 2D 3D 1B 5C 2B"
DEAL = f"{OPEN} 4C 3C"
ENDING = f"# {DEAL} 10# 14# 11D 11A 10D 1A 9# 6C 5A 5B 5D 7B 8C 1A 7C 8B 12# 8# B 1# 8B"
LONG_COUNT = "# 2# 11C 13C 1A 12C 2A 5C 3A 5D 4A"
"""A hand of six fifteens, a pair and a run, with no flush and no nobs in it."""
ROUNDS = ("10A 10B 10C 1A", "10D 11A 11B 1B", "11C 11D 12B 1C", "12C 12D 13A 1D")
"""Four cards that make 31, four times."""

PHASES = {
    "set-up": "",
    "play": f"# {OPEN}",
    "miscount": f"# {DEAL} 14#",
    "refused": f"# {DEAL} 14# 14A",
    "menu": f"# {DEAL} D D",
    "end": ENDING,
    "end, large figures": f"{ENDING} D D 1# *",
    "set-up after a game": f"{ENDING} B",
}
CALLED = f"# {DEAL} # 14# A"

CUT = """() => ["spoken", "notice", "words"].map((id) => document.getElementById(id))
  .filter((place) => place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth)
  .map((place) => `${place.id} ${place.scrollHeight} of ${place.clientHeight}: ${place.textContent}`)"""
"""The words that do not stand whole in their box."""

NOTICE = """async (text) => {
  const { showNotice, fitWords } = await import("/static/trouble.js");
  showNotice(text && { kind: "refused", text });
  fitWords();
}"""
KEYS = """() => [...document.querySelectorAll("#keypad button, #seats button")].map((key) => {
  const { x, y, width, height } = key.getBoundingClientRect();
  return [x, y + scrollY, width, height];
})"""
OUTSIDE = """() => {
  const box = document.getElementById("laid").getBoundingClientRect();
  return [...document.querySelectorAll("#laid .card, #laid .by")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
  }).length;
}"""


def config(names: list[str], game: str = "six-card", **more: object) -> str:
    """A configuration for these people."""
    lanes = '[strip]\nlayout = "three-lanes"\n' if game == "three-handed" else ""
    table = {"game": game, "names": names} | more
    return f"{lanes}[table]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


def opened(chrome: Browser, address: str, size: tuple[int, int]) -> Page:
    """The board's page in a window of that size."""
    page = chrome.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_default_timeout(20000)
    page.goto(address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    return page


def shows(page: Page, state: dict[str, Any]) -> None:
    """Wait until the page shows this state, and the names where they are asked for."""
    page.wait_for_function("text => document.getElementById('spoken').textContent === text", arg=state["caption"])
    if state["phase"] == "set-up":
        expect(page.locator("#name-fields form")).to_have_count(len(state["seats"]))


@pytest.mark.parametrize("keys", [*PHASES.values(), CALLED], ids=[*PHASES, "call"])
def test_the_page_is_as_tall_as_its_window(chrome: Browser, new_service: Callable[..., Any], keys: str) -> None:
    """In every phase the page is no taller and no wider than a tablet, a laptop or a television."""
    level = "call" if keys == CALLED else "flag"
    service = new_service(config(["Wilhelmina", "Grandpa Jo"], to=61, referee=level))
    state = service.press(keys)
    for size in WIDE:
        page = opened(chrome, service.address, size)
        shows(page, state)
        root = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert tuple(root) == size, state["phase"]
        assert page.evaluate(CUT) == [], size
        expect(page.get_by_role("link", name="Games")).to_be_in_viewport(ratio=1)
        page.close()


def test_score_cards_keep_name_and_width(chrome: Browser, new_service: Callable[..., Any]) -> None:
    """Names of twelve letters stand whole beside scores of three digits, and no score card changes its size from the
    set-up to the next game."""
    service = new_service(config(TWELVE, to=121))
    pages = {size: opened(chrome, service.address, size) for size in WIDE}
    boxes = "() => [...document.querySelectorAll('.side')].map((s) => [s.offsetLeft, s.offsetWidth, s.offsetHeight])"
    first = {}
    steps = ("#", "2# 12A", "4A 2D 3D 1B 5C 2B 4C 3C", "B 1# 50A B 1# 49A B 1# 50B B 1# 50B", "B 1# 30A", "#")
    for keys in ("", *steps):
        state = service.press(keys)
        for size, page in pages.items():
            shows(page, state)
            assert page.evaluate(boxes) == first.setdefault(size, page.evaluate(boxes)), (size, keys)
            for name in page.locator(".side .name").all():
                assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), (size, keys)
    assert state["sides"][0]["games"] == 1


@pytest.mark.parametrize(
    ("game", "rounds"), [("six-card", 2), ("three-handed", 3), ("four-handed", 4)], ids=["two", "three", "partners"]
)
def test_every_card_of_the_play_is_in_sight(
    chrome: Browser, new_service: Callable[..., Any], game: str, rounds: int
) -> None:
    """The cards of a whole play lie in their box, none cut, and nothing there has to be scrolled."""
    seats = {"six-card": 2, "three-handed": 3, "four-handed": 4}[game]
    service = new_service(config(["Bartholomew", "Wilhelmina", "Persephone", "Cleo"][:seats], game))
    state = service.press("# 2# 13C " + " ".join(ROUNDS[:rounds]))
    for size in WIDE:
        page = opened(chrome, service.address, size)
        shows(page, state)
        expect(page.locator("#laid .card")).to_have_count(4 * rounds)
        assert page.evaluate(OUTSIDE) == 0, size
        page.close()


@pytest.mark.parametrize(("muggins", "claim"), [(True, "0#"), (True, "29#"), (False, "29#")])
def test_the_longest_count_is_told_whole(
    chrome: Browser, new_service: Callable[..., Any], muggins: bool, claim: str
) -> None:
    """A flagged miscount of the longest names, and what may be done about it, stands whole in its box at every size,
    and no key moves for it."""
    service = new_service(config(LONGEST[:2], muggins=muggins))
    pages = {size: opened(chrome, service.address, size) for size in ALL}
    state = service.press(LONG_COUNT)
    for page in pages.values():
        shows(page, state)
    keys = {size: page.evaluate(KEYS) for size, page in pages.items()}
    state = service.press(claim)
    for size, page in pages.items():
        shows(page, state)
        assert page.evaluate(CUT) == [], size
        assert page.evaluate(KEYS) == keys[size], size


def test_the_longest_notice_is_told_whole(chrome: Browser, new_service: Callable[..., Any]) -> None:
    """The longest sentences of the catalogue, with the longest names in them, stand whole as a notice at every size."""
    service = new_service(config(LONGEST, "four-handed"))
    longest = sorted((text.format_map(_Filled()) for text in CATALOGUE.values()), key=len)[-8:]
    state = service.state()
    for size in ALL:
        page = opened(chrome, service.address, size)
        shows(page, state)
        keys = page.evaluate(KEYS)
        for text in longest:
            page.evaluate(NOTICE, text)
            assert page.evaluate(CUT) == [], size
            assert page.evaluate(KEYS) == keys, size
        page.close()


class _Filled(dict[str, str]):
    """Every gap of a sentence filled with the longest name."""

    def __missing__(self, key: str) -> str:
        return LONGEST[0]


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_the_keyboard_is_explained_where_there_is_one(
    chrome: Browser, new_service: Callable[..., Any], touch: bool
) -> None:
    """Where a mouse moves over the page, the letters of the keyboard are told below the keys."""
    service = new_service()
    for width, height in WIDE:
        page = chrome.new_page(viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch)
        page.goto(service.address)
        expect(page.locator(".hint")).to_be_visible(visible=not touch)
        page.close()
