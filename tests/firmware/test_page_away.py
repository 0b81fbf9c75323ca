"""While the board is away: what the page still shows, what it keeps, and how it finds the present state again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from firmware.web.assets import FOLDER

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PLAY = "# 2# 12A 4A 2D 3D 1B 5C"
OLD = "No connection since {}. This is what stood then."
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const kept = await (await caches.open(name)).keys();
    found.push(...kept.map((request) => `${name} ${new URL(request.url).pathname}`));
  }
  return found;
}"""
INSECURE = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined });"


@pytest.fixture
def new_page(chrome: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, each as a browser of its own that keeps what it is given."""
    contexts = []

    def make(width: int = 1280, height: int = 800, script: str = "") -> Page:
        contexts.append(chrome.new_context(viewport={"width": width, "height": height}))
        if script:
            contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.set_default_timeout(30000)
        return page

    yield make
    for context in contexts:
        context.close()


def live(page: Page, state: dict[str, Any]) -> None:
    """Wait until the page shows this state as the present one."""
    expect(page.locator("body")).to_have_attribute("data-link", "live", timeout=30000)
    expect(page.locator("#spoken")).to_have_text(state["caption"])


def old(page: Page, state: dict[str, Any]) -> None:
    """The page shows this state, marked as old, and calls nothing saved."""
    expect(page.locator("body")).to_have_attribute("data-link", "lost", timeout=30000)
    expect(page.locator("#spoken")).to_have_text(state["caption"])
    expect(page.locator(".side .score")).to_have_text([str(side["score"]) for side in state["sides"]])
    told = page.locator("#alarms summary").inner_text()
    assert len(told) == len(OLD.format("21:04"))
    assert told.startswith(OLD.partition("{")[0])
    assert told.endswith(OLD.partition("}")[2])
    expect(page.locator("#parts")).not_to_contain_text("saved")
    expect(page.locator("#parts")).to_contain_text("state of ")


def controlled(page: Page) -> None:
    """Wait until the page's files are kept by its service worker."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def test_the_last_state_is_shown_as_old_and_the_present_one_again(
    new_page: Callable[..., Page], new_service: Callable[..., Any]
) -> None:
    """Cut off, the page shows what stood then and says since when; opened anew without its board it shows the same; and
    when the board is back, the present state without a hand stirred. The scoreboard does so too."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page()
    page.goto(service.address)
    live(page, state)
    controlled(page)
    board = page.context.new_page()
    board.goto(f"{service.address}scoreboard")
    live(board, state)
    service.stop()
    page.bring_to_front()
    old(page, state)
    page.reload()
    old(page, state)
    assert page.locator("#glass").evaluate(
        "c => c.getContext('2d').getImageData(0, 0, 128, 64).data.some((p) => p > 100)"
    )
    board.bring_to_front()
    board.reload()
    expect(board.locator("#old")).to_contain_text("This is what stood then.")
    expect(board.locator(".tv-side .score")).to_have_text([str(side["score"]) for side in state["sides"]])
    service.start()
    now = service.press("2B")
    live(board, now)
    expect(board.locator("#old")).to_have_text("")
    page.bring_to_front()
    live(page, now)
    expect(page.locator("#alarms")).to_be_hidden()
    expect(page.locator("#parts")).to_contain_text("game saved")


def test_over_plain_http_the_last_state_stays_too(
    new_page: Callable[..., Page], new_service: Callable[..., Any]
) -> None:
    """Where a browser has no service workers the page does without: it keeps what it saw, and finds the board again."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page(360, 640, script=INSECURE)
    page.goto(service.address)
    live(page, state)
    service.stop()
    old(page, state)
    service.start()
    live(page, service.press("2B"))
    page.route("**/events", lambda route: route.abort())
    page.reload()
    expect(page.locator("#alarms")).to_contain_text("This is what stood then.")
    expect(page.locator(".side .score")).to_have_text([str(side["score"]) for side in service.state()["sides"]])


def test_only_the_page_s_files_are_kept(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """The service worker keeps every file of the page in one cache named by their content, and never the state."""
    service = new_service()
    page = new_page()
    page.goto(service.address)
    controlled(page)
    live(page, service.press(PLAY))
    kept = page.evaluate(KEPT)
    version = page.locator("meta[name=page-version]").get_attribute("content")
    assert {line.partition(" ")[0] for line in kept} == {f"muggins-{version}"}
    paths = {line.partition(" ")[2] for line in kept}
    assert {"/", "/scoreboard", "/static/main.js", "/static/page.css", "/static/icon.svg"} <= paths
    assert not paths & {"/state", "/events", "/key", "/version", "/sw.js"}


def test_an_upgraded_board_never_gets_yesterday_s_page(
    new_page: Callable[..., Page], new_service: Callable[..., Any], quick_folder: Path
) -> None:
    """After an upgrade an open page loads itself anew, and the old files are gone from the browser, not one left."""
    program = quick_folder / "program"
    for package in ("engine", "hardware", "firmware"):
        shutil.copytree(ROOT / package, program / package, ignore=shutil.ignore_patterns("__pycache__"))
    service = new_service(program=program)
    page = new_page()
    page.goto(service.address)
    live(page, service.press(PLAY))
    controlled(page)
    before = page.evaluate(KEPT)
    service.stop()
    expect(page.locator("body")).to_have_attribute("data-link", "lost", timeout=30000)
    panels = program / "firmware" / "web" / "static" / "panels.js"
    panels.write_text(panels.read_text().replace('"The play"', '"The play, upgraded"'))
    service.start()
    expect(page.locator("#phase")).to_have_text("The play, upgraded", timeout=30000)
    page.wait_for_function(f"async () => (await ({KEPT})()).every((one) => !{json.dumps(before)}.includes(one))")
    assert len(page.evaluate(KEPT)) == len(before)


def test_it_can_be_installed() -> None:
    """The manifest names icons that are there, of the sizes it says, one of them safe under any mask."""
    manifest = json.loads((FOLDER / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    masked = [icon for icon in manifest["icons"] if icon.get("purpose") == "maskable"]
    assert masked
    for icon in manifest["icons"]:
        file = FOLDER / icon["src"].removeprefix("/static/")
        assert file.is_file()
        if file.suffix == ".png":
            with Image.open(file) as picture:
                assert "{}x{}".format(*picture.size) == icon["sizes"]
                middle = picture.convert("RGBA").getchannel("A")
                if icon in masked:
                    assert middle.getextrema() == (255, 255)
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
