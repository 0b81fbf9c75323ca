"""The page opened over the network in a real Chromium: everything of it comes, and the browser complains of nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from firmware.addresses import LOOPBACK, present_address
from firmware.web.assets import PAGES

pytestmark = pytest.mark.browser

ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a board that is served to the network, by this machine's number; on a machine without a network by a
    number of the loopback that is nobody's own."""
    folder = tmp_path_factory.mktemp("network")
    settings = folder / "muggins.toml"
    settings.write_text("[page]\nhost = '0.0.0.0'\nmdns = false\n")
    words = ["run", "--config", str(settings), "--state", str(folder / "state"), "--port", "0"]
    environment = os.environ | {"HOME": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        printed = process.stdout.readline().strip()
        assert printed.startswith(f"http://{present_address()}:")
        yield printed.replace(LOOPBACK, "127.0.0.2")
        process.terminate()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield one
        one.close()


class Seen:
    """A page, and what the browser said of it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.add_init_script(VIOLATIONS)
        page.on("console", lambda line: self.complaints.append(f"{line.type}: {line.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", lambda request: self.complaints.append(f"{request.url} {request.failure}"))
        page.goto(url)

    def violations(self) -> list[str]:
        """What the content security policy kept from the page."""
        found: list[str] = self.page.evaluate("window.violations")
        return found


@pytest.mark.parametrize("path", list(PAGES))
def test_a_phone_on_the_network_sees_the_board(address: str, browser: Browser, path: str) -> None:
    """Opened by the board's number from elsewhere each page shows the state, and the browser has nothing to complain
    of: no violation of the policy, nothing missing, nothing in its console."""
    page = browser.new_page()
    seen = Seen(page, address.rstrip("/") + path)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.get_by_text("Blue").first).to_be_visible()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert seen.violations() == []
    assert seen.complaints == []
    page.close()


def test_a_script_that_is_not_the_pages_own_does_not_run(address: str, browser: Browser) -> None:
    """Script and style written into the page are kept from it by the policy, and so is a picture from elsewhere."""
    page = browser.new_page()
    seen = Seen(page, address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          const style = document.createElement("style");
          style.textContent = "body { display: none }";
          document.body.append(style);
          document.body.setAttribute("onclick", "window.ran = true");
          document.body.click();
          document.body.append(Object.assign(new Image(), { src: "http://192.0.2.99/x.png" }));
        }"""
    )
    expect(page.locator("#sides .side").first).to_be_visible()
    assert page.evaluate("window.ran") is None
    page.wait_for_function("window.violations.length >= 4")
    kinds = {one.partition(":")[0] for one in seen.violations()}
    assert kinds == {"script-src-elem", "style-src-elem", "script-src-attr", "img-src"}
    page.close()


def test_a_key_from_a_device_that_was_not_paired_is_refused_in_words(address: str, browser: Browser) -> None:
    """A visitor who presses a key reads that this device only watches, and the board stays where it was."""
    page = browser.new_page()
    Seen(page, address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.keyboard.press("7")
    expect(page.locator("#notice")).to_contain_text("pair this device")
    assert page.request.get(f"{address}state").json()["typed"] == ""
    page.close()
