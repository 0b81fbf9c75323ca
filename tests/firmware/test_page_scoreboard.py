"""The scoreboard on a television: everything a table asks at a glance, read from across the room, and no keys."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PLAY = "# 2# 12A 4A 2D 3D 1B 5C"
TWO = '[table]\nnames = ["Ann", "Bob"]\n'
THREE = '[strip]\nlayout = "three-lanes"\n[table]\ngame = "three-handed"\nnames = ["Ann", "Bob", "Cleopatra"]\n'
PARTNERS = '[table]\ngame = "four-handed"\nnames = ["Ann", "Bob", "Cal", "Dee"]\n'
CALL = '[table]\nnames = ["Ann", "Bob"]\nreferee = "call"\n'
NEAREST_M, PIXEL_MM = 3.0, 0.5
"""How far away it is read, and a pixel of a television 96 cm wide with 1,920 of them."""

SMALLEST = """() => Math.min(...[...document.querySelectorAll("main *, #phase")].filter((e) =>
  e.checkVisibility() && !e.closest(".quiet, svg") && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()),
).map((e) => parseFloat(getComputedStyle(e).fontSize)))"""


def watched(chrome: Browser, address: str, state: dict[str, Any], width: int, height: int) -> Page:
    """The scoreboard at that size, once it shows this state."""
    page = chrome.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(20000)
    page.goto(f"{address}scoreboard")
    expect(page.locator("#spoken")).to_have_text(state["caption"])
    return page


@pytest.mark.parametrize(
    ("config", "names", "crib"),
    [
        (TWO, ["Ann", "Bob"], "Bob's"),
        (THREE, ["Ann", "Bob", "Cleopatra"], "Bob's"),
        (PARTNERS, ["Ann & Cal", "Bob & Dee"], "Bob's"),
    ],
    ids=["two sides", "three sides", "partners"],
)
def test_everything_is_in_sight_and_large(
    chrome: Browser, new_service: Callable[..., Any], config: str, names: list[str], crib: str
) -> None:
    """Names, scores, holes to go, crib, starter, count, turn, cards and lanes stand on one screen without scrolling, in
    letters of a two-hundred-and-fiftieth of three metres or more; and there is no key."""
    service = new_service(config)
    state = service.press(PLAY)
    for width, height in ((1920, 1080), (1280, 720)):
        page = watched(chrome, service.address, state, width, height)
        expect(page.locator(".tv-side .name")).to_have_text(names)
        expect(page.locator(".tv-side .score")).to_have_text([str(side["score"]) for side in state["sides"]])
        expect(page.locator(".tv-side .togo")).to_have_text([f"{side['to_go']} to go" for side in state["sides"]])
        expect(page.locator("#tv-facts")).to_contain_text(crib)
        expect(page.locator("#tv-facts .count")).to_contain_text(str(state["count"]))
        expect(page.locator("#tv-facts").get_by_role("img", name="queen of spades")).to_be_visible()
        expect(page.locator("#phase")).to_contain_text(f"{state['turn']} to act")
        expect(page.locator(".tv-side.turn")).to_have_count(1)
        expect(page.locator("#laid .card")).to_have_count(5)
        expect(page.locator(".led")).to_have_count(121 * len(names))
        expect(page.locator("button")).to_have_count(0)
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            height,
        ]
        for part in page.locator(".tv-side .name, .tv-side .score, .tv-side .togo, .tag, #laid .card, svg.holes").all():
            box = part.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height
        smallest_mm = page.evaluate(SMALLEST) * PIXEL_MM * 1920 / width
        assert smallest_mm >= NEAREST_M * 1000 / 250
        page.close()


def test_it_hushes_the_cards_under_call(chrome: Browser, new_service: Callable[..., Any]) -> None:
    """Under ``call`` page and scoreboard show the card last laid, and in the show none: they are being counted."""
    service = new_service(CALL)
    state = service.press(PLAY)
    for view, width in (("", 1280), ("scoreboard", 1920)):
        page = chrome.new_page(viewport={"width": width, "height": 1080})
        page.goto(f"{service.address}{view}")
        expect(page.locator("#laid .card")).to_have_count(1)
        expect(page.locator("#laid .card")).to_have_attribute("aria-label", "Ann: 5 of clubs, count 15")
        page.close()
    assert [play["card"] for series in state["plays"] for play in series] == ["5C"]
    shown = service.press("2B 4C 3C #")
    assert shown["phase"] == "show"
    assert shown["plays"] == []


def test_the_cards_lie_as_they_were_played(chrome: Browser, new_service: Callable[..., Any]) -> None:
    """The page shows this count's cards and the earlier ones, each by its player, and clears them with the deal."""
    service = new_service()
    page = chrome.new_page(viewport={"width": 1280, "height": 800})
    page.goto(service.address)
    state = service.press("# 2# 12A 0A 0B 11C 1D 13D 2A")
    cards = page.locator("#laid .card")
    expect(cards).to_have_count(6)
    labels = cards.evaluate_all("cards => cards.map((card) => card.getAttribute('aria-label'))")
    assert labels[0] == "Ann: 10 of spades, count 10"
    assert labels[1] == "Bob: 10 of hearts, count 20"
    assert labels[4] == "Ann: king of diamonds, count 10"
    assert [len(series) for series in state["plays"]] == [4, 2]
    expect(page.locator("#laid .series.earlier .card")).to_have_count(4)
    expect(page.locator("#laid .series:not(.earlier) .card")).to_have_count(2)
    page.close()


@pytest.mark.parametrize("config", [TWO, THREE], ids=["two sides", "three sides"])
def test_the_track_fills_an_upright_screen(chrome: Browser, new_service: Callable[..., Any], config: str) -> None:
    """On an upright screen the lanes are folded into as many rows as fill the wood, each hole in its own place."""
    service = new_service(config)
    state = service.press(PLAY)
    for width, height in ((768, 1024), (1080, 1920)):
        page = watched(chrome, service.address, state, width, height)
        wood = page.locator("#board").bounding_box()
        track = page.locator("svg.holes .track").bounding_box()
        assert wood is not None
        assert track is not None
        assert track["width"] >= 0.75 * wood["width"]
        assert track["height"] >= 0.75 * wood["height"]
        holes = page.locator(".led").evaluate_all(
            "leds => leds.map((led) => [+led.cx.baseVal.value, +led.cy.baseVal.value])"
        )
        assert min(dist(one, other) for at, one in enumerate(holes) for other in holes[:at]) > 0.7
        page.close()


def test_an_upright_screen_shows_names_whole(chrome: Browser, new_service: Callable[..., Any]) -> None:
    """Names of twelve letters stand whole on a tablet's scoreboard."""
    service = new_service('[table]\nnames = ["Bartholomews", "Wilhelmina-X"]\n')
    page = watched(chrome, service.address, service.press(PLAY), 768, 1024)
    for name in page.locator(".tv-side .name").all():
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth")
    page.close()
