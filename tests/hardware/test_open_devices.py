"""From a spec to opened ports: what is there opens, what is missing is told, and nothing stands in another's way."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import smbus2
from PIL import Image

from hardware import open_devices as module
from hardware.errors import PartFailed
from hardware.lanes import preset
from hardware.numpad import Numpad
from hardware.oled import CHIPS, OledSettings
from hardware.oled_pattern import border_picture
from hardware.open_devices import NAMES, RETRY_S, Devices, JoinedKeys, open_devices
from hardware.parts_spec import PartsSpec
from hardware.pin_factory import open_factory
from hardware.ports import OFF, Edge, KeyEvent
from hardware.simulated import i2c, numpad, spidev
from hardware.simulated.i2c import SimulatedBus
from hardware.simulated.numpad import Pad
from hardware.simulated.panel import Panel
from hardware.simulated.speaker import Fault
from hardware.simulated.spidev import Door
from hardware.simulated.strip import WireStrip
from hardware.simulated.voice_program import VoiceProgram
from hardware.speaker import EspeakSpeaker
from hardware.wiring import Wiring

BLUE = (0, 0, 255)
REAL = {
    "strip": "spidev",
    "screen": "ssd1309",
    "keypad": "gpio",
    "buttons": "gpio",
    "numpad": "usb",
    "buzzer": "gpio",
}
"""What each part is called where it is real."""

Opened = Any


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens devices and sees to it that they are closed."""
    made: list[Devices] = []

    def open_one(**changes: Any) -> Devices:
        made.append(open_devices(replace(PartsSpec(numpad="simulated"), **changes)))
        return made[-1]

    yield open_one
    for devices in made:
        devices.close()


@pytest.fixture
def nothing_real(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine with the drivers and without any part."""
    bus = spidev.Bus(WireStrip(242))
    bus.door = Door.ABSENT
    monkeypatch.setitem(sys.modules, "lgpio", None)
    pad = Pad()
    pad.pull_out()
    monkeypatch.setattr(module, "Numpad", partial(Numpad, by_id=pad.by_id))
    with spidev.installed(bus), i2c.installed(SimulatedBus({})), numpad.installed(pad):
        yield
    pad.close()


def state(devices: Devices, name: str) -> str:
    return {one.name: one.state for one in devices.status()}[name]


def say(devices: Devices, name: str) -> str:
    return {one.name: one.say for one in devices.status()}[name]


def lit(devices: Devices) -> int:
    """How many lights of the simulated strip are on."""
    assert devices.twins.wire is not None
    return sum(colour != OFF for colour in devices.twins.wire.colours())


def works(devices: Devices, name: str) -> bool:
    """Whether a simulated part does what it is for, seen at its twin."""
    twins = devices.twins
    if name == "strip":
        assert devices.strip is not None
        devices.strip.show([BLUE] + [OFF] * (devices.layout.pixels - 1))
        return lit(devices) == 1
    if name == "screen":
        assert devices.screen is not None
        assert twins.panel is not None
        devices.screen.show(border_picture())
        return twins.panel.glass().tobytes() == border_picture().tobytes()
    if name == "buzzer":
        assert devices.buzzer is not None
        assert twins.buzzer is not None
        devices.buzzer.tone(2000)
        return [hertz for _, hertz in twins.buzzer.tones][-1:] == [2000]
    if name == "speaker":
        assert devices.speaker is not None
        assert twins.card is not None
        devices.speaker.say("one", 170, "en-us")
        return twins.card.heard[-1].text == "one"
    assert devices.keys is not None
    if name == "numpad":
        assert twins.pad is not None
        twins.pad.tap("7")
        return KeyEvent("7", Edge.DOWN) in devices.keys.poll(1e6)
    key = "7" if name == "keypad" else "@3"
    assert twins.keys is not None
    start = twins.keys.circuit.now + 1.0
    devices.keys.poll(start)
    twins.keys.tap(key, at=start + 0.1)
    events = [event for step in range(30) for event in devices.keys.poll(start + step * 0.02)]
    return KeyEvent(key, Edge.DOWN) in events


@pytest.mark.parametrize("name", NAMES)
def test_a_simulated_part_runs_from_its_port_to_its_twin(opened: Opened, name: str) -> None:
    """What is shown, pressed or sounded through a port of simulated devices arrives at the simulated end."""
    devices = opened()
    assert state(devices, name) == "simulated"
    assert works(devices, name)


@pytest.mark.parametrize("chip", CHIPS)
def test_the_simulated_screen_has_the_chip_that_was_chosen(opened: Opened, chip: str) -> None:
    """Each of the three chips can be simulated, and its glass shows the picture."""
    devices = opened(oled=OledSettings(chip))  # type: ignore[arg-type]
    assert devices.twins.panel is not None
    assert devices.twins.panel.chip == chip
    assert works(devices, "screen")


@pytest.mark.parametrize("name", NAMES)
def test_a_part_that_is_not_fitted_is_off_and_the_others_work(opened: Opened, name: str) -> None:
    """Any part may be left out: it is off, and each other one works as before."""
    devices = opened(**{name: "none"})
    assert state(devices, name) == "off"
    assert "not fitted" in say(devices, name)
    assert all(works(devices, other) for other in NAMES if other != name)


@pytest.mark.parametrize(
    ("name", "port"), [("strip", "strip"), ("screen", "screen"), ("buzzer", "buzzer"), ("keys", "keys")]
)
def test_a_part_that_is_not_fitted_has_no_port(opened: Opened, name: str, port: str) -> None:
    """The port of a part left out is None; keypad and buttons share one."""
    devices = opened(**({"keypad": "none", "buttons": "none", "numpad": "none"} if name == "keys" else {name: "none"}))
    assert getattr(devices, port) is None


def test_pins_that_are_not_wired_are_parts_not_fitted(opened: Opened) -> None:
    """A board whose wiring names no keypad, buttons or buzzer has none, whatever the spec asks for."""
    devices = opened(wiring=Wiring(rows=(), columns=(), keys=(), seats=(), buzzer=None), numpad="none")
    assert [state(devices, name) for name in NAMES] == ["simulated", "simulated", *["off"] * 4, "simulated"]
    assert devices.keys is None


@pytest.mark.usefixtures("nothing_real")
@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("strip", "dtparam=spi=on"),
        ("screen", "check its wires"),
        ("keypad", "python3-lgpio"),
        ("buttons", "python3-lgpio"),
        ("numpad", "Plug it in"),
        ("buzzer", "python3-lgpio"),
    ],
)
def test_a_real_part_that_is_missing_is_told_with_its_cure(opened: Opened, name: str, cure: str) -> None:
    """A real part that is not there is missing, with the cure, and every simulated one beside it works."""
    devices = opened(**{name: REAL[name]})
    assert state(devices, name) == "missing"
    assert cure in say(devices, name)
    assert all(works(devices, other) for other in NAMES if other != name)


@pytest.mark.usefixtures("nothing_real")
def test_a_board_on_which_nothing_answers_still_opens(opened: Opened) -> None:
    """With every real part missing nothing is raised, and every port is None."""
    devices = opened(**REAL, speaker="none")
    assert {one.state for one in devices.status()} == {"missing", "off"}
    assert (devices.strip, devices.screen, devices.keys, devices.buzzer) == (None, None, None, None)


def test_what_a_vendors_library_raises_makes_its_part_missing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that no driver expected is told as a missing part and stops no other."""

    def broken(*_: object) -> None:
        raise RuntimeError("firmware too old")

    monkeypatch.setattr(module, "open_spidev", broken)
    devices = opened(strip="spidev")
    assert state(devices, "strip") == "missing"
    assert "firmware too old" in say(devices, "strip")
    assert works(devices, "screen")


def test_a_frame_too_long_for_the_wire_is_told(opened: Opened) -> None:
    """A strip whose frame does not fit one transfer is missing, and its line names the setting to change."""
    devices = opened(layout=preset("three-lanes", holes=200))
    assert state(devices, "strip") == "missing"
    assert "spidev.bufsiz=" in say(devices, "strip")


def test_a_missing_strip_comes_back_by_a_retry(opened: Opened) -> None:
    """A strip whose device appears is opened by the first retry after RETRY_S, which names it, and by none before."""
    wire = WireStrip(242)
    bus = spidev.Bus(wire)
    bus.door = Door.ABSENT
    with spidev.installed(bus):
        devices = opened(strip="spidev")
        devices.retry(100.0)
        bus.door = Door.OPEN
        assert devices.retry(100.0 + RETRY_S - 0.1) == ()
        assert devices.strip is None
        assert devices.retry(100.0 + RETRY_S) == ("strip",)
    assert state(devices, "strip") == "ok"
    devices.strip.show([BLUE] * 242)
    assert wire.colours()[0] != OFF


def test_a_missing_screen_comes_back_by_a_retry(opened: Opened) -> None:
    """A screen that is plugged in after the start is opened by a retry; one that is still out is not named."""
    panel = Panel("sh1106")
    bus = SimulatedBus({0x3C: panel})
    bus.pull_out()
    with i2c.installed(bus):
        devices = opened(screen="sh1106")
        devices.retry(0.0)
        assert devices.retry(RETRY_S) == ()
        bus.put_back()
        assert devices.retry(RETRY_S * 2) == ("screen",)
    devices.screen.show(border_picture())
    assert panel.glass().tobytes() == border_picture().tobytes()


def test_missing_pins_come_back_by_a_retry(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keypad, buttons and buzzer share one set of pins, and come back together once it can be opened."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    devices = opened(keypad="gpio", buttons="gpio", buzzer="gpio")
    devices.retry(0.0)
    made = []
    monkeypatch.setattr(module, "open_factory", lambda: made.append(open_factory("mock")) or made[0])
    assert devices.retry(RETRY_S) == ("keypad", "buttons", "buzzer")
    assert len(made) == 1
    assert devices.keys.poll(1.0) == ()


@pytest.mark.usefixtures("nothing_real")
def test_a_retry_leaves_what_is_open_alone(opened: Opened) -> None:
    """While a missing part is tried again the ports of the others stay the very same."""
    devices = opened(strip="spidev", buttons="gpio")
    before = (devices.screen, devices.buzzer, devices.twins)
    devices.retry(0.0)
    assert devices.retry(RETRY_S) == ()
    assert (devices.screen, devices.buzzer, devices.twins) == before


@pytest.mark.usefixtures("nothing_real")
def test_after_closing_nothing_is_tried_again(opened: Opened) -> None:
    """Closed devices stay closed: a retry does not open a part that was missing."""
    devices = opened(strip="spidev")
    devices.retry(0.0)
    devices.close()
    sys.modules["spidev"].SpiDev._wire.door = Door.OPEN
    assert devices.retry(RETRY_S) == ()
    assert devices.strip is None


def test_real_and_simulated_keys_are_polled_as_one(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keypad on real pins and simulated buttons come through one poll."""
    factory = open_factory("mock")
    monkeypatch.setattr(module, "open_factory", lambda: factory)
    devices = opened(keypad="gpio")
    assert (state(devices, "keypad"), state(devices, "buttons")) == ("ok", "simulated")
    devices.keys.poll(0.0)
    for column in Wiring().columns[:1]:
        factory.factory.pin(column).drive_low()
    devices.twins.keys.tap("@2", at=0.1)
    seen = {event.key for step in range(1, 30) for event in devices.keys.poll(step * 0.02)}
    assert "@2" in seen
    assert "GPIO24" in devices.keys.faults()["keypad"]  # a column at ground is a fault of the keypad, told as its own


class _Part:
    """Keys that give what they are told to."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.closed = 0

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return tuple(answer)

    def faults(self) -> tuple[str, ...]:
        return ("stuck",) if self.closed else ()

    def close(self) -> None:
        self.closed += 1


def test_keys_that_fail_lose_no_key_of_the_others() -> None:
    """While one of them fails, the other's events still come; the failure bears its name until it can be read again."""
    tap = KeyEvent("@1", Edge.DOWN)
    failed = PartFailed("unplugged")
    keys = JoinedKeys({"keypad": _Part(failed, failed, []), "buttons": _Part([tap], [], [tap])})
    assert keys.poll(0.0) == (tap,)
    assert keys.failed == {"keypad": "unplugged"}
    assert keys.poll(0.02) == ()
    assert keys.failed == {"keypad": "unplugged"}
    assert keys.poll(0.04) == (tap,)
    assert keys.failed == {}


def test_faults_of_keys_bear_the_parts_name() -> None:
    """A part that has something to say says it under its name; one that is well is not there."""
    keypad, buttons = _Part(), _Part()
    buttons.close()
    assert JoinedKeys({"keypad": keypad, "buttons": buttons}).faults() == {"buttons": "stuck"}


@pytest.mark.parametrize("name", ["keypad", "buttons", "buzzer"])
def test_a_part_that_was_given_up_is_opened_anew(opened: Opened, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A part on real pins that is given up is missing with what was said of it, and the next retry opens it anew."""
    factory = open_factory("mock")
    monkeypatch.setattr(module, "open_factory", lambda: factory)
    devices = opened(keypad="gpio", buttons="gpio", buzzer="gpio")
    assert devices.give_up(name, "the pins went away")
    assert (state(devices, name), say(devices, name)) == ("missing", "the pins went away")
    devices.retry(0.0)
    assert devices.retry(RETRY_S) == (name,)
    assert state(devices, name) == "ok"
    assert devices.keys is not None
    assert set(devices.keys.names) == {"keypad", "buttons", "numpad"}


def test_a_voice_is_tried_out_only_once_it_has_failed(opened: Opened, monkeypatch: Any, tmp_path: Path) -> None:
    """At the start nothing is run; given up, it is opened anew when a silent trial went well, and not before."""
    program = VoiceProgram(tmp_path)
    monkeypatch.setattr(module, "EspeakSpeaker", partial(EspeakSpeaker, str(program.path)))
    devices = opened(speaker="espeak")
    assert (state(devices, "speaker"), program.calls) == ("ok", [])
    program.fail(Fault.NO_CARD)
    assert devices.give_up("speaker", "silent")
    assert devices.speaker is None
    devices.retry(0.0)
    assert devices.retry(RETRY_S) == ()
    assert "no sound card" in say(devices, "speaker")
    program.mend()
    assert devices.retry(2 * RETRY_S) == ("speaker",)
    assert devices.speaker is not None


@pytest.mark.parametrize("name", ["strip", "screen", "keypad", "buttons", "numpad", "buzzer", "speaker"])
def test_a_part_that_opens_itself_anew_is_not_given_up(opened: Opened, name: str) -> None:
    """The SPI strip, the panel, the numpad and simulated pins stay open: they come back by themselves."""
    devices = opened()
    assert not devices.give_up(name, "gone")
    assert works(devices, name)


def test_the_strip_is_held_to_its_current_limit(opened: Opened) -> None:
    """A frame of full white draws no more than max_ma, skipped lights counted."""
    devices = opened(max_ma=500, layout=preset(skip_first=100))
    devices.strip.show([(255, 255, 255)] * 242)
    drawn = sum(sum(colour) for colour in devices.twins.wire.colours()) * 20 / 255 + 342
    assert 450 < drawn <= 500


def test_no_double_stays_in_the_place_of_a_module(opened: Opened) -> None:
    """While simulated devices are open, and after, spidev and smbus2 are the real ones, so real parts can stand beside
    them."""
    before = (sys.modules.get("spidev"), smbus2.SMBus)
    devices = opened()
    works(devices, "strip")
    works(devices, "screen")
    assert (sys.modules.get("spidev"), smbus2.SMBus) == before
    devices.close()
    assert (sys.modules.get("spidev"), smbus2.SMBus) == before


def test_a_failed_opening_leaves_no_double_either(opened: Opened) -> None:
    """Where a simulated strip cannot be opened its double is gone again too."""
    before = sys.modules.get("spidev")
    opened(layout=preset("three-lanes", holes=200))
    assert sys.modules.get("spidev") is before


def test_two_boards_at_once_share_nothing(opened: Opened) -> None:
    """What one simulated board shows, hears and is pressed stays on it while another is open."""
    one, other = opened(), opened()
    for name in NAMES:
        assert works(one, name)
    assert lit(other) == 0
    assert other.twins.panel.glass().tobytes() == Image.new("1", (128, 64)).tobytes()
    assert other.twins.buzzer.tones == ()
    assert all(other.keys.poll(step * 0.02) == () for step in range(30))


def test_a_simulated_screen_that_was_pulled_out_comes_back_on_its_own_bus(opened: Opened) -> None:
    """A panel pulled out and put back is set up anew by the next picture, whatever other boards are open."""
    devices, other = opened(), opened()
    devices.twins.i2c.pull_out()
    with pytest.raises(PartFailed):
        devices.screen.show(border_picture())
    devices.twins.i2c.put_back()
    assert works(devices, "screen")
    assert other.twins.panel.glass().tobytes() != border_picture().tobytes()


def test_a_simulated_strip_that_was_pulled_out_comes_back(opened: Opened) -> None:
    """A strip whose device vanished and is back is opened anew by the next frame."""
    devices = opened()
    devices.twins.spi.pull_out()
    with pytest.raises(PartFailed):
        devices.strip.show([BLUE] * 242)
    devices.twins.spi.put_back()
    assert works(devices, "strip")


def test_closing_darkens_strip_and_glass_and_lets_the_bus_go(opened: Opened) -> None:
    """After close, harmless twice, no light is on, the glass is off, the bus is let go and the ports are None."""
    devices = opened()
    works(devices, "strip")
    works(devices, "screen")
    twins = devices.twins
    devices.close()
    devices.close()
    assert set(twins.wire.colours()) == {OFF}
    assert not twins.panel.on
    assert twins.i2c.open_handles == 0
    assert (devices.strip, devices.screen, devices.keys, devices.buzzer) == (None, None, None, None)


def test_a_part_that_cannot_be_closed_keeps_no_other_open(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where closing one part fails the others are closed all the same."""
    devices = opened()
    works(devices, "strip")
    wire = devices.twins.wire

    def broken() -> None:
        raise OSError("gone")

    monkeypatch.setattr(devices.screen, "close", broken)
    monkeypatch.setattr(devices.buzzer, "close", broken)
    devices.close()
    assert set(wire.colours()) == {OFF}


def test_one_board_after_another_opens_in_one_process() -> None:
    """Ten boards opened and closed one after the other all work: nothing of one is in the next one's way."""
    for _ in range(10):
        with open_devices(PartsSpec()) as devices:
            assert {one.state for one in devices.status()} == {"simulated", "off"}
            assert works(devices, "strip")


def test_a_simulated_buzzer_is_heard_at_the_callers_time() -> None:
    """With a clock the tones of the simulated buzzer bear its seconds."""
    now = 7.5
    with open_devices(PartsSpec(), clock=lambda: now) as devices:
        assert devices.buzzer is not None
        assert devices.twins.buzzer is not None
        devices.buzzer.tone(1000)
        assert devices.twins.buzzer.tones == ((7.5, 1000),)
