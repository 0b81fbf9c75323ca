"""The page for eyes, hands and ears that are not the designer's: contrast, keyboard, text size, motion, targets."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from firmware.entry import split_keys

pytestmark = pytest.mark.browser

BIG = "D D 1# *"
PLAY = "# 2# 12A 4A 2D 3D 1B 5C"
MISCOUNT = "2B 4C 3C 10# 12#"
SHORT = '[table]\nto = 61\nnames = ["Ann", "Bob"]\nentry = "points"\n'

TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.offsetWidth === 1 || owner.closest(".quiet, noscript, script, style")) continue;
    if (!owner.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const style = getComputedStyle(owner);
    const paint = owner.ownerSVGElement ? style.fill : style.color;
    for (const { left, top, right, bottom } of range.getClientRects()) {
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (right <= left || bottom > innerHeight || right > innerWidth || top < 0 || left < 0) continue;
      const laid = owner.closest(".laid")?.getBoundingClientRect();
      if (laid && (left < laid.left || right > laid.right)) continue;
      if (!seen || !(seen === owner || owner.contains(seen) || seen.contains(owner))) continue;
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      found.push({ text: node.data.trim(), paint, large, box: [left, top, right, bottom] });
    }
  }
  return found;
}"""
"""Every run of text in sight: its colour, whether it is large, and where it stands."""

ADOPT = "css => { const s = new CSSStyleSheet(); s.replaceSync(css); document.adoptedStyleSheets = [s]; }"
NAMED = "(e => e.dataset.key || e.id || e.getAttribute('href') || e.tagName)(document.activeElement)"
BARE = "*, *::before, *::after { color: transparent !important; } svg text { fill: transparent !important; }"
BARE += " .badge, .meter, .lay .by { visibility: hidden !important; }"


@cache
def luminance(colour: tuple[float, ...]) -> float:
    """Relative luminance of an sRGB colour of 0 to 255 (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if (part := whole / 255) <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for whole in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colour_of(css: str) -> tuple[float, ...]:
    """Red, green, blue and how opaque, of a colour as a browser computes it."""
    parts = [float(part) for part in re.findall(r"[\d.]+", css)]
    return (*parts[:3], parts[3] if len(parts) > 3 else 1.0)


def faint_texts(page: Page) -> list[str]:
    """Texts that stand out too little from the pixels they stand on."""
    texts = []
    while not texts or texts != page.evaluate(TEXTS):  # what arrives late moves others
        texts = page.evaluate(TEXTS)
        page.evaluate(ADOPT, BARE)
        ground = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        page.evaluate("document.adoptedStyleSheets = []")
    assert len(texts) > 20
    faint = []
    for text in texts:
        *paint, opaque = colour_of(text["paint"])
        left, top, right, bottom = text["box"]
        trim = (bottom - top) * 0.18  # a line's box is taller than its letters
        left, top, right, bottom = (round(edge) for edge in (left, top + trim, right, bottom - trim))
        patch = ground.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
        found = patch.getcolors(patch.width * patch.height)
        worst = min(
            contrast(tuple(opaque * a + (1 - opaque) * b for a, b in zip(paint, under, strict=True)), under)
            for _, under in found
        )
        if worst < (3 if text["large"] else 4.5):
            faint.append(f"{text['text']}: {worst:.2f}")
    return faint


def shown(page: Page, state: dict[str, Any]) -> None:
    """Wait until the page shows this state."""
    page.wait_for_function("text => document.getElementById('spoken').textContent === text", arg=state["caption"])


@pytest.fixture
def new_page(chrome: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages: ``new_page(360, 640, reduced_motion="reduce")``."""
    contexts = []

    def make(width: int, height: int, **wishes: Any) -> Page:
        contexts.append(chrome.new_context(viewport={"width": width, "height": height}, **wishes))
        page = contexts[-1].new_page()
        page.set_default_timeout(20000)
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.mark.parametrize("size", [(360, 1400), (1920, 1080)], ids=["phone", "big"])
def test_every_text_stands_out(
    new_page: Callable[..., Page], new_service: Callable[..., Any], size: tuple[int, int]
) -> None:
    """In both themes every text has a contrast of 4.5 (large: 3) to each pixel it stands on, as the picture has it."""
    service = new_service()
    page = new_page(*size, reduced_motion="reduce")
    page.goto(service.address)
    for keys in ("", PLAY, "12A", BIG, MISCOUNT):
        shown(page, service.press(keys))
        assert faint_texts(page) == [], keys
    page.goto(f"{service.address}scoreboard")
    shown(page, service.state())
    assert faint_texts(page) == []
    service.stop()
    expect(page.locator("body")).to_have_attribute("data-link", "lost")
    assert faint_texts(page) == []


def test_pegs_lights_and_focus_stand_out(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """Pegs, the stretch just moved and the ring of the focus have a contrast of 3 to what they lie on."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page(1280, 800)
    page.goto(service.address)
    shown(page, state)
    paint = "(e, [what]) => getComputedStyle(e)[what]"
    groove = colour_of(page.locator(".track .groove").first.evaluate(paint, ["stroke"]))[:3]
    for peg in page.locator(".peg.front").all():
        assert contrast(colour_of(peg.evaluate(paint, ["fill"]))[:3], groove) >= 3
    for line in page.locator(".peg.back, .stretch").all():
        assert contrast(colour_of(line.evaluate(paint, ["stroke"]))[:3], groove) >= 3
    page.locator("[data-key='5']").focus()
    page.keyboard.press("Tab")
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineColor")
    for ground in ("#0e0a07", "#261e18"):
        assert contrast(colour_of(ring)[:3], tuple(bytes.fromhex(ground[1:]))) >= 3


def test_front_back_and_moved_differ_in_shape(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """The front peg is filled, the back peg hollow, and a line lies where the peg just went: no colour is needed."""
    service = new_service()
    state = service.press(f"{PLAY} 2B 4C 3C 10# 12#")
    page = new_page(1280, 800)
    page.goto(service.address)
    shown(page, state)
    for side in ("Ann", "Bob"):
        front = page.locator(f".peg.front[data-side='{side}']")
        back = page.locator(f".peg.back[data-side='{side}']")
        assert front.evaluate("e => getComputedStyle(e).fillOpacity * (getComputedStyle(e).fill !== 'none')") == 1
        assert float(back.evaluate("e => getComputedStyle(e).fillOpacity")) < 1
        assert colour_of(back.evaluate("e => getComputedStyle(e).fill"))[:3] < (32, 32, 32)
        assert page.locator(f".stretch[data-side='{side}']").count() >= 1
    shapes = {
        page.locator(f".peg.front[data-side='{side}'] > :first-child").evaluate("e => e.tagName")
        for side in ("Ann", "Bob")
    }
    assert shapes == {"circle", "path"}


def test_the_keyboard_alone_plays_a_deal(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """With Tab and Enter alone a whole deal is keyed: each key is pressed once and as itself, its focus in sight."""
    service = new_service()
    page = new_page(1280, 800)
    page.goto(service.address)
    shown(page, service.state())
    deal = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"
    order = page.locator("#keypad button").evaluate_all("keys => keys.map((key) => key.dataset.key)")
    focused = "document.activeElement.dataset.key ?? document.activeElement.tagName"
    page.locator("[data-key='1']").focus()
    here = 0
    for key in split_keys(deal):
        steps = order.index(key) - here
        for _ in range(abs(steps)):
            page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        here = order.index(key)
        assert page.evaluate(focused) == key
        assert page.evaluate("document.activeElement.matches(':focus-visible')")
        assert page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
        page.keyboard.press("Enter")
    expect(page.locator(".side .score")).to_have_text(["25", "33"])
    assert [side["score"] for side in service.state()["sides"]] == [25, 33]


def test_tab_goes_through_the_page_and_out(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """Tab reaches keys, seats, log and links in the order in which they stand, and then leaves the page: no trap."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page(1280, 800)
    page.goto(service.address)
    shown(page, state)
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(e => e.dataset.key || e.id || e.getAttribute('href') || e.tagName)(document.activeElement)"
        )
        if name == "BODY" or (reached and name == reached[0]):
            break
        reached.append(name)
    keys = [name for name in reached if len(name) == 1]
    assert "".join(keys) == "123A456B789C*0#D"
    assert [name for name in reached if name.startswith("@")] == ["@1", "@2"]
    assert reached.index("D") < reached.index("@1") < reached.index("log") < reached.index("/scoreboard")
    assert len(reached) < 60


@pytest.mark.parametrize("view", ["", "scoreboard"])
@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=["phone", "laptop"])
def test_text_twice_as_large_is_all_there(
    new_page: Callable[..., Page], new_service: Callable[..., Any], size: tuple[int, int], view: str
) -> None:
    """With text at 200 % nothing is cut off and nothing scrolls sideways."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page(*size)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.goto(f"{service.address}{view}")
    shown(page, state)
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    cut = """() => [...document.querySelectorAll("h1, h2, p, span, button, a, kbd, li")].filter((e) => {
      const style = getComputedStyle(e);
      if (!e.checkVisibility() || e.closest(".quiet, .laid, details")) return false;
      if (e.offsetWidth <= 1 || style.overflowX === "auto" || style.overflowY === "auto") return false;
      const hidden = style.overflow !== "visible" && style.display !== "inline";
      return hidden && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1);
    }).map((e) => `${e.tagName}.${e.className} ${e.textContent}`)"""
    assert page.evaluate(cut) == []
    boxes = """() => [...document.querySelectorAll(".key .cap, .key .sub, .score, .togo, .tag")].filter((e) => {
      const inner = e.getBoundingClientRect(), outer = e.closest(".key, .side, .tv-side").getBoundingClientRect();
      const inside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
      return e.checkVisibility() && !inside;
    }).map((e) => e.textContent)"""
    assert page.evaluate(boxes) == []


def test_who_wants_no_motion_sees_none(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """With reduced motion nothing is animated, and the lights on the page stand where the pegs are, without a sweep."""
    service = new_service()
    page = new_page(1280, 800, reduced_motion="reduce")
    page.goto(service.address)
    shown(page, service.press("# 2# 12A 4A 2D"))
    watch = """() => {
      window.changes = {};
      const note = (many) => many.forEach(({ target, oldValue }) => {
        const { lane, hole } = target.dataset;
        const name = `${lane} ${hole}`;
        if (lane && target.dataset.rgb !== oldValue) (window.changes[name] ??= []).push(target.dataset.rgb);
      });
      const board = document.getElementById("board");
      const what = { subtree: true, attributeFilter: ["data-rgb"], attributeOldValue: true };
      new MutationObserver(note).observe(board, what);
    }"""
    page.evaluate(watch)
    state = service.press("3D 1B 5C")
    shown(page, state)
    expect(page.locator(".led[data-lane='0'][data-hole='10']")).to_have_attribute("data-rgb", "0000ff")
    expect(page.locator(".led[data-lane='1'][data-hole='4']")).to_have_attribute("data-rgb", "ff8c00")
    changes = page.evaluate("window.changes")
    assert changes
    assert all(len(steps) <= 3 for steps in changes.values()), changes
    running = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert page.evaluate(running) == 0


def test_forced_colours_keep_keys_turn_and_pegs(new_page: Callable[..., Page], new_service: Callable[..., Any]) -> None:
    """In a reader's own colours keys have an edge, the side to act a heavier one, and pegs keep their colours."""
    service = new_service()
    state = service.press(PLAY)
    page = new_page(1280, 800, forced_colors="active")
    page.goto(service.address)
    shown(page, state)
    width = "e => parseFloat(getComputedStyle(e).borderTopWidth)"
    assert page.locator("[data-key='5']").evaluate(width) >= 2
    assert page.locator(".side.turn").evaluate(width) > page.locator(".side:not(.turn)").evaluate(width)
    pegs = page.locator(".peg.front").evaluate_all("pegs => pegs.map((peg) => getComputedStyle(peg).fill)")
    assert len(set(pegs)) == 2


@pytest.mark.parametrize("view", ["", "scoreboard"])
def test_every_target_is_large_enough(
    new_page: Callable[..., Page], new_service: Callable[..., Any], view: str
) -> None:
    """Whatever can be pressed is 24 pixels or more each way, and a key of the keypad 44."""
    service = new_service()
    state = service.press(PLAY)
    for size in ((360, 640), (768, 1024), (1920, 1080)):
        page = new_page(*size)
        page.goto(f"{service.address}{view}")
        shown(page, state)
        measure = (
            "all => all.filter((e) => e.checkVisibility()).map((e) => [e.className, e.offsetWidth, e.offsetHeight])"
        )
        targets = page.locator("button, a, summary, [tabindex]").evaluate_all(measure)
        assert targets
        for name, width, height in targets:
            least = 44 if "key" in name.split() else 24
            assert min(width, height) >= least, (size, name, width, height)
