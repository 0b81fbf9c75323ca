"""A panel that is missing, pulled out, held or stuck: said plainly with the cure, and no glass believed blindly."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image, ImageChops

from hardware import fonts
from hardware.errors import PartFailed, PartMissing
from hardware.oled import CHIPS, Chip, Oled, OledSettings, open_oled
from hardware.oled_faults import Answer, probe
from hardware.oled_luma import bus_errors, driver_class, open_serial
from hardware.oled_pattern import border_picture
from hardware.simulated.i2c import Fault, SimulatedBus, installed
from hardware.simulated.panel import Panel

BLACK = Image.new("1", (128, 64))


@pytest.fixture(params=CHIPS)
def chip(request: Any) -> Chip:
    return request.param


@pytest.fixture
def panel(chip: Chip) -> Panel:
    return Panel(chip)


@pytest.fixture
def bus(panel: Panel) -> Iterator[SimulatedBus]:
    with installed(SimulatedBus({0x3C: panel})) as bus:
        yield bus


@pytest.fixture
def oled(bus: SimulatedBus, chip: Chip) -> Oled:
    return open_oled(OledSettings(chip=chip, address=0x3C))


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and ImageChops.logical_xor(one, other).getbbox() is None


def score(text: str) -> Image.Image:
    picture = border_picture(lines=())
    fonts.load("16x32").text(picture, (30, 16), text)
    return picture


OPENING = {
    Fault.NO_BUS: (PartMissing, "dtparam=i2c_arm=on"),
    Fault.PERMISSION: (PartFailed, "group i2c"),
    Fault.BUSY: (PartFailed, "dtoverlay"),
    Fault.TIMED_OUT: (PartFailed, "stuck"),
}


@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("address", [None, 0x3C])
def test_fault_at_opening_names_its_cure(bus: SimulatedBus, fault: Fault, address: int | None) -> None:
    """Each fault met on opening is told apart and names what to do, and no handle stays open."""
    bus.fault = fault
    kind, cure = OPENING[fault]
    with pytest.raises(kind, match=cure):
        open_oled(OledSettings(address=address))
    assert bus.open_handles == 0


def test_absent_panel_is_missing(bus: SimulatedBus) -> None:
    """Where nothing answers the part is missing, and the message says where it was sought and what to check."""
    bus.pull_out()
    with pytest.raises(PartMissing, match="0x3c on I2C bus 1; check its wires"):
        open_oled(OledSettings())
    assert bus.open_handles == 0


def test_panel_at_the_other_address_is_pointed_out() -> None:
    """A panel at the other address than the one set is named in the message."""
    with installed(SimulatedBus({0x3D: Panel()})), pytest.raises(PartMissing, match="answers at 0x3d"):
        open_oled(OledSettings(address=0x3C))


def test_panel_at_the_other_address_is_found() -> None:
    """With no address set a panel at 0x3d is found."""
    panel = Panel()
    with installed(SimulatedBus({0x3D: panel})):
        oled = open_oled(OledSettings())
        oled.show(border_picture())
    assert oled.address == 0x3D
    assert same(panel.glass(), border_picture())


IN_USE = {Fault.BUSY: "dtoverlay", Fault.TIMED_OUT: "stuck"}


@pytest.mark.parametrize("fault", list(IN_USE))
def test_fault_in_use_is_a_failure_with_its_cure(bus: SimulatedBus, oled: Oled, fault: Fault) -> None:
    """A fault in the middle of things is PartFailed, and once it is gone the next picture reaches the glass."""
    bus.fault = fault
    with pytest.raises(PartFailed, match=IN_USE[fault]):
        oled.show(border_picture())
    bus.fault = None
    oled.show(border_picture())
    assert same(bus.devices[0x3C].glass(), border_picture())  # type: ignore[attr-defined]


def test_pulled_out_panel_fails_each_time_and_never_leaks(bus: SimulatedBus, oled: Oled) -> None:
    """Every picture for a panel that was pulled out is PartFailed, and the tries leave no handle open."""
    bus.pull_out()
    for step in range(5):
        with pytest.raises(PartFailed, match="plugged in"):
            oled.show(score(str(step)))
    assert bus.open_handles == 0


def test_put_back_panel_is_set_up_again(panel: Panel, bus: SimulatedBus, oled: Oled) -> None:
    """After a failure and a replug the same driver shows the next picture, with the brightness last asked for."""
    oled.contrast(33)
    oled.show(score("12"))
    bus.pull_out()
    with pytest.raises(PartFailed):
        oled.show(score("13"))
    bus.put_back()
    oled.show(score("14"))
    assert same(panel.glass(), score("14"))
    assert panel.contrast == 33


def test_driver_made_anew_after_a_replug_works(panel: Panel, bus: SimulatedBus, oled: Oled, chip: Chip) -> None:
    """A driver made anew shows its picture on a panel that was pulled out and put back."""
    bus.pull_out()
    with pytest.raises(PartFailed):
        oled.show(border_picture())
    oled.close()
    bus.put_back()
    open_oled(OledSettings(chip=chip)).show(border_picture())
    assert same(panel.glass(), border_picture())


def test_forget_heals_a_replug_nobody_noticed(panel: Panel, bus: SimulatedBus, oled: Oled) -> None:
    """After ``forget`` a picture already sent is sent whole to a panel that lost it unseen."""
    oled.show(border_picture())
    bus.pull_out()
    bus.put_back()
    oled.forget()
    oled.show(border_picture())
    assert same(panel.glass(), border_picture())


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
@pytest.mark.parametrize(("pulled", "back"), [(False, "old"), (False, "new"), (True, "old")])
def test_broken_off_at_any_byte(panel: Panel, bus: SimulatedBus, oled: Oled, pulled: bool, back: str) -> None:
    """Wherever an update breaks off, showing the old or the new picture next puts exactly that on the glass."""
    old, new = score("118"), score("121")
    oled.show(old)
    start = panel.traffic.bytes
    oled.show(new)
    length = panel.traffic.bytes - start
    assert length > 20
    for count in range(length):
        oled.show(old)
        bus.cut_after(count, errno.EREMOTEIO, pulled)
        with pytest.raises(PartFailed):
            oled.show(new)
        if pulled:
            assert same(panel.glass(), BLACK)
            bus.put_back()
        picture = old if back == "old" else new
        oled.show(picture)
        assert same(panel.glass(), picture), f"after {count} of {length} bytes"


def test_luma_driver_itself_believes_nothing_after_a_failure(panel: Panel, bus: SimulatedBus, chip: Chip) -> None:
    """luma's driver, kept over a failure, sends the old picture whole though it was the last one to arrive."""
    driver = driver_class(chip)(open_serial(1, 0x3C), column=2 if chip == "sh1106" else 0, rotate=0)
    driver.display(score("118"))
    bus.cut_after(40, pulled=False)
    with pytest.raises(bus_errors()):
        driver.display(score("121"))
    driver.display(score("118"))
    assert same(panel.glass(), score("118"))


@pytest.mark.parametrize("count", [0, 1, 2, 9, 26, 28, 31, 500, 1000])
def test_broken_off_while_opening(chip: Chip, panel: Panel, bus: SimulatedBus, count: int) -> None:
    """Wherever opening breaks off it is an error, no handle stays open, and the next try succeeds."""
    bus.cut_after(count, pulled=False)
    with pytest.raises((PartMissing, PartFailed)):
        open_oled(OledSettings(chip=chip, address=0x3C))
    assert bus.open_handles == 0
    open_oled(OledSettings(chip=chip, address=0x3C)).show(border_picture())
    assert same(panel.glass(), border_picture())


@pytest.mark.parametrize("code", [errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.ETIMEDOUT, errno.EAGAIN])
def test_error_number_survives_luma(bus: SimulatedBus, oled: Oled, code: int) -> None:
    """The system's error number is kept, though luma replaces some errors with its own."""
    bus.cut_after(1, code)
    with pytest.raises(PartFailed) as failed:
        oled.show(border_picture())
    assert failed.value.errno == code


def test_failed_contrast_is_made_up_for(panel: Panel, bus: SimulatedBus, oled: Oled) -> None:
    """A brightness that could not be set is set when the panel is back."""
    bus.pull_out()
    with pytest.raises(PartFailed):
        oled.contrast(99)
    bus.put_back()
    oled.show(border_picture())
    assert panel.contrast == 99


def test_close_without_a_panel_is_quiet(bus: SimulatedBus, oled: Oled) -> None:
    """Closing after the panel has gone raises nothing and lets the bus go."""
    bus.pull_out()
    oled.close()
    assert bus.open_handles == 0


def test_closed_screen_says_so(oled: Oled) -> None:
    """A picture for a closed screen is PartFailed until it is opened again."""
    oled.close()
    with pytest.raises(PartFailed, match="closed"):
        oled.show(border_picture())
    oled.open()
    oled.show(border_picture())


def test_missing_driver_is_a_missing_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without luma.oled installed the part is missing, and the message says what to install."""

    def gone(chip: str) -> None:
        raise ImportError("No module named 'luma'")

    monkeypatch.setattr("hardware.oled.driver_class", gone)
    with pytest.raises(PartMissing, match="not installed"):
        open_oled(OledSettings())


def test_probe_tells_the_answers_apart(bus: SimulatedBus) -> None:
    """A probe names what answers, what does not, and each fault of the bus, and never raises."""
    assert probe() == {0x3C: Answer.PRESENT, 0x3D: Answer.ABSENT}
    faults = {
        Fault.NO_BUS: Answer.NO_BUS,
        Fault.PERMISSION: Answer.FORBIDDEN,
        Fault.BUSY: Answer.OWNED,
        Fault.TIMED_OUT: Answer.STUCK,
    }
    for bus.fault, answer in faults.items():
        assert probe() == {0x3C: answer, 0x3D: answer}
    assert bus.open_handles == 0
