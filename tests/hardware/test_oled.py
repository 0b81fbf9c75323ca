"""The OLED over real luma and smbus2 calls: what was asked is what the simulated glass shows, in few bytes."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from hardware import fonts
from hardware.errors import LayoutError
from hardware.oled import CHIPS, Chip, Oled, OledSettings, open_oled
from hardware.oled_pattern import border_picture
from hardware.simulated.i2c import SimulatedBus, installed
from hardware.simulated.panel import Panel

GOLDEN = Path(__file__).parents[1] / "golden" / "oled"
BLACK = Image.new("1", (128, 64))
# One window of 8 columns by 2 pages: address, control byte, six of command; address, control byte, the 16 bytes.
# Page by page twice: address, control byte, three of command; address, control byte, 8 bytes.
GLYPH_BYTES = {"ssd1306": 26, "ssd1309": 26, "sh1106": 30}
FULL_BYTES = {"ssd1306": 10 + 1024, "ssd1309": 10 + 1024, "sh1106": 8 * (7 + 128)}


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
    return open_oled(OledSettings(chip=chip))


def sent(panel: Panel, oled: Oled, picture: Image.Image) -> int:
    """Bytes on the wire for one picture."""
    before = panel.traffic.bytes
    oled.show(picture)
    return panel.traffic.bytes - before


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and ImageChops.logical_xor(one, other).getbbox() is None


def scribble(picture: Image.Image, rng: random.Random) -> Image.Image:
    """The next of a run of pictures: mostly small changes, now and then a wholly different one."""
    picture = picture.copy()
    draw = ImageDraw.Draw(picture)
    x, y = rng.randrange(-8, 128), rng.randrange(-8, 64)
    match rng.randrange(6):
        case 0 | 1:
            fonts.load("8x16").text(picture, (x, y), str(rng.randrange(122)), rng.randrange(2))
        case 2:
            draw.rectangle((x, y, x + rng.randrange(40), y + rng.randrange(40)), fill=rng.randrange(2))
        case 3:
            draw.point([(rng.randrange(128), rng.randrange(64)) for _ in range(rng.randrange(1, 30))], fill=1)
        case 4:
            draw.line((x, y, rng.randrange(128), rng.randrange(64)), fill=rng.randrange(2))
        case 5 if rng.randrange(4) == 0:
            picture = Image.frombytes("1", (128, 64), rng.randbytes(1024))
    return picture


@pytest.mark.parametrize(("rotation", "pictures"), [(0, 300), (180, 60)])
def test_300_pictures_reach_the_glass(
    chip: Chip, panel: Panel, bus: SimulatedBus, rotation: Any, pictures: int
) -> None:
    """After each of 300 changing pictures the glass shows exactly that picture, turned where the panel is."""
    oled, rng, picture = open_oled(OledSettings(chip=chip, rotation=rotation)), random.Random(121), BLACK
    for step in range(pictures):
        picture = scribble(picture, rng)
        assert sent(panel, oled, picture) <= FULL_BYTES[chip]
        expected = picture.transpose(Image.Transpose.ROTATE_180) if rotation else picture
        assert same(panel.glass(), expected), f"step {step}"


def test_opening_shows_black_and_not_the_noise(panel: Panel, oled: Oled) -> None:
    """A panel just opened is on and black, whatever its memory held."""
    assert panel.on
    assert same(panel.glass(), BLACK)


def test_first_picture_is_sent_whole(chip: Chip, panel: Panel, oled: Oled) -> None:
    """The first picture after opening is sent whole, even a black one on a black glass."""
    assert sent(panel, oled, BLACK) == FULL_BYTES[chip]


def test_same_picture_again_sends_nothing(panel: Panel, oled: Oled) -> None:
    """A picture already on the glass costs no byte."""
    oled.show(border_picture())
    assert sent(panel, oled, border_picture()) == 0


def test_changed_digit_costs_one_glyph(chip: Chip, panel: Panel, oled: Oled) -> None:
    """A changed digit of 8x16 pixels costs at most its 16 bytes and the addressing of one glyph."""
    font, old, new = fonts.load("8x16"), BLACK.copy(), BLACK.copy()
    font.text(old, (64, 16), "3")
    font.text(new, (64, 16), "8")
    oled.show(old)
    assert 0 < sent(panel, oled, new) <= GLYPH_BYTES[chip]
    assert same(panel.glass(), new)


def test_everything_changed_costs_one_full_picture(chip: Chip, panel: Panel, oled: Oled) -> None:
    """A picture that differs everywhere costs no more than a full one."""
    oled.show(BLACK)
    assert sent(panel, oled, Image.new("1", (128, 64), 1)) == FULL_BYTES[chip]


def test_small_update_byte_for_byte(chip: Chip, panel: Panel, oled: Oled) -> None:
    """The bytes of a small change are those worked out by hand from the chip's data sheet."""
    picture = BLACK.copy()
    ImageDraw.Draw(picture).rectangle((40, 16, 42, 31), fill=1)
    oled.show(BLACK)
    panel.recording = []
    oled.show(picture)
    expected = json.loads((GOLDEN / "small_update.json").read_text())[chip]
    assert [payload.hex() for payload in panel.recording] == expected


def test_border_picture_is_the_golden_one(panel: Panel, oled: Oled) -> None:
    """The border picture on the glass is the one looked at and kept, on every chip."""
    oled.show(border_picture())
    assert same(panel.glass(), Image.open(GOLDEN / "border.png"))


def test_the_usual_setting_drives_an_ssd1306_too() -> None:
    """Set to ssd1309, as it usually is, the very bytes are sent that an SSD1306 gets, its voltage pump among them."""

    class Wire(Panel):
        def __init__(self) -> None:
            super().__init__("ssd1306")
            self.heard: list[bytes] = []

        def write(self, payload: bytes) -> None:
            self.heard.append(payload)
            super().write(payload)

    def heard(chip: Chip) -> list[bytes]:
        with installed(SimulatedBus({0x3C: (wire := Wire())})):
            oled = open_oled(OledSettings(chip=chip))
            oled.show(border_picture())
            assert same(wire.glass(), border_picture())
            oled.close()
        return wire.heard

    assert heard("ssd1309") == heard("ssd1306")
    assert b"\x8d\x14" in b"".join(heard("ssd1309"))


@pytest.mark.parametrize(("real", "chosen"), [("sh1106", "ssd1306"), ("ssd1306", "sh1106"), ("sh1106", "ssd1309")])
def test_wrong_chip_breaks_the_border(real: Chip, chosen: Chip) -> None:
    """With the wrong chip chosen, whole sides of the border are missing from the glass."""
    panel = Panel(real)
    with installed(SimulatedBus({0x3C: panel})):
        open_oled(OledSettings(chip=chosen)).show(border_picture())
    glass = panel.glass()
    sides = [(0, 0, 128, 1), (0, 63, 128, 64), (0, 0, 1, 64), (127, 0, 128, 64)]
    unlit = [glass.crop(side).histogram()[0] for side in sides]
    assert max(unlit) > 20


def test_sh1106_driven_as_ssd1306_is_the_golden_noise() -> None:
    """An SH1106 addressed as an SSD1306 shows one strip of picture in its noise, as real ones do."""
    panel = Panel("sh1106")
    with installed(SimulatedBus({0x3C: panel})):
        open_oled(OledSettings(chip="ssd1306")).show(border_picture())
    assert same(panel.glass(), Image.open(GOLDEN / "sh1106-driven-as-ssd1306.png"))


@pytest.mark.parametrize(("column", "edge"), [(0, 0), (1, 0), (3, 127), (4, 127)])
def test_wrong_column_cuts_the_border(column: int, edge: int) -> None:
    """With the wrong memory column chosen, one upright side of the border is cut off or doubled by noise."""
    panel = Panel("sh1106")
    with installed(SimulatedBus({0x3C: panel})):
        open_oled(OledSettings(chip="sh1106", column=column)).show(border_picture())
    shifted = ImageChops.offset(border_picture(), column - 2, 0).crop((2, 0, 126, 64))
    assert same(panel.glass().crop((2, 0, 126, 64)), shifted)
    assert not same(panel.glass(), border_picture())
    assert panel.glass().crop((127 - edge, 0, 128 - edge, 64)).histogram()[0] > 0


def test_contrast_zero_is_off_and_anything_else_on(panel: Panel, oled: Oled) -> None:
    """Brightness 0 darkens the glass without losing the picture, and another level brings it back."""
    picture = border_picture()
    oled.show(picture)
    oled.contrast(0)
    assert same(panel.glass(), BLACK)
    oled.contrast(17)
    assert panel.contrast == 17
    assert same(panel.glass(), picture)


def test_picture_sent_while_off_is_there_on_waking(panel: Panel, oled: Oled) -> None:
    """What is shown while the panel is off is on the glass when it comes on, and not before."""
    oled.contrast(0)
    oled.show(border_picture())
    assert same(panel.glass(), BLACK)
    oled.contrast(200)
    assert same(panel.glass(), border_picture())


def test_close_darkens_and_lets_the_bus_go(panel: Panel, bus: SimulatedBus, oled: Oled) -> None:
    """Closing, once or twice, leaves the panel off and no handle open."""
    oled.show(border_picture())
    oled.close()
    oled.close()
    assert not panel.on
    assert bus.open_handles == 0


def test_a_second_start_finds_the_first_ones_picture_overwritten(panel: Panel, oled: Oled, chip: Chip) -> None:
    """A driver made anew on a panel that was left on sends its first picture whole."""
    oled.show(border_picture())
    again = open_oled(OledSettings(chip=chip))
    assert sent(panel, again, BLACK) == FULL_BYTES[chip]
    assert same(panel.glass(), BLACK)


@pytest.mark.parametrize("picture", [Image.new("L", (128, 64)), Image.new("1", (64, 128))])
def test_another_mode_or_size_is_refused(panel: Panel, oled: Oled, picture: Image.Image) -> None:
    """A picture of another mode or size is refused before a byte is sent."""
    before = panel.traffic.bytes
    with pytest.raises(ValueError, match="mode"):
        oled.show(picture)
    assert panel.traffic.bytes == before


def test_no_warning_from_pillow(chip: Chip, bus: SimulatedBus) -> None:
    """Opening and showing calls nothing that this Pillow warns of."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("error")
        open_oled(OledSettings(chip=chip)).show(border_picture())


def test_making_drivers_piles_up_no_exit_hooks(chip: Chip, bus: SimulatedBus, monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel opened again and again leaves nothing hooked to the end of the process."""
    hooked: list[object] = []
    monkeypatch.setattr("atexit.register", hooked.append)
    oled = open_oled(OledSettings(chip=chip))
    oled.forget()
    oled.show(BLACK)
    assert hooked == []


def test_settings_report_every_fault_at_once() -> None:
    """Impossible settings are refused, all of them named."""
    with pytest.raises(LayoutError) as refused:
        OledSettings(chip="ssd1351", address=0x99, port=-1, rotation=90)  # type: ignore[arg-type]
    for word in ("ssd1351", "0x99", "-1", "90"):
        assert word in str(refused.value)


@pytest.mark.parametrize(("chip", "column"), [("ssd1306", 2), ("sh1106", 5), ("sh1106", -1)])
def test_column_beyond_the_memory_is_refused(chip: Any, column: int) -> None:
    """The glass's column must leave 128 columns of the chip's memory."""
    with pytest.raises(LayoutError, match="column"):
        OledSettings(chip=chip, column=column)
