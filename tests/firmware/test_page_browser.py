"""The page in a real Chromium: what a person sees of the board, and that each press reaches it once."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from firmware.hands import Presser
from firmware.web.changes import Changes
from firmware.web.server import PageServer, listen
from hardware.ports import Colour

pytestmark = pytest.mark.browser

ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PIXELS = """canvas => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const data = copy.getImageData(0, 0, width, height).data;
  return Array.from({ length: width * height }, (_, at) => (data[4 * at] > 127 ? 1 : 0));
}"""
"""What the canvas shows, a 0 or 1 a pixel."""

NEAREST = """() => {
  const at = [...document.querySelectorAll(".led")].map((led) => [led.cx.baseVal.value, led.cy.baseVal.value]);
  const box = document.querySelector("svg.holes").viewBox.baseVal;
  let near = Infinity;
  at.forEach(([x, y], one) => {
    if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) near = -1;
    for (const [p, q] of at.slice(one + 1)) near = Math.min(near, Math.hypot(x - p, y - q));
  });
  return near;
}"""
"""How near the nearest two holes are; -1 if one lies outside the drawing."""

SIXTEEN = "123A456B789C*0#D"


def sides(*names: str) -> list[dict[str, Any]]:
    """Sides at the start, in the order of their colours."""
    plain = {"score": 0, "front": 0, "back": 0, "to_go": 121, "level": "flag", "games": 0}
    return [{"name": name, "colour": colour} | plain for name, colour in zip(names, ("blue", "amber", "white"))]  # noqa: B905


def start() -> dict[str, Any]:
    """Two people before the first card."""
    return {
        "phase": "play", "turn": "Ann", "count": 0, "target": 121, "shared_lane": False,
        "sides": sides("Ann", "Bob"), "seats": [{"name": "Ann", "side": 0}, {"name": "Bob", "side": 1}],
        "dealer": "Bob", "starter": "QS", "screen": ["Ann to play", "count 0", "", ""],
        "spoken": "Ann to play.", "typed": "", "theme": "normal", "notice": None, "log": [],
        "parts": [{"name": "strip", "state": "simulated", "say": "a simulated strip"}],
        "saved": True, "marks": {"streets": 5, "skunks": [91, 61]},
    }  # fmt: skip


class Table:
    """A board whose state the tests set."""

    def __init__(self) -> None:
        self.changes = Changes()
        self.reset()

    def reset(self) -> None:
        self.state = start()
        self.pressed: list[str] = []
        self.pixels = (128, 64, bytes(1024))
        self.lanes: list[list[Colour]] = [[(0, 0, 0)] * 121, [(0, 0, 0)] * 121]

    def snapshot(self) -> dict[str, Any]:
        return self.state

    def glass(self) -> tuple[int, int, bytes]:
        return self.pixels

    def lights(self) -> list[list[Colour]]:
        return self.lanes

    def from_afar(self) -> Any:
        return self

    def press(self, key: str, by: Presser, seen: int | None) -> str:
        self.pressed.append(key)
        self.state = self.state | {"spoken": f"Keys so far: {len(self.pressed)}."}
        self.changes.note("state")
        return ""

    def watch(self) -> AsyncIterator[str]:
        return self.changes.watch()


class Served:
    """A source on a real server in a thread of its own, at a port that stays the same when it starts anew."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.port = 0
        self.start()

    def start(self) -> None:
        sock = listen(self.port)
        self.port = sock.getsockname()[1]
        self.server = PageServer(self.source, sock)
        self.address = self.server.address
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        self.loop.run_until_complete(self.server.serve())
        self.loop.close()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.server.stop)
        self.thread.join(20)
        assert not self.thread.is_alive()

    def do(self, act: Callable[[], object]) -> None:
        """Run something in the server's loop and wait for it."""
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (act(), done.set()))
        assert done.wait(20)

    def now(self, **changed: Any) -> None:
        """Change the state that the page is told."""

        def act() -> None:
            self.source.state = self.source.state | changed
            self.source.changes.note("state")

        self.do(act)


class Seen:
    """A page, and everything that it asked for or complained of."""

    def __init__(self, context: BrowserContext, served: Served) -> None:
        self.page: Page = context.new_page()
        self.served = served
        self.tests = 0
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda line: self.complaints.append(f"{line.type}: {line.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(served.address)
        expect(self.page.locator("body")).to_have_attribute("data-link", "live")
        expect(self.page.locator("#sides .side").first).to_be_visible()

    def begin(self) -> None:
        """Lay the table anew, and wait until the page shows it."""
        self.tests += 1
        fresh = f"Table {self.tests} is laid."

        def act() -> None:
            self.served.source.reset()
            self.served.source.state["spoken"] = fresh
            self.served.source.changes.note("state", "glass", "lights")

        self.served.do(act)
        expect(self.page.locator("#spoken")).to_have_text(fresh)
        expect(self.page.locator(".led[data-lane='1'][data-hole='121'][opacity='0']")).to_have_count(1)
        self.page.evaluate("document.activeElement.blur()")
        self.complaints.clear()

    def wait_for_keys(self, *keys: str) -> None:
        """Wait until the board has told the page of that many keys, then compare them."""
        expect(self.page.locator("#spoken")).to_have_text(f"Keys so far: {len(keys)}.")
        assert self.served.source.pressed == list(keys)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield one
        one.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Served]:
    one = Served(Table())
    yield one
    one.stop()


@pytest.fixture(scope="module")
def windows(browser: Browser, running: Served) -> Iterator[Callable[[int, int], Seen]]:
    """A window of each size, kept open from test to test."""
    open_windows: dict[tuple[int, int], Seen] = {}

    def window(width: int, height: int) -> Seen:
        if (width, height) not in open_windows:
            context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
            context.set_default_timeout(15000)
            open_windows[width, height] = Seen(context, running)
        return open_windows[width, height]

    yield window
    for seen in open_windows.values():
        seen.page.context.close()


@pytest.fixture(params=[(1280, 800)], ids=["laptop"])
def seen(windows: Callable[[int, int], Seen], request: pytest.FixtureRequest) -> Iterator[Seen]:
    """The page with its table as new; afterwards it must have asked nobody else and complained of nothing."""
    one = windows(*request.param)
    one.begin()
    yield one
    assert [url for url in one.asked if not url.startswith(one.served.address)] == []
    assert one.complaints == []


narrow = pytest.mark.parametrize("seen", [(360, 740)], ids=["phone"], indirect=True)
big = pytest.mark.parametrize("seen", [(1920, 1000)], ids=["big"], indirect=True)
both = pytest.mark.parametrize("seen", [(360, 740), (1920, 1000)], ids=["phone", "big"], indirect=True)


def test_the_mouse_presses_each_key_once(seen: Seen) -> None:
    """A click on each of the sixteen keys reaches the board once, in order."""
    for key in SIXTEEN:
        seen.page.locator(f"#keypad [data-key='{key}']").click()
    seen.wait_for_keys(*SIXTEEN)


def test_a_key_counts_when_it_goes_down(seen: Seen) -> None:
    """A key is sent as the mouse button goes down, and its release sends nothing more."""
    seen.page.locator("[data-key='7']").hover()
    seen.page.mouse.down()
    seen.wait_for_keys("7")
    seen.page.mouse.up()
    seen.page.locator("[data-key='8']").click()
    seen.wait_for_keys("7", "8")


@narrow
def test_a_finger_presses_each_key_once(seen: Seen) -> None:
    """A tap on each key of a phone reaches the board once, in order."""
    for key in SIXTEEN:
        seen.page.locator(f"#keypad [data-key='{key}']").tap()
    seen.wait_for_keys(*SIXTEEN)


def test_the_keyboard_presses_every_key(seen: Seen) -> None:
    """Digits, letters, # and *, Enter, Backspace, Escape and the number block all have their key."""
    typed = {
        **{digit: digit for digit in "0123456789"},
        "#": "#", "*": "*", "Enter": "#", "Backspace": "*", "Escape": "*",
        "a": "A", "b": "B", "c": "C", "d": "D", "s": "A", "h": "B", "A": "A", "S": "A", "H": "B",
        "Numpad7": "7", "Numpad0": "0", "NumpadMultiply": "*", "NumpadEnter": "#",
    }  # fmt: skip
    for word in typed:
        seen.page.keyboard.press(word)
    seen.wait_for_keys(*typed.values())


def test_a_key_held_down_on_the_keyboard_counts_once(seen: Seen) -> None:
    """The repeats of a key that is held down are not presses, and neither are a browser's own shortcuts."""
    for _ in range(4):
        seen.page.keyboard.down("5")
    seen.page.keyboard.up("5")
    seen.page.keyboard.press("Control+c")
    seen.page.keyboard.press("x")
    seen.page.keyboard.press("6")
    seen.wait_for_keys("5", "6")


def test_a_key_reached_by_tab_takes_space_and_enter(seen: Seen) -> None:
    """A key that has the focus is pressed by Space and by Enter, as itself and once."""
    seen.page.locator("[data-key='3']").focus()
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("Space")
    seen.wait_for_keys("3", "3")


def test_a_screen_reader_s_click_is_a_press(seen: Seen) -> None:
    """A click that no mouse or finger made is a press too."""
    seen.page.locator("[data-key='9']").evaluate("button => button.click()")
    seen.wait_for_keys("9")


def test_a_seat_is_tapped_or_held(seen: Seen) -> None:
    """A seat's button is yes when tapped and muggins when held, each once; Shift and Enter hold it too."""
    seat = seen.page.locator("[data-key='@2']")
    seat.click()
    seen.wait_for_keys("@2")
    seat.hover()
    seen.page.mouse.down()
    seen.wait_for_keys("@2", "hold(@2)")
    seen.page.mouse.up()
    seat.focus()
    seen.page.keyboard.press("Shift+Enter")
    seen.page.locator("[data-key='@1']").tap()
    seen.wait_for_keys("@2", "hold(@2)", "hold(@2)", "@1")


def test_fast_keys_keep_their_order(seen: Seen) -> None:
    """Keys typed faster than they can be sent arrive in the order in which they were typed."""
    keys = "1234567890" * 3
    seen.page.keyboard.type(keys)
    seen.wait_for_keys(*keys)


@both
def test_the_canvas_shows_the_panel_s_own_pixels(seen: Seen) -> None:
    """Each pixel of the glass is lit exactly where the panel's bit is set, also for another panel's size."""
    for width, height in ((128, 64), (130, 33)):
        stride = (width + 7) // 8
        bits = bytes((x * 37 + y * 101 + x * y) % 251 for y in range(height) for x in range(stride))

        def act(shown: tuple[int, int, bytes] = (width, height, bits)) -> None:
            seen.served.source.pixels = shown
            seen.served.source.changes.note("glass")

        seen.served.do(act)
        wanted = [bits[y * stride + x // 8] >> (7 - x % 8) & 1 for y in range(height) for x in range(width)]
        canvas = seen.page.locator("#glass")
        expect(canvas).to_have_attribute("width", str(width))
        seen.page.wait_for_function(f"document.getElementById('glass').width === {width}")
        drawn = canvas.evaluate(PIXELS)
        assert drawn == wanted
        scale = canvas.evaluate("c => c.getBoundingClientRect().width * devicePixelRatio / c.width")
        assert scale == int(scale) >= 1
        assert canvas.evaluate("c => getComputedStyle(c).imageRendering") == "pixelated"


@both
def test_every_hole_shows_its_light(seen: Seen) -> None:
    """The holes that are lit are those the strip lights, in its colours, and a hole goes dark with its light."""
    holes: dict[tuple[int, int], Colour] = {
        (0, 1): (0, 0, 255),
        (0, 74): (3, 3, 9),
        (1, 93): (255, 140, 0),
        (1, 121): (9, 9, 9),
    }

    def light(lit: dict[tuple[int, int], Colour]) -> None:
        seen.served.source.lanes = [[lit.get((lane, hole), (0, 0, 0)) for hole in range(1, 122)] for lane in (0, 1)]
        seen.served.source.changes.note("lights")

    read = (
        "() => [...document.querySelectorAll('.led')].filter(l => l.getAttribute('opacity') > 0)"
        ".map(l => [+l.dataset.lane, +l.dataset.hole, l.dataset.rgb])"
    )
    for lit in (holes, dict(list(holes.items())[1:])):
        seen.served.do(lambda lit=lit: light(lit))
        wanted = [[lane, hole, bytes(colour).hex()] for (lane, hole), colour in sorted(lit.items())]
        seen.page.wait_for_function(f"wanted => JSON.stringify(({read})()) === JSON.stringify(wanted)", arg=wanted)
    assert seen.page.locator(".led").count() == 242


@both
def test_both_pegs_stand_in_their_holes(seen: Seen) -> None:
    """The drawn pegs stand on the holes of front and back peg, and the board says the same in words."""
    ann, bob = sides("Ann", "Bob")
    ann |= {"front": 74, "back": 62, "score": 74}
    bob |= {"front": 121, "back": 0, "score": 121}
    seen.served.now(sides=[ann, bob])
    board = seen.page.locator("svg.holes")
    expect(board).to_have_attribute("aria-label", re.compile("Ann: front peg 74, back peg 62"))
    for name, lane, kind, hole in (("Ann", 0, "front", 74), ("Ann", 0, "back", 62), ("Bob", 1, "front", 121)):
        peg = seen.page.locator(f".peg.{kind}[data-side='{name}']")
        expect(peg).to_have_attribute("data-hole", str(hole))
        led = seen.page.locator(f".led[data-lane='{lane}'][data-hole='{hole}']")
        at = led.evaluate("l => [l.getAttribute('cx'), l.getAttribute('cy')]")
        assert peg.get_attribute("transform") == f"translate({at[0]} {at[1]})"


@both
def test_no_two_holes_overlap(seen: Seen) -> None:
    """Every hole of every lane has its own place, on a phone and on a big screen, with one, two and three lanes."""
    for names, shared in ((("Ann",), False), (("Ann", "Bob"), False), (("Ann", "Bob", "Cleo"), False),
                          (("Ann", "Bob", "Cleo"), True)):  # fmt: skip
        lanes = 1 if shared else len(names)

        def act(lanes: int = lanes) -> None:
            seen.served.source.lanes = [[(0, 0, 0)] * 121 for _ in range(lanes)]
            seen.served.source.changes.note("lights")

        seen.served.do(act)
        seats = [{"name": name, "side": at} for at, name in enumerate(names)]
        seen.served.now(sides=sides(*names), seats=seats, shared_lane=shared)
        expect(seen.page.locator(".led")).to_have_count(121 * lanes)
        expect(seen.page.locator(".peg.front")).to_have_count(len(names))
        near = seen.page.evaluate(NEAREST)
        assert near > 0.7


@both
def test_the_page_fits_its_window(seen: Seen) -> None:
    """Nothing runs out of the window sideways; glass and keys are in sight at once; every key is big enough to hit."""
    size = seen.page.viewport_size
    assert size is not None
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(seen.page.locator("[data-key='@2']")).to_be_visible()
    for place in ("#glass", "#keypad", "#seats"):
        box = seen.page.locator(place).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]
    for button in seen.page.locator("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


@big
def test_a_big_screen_holds_everything(seen: Seen) -> None:
    """On a big screen nothing has to be scrolled to, however long the log."""
    entry = {"who": "Ann", "points": 2, "why": "pair: 6 6", "scores": [2, 0]}
    seen.served.now(log=[{"n": n} | entry for n in range(1, 201)])
    expect(seen.page.locator("#log li")).to_have_count(200)
    assert seen.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_the_log_tells_each_award_newest_first(seen: Seen) -> None:
    """Awards stand with points, reason and scores, newest first; an undone one leaves; a finding has no points."""
    log = [
        {"n": 1, "who": "Ann", "points": 2, "why": "fifteen: 7 and 8", "scores": [2, 0]},
        {"n": 2, "who": "Bob", "points": 0, "why": "crib: nothing", "scores": [2, 0]},
        {"n": 3, "who": "Bob", "points": -2, "why": "<b>penalty</b>", "scores": [2, 0]},
        {"n": 4, "who": "Ann", "points": None, "why": "said go with a 3", "scores": None},
    ]
    rows = seen.page.locator("#log li")
    expect(rows).to_have_text(["Nothing pegged yet."])
    told = ["·Ann said go with a 3", "−2Bob <b>penalty</b>2–0", "0Bob crib: nothing2–0", "+2Ann fifteen: 7 and 82–0"]
    for end in (4, 2, 3):
        seen.served.now(log=log[:end])
        expect(rows).to_have_text(told[4 - end :])


def test_scores_count_starter_and_turn_are_shown(seen: Seen) -> None:
    """Each side's score and holes to go, the dealer, the turn, the count and the starter stand on the page."""
    ann, bob = sides("Ann", "Bob")
    ann |= {"score": 24, "to_go": 97, "front": 24}
    seen.served.now(sides=[ann, bob], count=15)
    expect(seen.page.locator(".side").first).to_contain_text("24")
    expect(seen.page.locator(".side").first).to_contain_text("97 to go")
    expect(seen.page.locator(".side.turn")).to_contain_text("Ann")
    expect(seen.page.locator(".side").nth(1)).to_contain_text("deals")
    expect(seen.page.locator("#table")).to_contain_text("15")
    expect(
        seen.page.get_by_role("img", name="Q of spades", exact=True).or_(
            seen.page.get_by_role("img", name="queen of spades", exact=True)
        )
    ).to_be_visible()
    expect(seen.page).to_have_title("Ann 24 · Bob 0 – Muggins")


def test_what_is_wrong_is_said_in_words(seen: Seen) -> None:
    """A refusal, a missing part and a game that is not saved are written out, and go when they are over."""
    seen.served.now(
        notice={"kind": "refused", "text": "5H is in Ann's hand"},
        saved=False,
        parts=[{"name": "screen", "state": "missing", "say": "nothing answers at 0x3C"}],
    )
    expect(seen.page.locator("#notice")).to_have_text("Refused: 5H is in Ann's hand")
    expect(seen.page.locator("#alarms")).to_contain_text("NOT SAVED")
    expect(seen.page.locator("#alarms")).to_contain_text("Missing: screen. nothing answers at 0x3C")
    seen.served.now(notice=None, saved=True, parts=[])
    expect(seen.page.locator("#notice")).to_be_hidden()
    expect(seen.page.locator("#alarms")).to_be_hidden()


def test_a_screen_reader_hears_the_spoken_line(seen: Seen) -> None:
    """The spoken line lives in a polite region, a refusal in one that interrupts; controls and pictures have names."""
    seen.served.now(spoken="Fifteen for two.")
    expect(seen.page.locator("[aria-live='polite']")).to_have_text("Fifteen for two.")
    expect(seen.page.locator("#aloud[role='alert']")).to_have_text("")
    seen.served.now(spoken="5H is in Ann's hand.", notice={"kind": "refused", "text": "5H is in Ann's hand"})
    expect(seen.page.locator("#aloud[role='alert']")).to_have_text("5H is in Ann's hand.")
    expect(seen.page.locator("[aria-live='polite']")).to_have_text("Fifteen for two.")
    nameless = seen.page.locator(":is(canvas, svg[role=img]):not([aria-label])")
    expect(nameless).to_have_count(0)
    for key, name in (("A", "A spade, or muggins"), ("B", "B heart, or adjust"), ("#", "# yes · go"), ("7", "7")):
        button = seen.page.get_by_role("button", name=name, exact=True)
        expect(button).to_have_attribute("data-key", key)
    expect(seen.page.get_by_role("button", name="Seat 2, Bob")).to_have_attribute("data-key", "@2")


def test_two_tabs_show_the_same(seen: Seen) -> None:
    """A key pressed in one tab is seen in the other."""
    other = Seen(seen.page.context, seen.served)
    seen.page.keyboard.press("7")
    other.wait_for_keys("7")
    other.page.close()


def test_a_lost_connection_is_said_and_comes_back(browser: Browser) -> None:
    """When the board goes, the page says so and a key says it did not arrive; when it is back, all is as it is now."""
    served = Served(Table())
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    try:
        seen = Seen(context, served)
        served.stop()
        expect(seen.page.locator("#link")).to_have_text("Connection lost")
        expect(seen.page.locator("#alarms")).to_contain_text("This is what stood then.")
        seen.page.keyboard.press("7")
        expect(seen.page.locator("#notice")).to_contain_text("may not have reached the board")
        served.source.state = start() | {"spoken": "Bob to play."}
        served.start()
        expect(seen.page.locator("#spoken")).to_have_text("Bob to play.", timeout=15000)
        expect(seen.page.locator("#alarms")).to_be_hidden()
        expect(seen.page.locator("#notice")).to_be_hidden()
        assert served.source.pressed == []
    finally:
        context.close()
        served.stop()


def test_a_refused_key_says_why(seen: Seen) -> None:
    """What the board answers to a key that it cannot take is shown."""

    def refuse(route: Route) -> None:
        route.fulfill(status=204) if '"8"' in (route.request.post_data or "") else route.fulfill(
            status=400, content_type="application/json", body='{"error":"the board is asleep"}'
        )

    seen.page.route("**/key", refuse)
    seen.page.keyboard.press("7")
    expect(seen.page.locator("#notice")).to_have_text("Refused: the board is asleep")
    seen.page.keyboard.press("8")
    expect(seen.page.locator("#notice")).to_be_hidden()
    seen.page.unroute("**/key")
    # The browser itself notes the refusal.
    seen.complaints[:] = [line for line in seen.complaints if "400" not in line]
