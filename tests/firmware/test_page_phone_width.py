"""A phone's window: nothing on any view is wider than it, whatever is shown there and however long the names are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.overlay import ADJUSTMENTS

pytestmark = pytest.mark.browser

SIZES = [(320, 568), (360, 640), (390, 844), (768, 1024)]
LONG = ("Wilhelmina Montgomeryson", "Grandpa-Josephus-Maximus", "Cleopatra of Alexandria")
"""Names as long as names may be, one of them without a space."""
SHORT = '[table]\nto = 61\nentry = "points"\nnames = ["{}", "{}"]\n'.format(*LONG)
NETWORK = '[page]\nhost = "0.0.0.0"\nmdns = false\n[strip]\nlayout = "three-lanes"\n'
THREE = NETWORK + '[table]\ngame = "three-handed"\nreferee = "call"\nnames = ["{}", "{}", "{}"]\n'
STOP = f"B {[key for key, _ in ADJUSTMENTS].index('adjust-stop') + 1}# #"
WON = "# 2# # 30A 29B # 20# 6# 3# # 11A"
PAIRED = {"may": True, "here": False, "seat": 1, "name": "Phone 12"}


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]} px")
def phone(chrome: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A phone or a tablet of that size, as its browser lays a page out."""
    width, height = request.param
    context = chrome.new_context(
        viewport={"width": width, "height": height}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    context.set_default_timeout(20000)
    yield context.new_page()
    context.close()


def fits(page: Page) -> None:
    """The page is not wider than its window, and so is neither shrunk nor scrolled sideways."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [size["width"]] * 2


def opened(page: Page, address: str, state: dict[str, Any]) -> None:
    """Open the page or the scoreboard, and wait until it shows this state."""
    page.goto(address)
    expect(page.locator("#spoken")).to_have_text(state["caption"])
    expect(page.locator("body")).to_have_attribute("data-link", "live")


def test_the_board_is_no_wider_than_the_phone(phone: Page, new_service: Callable[..., Any]) -> None:
    """Set-up, keys, refusals, the report and a lost connection fit, with names of twenty-four letters."""
    service = new_service(SHORT)
    opened(phone, service.address, service.state())
    expect(phone.locator("#names")).to_be_visible()
    phone.get_by_label("Seat 1", exact=True).fill("M" * 24)
    phone.get_by_role("button", name="Keep the name of seat 1").click()
    expect(phone.locator("#names-said")).not_to_have_text("")
    fits(phone)
    service.press("# 2# #")
    expect(phone.locator("#names")).to_be_hidden()
    fits(phone)
    service.press("30A 29B 8#")
    expect(phone.locator("#notice")).to_be_visible()
    fits(phone)
    end = service.press(f"* {STOP} B {WON}")
    assert end["phase"] == "end"
    expect(phone.locator("#report")).to_be_visible()
    fits(phone)
    service.stop()
    expect(phone.locator("#alarms")).to_be_visible()
    fits(phone)


@pytest.mark.parametrize("names", [LONG, ("Ann", "Bob", "Cal")], ids=["long", "short"])
def test_who_watches_and_who_is_paired_fit(
    phone: Page, new_service: Callable[..., Any], names: tuple[str, ...]
) -> None:
    """Of three players, before a spectator and on a paired phone, the panel for pairing fits, wrong codes included."""
    service = new_service(THREE.format(*names))
    state = service.press("# 2# 12A 4A")
    opened(phone, service.address.replace("127.0.0.1", "muggins.local"), state)
    expect(phone.locator("#keypad")).to_be_hidden()
    fits(phone)
    phone.get_by_label("Six-digit code").fill("000000")
    phone.get_by_role("button", name="Pair").click()
    expect(phone.locator("#pair-wrong")).not_to_have_text("")
    fits(phone)
    phone.route("**/me", lambda route: route.fulfill(json=PAIRED))
    phone.reload()
    expect(phone.locator("#pairing")).to_contain_text(PAIRED["name"])
    fits(phone)


def test_scoreboard_and_games_fit(phone: Page, new_service: Callable[..., Any]) -> None:
    """The scoreboard, the list of games and one game, with all its deals open, fit."""
    service = new_service(SHORT)
    opened(phone, f"{service.address}scoreboard", service.press(WON))
    fits(phone)
    phone.goto(f"{service.address}games")
    phone.locator("#list a").first.wait_for()
    fits(phone)
    phone.locator("#list a").first.click()
    phone.get_by_role("button", name="Open all deals").click()
    fits(phone)
