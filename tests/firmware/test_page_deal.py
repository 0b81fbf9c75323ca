"""A real deal played through the page: the program as people start it, and a real Chromium before it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# Foster's deal: the dealer's side ends at 33, the pone's at 25.
AGREED = "# 2#"
STARTER = "12A"
PLAY = "4A 2D 3D 1B 5C 2B 4C 3C"
HANDS = "10# 14#"
CRIB = "11D 11A 10D 1A 9#"

PIXELS = """canvas => {
  const { width, height } = canvas;
  const data = canvas.getContext("2d", { willReadFrequently: true }).getImageData(0, 0, width, height).data;
  return Array.from({ length: width * height }, (_, at) => (data[4 * at] > 127 ? "1" : "0")).join("");
}"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a service of one's own serves its page; afterwards it must have ended well when told to."""
    nobody = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    line = [sys.executable, "-m", "firmware", "run", "--port", "0", "--state", str(tmp_path / "state")]
    with subprocess.Popen(
        line, cwd=ROOT, env=os.environ | nobody, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as service:
        assert service.stdout is not None
        assert service.stderr is not None
        try:
            found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)\n", service.stdout.readline())
            assert found is not None, service.stderr.read()
            yield found[1]
        finally:
            service.terminate()
            try:
                code = service.wait(30)
            finally:
                service.kill()
        assert (code, service.stderr.read()) == (0, "")


@pytest.fixture
def page(chromium: str, address: str) -> Iterator[Page]:
    """A page at the board; afterwards it must have complained of nothing and asked nobody else."""
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        one = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
        one.set_default_timeout(20000)
        one.on("console", lambda line: complaints.append(line.text))
        one.on("pageerror", lambda error: complaints.append(str(error)))
        one.on("request", lambda request: complaints.append(request.url) if address not in request.url else None)
        one.goto(address)
        yield one
        browser.close()
    assert complaints == []


def test_a_deal_is_played_through_the_page(page: Page, address: str) -> None:
    """Foster's deal, keyed with mouse, keyboard and fingers, ends 25 and 33 in words, pegs and lights, each award with
    its reason; a page that is opened anew shows the same."""
    expect(page.locator("#phase")).to_have_text("Set up")
    for key in AGREED.replace(" ", ""):
        page.locator(f"#keypad [data-key='{key}']").click()
    page.keyboard.type(STARTER)
    expect(page.locator("#phase")).to_have_text("The play")
    expect(page.get_by_role("img", name="queen of spades", exact=True)).to_be_visible()
    for key in PLAY.replace(" ", ""):
        page.locator(f"#keypad [data-key='{key}']").tap()
    expect(page.locator("#phase")).to_have_text("The show")
    page.keyboard.type((HANDS + CRIB).replace(" ", ""))

    def ended() -> str:
        expect(page.locator(".side .score")).to_have_text(["25", "33"])
        board = page.locator("svg.holes")
        expect(board).to_have_attribute("aria-label", re.compile(r"front peg 25, .*front peg 33, "))
        for lane, hole in ((0, 25), (1, 33)):
            led = page.locator(f".led[data-lane='{lane}'][data-hole='{hole}']")
            expect(led).not_to_have_attribute("opacity", "0")
        expect(page.locator("#log li .points").first).to_have_text("+9")
        expect(page.locator("#log li").first).to_contain_text("his nobs makes nine")
        expect(page.locator(".part.missing")).to_have_count(0)
        pixels = page.locator("#glass").evaluate(PIXELS)
        assert "1" in pixels
        return str(pixels)

    before = ended()
    page.goto(address)
    assert ended() == before
