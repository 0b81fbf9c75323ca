"""A phone in the hand: where the focus goes, what the buttons say, what is in reach, and what is never covered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.browser

PLAY = "# 2# 12A 4A 2D"
SHORT = '[table]\nto = 61\nentry = "points"\nnames = ["Wilhelmina", "Grandpa Jo"]\n'
WON = "# 2# # 30A 29B # 20# 6# 3# # 11A"
CALL = '[table]\nreferee = "call"\nnames = ["Ann", "Bob"]\n'
PAIRED = {"may": True, "here": False, "seat": 1, "name": "Phone 1"}
WATCHING = {"may": False, "here": False, "seat": None, "name": None}
READ = "#phase, #brief, .sides, .table, .laid, .bezel, .words, .key"
"""What is read or pressed on the way through a deal."""


@pytest.fixture
def phone(chrome: Browser) -> Iterator[Page]:
    """A small phone."""
    context = chrome.new_context(
        viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    context.set_default_timeout(20000)
    yield context.new_page()
    context.close()


def opened(page: Page, address: str, state: dict[str, Any]) -> None:
    """Open the page and wait until it shows this state."""
    page.goto(address)
    expect(page.locator("#spoken")).to_have_text(state["caption"])
    expect(page.locator("body")).to_have_attribute("data-link", "live")


def pairs(page: Page) -> dict[str, Any]:
    """Make the page one that is not the board's own, paired or let go as the page asks; who it is now."""
    now = {"me": WATCHING, "asked": []}

    def change(route: Route) -> None:
        now["asked"].append(route.request.url.rpartition("/")[2])
        now["me"] = PAIRED if route.request.url.endswith("/pair") else WATCHING
        route.fulfill(json={})

    page.route("**/me", lambda route: route.fulfill(json=now["me"]))
    page.route("**/pair", change)
    page.route("**/unpair", change)
    return now


def test_a_second_enter_after_pairing_lets_nothing_go(phone: Page, new_service: Callable[..., Any]) -> None:
    """Once paired the focus is at the keys, where Enter is #, and the phone stays paired."""
    service = new_service()
    now = pairs(phone)
    opened(phone, service.address, service.press(PLAY))
    phone.get_by_label("Six-digit code").fill("123456")
    phone.keyboard.press("Enter")
    expect(phone.locator("#keypad")).to_be_focused()
    with phone.expect_response("**/key"):
        phone.keyboard.press("Enter")
    assert now["asked"] == ["pair"]
    expect(phone.locator("#pairing")).to_contain_text("Phone 1: the keys of Bob.")


def test_letting_go_is_asked_once_more(phone: Page, new_service: Callable[..., Any]) -> None:
    """The first tap on letting go asks, a second at the same place keeps the keys; only the answer yes lets them go."""
    service = new_service()
    now = pairs(phone)
    now["me"] = PAIRED
    opened(phone, service.address, service.press(PLAY))
    first = phone.get_by_role("button", name="Let go", exact=True)
    for width, height in ((390, 844), (360, 640)):
        phone.set_viewport_size({"width": width, "height": height})
        first.scroll_into_view_if_needed()
        box = first.bounding_box()
        assert box is not None
        for _ in range(2):
            phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(first).to_be_visible()
    expect(phone.locator("#pairing")).to_contain_text("Phone 1: the keys of Bob.")
    assert now["asked"] == []
    first.tap()
    expect(phone.locator("#pairing")).to_contain_text("Let go of the keys of Bob?")
    phone.get_by_role("button", name="Yes, let go").tap()
    expect(phone.get_by_label("Six-digit code")).to_be_visible()
    assert now["asked"] == ["unpair"]


def test_a_name_that_is_kept_leaves_its_field(phone: Page, new_service: Callable[..., Any]) -> None:
    """After Enter in a name's field what is typed next are keys; a name that cannot be gets its field back."""
    service = new_service()
    opened(phone, service.address, service.state())
    field = phone.get_by_label("Seat 1", exact=True)
    field.fill("Wilhelmina")
    phone.keyboard.press("Enter")
    phone.keyboard.type("3")
    expect(phone.locator("#names-said")).to_have_text("Seat 1: Wilhelmina.")
    expect(phone.locator("#keypad")).to_be_focused()
    expect(field).to_have_value("Wilhelmina")
    phone.wait_for_function("async () => (await (await fetch('/state')).json()).typed === '3'")
    field.fill("bob")
    phone.keyboard.press("Enter")
    expect(phone.locator("#names-said")).to_contain_text("Bob sits at seat 2")
    expect(field).to_be_focused()


def test_a_seat_s_button_says_what_a_tap_means(phone: Page, new_service: Callable[..., Any]) -> None:
    """A tap is go in the play, and yes wherever # is an answer: at the cut, over a menu, at the show."""
    service = new_service()
    opened(phone, service.address, service.state())
    for keys, word in (("# 2#", "yes"), ("12A", "go"), ("4A", "go"), ("*", "yes"), ("0 *", "go"), ("D", "yes")):
        service.press(keys)
        expect(phone.get_by_role("button", name="Seat 2")).to_contain_text(f"tap: {word}")
    service.press("* 2D 3D 1B 5C 2B 4C 3C")
    expect(phone.locator("#phase")).to_have_text("The show")
    expect(phone.get_by_role("button", name="Seat 2")).to_contain_text("tap: yes")


def test_the_other_pages_are_in_reach(phone: Page, new_service: Callable[..., Any]) -> None:
    """However long report and log are, the links stand before them, and each of the two scrolls in its own frame."""
    service = new_service(SHORT)
    opened(phone, service.address, service.press(WON))
    links = phone.get_by_role("navigation", name="More").get_by_role("link")
    expect(links).to_have_text(["Scoreboard", "Games"])
    for link in links.all():
        box = link.bounding_box()
        assert box is not None
        assert box["y"] < 2 * 640
        assert box["height"] >= 24
    for place in ("#report", "#log"):
        assert phone.locator(place).evaluate("place => place.clientHeight <= 0.6 * innerHeight + 1")
    assert phone.evaluate("document.documentElement.scrollHeight") < 4 * 640
    phone.goto(f"{service.address}games")
    phone.locator("#list a").first.click()
    phone.get_by_role("button", name="Open all deals").click()
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(phone.get_by_role("link", name="To the board")).to_be_in_viewport()


def test_names_are_not_broken_inside_a_word(phone: Page, new_service: Callable[..., Any]) -> None:
    """A game's table and the scores show names whole or with dots, each whole for who asks or listens."""
    service = new_service(SHORT)
    service.press(WON)
    phone.goto(f"{service.address}games")
    phone.locator("#list a").first.click()
    heads = phone.locator(".counts thead th")
    expect(heads).to_have_text(["Wilhelmina", "Grandpa Jo"])
    first = heads.first
    assert first.evaluate("th => { const r = document.createRange(); r.selectNodeContents(th); "
                          "return r.getClientRects().length; }") == 1  # fmt: skip
    assert first.get_attribute("title") == "Wilhelmina"
    opened(phone, service.address, service.state())
    for name in phone.locator(".side .name").all():
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
        assert name.get_attribute("title") == name.inner_text()


@pytest.mark.parametrize("config", [SHORT, CALL], ids=["points", "call"])
def test_a_lost_connection_covers_nothing(phone: Page, new_service: Callable[..., Any], config: str) -> None:
    """While the board is away the line that says so stands in sight, whole, and on nothing that is read or pressed."""
    service = new_service(config)
    opened(phone, service.address, service.press("# 2#"))
    service.stop()
    strip = phone.locator("#alarms summary")
    expect(strip).to_be_in_viewport(ratio=1)
    assert strip.evaluate(
        "s => s.scrollHeight <= s.clientHeight + 1 && s.firstChild.scrollWidth <= s.firstChild.clientWidth"
    )
    one = strip.bounding_box()
    assert one is not None
    for part in phone.locator(READ).all():
        box = part.bounding_box()
        if box is None or part.get_attribute("id") in ("phase", "brief"):
            continue
        assert box["y"] >= one["y"] + one["height"] or box["y"] + box["height"] <= one["y"], part


def test_the_referee_is_named(phone: Page, new_service: Callable[..., Any]) -> None:
    """Each side's referee level is told in words to a screen reader and to who points at its badge."""
    service = new_service(CALL)
    opened(phone, service.address, service.press("# 2#"))
    badge = phone.locator(".side .level:visible").first
    expect(badge).to_contain_text("referee: call")
    expect(badge).to_have_attribute("title", "Referee: call. The board is silent until a claim is called")
    expect(phone.get_by_role("button", name="D diamond, or scores")).to_be_visible()
