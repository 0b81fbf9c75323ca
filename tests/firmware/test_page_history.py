"""The page's history before the real service: the list, one game, its files, importing, deleting; in Chromium too."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from firmware.archive import LONGEST_GIVEN
from firmware.entry import split_keys
from firmware.journal import Journal
from firmware.overlay import ADJUSTMENTS
from firmware.web.library import NotTold
from firmware.web.server import PageServer, listen

ROOT = Path(__file__).resolve().parents[2]
ARGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CONFIG = '[table]\nto = 61\nnames = ["Zenobia", "Quentin"]\nentry = "points"\n'
RECORD = "crib 1\ngame six-card\nrules modern\nplayers Ann Bob\ndate 2020-02-29\ndeal Bob\nstarter JC\nplay Ann 5C\n"
STOP = f"B {[key for key, _ in ADJUSTMENTS].index('adjust-stop') + 1}# #"
WON = "# 2# # 30A 29B # 20# 6# 3# # 11A"
"""A game of two deals at the points level, seat 1 winning by 61 to 38."""


class Board:
    """A running service."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.folder = folder

    def ask(
        self, path: str, data: bytes | None = None, kind: str = "application/octet-stream", **headers: str
    ) -> tuple[int, Any]:
        """Status, and the answer read as JSON where it is that."""
        request = urllib.request.Request(self.address + path, data, {"Content-Type": kind, **headers})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                body, status, said = answer.read(), answer.status, answer.headers.get("Content-Type", "")
        except urllib.error.HTTPError as error:
            body, status, said = error.read(), error.code, error.headers.get("Content-Type", "")
            error.close()
        return status, json.loads(body) if said.startswith("application/json") and body else body

    def press(self, keys: str) -> dict[str, Any]:
        """Press these keys; the state after them."""
        for key in split_keys(keys):
            self.ask("key", json.dumps({"key": key}).encode(), "application/json")
        state = self.ask("state")[1]
        assert isinstance(state, dict)
        return state

    def games(self) -> list[dict[str, Any]]:
        """The list."""
        status, found = self.ask("games.json")
        assert status == 200
        return list(found["games"])

    def delete(self, game: str, *agreed: str) -> tuple[int, Any]:
        """Ask for a game to be deleted."""
        return self.ask(f"games/{game}/delete", json.dumps({"games": agreed}).encode(), "application/json")


@contextmanager
def running(folder: Path, config: str = CONFIG) -> Iterator[Board]:
    """A service as people start it."""
    file = folder / "muggins.toml"
    file.write_text(config)
    nobody = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    line = [sys.executable, "-m", "firmware", "run", "--port", "0", "--state", str(folder / "state")]
    with subprocess.Popen(
        [*line, "--config", str(file)], cwd=ROOT, env=os.environ | nobody, stdout=subprocess.PIPE, text=True
    ) as service:
        try:
            assert service.stdout is not None
            yield Board(service.stdout.readline().strip(), folder / "state")
        finally:
            service.terminate()
            try:
                service.wait(20)
            finally:
                service.kill()


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A service that keeps no game, for wishes that it refuses."""
    with running(tmp_path_factory.mktemp("idle")) as one:
        yield one


@pytest.fixture
def board(quick_folder: Path) -> Iterator[Board]:
    """A service with nothing played."""
    with running(quick_folder) as one:
        yield one


def two_matches(board: Board) -> None:
    """A match that was won, with a rematch given up, and another match under way."""
    assert board.press(WON)["phase"] == "end"
    board.press(f"# # {STOP}")  # the rematch
    assert board.press("B 3# # 2# #")["phase"] == "play"


def test_a_game_under_way_is_listed_and_not_told(board: Board) -> None:
    """The list has the game on the board with its pegs; its deals and files come once it is over."""
    board.press("# 2# # 30A 29B")
    (game,) = board.games()
    assert (game["id"], game["scores"], game["ended"], game["players"]) == (
        "1",
        [30, 29],
        False,
        ["Zenobia", "Quentin"],
    )
    for path in ("games/1.json", "games/1.crib", "games/1.csv"):
        status, said = board.ask(path)
        assert status == 409
        assert "under way" in said["error"]
    board.press("# 20# 6# 3# # 11A")
    status, told = board.ask("games/1.json")
    assert status == 200
    assert told["report"]["words"][0] == "Zenobia won"
    assert told["record"].encode() == board.ask("games/1.crib")[1]
    assert board.ask("games/1.csv")[1].startswith(b"game,date,")


@pytest.mark.parametrize("name", ["2", "i1", "x", "0", "1e1", "..%2f..%2fetc", "%00", "9" * 50])
def test_a_game_that_is_not_there(idle: Board, name: str) -> None:
    """A name that no game has, or that is none, is answered 404 with where the games are."""
    for path in (f"games/{name}.json", f"games/{name}.crib", f"games/{name}.csv"):
        status, said = idle.ask(path)
        assert status == 404
        assert "error" in said
    assert idle.delete(name, name)[0] == 404


def test_a_record_goes_in_and_comes_out(board: Board) -> None:
    """A record imported is listed, told and exported byte for byte; again it is there already; play goes on."""
    before = board.press("# 2# # 5A")
    assert board.ask("games/import", RECORD.encode()) == (200, {"id": "i1", "there_already": False})
    assert board.ask("games/import", RECORD.encode()) == (200, {"id": "i1", "there_already": True})
    assert board.ask("games/i1.crib") == (200, RECORD.encode())
    told = board.ask("games/i1.json")[1]
    assert (told["imported"], told["together"], told["deals"][0]["starter"]) == (True, ["i1"], "JC")
    assert [side["score"] for side in board.ask("state")[1]["sides"]] == [side["score"] for side in before["sides"]]
    assert board.delete("i1", "i1") == (200, {"deleted": ["i1"]})
    assert [game["id"] for game in board.games()] == ["1"]


@pytest.mark.parametrize(
    ("data", "status", "place"),
    [
        (b"\xff\xfe", 422, (1, 1)),
        (RECORD.encode() + b"play Ann 5D\n", 422, (9, 10)),
        (b"crib 1\ngame six-card\nrules club\n", 422, (3, 7)),
        (b"# x\n" * 100_000, 413, None),
    ],
)
def test_a_record_that_is_none_is_refused(idle: Board, data: bytes, status: int, place: tuple[int, int] | None) -> None:
    """A damaged, forbidden, unknown or endless record is refused with line and column, and nothing is kept."""
    found, said = idle.ask("games/import", data)
    assert found == status
    assert place is None or (said["line"], said["column"]) == place
    assert idle.games() == []


def test_deleting_takes_what_was_agreed_to(board: Board) -> None:
    """Only the games named go, all of one match together, never those an undo can reach; no byte of them is left."""
    two_matches(board)
    first, second, third = (game["id"] for game in board.games())
    told = board.ask(f"games/{first}.json")[1]
    assert (told["together"], told["stays"]) == ([first, second], "")
    assert board.delete(first, first)[0] == 409
    assert board.delete(first, first, second, third)[0] == 409
    assert "on the board" in board.delete(third, third)[1]["error"]
    for body in (b"", b"[]", b'{"games": "1"}', b'{"games": ["1"], "x": 1}', b"[" * 2000, b"\xff"):
        assert board.ask(f"games/{first}/delete", body, "application/json")[0] == 400
    assert len(board.games()) == 3
    assert board.delete(first, first, second) == (200, {"deleted": [first, second]})
    assert [game["id"] for game in board.games()] == [third]
    # the same names are at the table still: undo goes back to the set-up and no farther
    while board.press("* #")["phase"] != "set-up":
        pass
    assert "deleted" in board.press("*")["notice"]["text"]
    assert board.press("# 2# # 7A")["sides"][0]["score"] == 7


def test_deleted_names_are_in_no_file(quick_folder: Path) -> None:
    """After deleting on the page of a running board the names are in no byte of its folder."""
    with running(quick_folder) as board:
        two_matches(board)
        first, second, *_ = (game["id"] for game in board.games())
    with closing(Journal.open(quick_folder / "state", now=lambda: datetime(2026, 1, 1, tzinfo=UTC))) as journal:
        settings = journal.setting("set-up") | {"names": ["Ann", "Bob"]}
        journal.set_setting("set-up", settings)
    with running(quick_folder) as board:
        board.press(STOP)
        board.press("B 8# 9# # 2# #")
        third = board.games()[2]["id"]
        assert board.delete(first, first, second)[0] == 200
        assert board.delete(third, third)[0] == 200
        for _ in range(2):
            data = b"".join(path.read_bytes() for path in sorted((quick_folder / "state").iterdir()))
            assert b"Zenobia" not in data
            assert b"Blue" in data
            board.press("5A")


class Shelf:
    """A library that says what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def games(self) -> dict[str, Any]:
        return {"games": []}

    async def game(self, name: str) -> dict[str, Any]:
        raise NotTold(404, "none")

    async def take_over(self, data: bytes) -> dict[str, Any]:
        self.asked.append("take over")
        return {}

    async def delete(self, name: str, agreed: list[str]) -> dict[str, Any]:
        self.asked.append("delete")
        return {}


class Source:
    """A board with that library."""

    def __init__(self) -> None:
        self.library = Shelf()

    def snapshot(self) -> dict[str, Any]:
        return {}


def test_a_spectator_may_look_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may not press keys may read the list, and is refused importing and deleting, however it is asked for."""
    monkeypatch.setattr("firmware.web.games.presser", lambda request: None)
    source, sock = Source(), listen(0)
    server = PageServer(source, sock)  # type: ignore[arg-type]
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(server.serve()))
    thread.start()
    try:
        board = Board(server.address, Path())
        assert board.ask("games.json") == (200, {"games": [], "may_change": False})
        assert board.ask("games/import", RECORD.encode())[0] == 403
        assert board.delete("1", "1")[0] == 403
        assert source.library.asked == []
        foreign = {"Origin": "http://elsewhere.example"}
        assert board.ask("games/import", RECORD.encode(), **foreign)[0] == 403
    finally:
        loop.call_soon_threadsafe(server.stop)
        thread.join(20)
        loop.close()
    assert not thread.is_alive()


def test_a_form_of_another_site_imports_nothing(idle: Board) -> None:
    """What a browser may send from anywhere without asking, text or a form, is no import and no wish to delete."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert idle.ask("games/import", RECORD.encode(), kind)[0] == 415
        assert idle.ask("games/1/delete", b'{"games": ["1"]}', kind)[0] == 415
    assert idle.ask("games/import", RECORD.encode(), Origin="http://elsewhere.example")[0] == 403
    assert idle.games() == []


@pytest.fixture(scope="module")
def pages(chromium: str) -> Iterator[dict[str, Page]]:
    """A small and a large page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        found = {}
        for name, width, height in (("phone", 360, 740), ("big", 1920, 1000)):
            found[name] = browser.new_page(viewport={"width": width, "height": height})
            found[name].set_default_timeout(15000)
        yield found
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("size", ["phone", "big"])
def test_the_history_on_the_page(board: Board, pages: dict[str, Page], size: str, tmp_path: Path) -> None:
    """From the board's page to the list, into a game with its report and deals, and its files as they are."""
    two_matches(board)
    page, complaints = pages[size], []
    page.on("console", lambda line: complaints.append(line.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(board.address)
    page.get_by_role("link", name="Games").click()
    expect(page.locator("#list li")).to_have_count(3)
    expect(page.locator("#list li").first).to_contain_text("on the board now")
    page.get_by_role("link", name=re.compile("61–")).click()
    expect(page.get_by_role("heading", level=2, name="Zenobia v Quentin")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Hands")).to_be_visible()
    expect(page.get_by_text("Zenobia won")).to_be_visible()
    page.get_by_role("button", name="Open all deals").press("Enter")
    expect(page.locator("details[open]")).to_have_count(2)
    expect(page.get_by_text("points by hand for thirty", exact=False).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    with page.expect_download() as download:
        page.get_by_role("link", name="record (.crib)").click()
    download.value.save_as(tmp_path / "game.crib")
    assert (tmp_path / "game.crib").read_bytes() == board.ask("games/1.crib")[1]
    assert complaints == []


@pytest.mark.browser
def test_importing_on_the_page(board: Board, pages: dict[str, Page], tmp_path: Path) -> None:
    """Files chosen or dropped are imported one by one; a bad one is refused with line and column beside its name."""
    (tmp_path / "good.crib").write_text(RECORD)
    (tmp_path / "bad.crib").write_text(RECORD + "play Ann 5D\n")
    page = pages["phone"]
    page.goto(board.address + "games")
    expect(page.get_by_text("No game is kept here yet.")).to_be_visible()
    page.get_by_label("Game records").set_input_files([tmp_path / "good.crib", tmp_path / "bad.crib"])
    expect(page.locator("#taken li")).to_have_count(2)
    expect(page.locator("#taken li").first).to_have_text("good.crib: imported")
    expect(page.locator("#taken li").last).to_contain_text("bad.crib, line 9, column 10: ")
    expect(page.locator("#list li")).to_have_count(1)
    page.evaluate(
        """text => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "dropped.crib"));
          const drop = new DragEvent("drop", { dataTransfer: carried, bubbles: true });
          document.getElementById("drop").dispatchEvent(drop);
        }""",
        RECORD,
    )
    expect(page.locator("#taken li")).to_have_text(["dropped.crib: it was there already"])


@pytest.mark.browser
def test_deleting_on_the_page(board: Board, pages: dict[str, Page]) -> None:
    """Deleting is asked once more, names every game that goes, can be left with Escape, and says that it is done."""
    two_matches(board)
    page = pages["big"]
    first = board.games()[0]["id"]
    page.goto(f"{board.address}games/{first}")
    page.get_by_role("button", name="Delete this game").click()
    expect(page.locator("dialog li")).to_have_count(2)
    expect(page.get_by_role("button", name="Keep")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    assert len(board.games()) == 3
    page.get_by_role("button", name="Delete this game").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("status").first).to_contain_text("Deleted for good: 2 games")
    expect(page.locator("#list li")).to_have_count(1)
    page.goto(f"{board.address}games/{first}")
    expect(page.get_by_text("there is no game")).to_be_visible()


@pytest.mark.browser
def test_what_was_typed_at_the_table_is_text(board: Board, pages: dict[str, Page]) -> None:
    """A name that looks like a page's markup is shown as it is written."""
    board.ask("games/import", RECORD.replace("Ann", '"<img src=x>"').encode())
    page = pages["big"]
    page.goto(board.address + "games/i1")
    expect(page.get_by_role("heading", level=2, name="<img src=x> v Bob")).to_be_visible()
    assert page.locator("img:not(.mark)").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("size", ["phone", "big"])
def test_long_names_of_a_record_stay_inside_the_page(board: Board, pages: dict[str, Page], size: str) -> None:
    """The longest names that a record may bring are shown in the list, the game and its deals, and nothing runs out."""
    ann, bob = "W" * LONGEST_GIVEN, "M" * LONGEST_GIVEN
    record = f"crib 1\ngame six-card\nrules modern\nplayers {ann} {bob}\ndeal {ann}\npeg {bob} 3\nstop\n"
    status, answer = board.ask("games/import", record.encode(), "application/octet-stream")
    assert status == 200
    page = pages[size]
    for address, shown in (("games", "#list .who"), (f"games/{answer['id']}", ".won")):
        page.goto(f"{board.address}{address}")
        expect(page.locator(shown).first).to_contain_text(ann)
        for details in page.locator("details").all():
            details.evaluate("one => { one.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
