"""The table of faults: each part absent, refused, pulled out, back; the game goes on, and a plain line says what to do.

Every case runs the real service and the real drivers; only the ends of the wires are simulated.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import firmware.service
import hardware.open_devices
import hardware.speaker
from firmware.config import Config
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.readback import pegs_shown
from firmware.screens import screen_of
from firmware.screens.draw import draw
from firmware.service import DIM_S, SHIFT_S, Service
from hardware.errors import PartMissing
from hardware.lanes import preset
from hardware.numpad import Numpad
from hardware.oled import OledSettings
from hardware.open_devices import Devices, open_devices
from hardware.parts_spec import PartsSpec
from hardware.pin_factory import open_factory
from hardware.simulated import i2c, numpad, spidev, ws281x
from hardware.simulated.i2c import Fault, SimulatedBus
from hardware.simulated.matrix import fit_switches
from hardware.simulated.numpad import Pad
from hardware.simulated.panel import Panel
from hardware.simulated.pins import Circuit
from hardware.simulated.speaker import Fault as Speechless
from hardware.simulated.spidev import Door
from hardware.simulated.strip import WireStrip
from hardware.simulated.voice_program import VoiceProgram
from hardware.speaker import EspeakSpeaker
from hardware.wiring import Wiring

PATIENCE_S = 30.0
RETRY_S = 0.03
NOTHING = PartsSpec(strip="none", screen="none", keypad="none", buttons="none", buzzer="none", speaker="none")


class Machine:
    """A Pi's wires: an SPI strip, a panel, a keypad with buttons, a numpad; each with its switches for faults."""

    def __init__(self, stack: ExitStack, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.lights = WireStrip(242)
        self.spi = spidev.Bus(self.lights)
        self.panel = Panel("ssd1309")
        self.bus = SimulatedBus({0x3C: self.panel})
        self.leds = ws281x.Wire(self.lights)
        self.circuit = Circuit()
        fit_switches(self.circuit, Wiring())
        self.pad = Pad()
        self.voice = VoiceProgram(folder)
        self.no_pins: Exception | None = None
        self.taken: dict[str, Any] = {}
        stack.callback(self.pad.close)
        stack.callback(lambda: [self.install(library) for library in (*self.taken,)])
        stack.enter_context(spidev.installed(self.spi))
        stack.enter_context(i2c.installed(self.bus))
        stack.enter_context(ws281x.installed(self.leds))
        stack.enter_context(numpad.installed(self.pad))
        monkeypatch.setattr(hardware.open_devices, "open_factory", self._pins)
        monkeypatch.setattr(hardware.open_devices, "Numpad", partial(Numpad, by_id=self.pad.by_id, look_s=RETRY_S))

        monkeypatch.setattr(hardware.open_devices, "EspeakSpeaker", partial(EspeakSpeaker, str(self.voice.path)))
        monkeypatch.setattr(hardware.speaker, "GRACE_S", 3.0)
        monkeypatch.setattr(hardware.speaker, "PATIENCE", 0.0)
        monkeypatch.setattr(hardware.speaker, "PROBE_S", 1.0)

    def mend_voice(self) -> None:
        """The voice can be heard again."""
        self.voice.mend()

    def _pins(self) -> Any:
        if self.no_pins is not None:
            raise self.no_pins
        return open_factory("lgpio") if "gpiozero.pins.lgpio" in self.taken else self.circuit.open_pins()

    def uninstall(self, library: str) -> None:
        """Let a library be none that can be imported."""
        self.taken[library] = sys.modules.get(library)
        sys.modules[library] = None  # type: ignore[assignment]

    def install(self, library: str) -> None:
        """Let it be there again."""
        there = self.taken.pop(library)
        if there is None:
            del sys.modules[library]
        else:
            sys.modules[library] = there


@dataclass
class Running:
    """The service on that machine, and what it said."""

    machine: Machine
    devices: Devices
    service: Service
    told: list[tuple[str, str]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until it is so; the test fails if it never is."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.005)

    async def a_while(self) -> None:
        """Several attempts go by."""
        for _ in range(6):
            await asyncio.sleep(RETRY_S / 2)

    def page(self, keys: str) -> None:
        """Press keys on the page."""
        for key in split_keys(keys):
            self.service.press(key)

    def part(self, name: str) -> dict[str, str]:
        """What the page is told of a part."""
        return next(part for part in self.service.snapshot()["parts"] if part["name"] == name)

    @property
    def scores(self) -> tuple[int, ...]:
        """What has been pegged."""
        return self.service.board.state.scores if self.service.board.state is not None else ()

    @property
    def lines(self) -> list[str]:
        """The lines drawn."""
        return screen_of(self.service.board.view()).text

    def lights_show(self) -> bool:
        """Whether the strip shows the pegs of this moment."""
        shown = tuple(pegs_shown(self.devices.layout, self.machine.lights.colours(), side) for side in (0, 1))
        return self.service.board.state is not None and shown == self.service.board.state.pegs

    def glass_shows(self) -> bool:
        """Whether the panel shows the screen of this moment."""
        return self.machine.panel.glass().tobytes() == draw(screen_of(self.service.board.view())).tobytes()

    async def finger(self, key: Any, seconds: float = 0.1) -> None:
        """Press a key of the matrix, or a seat's button, for a while."""
        place = Wiring().place(key) if isinstance(key, str) and len(key) == 1 else key
        self.machine.circuit.switch(place, True)
        await asyncio.sleep(seconds)
        self.machine.circuit.switch(place, False)
        await asyncio.sleep(0.08)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Machine]:
    """A machine with nothing wrong."""
    with ExitStack() as stack:
        yield Machine(stack, monkeypatch, tmp_path)


@asynccontextmanager
async def running(folder: Path, machine: Machine, **parts: Any) -> AsyncIterator[Running]:
    """The service with those real parts and no others; stopped, and seen to end, afterwards."""
    devices = open_devices(replace(NOTHING, **parts), retry_s=RETRY_S)
    log: list[str] = []
    service = Service(
        Config(speech=parts.get("speaker") == "espeak"),
        devices,
        open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC)),
        log=log.append,
        retry_s=RETRY_S,
    )
    one = Running(machine, devices, service, log=log)
    tell = service.board.tell

    def listen(kind: Any, text: str) -> None:
        one.told.append((kind.value, text))
        tell(kind, text)

    service.board.tell = listen  # type: ignore[method-assign]
    task = asyncio.create_task(service.run(None, lambda: None))
    try:
        await asyncio.sleep(0.03)
        yield one
    finally:
        service.stop()
        async with asyncio.timeout(PATIENCE_S):
            await task


Act = Callable[[Machine], object]


@dataclass(frozen=True)
class Case:
    """One row of the table: the part, what happens to it (``at_start`` or in the play), the cure that is told."""

    name: str
    part: str
    spec: dict[str, Any]
    fail: Act
    cure: str
    mend: Act | None = None
    at_start: bool = False

    def __str__(self) -> str:
        return f"{self.part}: {self.name}"


def _set(**values: Any) -> Act:
    """Sets attributes reached by dotted names, ``__`` for the dot."""

    def act(machine: Machine) -> None:
        for path, value in values.items():
            *way, last = path.split("__")
            target: Any = machine
            for step in way:
                target = getattr(target, step)
            setattr(target, last, value)

    return act


SPI = {"strip": "spidev"}
WS = {"strip": "ws281x"}
OLED = {"screen": "ssd1309"}
PINS = {"keypad": "gpio"}
SEATS = {"buttons": "gpio"}
PAD = {"numpad": "usb"}
VOICE = {"speaker": "espeak"}
GONE = PartMissing("The pins cannot be used: lgpio is not there. Install the system's one, apt install python3-lgpio.")
NO_RIGHT = PartMissing("The pins cannot be used: no right to open /dev/gpiochip0. Put this user into the group gpio.")


def _pin_rows(part: str, spec: dict[str, Any], pin: int) -> list[Case]:
    """What can be wrong with any part on pins, at the start."""
    lgpio = "gpiozero.pins.lgpio"
    return [
        Case(
            "no lgpio",
            part,
            spec,
            lambda machine: machine.uninstall(lgpio),
            "sudo apt install python3-lgpio, then sudo make install; in a checkout .venv/bin/pip install lgpio",
            lambda machine: machine.install(lgpio),
            True,
        ),
        Case("no right", part, spec, _set(no_pins=NO_RIGHT), "group gpio", _set(no_pins=None), True),
        Case(
            "busy",
            part,
            spec,
            lambda machine: machine.circuit.owned.add(pin),
            "Close the other program",
            lambda machine: machine.circuit.owned.clear(),
            True,
        ),
    ]


def _library_row(part: str, spec: dict[str, Any], library: str, cure: str) -> Case:
    """A part whose library is not installed."""
    return Case(
        f"no {library}",
        part,
        spec,
        lambda machine: machine.uninstall(library),
        cure,
        lambda machine: machine.install(library),
        True,
    )


BUZZ = {"buzzer": "gpio"}
TABLE = [
    *_pin_rows("keypad", PINS, 24),
    *_pin_rows("buttons", SEATS, Wiring().seats[1]),
    *_pin_rows("buzzer", BUZZ, 26),
    _library_row("strip", SPI, "spidev", "sudo apt install python3-spidev"),
    _library_row("strip", WS, "rpi_ws281x", "choose the spidev driver"),
    _library_row("numpad", PAD, "evdev", "sudo apt install python3-evdev"),
    Case(
        "does not answer",
        "buzzer",
        BUZZ,
        lambda machine: machine.circuit.break_off("the gpiochip went away"),
        "Look at its wiring",
        lambda machine: machine.circuit.mend(),
    ),
    Case(
        "absent at start", "strip", SPI, _set(spi__door=Door.ABSENT), "dtparam=spi=on", _set(spi__door=Door.OPEN), True
    ),
    Case("no right", "strip", SPI, _set(spi__door=Door.DENIED), "group spi", _set(spi__door=Door.OPEN), True),
    Case("busy", "strip", SPI, _set(spi__door=Door.BUSY), "other program", _set(spi__door=Door.OPEN), True),
    Case(
        "pulled out in mid-frame",
        "strip",
        SPI,
        lambda machine: machine.spi.pull_out(after_bytes=700),
        "check its plug",
        lambda machine: machine.spi.put_back(),
    ),
    Case(
        "longer than bufsiz",
        "strip",
        SPI | {"layout": preset("three-lanes", holes=200)},
        _set(),
        "spidev.bufsiz=",
        at_start=True,
    ),
    Case(
        "longer than the library takes",
        "strip",
        WS | {"layout": preset("three-lanes")},
        _set(),
        "choose the spidev driver",
        at_start=True,
    ),
    Case(
        "a board the library does not know",
        "strip",
        WS,
        _set(leds__begin_result=-3),
        "choose the spidev",
        at_start=True,
    ),
    Case("the library without root", "strip", WS, _set(leds__begin_result=-5), "GPIO10", at_start=True),
    Case(
        "the library's SPI absent at start",
        "strip",
        WS,
        _set(leds__begin_result=-13),
        "dtparam=spi=on",
        _set(leds__begin_result=0),
        True,
    ),
    Case(
        "the library's SPI gone in mid-frame",
        "strip",
        WS,
        lambda machine: machine.leds.pull_out(after_bytes=700),
        "check its plug",
        lambda machine: machine.leds.put_back(),
    ),
    Case(
        "absent at start",
        "screen",
        OLED,
        lambda machine: machine.bus.pull_out(),
        "check its wires",
        lambda machine: machine.bus.put_back(),
        True,
    ),
    Case(
        "wrong address",
        "screen",
        OLED | {"oled": OledSettings("ssd1309", address=0x3D)},
        _set(),
        "0x3c: set the screen's address",
        at_start=True,
    ),
    Case("no bus", "screen", OLED, _set(bus__fault=Fault.NO_BUS), "i2c_arm=on", _set(bus__fault=None), True),
    Case("no right", "screen", OLED, _set(bus__fault=Fault.PERMISSION), "group i2c", _set(bus__fault=None), True),
    Case("busy", "screen", OLED, _set(bus__fault=Fault.BUSY), "dtoverlay", _set(bus__fault=None), True),
    Case("stuck bus", "screen", OLED, _set(bus__fault=Fault.TIMED_OUT), "unplug the screen", _set(bus__fault=None)),
    Case(
        "pulled out in mid-frame",
        "screen",
        OLED,
        lambda machine: machine.bus.cut_after(40),
        "check its wires",
        lambda machine: machine.bus.put_back(),
    ),
    Case(
        "cannot be read",
        "keypad",
        PINS,
        lambda machine: machine.circuit.break_off("the gpiochip went away"),
        "Look at its plug",
        lambda machine: machine.circuit.mend(),
    ),
    Case(
        "a column at ground",
        "keypad",
        PINS,
        lambda machine: machine.circuit.join(24),
        "touches ground",
        lambda machine: machine.circuit.part(24),
    ),
    Case(
        "three corners held",
        "keypad",
        PINS,
        lambda machine: [machine.circuit.switch(at, True) for at in ((0, 0), (0, 1), (1, 0))],
        "let all keys go",
        lambda machine: [machine.circuit.switch(at, False) for at in ((0, 0), (0, 1), (1, 0))],
    ),
    Case(
        "cannot be read",
        "buttons",
        SEATS,
        lambda machine: machine.circuit.break_off("the gpiochip went away"),
        "plug and wiring",
        lambda machine: machine.circuit.mend(),
    ),
    Case(
        "absent at start",
        "numpad",
        PAD,
        lambda machine: machine.pad.pull_out(),
        "Plug it in",
        lambda machine: machine.pad.put_back(),
        True,
    ),
    Case("no right", "numpad", PAD, _set(pad__fault=errno.EACCES), "group input", _set(pad__fault=0), True),
    Case("busy", "numpad", PAD, _set(pad__grabbed_by="another"), "Close it", _set(pad__grabbed_by=None), True),
    Case(
        "pulled out in mid-chord",
        "numpad",
        PAD,
        lambda machine: [machine.pad.press("D"), machine.pad.pull_out()],
        "Plug it in again",
        lambda machine: machine.pad.put_back(),
    ),
]


VOICES = [
    Case(
        name,
        "speaker",
        VOICE,
        lambda machine, fault=fault: machine.voice.fail(fault),
        cure,
        Machine.mend_voice,
        at_start,
    )  # type: ignore[misc]
    for name, fault, cure, at_start in (
        ("no espeak-ng", Speechless.NO_PROGRAM, "apt install espeak-ng", True),
        ("no sound card at start", Speechless.NO_CARD, "Plug in a USB sound card", True),
        ("sound card pulled out", Speechless.NO_CARD, "Plug in a USB sound card", False),
        ("busy", Speechless.BUSY, "Close that program", False),
        ("hangs", Speechless.HANGS, "Look at the sound card", False),
    )
]


async def works(one: Running, part: str) -> None:
    """Wait until a part does what it is for."""
    match part:
        case "strip":
            await one.until(one.lights_show)
        case "screen":
            await one.until(one.glass_shows)
        case "keypad":
            one.page("*")
            await one.finger("7")
            assert one.service.board.view().typed == "7"
        case "buttons":
            before = one.service._keyed
            await one.finger("@2")
            assert one.service._keyed > before
        case "numpad":
            one.page("*")
            one.machine.pad.tap("7")
            await one.until(lambda: one.service.board.view().typed == "7")
        case "speaker":
            one.page("D")
            await one.until(lambda: any("Starter jack of spades" in said for said in one.machine.voice.said))
        case "buzzer":
            one.page("7C")  # seen already: a refusal sounds
            await one.until(lambda: any(hertz for _, hertz in one.machine.circuit.tones))


def _row(case: Case) -> Any:
    """A case as a parameter; one of the compiled library's needs it."""
    marks = pytest.mark.wire("rpi_ws281x") if case.spec.get("strip") == "ws281x" else ()
    return pytest.param(case, marks=marks, id=str(case))


@pytest.mark.parametrize("case", [_row(case) for case in (*TABLE, *VOICES)])
def test_part_that_fails_is_told_once_the_game_goes_on_and_it_is_taken_back(
    quick_folder: Path, machine: Machine, case: Case
) -> None:
    """The game goes on; the glass and the log say once what is missing and what to do, the page for as long as it
    lasts; put right, the part works again without a restart, and that is told."""

    async def play() -> None:
        if case.at_start:
            case.fail(machine)
        async with running(quick_folder, machine, **case.spec) as one:
            if not case.at_start:
                one.page("# 2#")
                await asyncio.sleep(0.1)
                case.fail(machine)
                one.page("11A")
            await one.until(lambda: bool(one.told))
            assert one.told[0][0] == "fault"
            assert case.cure in one.told[0][1]
            one.page("1*")  # read, however long it is
            one.page("# 2# 11A 7C 8D" if case.at_start else "7C 8D")
            await one.a_while()
            assert (one.scores, one.service.board.view().public.count) == ((0, 4), 15)  # type: ignore[union-attr]
            assert len(one.told) == 1
            assert [line.partition(":")[0] for line in one.log] == [case.part]
            assert case.cure in one.log[0]
            assert one.part(case.part)["state"] == "missing"
            assert case.cure in one.part(case.part)["say"]
            if case.mend is None:
                return
            case.mend(machine)
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", f"The {case.part} is back")
            assert one.part(case.part)["state"] == "ok"
            await works(one, case.part)
            assert len(one.log) == 1

    asyncio.run(play())


def test_with_no_part_at_all_the_page_plays(quick_folder: Path, machine: Machine) -> None:
    """Nothing fitted: a deal is played from the page, which shows glass and lights, and nothing is told as missing."""

    async def play() -> None:
        async with running(quick_folder, machine) as one:
            one.page("# 2# 11A 7C 8D")
            await one.a_while()
            assert (one.scores, one.told, one.log) == ((0, 4), [], [])
            assert {part["state"] for part in one.service.snapshot()["parts"]} == {"off"}
            assert one.service.glass()[2] == draw(screen_of(one.service.board.view())).tobytes()
            await one.until(lambda: one.service.lights()[1][3] != (0, 0, 0))  # lit, but for its pulses

    asyncio.run(play())


def test_every_part_missing_at_once_is_told_one_after_the_other(quick_folder: Path, machine: Machine) -> None:
    """With all parts missing each line is shown in turn, the next when the one before was read; all come back."""

    async def play() -> None:
        machine.spi.door, machine.no_pins = Door.ABSENT, GONE
        machine.bus.pull_out()
        machine.pad.pull_out()
        real = SPI | OLED | PINS | SEATS | PAD | {"buzzer": "gpio"} | VOICE
        async with running(quick_folder, machine, **real) as one:
            shown = []
            for _ in range(6):
                notice = one.service.board.view().notice
                assert notice is not None
                shown.append(notice.text)
                one.page("1*")
            assert shown == [line.partition(": ")[2] for line in one.log]
            assert one.service.board.view().notice is None
            machine.spi.door, machine.no_pins = Door.OPEN, None
            machine.bus.put_back()
            machine.pad.put_back()
            await one.until(lambda: {part["state"] for part in one.service.snapshot()["parts"]} == {"ok"})
            one.page("# 2# 11A 7C 8D")
            for part in ("strip", "screen", "buttons"):
                await works(one, part)

    asyncio.run(play())


def test_not_saved_is_said_before_any_part(tmp_path: Path, machine: Machine) -> None:
    """Where the folder cannot be written and parts are missing, NOT SAVED is on the glass first."""
    (tmp_path / "file").touch()

    async def play() -> None:
        machine.spi.door = Door.ABSENT
        async with running(tmp_path / "file" / "state", machine, **SPI) as one:
            first = one.service.board.view().notice
            assert first is not None
            assert "NOT SAVED" in first.text
            one.page("1*")
            second = one.service.board.view().notice
            assert second is not None
            assert "dtparam=spi=on" in second.text

    asyncio.run(play())


def test_refusal_is_not_pushed_aside_by_a_fault(quick_folder: Path, machine: Machine) -> None:
    """A refusal stays to be read when a part fails; the fault is shown after it, and not while a number is typed."""

    async def play() -> None:
        async with running(quick_folder, machine, **SPI) as one:
            one.page("# 2# 11A 7C 7C")
            refused = one.service.board.view().notice
            machine.spi.pull_out()
            one.service._show(everything=True)
            await one.until(lambda: bool(one.log))
            assert one.service.board.view().notice == refused
            one.page("1")
            assert one.service.board.view().notice is None
            one.page("*")
            assert one.lines[0].startswith("the strip on")

    asyncio.run(play())


@pytest.mark.parametrize(("part", "key"), [("keypad", (1, 1)), ("buttons", "@3")])
def test_stuck_key_is_told_and_the_others_play(
    quick_folder: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch, part: str, key: Any
) -> None:
    """A key that stays down is named on the glass, in the log and on the page; the other keys play on; let go, it is
    told to be well."""
    for kind in ("Keypad", "SeatButtons"):
        real = getattr(hardware.open_devices, kind)
        monkeypatch.setattr(hardware.open_devices, kind, partial(real, stuck_s=0.2))

    async def play() -> None:
        async with running(quick_folder, machine, **PINS, **SEATS, hold_ms=5000) as one:
            machine.circuit.switch(key, True)
            await one.until(lambda: bool(one.told))
            assert "has been down" in one.told[0][1]
            assert one.part(part)["say"] == one.told[0][1]
            one.page("1*")
            await one.finger("#")
            assert one.service.board.view().phase == "cut"
            machine.circuit.switch(key, False)
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", f"The {part} is back")
            assert one.part(part)["state"] == "ok"
            assert len(one.log) == 1

    asyncio.run(play())


def test_chatter_enters_a_digit_once_and_a_ghost_chord_nothing(quick_folder: Path, machine: Machine) -> None:
    """A key that chatters enters its digit once; while three corners of a rectangle are held neither the third nor the
    fourth enters anything."""

    async def play() -> None:
        now = 0.0
        devices = open_devices(replace(NOTHING, **PINS))
        journal = open_journal(quick_folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
        service = Service(Config(), devices, journal, lambda: now, retry_s=1e9)  # never run: each tick is made here

        def typed(step_ms: int = 200) -> str:
            nonlocal now
            end = now + step_ms / 1000
            while now < end:
                now += 0.001
                machine.circuit.advance(now)
                if round(now * 1000) % 20 == 0:
                    service._tick()
            found = service.board.view().typed
            if found:
                service.press("*")
            return found

        assert typed() == ""
        machine.circuit.switch((0, 0), True, bounce_ms=(1, 2, 4, 7, 9, 10, 19, 21))
        assert typed() == "1"
        machine.circuit.switch((0, 0), False, bounce_ms=(1, 3, 8, 12, 20, 22))
        assert typed() == ""
        for place, digit in (((0, 1), "2"), ((0, 2), "3"), ((1, 1), "")):  # 2, 3 and 5: 6 looks down too
            machine.circuit.switch(place, True)
            assert typed() == digit
        service.close()

    asyncio.run(play())


def test_button_that_chatters_is_one_tap(quick_folder: Path, machine: Machine) -> None:
    """A seat's button that chatters on the way down and up is one tap: the first screen is left, and no other."""
    now = 0.0
    devices = open_devices(replace(NOTHING, **SEATS))
    journal = open_journal(quick_folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    service = Service(Config(), devices, journal, lambda: now, retry_s=1e9)  # never run: each tick is made here
    pressed: list[str] = []
    press = service._press
    service._press = lambda key, *by: (pressed.append(key), press(key, *by))[1]  # type: ignore[method-assign]
    machine.circuit.switch("@1", True, at=0.1, bounce_ms=(1, 2, 4, 7, 9, 10, 19, 21))
    machine.circuit.switch("@1", False, at=0.3, bounce_ms=(1, 3, 8, 12, 20, 22))
    for millisecond in range(1, 600):
        now = millisecond / 1000
        machine.circuit.advance(now)
        if millisecond % 20 == 0:
            service._poll(now)
    service.close()
    assert pressed == ["@1"]


def test_wrong_chip_cannot_be_known_and_the_game_goes_on(quick_folder: Path, machine: Machine) -> None:
    """A panel of another chip takes what it is sent: the picture is wrong, nothing fails, the game is played."""

    async def play() -> None:
        machine.bus.devices[0x3C] = panel = Panel("sh1106")
        async with running(quick_folder, machine, **OLED) as one:
            one.page("# 2# 11A 7C 8D")
            await one.a_while()
            assert (one.scores, one.told) == ((0, 4), [])
            assert panel.glass().tobytes() != draw(screen_of(one.service.board.view())).tobytes()

    asyncio.run(play())


def test_bus_that_hangs_keeps_no_key_waiting(quick_folder: Path, machine: Machine) -> None:
    """While a missing panel is sought on a bus that takes its time, keys of the matrix are read."""
    armed, hanging, keyed = threading.Event(), threading.Event(), threading.Event()
    waited_in_vain: list[bool] = []

    async def play() -> None:
        machine.bus.pull_out()
        opening = machine.bus.open

        def hang(port: int | str) -> Any:
            if armed.is_set() and not keyed.is_set():
                hanging.set()
                waited_in_vain.append(not keyed.wait(PATIENCE_S / 3))
            return opening(port)

        machine.bus.open = hang  # type: ignore[method-assign]
        async with running(quick_folder, machine, **OLED, **PINS) as one:
            one.page("1*")
            armed.set()
            await one.until(hanging.is_set)
            await one.finger("#")
            assert one.service.board.view().phase == "cut"
            keyed.set()
        assert waited_in_vain == [False]

    asyncio.run(play())


@pytest.mark.wire("rpi_ws281x")
def test_library_whose_strip_went_stale_is_begun_anew(quick_folder: Path, machine: Machine) -> None:
    """A strip that rpi-ws281x opened before its device went away takes no frame any more: it is opened anew."""

    async def play() -> None:
        async with running(quick_folder, machine, **WS) as one:
            stale: list[Any] = []
            render = machine.leds.render

            def refuse(leds: Any) -> int:
                if not stale:
                    stale.append(leds)
                return -14 if leds is stale[0] else render(leds)

            machine.leds.render = refuse  # type: ignore[method-assign]
            one.page("# 2# 11A")
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", "The strip is back")
            await one.until(one.lights_show)
            assert (len(one.log), machine.leds.begun) == (1, 1)

    asyncio.run(play())


def test_lights_that_lost_their_power_show_their_picture_again(
    quick_folder: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strip tells nobody that it was dark: its picture is sent again now and then, whatever is played."""
    monkeypatch.setattr(firmware.service, "REFRESH_S", 0.05)

    async def play() -> None:
        async with running(quick_folder, machine, **SPI) as one:
            one.page("# 2# 11A")
            clock = one.service._clock
            await one.until(lambda: one.service.board.settled(clock()))
            await one.until(one.lights_show)
            machine.spi.strip = machine.lights = WireStrip(242)
            await one.until(one.lights_show)
            assert one.told == []

    asyncio.run(play())


def test_panel_that_was_swapped_while_it_was_dimmed_is_set_up_when_it_wakes(
    quick_folder: Path, machine: Machine
) -> None:
    """Pulled out and put back while nothing was drawn, a panel knows nothing: the key that wakes it sets it up anew."""

    async def play() -> None:
        async with running(quick_folder, machine, **OLED) as one:
            await one.until(one.glass_shows)
            clock = one.service._clock
            one.service._clock = lambda: clock() + DIM_S + 1
            await one.until(lambda: machine.panel.contrast < 255)
            machine.bus.pull_out()
            machine.bus.put_back()
            assert not one.glass_shows()
            one.page("#")
            await one.until(one.glass_shows)

    asyncio.run(play())


def test_panel_that_was_out_for_a_moment_is_set_up_anew_while_nothing_is_drawn(
    quick_folder: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A panel pulled out while nothing changes is missed; put back, it shows the screen without any key."""
    monkeypatch.setattr(firmware.service, "TOUCH_S", 0.02)

    async def play() -> None:
        async with running(quick_folder, machine, **OLED) as one:
            await one.until(one.glass_shows)
            machine.bus.pull_out()
            await one.until(lambda: len(one.told) == 1)
            assert "check its wires" in one.told[0][1]
            one.page("1*")
            machine.bus.put_back()
            await one.until(lambda: len(one.told) == 2)
            assert one.told[1] == ("info", "The screen is back")
            await one.until(one.glass_shows)

    asyncio.run(play())


def test_panel_that_shows_what_it_should_is_touched_with_a_few_bytes(quick_folder: Path, machine: Machine) -> None:
    """Asking a panel whether it is there sends no picture: ten times in a row cost less than a tenth of one."""

    async def play() -> None:
        async with running(quick_folder, machine, **OLED) as one:
            await one.until(one.glass_shows)
            clock, sent, transfer = one.service._clock, list[int](), machine.bus.transfer

            def heard(address: int, payload: bytes) -> None:
                sent.append(1 + len(payload))
                transfer(address, payload)

            machine.bus.transfer = heard  # type: ignore[method-assign]
            for second in range(1, 11):
                one.service._clock = partial(lambda second: clock() + second, second)
                before = len(sent)
                await one.until(lambda before=before: len(sent) > before)  # type: ignore[misc]
            assert sum(sent) < 128 * 64 // 8 / 10

    asyncio.run(play())


def test_idle_picture_moves_a_pixel_aside_and_a_key_brings_it_back(quick_folder: Path, machine: Machine) -> None:
    """While the panel is dimmed its picture lies a pixel aside every other minute, and never while it is played."""

    async def play() -> None:
        async with running(quick_folder, machine, **OLED) as one:
            await one.until(one.glass_shows)
            clock = one.service._clock
            aside = draw(screen_of(one.service.board.view()), 1).tobytes()

            def rest(seconds: float) -> None:
                one.service._clock = lambda: clock() + seconds

            rest(DIM_S + SHIFT_S + 1)
            await one.until(lambda: machine.panel.glass().tobytes() == aside)
            rest(DIM_S + 2 * SHIFT_S + 1)
            await one.until(one.glass_shows)
            rest(DIM_S + 3 * SHIFT_S + 1)
            await one.until(lambda: machine.panel.glass().tobytes() == aside)
            one.page("#")
            await one.until(one.glass_shows)

    asyncio.run(play())


UNKNOWN_BOARD = """
import os, sys
from hardware.simulated import strip, ws281x
class Wire(ws281x.Wire):
    def end(self, leds):
        if not leds.begun: os._exit(139)
ws281x.WouldCrash = lambda words: os._exit(139)
wire = Wire(strip.WireStrip(242), begin_result=-3)
sys.modules["_rpi_ws281x"] = ws281x.module(wire)
from firmware.cli import main
main()
"""
KNOWN_BY_NONE = "from firmware.cli import main; main()"


@pytest.mark.parametrize(
    "program",
    [UNKNOWN_BOARD, pytest.param(KNOWN_BY_NONE, marks=pytest.mark.wire("_rpi_ws281x"))],
    ids=["double", "library"],
)
@pytest.mark.wire("_rpi_ws281x")
def test_library_that_does_not_know_the_board_does_not_take_the_service_down(tmp_path: Path, program: str) -> None:
    """With rpi-ws281x on a board it does not know the service starts, says so in one line, and ends with 0."""
    settings = tmp_path / "muggins.toml"
    settings.write_text('[parts]\nstrip = "ws281x"\n')
    line = [sys.executable, "-c", program, "run", "--config", str(settings), "--state", str(tmp_path), "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert [one for one in said.splitlines() if "choose the spidev driver" in one] == said.splitlines()
    assert len(said.splitlines()) == 1


def test_the_next_key_interrupts_the_voice(quick_folder: Path, machine: Machine) -> None:
    """In the running service a voice in mid-word is ended by the next key, whose own words follow; none is left over
    when the service stops."""

    def gone(pid: int) -> bool:
        return not Path(f"/proc/{pid}").exists()

    async def play() -> None:
        machine.voice.fail(Speechless.HANGS)
        async with running(quick_folder, machine, **VOICE) as one:
            await one.until(lambda: len(machine.voice.said) == 1)
            first = machine.voice.pid
            one.page("1")
            await one.until(lambda: machine.voice.said[1:] == ["one. 1, game: now six-card. Hash makes it five-card."])
            second = machine.voice.pid
            await one.until(lambda: gone(first))
            assert not gone(second)
            assert one.told == []
        assert gone(second)

    asyncio.run(play())


def test_a_voice_that_is_switched_off_is_missed_by_nobody(quick_folder: Path, machine: Machine) -> None:
    """Off, the speaker is said to be off, whatever was wrong with it; switched on it is told again if it is absent."""

    async def play() -> None:
        machine.voice.fail(Speechless.NO_PROGRAM)
        async with running(quick_folder, machine, **VOICE) as one:
            await one.until(lambda: one.part("speaker")["state"] == "missing")
            one.page("1*")
            one.page("D D 7# *")
            assert one.part("speaker")["state"] == "off"
            assert "D D 7#" in one.part("speaker")["say"]
            await one.a_while()
            assert [kind for kind, _ in one.told] == ["fault"]
            one.page("D D 7# *")
            await one.until(lambda: one.part("speaker")["state"] == "missing")
            assert [kind for kind, _ in one.told] == ["fault", "fault"]
            machine.mend_voice()
            await one.until(lambda: one.part("speaker")["state"] == "ok")

    asyncio.run(play())
