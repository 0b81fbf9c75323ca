"""A table for tests: a board, its journal and its screens, or the whole cabinet down to the simulated wires."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.history import fold_rows
from engine.state import State
from firmware.board import Board
from firmware.cabinet import Cabinet
from firmware.entry import split_keys
from firmware.hands import KEYPAD, Presser
from firmware.journal import SafeJournal, open_journal
from firmware.screens import Screen, screen_of
from firmware.settings import USUAL, Choices, Settings
from firmware.view import Noticed, View
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

ROOT = Path(__file__).resolve().parents[2]
STRANGER = "MAP muggins.local 127.0.0.1"
"""A page opened by that name is another device's to the board."""
ANN_AND_BOB = Settings(names=("Ann", "Bob"))
SPOKEN = {"J": "11", "Q": "12", "K": "13", "A": "1", "T": "0"}
SUIT_KEYS = {"S": "A", "H": "B", "C": "C", "D": "D"}


def _now() -> datetime:
    return datetime(2000, 1, 1, tzinfo=UTC)


class Table:
    """A board played key by key. ``cards`` turns codes such as ``4S TH`` into the keys that say them."""

    def __init__(self, folder: Path, settings: Settings = ANN_AND_BOB, choices: Choices = USUAL) -> None:
        self.folder = folder
        self._settings = settings
        self._choices = choices
        self._time = 0.0
        self._starts = 0
        self.late = ""
        """Why the newest press was not taken, where another hand was first."""
        self._open()

    def _open(self) -> None:
        self.journal: SafeJournal = open_journal(self.folder, now=_now)
        self._starts += 1
        first = self._starts * 1_000_000
        self.board = Board(self.journal, self._settings, choices=self._choices, first_moment=first)

    def press(self, keys: str, source: Presser = KEYPAD, seen: int | None = None) -> Table:
        """Press these keys one after the other, a second apart."""
        for key in split_keys(keys):
            self._time += 1.0
            self.late = self.board.press(key, self._time, source, seen)
        return self

    def cards(self, codes: str) -> Table:
        """Key these cards, in their order."""
        return self.press(self.keys_for(codes))

    @staticmethod
    def keys_for(codes: str) -> str:
        """The keys that say these cards."""
        return " ".join(SPOKEN.get(code[0], code[0]) + SUIT_KEYS[code[1]] for code in codes.split())

    @property
    def view(self) -> View:
        """What may be drawn now."""
        return self.board.view()

    @property
    def screen(self) -> Screen:
        """The screen that is drawn now."""
        return screen_of(self.view)

    @property
    def lines(self) -> list[str]:
        """The lines on the glass."""
        return self.screen.text

    @property
    def words(self) -> str:
        """The lines on the glass as one line of words."""
        return re.sub(r"\s+", " ", " ".join(self.lines)).strip()

    @property
    def state(self) -> State:
        """The engine's state."""
        assert self.board.state is not None
        return self.board.state

    @property
    def scores(self) -> tuple[int, ...]:
        """Front pegs by side."""
        return self.state.scores

    @property
    def phase(self) -> str:
        """The stage in a word."""
        return self.view.phase

    @property
    def refused(self) -> str:
        """The refusal on the glass, or nothing."""
        notice = self.view.notice
        return notice.text if notice is not None and notice.kind is Noticed.REFUSED else ""

    def acts(self) -> list[tuple[int, object]]:
        """Everything in the journal of this match."""
        return list(self.journal.load())

    def folded(self) -> State | None:
        """The state that the journal alone gives."""
        return fold_rows(self.journal.load()).state

    def reopen(self) -> Table:
        """Let go of the journal and begin again on the same folder, as after a power cut."""
        self.journal.close()
        self._open()
        return self

    def close(self) -> None:
        """Let the journal go."""
        self.journal.close()


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder of the test's own, in memory where the machine has such a place: every act is synced to the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="muggins-test-", dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def new_table(quick_folder: Path) -> Iterator[Callable[..., Table]]:
    """Makes tables, each on a folder of its own: ``new_table(level="off", entry="shows")``; ``sides`` on its lanes."""
    tables: list[Table] = []

    def make(folder: Path | None = None, sides: int = 2, **choices: object) -> Table:
        settings = Settings(**{"names": ("Ann", "Bob"), **choices})  # type: ignore[arg-type]
        tables.append(Table(folder or quick_folder / str(len(tables)), settings, Choices(sides=sides)))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


@pytest.fixture
def table(new_table: Callable[..., Table]) -> Table:
    """Ann and Bob at the usual settings, with the set-up on the glass."""
    return new_table()


@pytest.fixture
def new_cabinet(quick_folder: Path) -> Iterator[Callable[..., Cabinet]]:
    """Makes cabinets: ``new_cabinet(spec=PartsSpec(...), folder=..., level="teach")``."""
    opened: list[tuple[Cabinet, SafeJournal]] = []

    def make(spec: PartsSpec | None = None, folder: Path | None = None, **choices: object) -> Cabinet:
        settings = Settings(**{"names": ("Ann", "Bob"), **choices})  # type: ignore[arg-type]
        journal = open_journal(folder or quick_folder / f"cabinet{len(opened)}", now=_now)
        cabinet = Cabinet(open_devices(spec or PartsSpec()), journal, settings)
        opened.append((cabinet, journal))
        return cabinet

    yield make
    for cabinet, journal in opened:
        cabinet.close()
        journal.close()


class PageService:
    """The program as people start it, on a folder and a port of its own, and its keys pressed as the page does it."""

    def __init__(self, folder: Path, config: str, program: Path = ROOT) -> None:
        self.folder = folder
        self.program = program
        self.port = 0
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "muggins.toml").write_text(config)
        self.start()

    def start(self) -> None:
        """Start it, or start it anew where it was."""
        home = str(self.folder)
        nobody = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "PYTHONDONTWRITEBYTECODE": "1"}
        line = [sys.executable, "-m", "firmware", "run", "--port", str(self.port), "--state", f"{home}/state"]
        self._process = subprocess.Popen(
            [*line, "--config", f"{home}/muggins.toml"],
            cwd=self.program,
            env=os.environ | nobody,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        told = self._process.stdout.readline().strip()
        self.port = int(told.rstrip("/").rpartition(":")[2])
        self.address = f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        """End it as a service manager does; harmless twice."""
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        """End it by that signal, and see it gone."""
        with self._process as process:
            process.send_signal(how)
            try:
                process.wait(30)
            finally:
                process.kill()

    def press(self, keys: str) -> dict[str, Any]:
        """Press these keys one after the other; the state after them."""
        for key in split_keys(keys):
            body = json.dumps({"key": key}).encode()
            request = urllib.request.Request(f"{self.address}key", body, {"Content-Type": "application/json"})
            urllib.request.urlopen(request, timeout=20).close()
        return self.state()

    def state(self) -> dict[str, Any]:
        """What the page is told now."""
        with urllib.request.urlopen(f"{self.address}state", timeout=20) as answer:
            state = json.load(answer)
        assert isinstance(state, dict)
        return state


@pytest.fixture
def new_service(quick_folder: Path) -> Iterator[Callable[..., PageService]]:
    """Starts services: ``new_service("[table]\n...", program=folder)``; each is ended after the test."""
    started: list[PageService] = []

    def start(config: str = '[table]\nnames = ["Ann", "Bob"]\n', program: Path = ROOT) -> PageService:
        started.append(PageService(quick_folder / f"service{len(started)}", config, program))
        return started[-1]

    yield start
    for service in started:
        service.stop()


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[Any]:
    """A real Chromium that asks nobody but the page's own service."""
    from playwright.sync_api import sync_playwright

    quiet = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[*quiet.split(), "--disable-component-update", "--disable-sync", f"--host-resolver-rules={STRANGER}"],
        )
        yield browser
        browser.close()
