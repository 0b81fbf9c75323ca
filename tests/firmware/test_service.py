"""The service in real time: keys at the matrix, lights on the strip, parts that go and come back, a disk that fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import firmware.service
from engine.state import Pegs
from firmware.config import Config
from firmware.entry import split_keys
from firmware.journal import Journal, JournalError, MemoryJournal, open_journal
from firmware.readback import pegs_shown
from firmware.screens import screen_of
from firmware.screens.draw import draw
from firmware.service import DARK_S, DIM, DIM_S, SHIFT_S, Service
from hardware.errors import PartFailed
from hardware.open_devices import Devices, open_devices
from hardware.parts_spec import PartsSpec

PATIENCE_S = 30.0


def _now() -> datetime:
    return datetime(2000, 1, 1, tzinfo=UTC)


@dataclass
class Running:
    """A service that runs, and its simulated parts."""

    service: Service
    devices: Devices
    told: list[tuple[str, str]]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until it is so; the test fails if it never is."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.01)

    async def finger(self, keys: str) -> None:
        """Press keys on the simulated matrix, one after the other, as a finger does."""
        twin = self.devices.twins.keys
        assert twin is not None
        for key in split_keys(keys):
            twin.tap(key, at=self.service._clock())
            end = self.service._clock() + 0.2
            await self.until(lambda end=end: self.service._clock() > end)  # type: ignore[misc]

    def page(self, keys: str) -> None:
        """Press keys on the page."""
        for key in split_keys(keys):
            self.service.press(key)

    @property
    def lines(self) -> list[str]:
        """The lines drawn."""
        return screen_of(self.service.board.view()).text

    def glass_shows(self) -> bool:
        """Whether the panel's glass is what the screen of this moment looks like."""
        return self.service.glass()[2] == draw(screen_of(self.service.board.view())).tobytes()

    def pegs(self) -> tuple[Pegs, ...]:
        """The pegs as the simulated strip shows them."""
        wire = self.devices.twins.wire
        assert wire is not None
        return tuple(pegs_shown(self.devices.layout, wire.colours(), side) for side in (0, 1))


@asynccontextmanager
async def running(folder: Path, spec: PartsSpec | None = None) -> AsyncIterator[Running]:
    """A service on simulated parts; stopped, and seen to end, afterwards."""
    devices = open_devices(spec or PartsSpec())
    service = Service(Config(), devices, open_journal(folder, now=_now))
    told: list[tuple[str, str]] = []
    tell = service.board.tell

    def listen(kind: Any, text: str) -> None:
        told.append((kind.value, text))
        tell(kind, text)

    service.board.tell = listen  # type: ignore[method-assign]
    task = asyncio.create_task(service.run(None, lambda: None))
    try:
        one = Running(service, devices, told)
        twin = devices.twins.keys
        if twin is not None:  # what is down at the first reading counts as stuck
            await one.until(lambda: twin.circuit.reads > 0)
        yield one
    finally:
        service.stop()
        async with asyncio.timeout(PATIENCE_S):
            await task


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again is tried again soon."""
    monkeypatch.setattr(firmware.service, "RETRY_S", 0.05)


def test_key_on_the_matrix_reaches_strip_and_glass(quick_folder: Path) -> None:
    """Keys pressed on the simulated keypad move the lights of the simulated strip and the glass of the panel."""

    async def play() -> None:
        async with running(quick_folder) as one:
            await one.finger("# 2# 11A")
            assert one.service.board.state is not None
            assert one.service.board.state.scores == (0, 2)
            await one.until(lambda: one.pegs() == (Pegs(), Pegs(2, 0)))
            await one.until(one.glass_shows)

    asyncio.run(play())


def test_seat_button_held_is_one_call(quick_folder: Path) -> None:
    """A seat button held on its pin is one ``A`` of that seat, not a tap as well."""

    async def play() -> None:
        async with running(quick_folder) as one:
            one.page("# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 8#")
            twin = one.devices.twins.keys
            assert twin is not None
            twin.tap("@2", at=one.service._clock(), down_ms=twin.hold_ms + 200)
            await one.until(lambda: one.service.board.state is not None and one.service.board.state.scores == (23, 12))
            assert one.service.board.view().undoable.endswith("muggins, 2")

    asyncio.run(play())


@pytest.mark.parametrize("part", ["screen", "strip"])
def test_part_pulled_out_in_play_says_so_once_and_comes_back_by_itself(quick_folder: Path, part: str) -> None:
    """A part pulled out leaves the game playing and is told once; put back it shows the moment it comes back to."""

    async def play() -> None:
        async with running(quick_folder) as one:
            one.page("# 2# 12A")
            await one.until(one.glass_shows)
            twins = one.devices.twins
            assert twins.i2c is not None
            assert twins.spi is not None
            bus = twins.i2c if part == "screen" else twins.spi
            bus.pull_out()
            one.page("7C 8D")
            await one.until(lambda: bool(one.told))
            one.page("9H 2")
            for _ in range(30):  # several attempts to send go by
                await asyncio.sleep(0.02)
            assert one.service.board.state is not None
            assert one.service.board.state.deal.count == 24  # type: ignore[union-attr]
            assert [kind for kind, _ in one.told] == ["fault"]
            assert [line["state"] for line in one.service.snapshot()["parts"] if line["name"] == part] == ["missing"]
            bus.put_back()
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", f"The {part} is back")
            await one.until(one.glass_shows)
            await one.until(lambda: one.pegs() == one.service.board.state.pegs)  # type: ignore[union-attr]
            assert all(line["state"] != "missing" for line in one.service.snapshot()["parts"])

    asyncio.run(play())


def test_screen_that_hangs_keeps_no_light_waiting(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the panel's bus hangs in the middle of a picture the pegs still move, key by key; then it catches up."""

    async def play() -> None:
        async with running(quick_folder) as one:
            one.page("# 2# 12A")
            await one.until(one.glass_shows)
            bus, hanging, let_go = one.devices.twins.i2c, threading.Event(), threading.Event()
            assert bus is not None
            transfer = bus.transfer

            def hang(address: int, payload: bytes) -> None:
                hanging.set()
                let_go.wait(PATIENCE_S)
                transfer(address, payload)

            monkeypatch.setattr(bus, "transfer", hang)
            try:
                for keys in ("7C 8D", "8H", "8S"):  # fifteen, a pair, a pair royal and thirty-one
                    one.page(keys)
                    await one.until(lambda: one.pegs() == one.service.board.state.pegs)  # type: ignore[union-attr]
                assert hanging.is_set()
                assert not one.glass_shows()
            finally:
                let_go.set()
            await one.until(one.glass_shows)

    asyncio.run(play())


def test_disk_that_fails_is_told_first_and_the_game_plays_on(
    quick_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first act that cannot be saved is not taken and says NOT SAVED; from then on the game plays, with a mark on
    the glass, and all of it is on the disk once the disk is well."""
    write = Journal.append_all
    full = [True]

    def failing(journal: Journal, *args: Any) -> None:
        if full[0] and not isinstance(journal, MemoryJournal):
            raise JournalError("The journal cannot be written: the disk is full: make room.")
        write(journal, *args)

    async def play() -> None:
        async with running(quick_folder) as one:
            board = one.service.board
            one.page("# 2# 12A")
            before = board.state
            monkeypatch.setattr(Journal, "append_all", failing)
            one.page("7C")
            assert board.state is before
            assert one.lines[0] == "NOT SAVED, key"
            one.page("7C")
            assert board.state is not None
            assert board.state.deal is not None
            assert board.state.deal.count == 7
            assert one.lines[0].startswith("!")
            assert one.service.snapshot()["saved"] is False
            one.page("8D")
            full[0] = False
            await one.until(lambda: one.service.snapshot()["saved"])
            assert one.told == [("info", "Saved again: nothing was lost")]
            state = board.state
        again = open_journal(quick_folder, now=_now)
        assert firmware.service.Board(again, Config().settings()).state == state
        again.close()

    asyncio.run(play())


@pytest.mark.parametrize("junk", ["", "x", "12", "##", "@5", "hold(@1", "１", "#\n", "A" * 5000, None, 7, ["#"]])
def test_junk_from_the_page_raises_value_error_and_changes_nothing(quick_folder: Path, junk: Any) -> None:
    """What is no key raises ValueError, and nothing else; the board is as it was."""

    async def play() -> None:
        async with running(quick_folder) as one:
            one.page("# 2#")
            before = one.service.board.state
            with pytest.raises((ValueError, TypeError) if isinstance(junk, list) else ValueError):
                one.service.press(junk)
            assert one.service.board.state is before

    asyncio.run(play())


def test_keypad_that_fails_is_told_once_and_comes_back(quick_folder: Path) -> None:
    """A keypad that cannot be read is told once, by its name; the page plays on; when it answers again that is told."""

    async def play() -> None:
        async with running(quick_folder) as one:
            keys = one.devices.keys
            assert keys is not None
            poll = keys.poll

            def broken(now: float) -> Any:
                raise PartFailed(f"The keypad cannot be read: {now}")

            keys.poll = broken  # type: ignore[method-assign]
            await one.until(lambda: bool(one.told))
            one.page("# 2#")
            for _ in range(10):
                await asyncio.sleep(0.02)
            assert len(one.told) == 1
            missing = [line["name"] for line in one.service.snapshot()["parts"] if line["state"] == "missing"]
            assert missing == ["keypad"]
            keys.poll = poll  # type: ignore[method-assign]
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", "The keypad is back")

    asyncio.run(play())


def test_missing_parts_do_not_keep_the_board_from_playing(quick_folder: Path) -> None:
    """Without strip, screen, keypad and buzzer the game is played from the page alone."""

    async def play() -> None:
        spec = PartsSpec(strip="none", screen="none", keypad="none", buttons="none", buzzer="none", speaker="none")
        async with running(quick_folder, spec) as one:
            one.page("# 2# 12A 7C 8D")
            found = one.service.snapshot()
            assert (found["count"], [side["score"] for side in found["sides"]]) == (15, [0, 2])
            assert one.glass_shows()
            assert sum(colour != (0, 0, 0) for lane in one.service.lights() for colour in lane) > 2

    asyncio.run(play())


def test_log_tells_every_award_by_the_deal_it_belongs_to(quick_folder: Path) -> None:
    """In the second deal the log still tells the first deal's hands by their own cards."""

    async def play() -> None:
        async with running(quick_folder) as one:
            one.page("# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#")
            first = one.service.snapshot()["log"]
            one.page("5B 1A 1B 2A 2B 6A 7B 8A 4D")  # the second deal's play
            board = one.service.board
            assert board.view().phase == "show"
            one.page("0#")
            later = one.service.snapshot()["log"]
            assert later[: len(first)] == first
            hands = [line["why"] for line in first if "hand" in line["why"]]
            assert hands[0].endswith("fifteen two, and a double run of three makes ten")

    asyncio.run(play())


def test_screen_dims_and_a_key_that_wakes_it_counts(quick_folder: Path) -> None:
    """After a minute without a key the panel dims, after ten it is off; the key that wakes it also counts."""

    async def play() -> None:
        async with running(quick_folder) as one:
            service, clock = one.service, one.service._clock
            panel = one.devices.twins.panel
            assert panel is not None
            await one.until(one.glass_shows)
            bright = panel.contrast
            assert bright == firmware.service.BRIGHT
            service._clock = lambda: clock() + 61.0
            await one.until(lambda: panel.contrast < bright)
            service._clock = lambda: clock() + 601.0
            await one.until(lambda: not panel.on)
            one.page("#")
            assert service.board.view().phase == "cut"
            await one.until(lambda: panel.on and panel.contrast == bright)
            await one.until(one.glass_shows)

    asyncio.run(play())


def test_dimming_never_touches_the_lights(quick_folder: Path) -> None:
    """A panel that dims, moves a pixel aside and goes dark sends the strip nothing: no light waits for it."""

    async def play() -> None:
        async with running(quick_folder) as one:
            service, clock = one.service, one.service._clock
            panel = one.devices.twins.panel
            assert panel is not None
            await one.until(one.glass_shows)
            one.page("#")
            await one.until(one.glass_shows)
            frames: list[object] = []
            service.strip = frames.append  # type: ignore[method-assign,assignment]
            for rest, reached in (
                (DIM_S + 1, lambda: panel.contrast == DIM),
                (DIM_S + SHIFT_S + 1, lambda: not one.glass_shows()),
                (DARK_S + 1, lambda: not panel.on),
            ):
                service._clock = lambda rest=rest: clock() + rest
                await one.until(reached)
            assert frames == []

    asyncio.run(play())
