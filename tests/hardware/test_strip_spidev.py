"""The strip over spidev, with the wire simulated."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from hardware.errors import FrameTooLong, LayoutError, PartFailed, PartMissing
from hardware.ports import Colour, Strip
from hardware.simulated.spidev import Bus, Door, SpiDev, installed, module
from hardware.simulated.strip import WireStrip
from hardware.strip_spidev import SpidevStrip, read_bufsiz

RED: Colour = (255, 0, 0)
BLUE: Colour = (0, 0, 255)
OFF: Colour = (0, 0, 0)


@pytest.fixture
def bufsiz(tmp_path: Path) -> Path:
    """The kernel's default buffer size, in a file of its own."""
    path = tmp_path / "bufsiz"
    path.write_text("4096\n", encoding="ascii")
    return path


def opened(bus: Bus, bufsiz: Path, pixels: int = 4, *, bits: int = 3, lead_bytes: int = 1) -> SpidevStrip:
    with installed(bus):
        return SpidevStrip.open(pixels, bits=bits, lead_bytes=lead_bytes, bufsiz_path=bufsiz)


@pytest.mark.parametrize("bits", [3, 4])
def test_a_frame_shown_is_on_the_lights(bufsiz: Path, bits: int) -> None:
    """What is shown is what the lights show, with either symbols, within the part's limits."""
    wire = WireStrip(242)
    strip: Strip = opened(Bus(wire), bufsiz, 242, bits=bits)
    frame = [(i, 255 - i, i * 7 % 256) for i in range(242)]
    strip.show(frame)
    strip.show(frame[::-1])
    assert (strip.pixels, wire.colours(), wire.glitches, wire.frames) == (242, frame[::-1], [], 2)


def test_order_and_skip_are_sent(bufsiz: Path) -> None:
    """Colour order and skipped pixels reach the wire as the strip wants them."""
    wire = WireStrip(2, order="RGBW", skip_first=1)
    with installed(Bus(wire)):
        strip = SpidevStrip.open(2, order="RGBW", skip_first=1, bufsiz_path=bufsiz)
    strip.show([RED, BLUE])
    assert wire.raw() == [bytes(4), b"\xff\0\0\0", b"\0\0\xff\0"]


def test_a_closed_strip_is_dark_and_stays_closed(bufsiz: Path) -> None:
    """Closing blanks the strip; closing again does no harm, showing again is refused."""
    wire = WireStrip(2)
    strip = opened(Bus(wire), bufsiz, 2)
    strip.show([RED, BLUE])
    strip.close()
    strip.close()
    assert (wire.colours(), wire.frames) == ([OFF, OFF], 2)
    with pytest.raises(PartFailed, match="closed"):
        strip.show([RED, BLUE])


def test_a_process_that_dies_leaves_the_lights_on(bufsiz: Path) -> None:
    """Without close the lights keep the last frame."""
    wire = WireStrip(2)
    opened(Bus(wire), bufsiz, 2).show([RED, BLUE])
    wire.idle(1e6)
    assert wire.colours() == [RED, BLUE]


def test_the_longest_frame_fits_and_one_pixel_more_is_refused(bufsiz: Path) -> None:
    """445 pixels fill the default buffer; 446 are refused with the kernel setting that cures it."""
    bus = Bus(WireStrip(446))
    opened(bus, bufsiz, 445).show([RED] * 445)
    with pytest.raises(FrameTooLong, match=r"spidev\.bufsiz=8192 .*cmdline\.txt"):
        opened(bus, bufsiz, 446)
    assert bus.written == 4096


def test_a_longer_buffer_lets_a_longer_frame_through(bufsiz: Path) -> None:
    """The cure cures: with bufsiz 8192 446 pixels are shown in one piece."""
    bufsiz.write_text("8192", encoding="ascii")
    wire = WireStrip(446)
    opened(Bus(wire, bufsiz=8192), bufsiz, 446).show([BLUE] * 446)
    assert (wire.colours(), wire.frames) == ([BLUE] * 446, 1)


def test_past_the_drivers_own_block_no_setting_helps(bufsiz: Path) -> None:
    """spidev splits at 65535 bytes whatever bufsiz says, so a longer frame is refused without that advice."""
    bufsiz.write_text("1000000", encoding="ascii")
    with pytest.raises(FrameTooLong, match="fewer pixels"):
        opened(Bus(WireStrip(1)), bufsiz, 7300)


def test_why_a_long_frame_is_refused(bufsiz: Path) -> None:
    """A transfer past bufsiz is split, and the gap latches the strip: half a picture, then the rest from the start."""
    bufsiz.write_text("8192", encoding="ascii")
    wire = WireStrip(20)
    strip = opened(Bus(wire, bufsiz=1 + 9 * 10), bufsiz, 20)
    strip.show([RED] * 10 + [BLUE] * 10)
    assert wire.colours() == [BLUE] * 10 + [OFF] * 10


def test_a_buffer_size_that_cannot_be_read_is_the_kernels_default(tmp_path: Path) -> None:
    """Where the file is missing or makes no sense, 4096 is taken."""
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("many", encoding="ascii")
    assert [read_bufsiz(tmp_path / "none"), read_bufsiz(nonsense)] == [4096, 4096]


def test_a_stretched_first_bit_does_no_harm(bufsiz: Path) -> None:
    """The zero byte before a frame takes the first bit that some hosts stretch; without it the picture suffers."""
    seen = []
    for lead_bytes in (1, 0):
        wire = WireStrip(2)
        opened(Bus(wire, stretch_ns=400), bufsiz, 2, lead_bytes=lead_bytes).show([OFF, BLUE])
        seen.append((wire.colours() == [OFF, BLUE], wire.glitches))
    assert [right for right, _ in seen] == [True, False]
    assert seen[0][1] == []


def test_a_lead_of_a_whole_reset_swallows_a_phantom_bit(bufsiz: Path) -> None:
    """A host that raises the line before each transfer shifts the picture by a bit, unless a whole reset leads."""
    seen = []
    for lead_bytes in (1, 90):
        wire = WireStrip(2)
        opened(Bus(wire, phantom_ns=400), bufsiz, 2, lead_bytes=lead_bytes).show([RED, BLUE])
        seen.append(wire.colours() == [RED, BLUE])
    assert seen == [False, True]


def test_a_frame_of_the_wrong_length_is_refused(bufsiz: Path) -> None:
    """A frame that has not one colour a pixel is refused, and nothing is sent."""
    bus = Bus(WireStrip(4))
    with pytest.raises(PartFailed, match="4 colours"):
        opened(bus, bufsiz).show([RED])
    assert bus.written == 0


@pytest.mark.parametrize(
    ("door", "kind", "cure"),
    [
        (Door.ABSENT, PartMissing, r"dtparam=spi=on"),
        (Door.DENIED, PartMissing, r"group spi"),
        (Door.BUSY, PartFailed, r"stop the other program"),
    ],
)
def test_a_node_that_does_not_open_says_the_cure(bufsiz: Path, door: Door, kind: type[Exception], cure: str) -> None:
    """A node that is absent, denied or in use is named, with what to do next."""
    bus = Bus(WireStrip(4))
    bus.door = door
    with pytest.raises(kind, match=rf"/dev/spidev0\.0 .*{cure}"):
        opened(bus, bufsiz)


def test_another_bus_is_another_node(bufsiz: Path) -> None:
    """The node is the one that was asked for, and no other."""
    with installed(Bus(WireStrip(4), bus=1)):
        assert SpidevStrip.open(4, bus=1, bufsiz_path=bufsiz).node == "/dev/spidev1.0"
        with pytest.raises(PartMissing, match=r"/dev/spidev0\.0"):
            SpidevStrip.open(4, bufsiz_path=bufsiz)


def test_without_the_package_the_cure_is_told(bufsiz: Path) -> None:
    """Where spidev is not installed, the message says how to install it."""
    with installed(None), pytest.raises(PartMissing, match=r"sudo apt install python3-spidev, .*pip install spidev"):
        SpidevStrip.open(4, bufsiz_path=bufsiz)


def test_a_layout_that_cannot_be_is_refused_before_anything_opens(bufsiz: Path) -> None:
    """An unknown colour order is a fault of the layout, not of the part."""
    with installed(None), pytest.raises(LayoutError, match="did you mean"):
        SpidevStrip.open(4, order="GRBB", bufsiz_path=bufsiz)


def test_pulled_out_in_mid_frame_and_put_back(bufsiz: Path) -> None:
    """Pulled out: PartFailed, and lights that were not reached keep their colour. Put back: the next frame shows."""
    wire = WireStrip(4)
    bus = Bus(wire)
    strip = opened(bus, bufsiz)
    strip.show([RED] * 4)
    bus.pull_out(after_bytes=1 + 9 * 2)
    with pytest.raises(PartFailed, match="stopped answering"):
        strip.show([BLUE] * 4)
    wire.idle(300)
    assert wire.colours() == [BLUE, BLUE, RED, RED]
    with pytest.raises(PartFailed, match="is not there"):
        strip.show([BLUE] * 4)
    bus.put_back()
    strip.show([BLUE] * 4)
    assert wire.colours() == [BLUE] * 4


def test_a_handle_from_before_the_plug_was_pulled_is_dead() -> None:
    """The double keeps a stale handle dead after putting back, as the kernel does."""
    bus = Bus(WireStrip(1))
    device = module(bus).SpiDev(0, 0)
    bus.pull_out()
    bus.put_back()
    with pytest.raises(OSError, match="No such device"):
        device.writebytes2(b"\0")


def test_closing_a_strip_that_is_gone_is_harmless(bufsiz: Path) -> None:
    """Close raises nothing when the device has gone away."""
    bus = Bus(WireStrip(4))
    strip = opened(bus, bufsiz)
    bus.pull_out()
    strip.close()
    assert bus.written == 0


def test_xfer3_splits_as_writebytes2_does() -> None:
    """Both ways to write put the same bytes on the wire, and xfer3 answers one zero a byte."""
    bus = Bus(WireStrip(1), bufsiz=16)
    device = module(bus).SpiDev(0, 0)
    device.max_speed_hz = 2_400_000
    assert device.xfer3(bytes(40)) == (0,) * 40
    device.writebytes2(bytes(40))
    assert bus.written == 80


@pytest.mark.parametrize("before", [None, ModuleType("spidev")], ids=["not imported", "imported"])
def test_the_double_leaves_sys_modules_as_it_was(monkeypatch: pytest.MonkeyPatch, before: ModuleType | None) -> None:
    """After the double is gone, spidev is imported, or not yet imported, as it was before."""
    monkeypatch.delitem(sys.modules, "spidev", raising=False)
    if before is not None:
        monkeypatch.setitem(sys.modules, "spidev", before)
    with installed(Bus(WireStrip(1))):
        import spidev

        assert spidev.__version__ == "simulated"
    assert sys.modules.get("spidev") is before


@pytest.mark.wire
def test_the_double_has_only_what_the_real_one_has() -> None:
    """Every public name of the double, and each attribute the driver sets, is one of the real spidev.SpiDev."""
    spidev = pytest.importorskip("spidev")
    used = {name for name in vars(SpiDev) if not name.startswith("_")} | {"mode", "bits_per_word", "max_speed_hz"}
    assert used <= set(dir(spidev.SpiDev))


@pytest.mark.wire
def test_the_double_fails_as_the_real_one_does() -> None:
    """A node that is not there, and a write while closed, raise the same errors from both."""
    spidev = pytest.importorskip("spidev")
    doors = []
    for kind in (spidev.SpiDev, module(Bus(WireStrip(1))).SpiDev):
        device = kind()
        for act in (lambda d=device: d.open(250, 250), lambda d=device: d.writebytes2(b"\0"), device.fileno):
            try:
                doors.append(act())
            except OSError as error:
                doors.append(error.errno)
        device.close()
    assert doors[:3] == doors[3:]
