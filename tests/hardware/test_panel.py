"""The simulated panel and bus keep the chips' and the system's rules, whoever drives them."""

from __future__ import annotations

import pytest
import smbus2
from PIL import Image, ImageChops

from hardware.simulated.i2c import SimulatedBus, installed
from hardware.simulated.panel import Chip, Panel

ON = {"ssd1306": b"\x00\x8d\x14\xa1\xc8\xaf", "ssd1309": b"\x00\xa1\xc8\xaf", "sh1106": b"\x00\xa1\xc8\xaf"}
CHIPS = sorted(ON)


def lit(panel: Panel) -> set[tuple[int, int]]:
    glass = panel.glass()
    return {(x, y) for x in range(128) for y in range(64) if glass.getpixel((x, y))}


def cleared(chip: Chip) -> Panel:
    """A panel switched on with an empty memory, in page mode, at page 0 and glass column 0."""
    panel = Panel(chip)
    panel.write(ON[chip])
    start = 2 if chip == "sh1106" else 0
    for page in range(8):
        panel.write(bytes([0x00, 0xB0 | page, 0x00, 0x10]))
        panel.write(b"\x40" + bytes(panel.columns))
    panel.write(bytes([0x00, 0xB0, start, 0x10]))
    return panel


@pytest.mark.parametrize("chip", CHIPS)
def test_power_on_is_dark_with_noise_behind_it(chip: Chip) -> None:
    """After power-on the glass is black; switched on unwritten it shows noise, another at each power-on."""
    panel = Panel(chip)
    assert lit(panel) == set()
    panel.write(ON[chip])
    first = lit(panel)
    assert 2000 < len(first) < 6000
    panel.power_on()
    panel.write(ON[chip])
    assert lit(panel) != first


def test_ssd1306_is_dark_without_its_charge_pump() -> None:
    """An SSD1306 switched on without its charge pump lights nothing."""
    panel = Panel("ssd1306")
    panel.write(b"\x00\xa5\xaf")
    assert lit(panel) == set()
    panel.write(b"\x00\x8d\x14")
    assert len(lit(panel)) == 128 * 64


@pytest.mark.parametrize("chip", CHIPS)
def test_page_mode_stays_on_its_page(chip: Chip) -> None:
    """In page mode data stays on its page: the SSD chips wrap to its left edge, the SH1106 loses what is too long."""
    panel = cleared(chip)
    panel.write(b"\x40" + bytes(129) + b"\x81\x00")
    wrapped = {(1, 0), (1, 7)}
    panel.write(bytes([0x00, 0xB0, 0x00, 0x10]))
    assert lit(panel) == (set() if chip == "sh1106" else wrapped)


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309"])
def test_horizontal_mode_fills_its_window_row_by_row(chip: Chip) -> None:
    """In horizontal mode data goes along the window, then to its next page, then round."""
    panel = cleared(chip)
    panel.write(bytes([0x00, 0x20, 0x00, 0x21, 10, 11, 0x22, 2, 3]))
    panel.write(b"\x40\x01\x02\x04\x08\x80")
    assert lit(panel) == {(10, 23), (11, 17), (10, 26), (11, 27)}


def test_vertical_mode_fills_its_window_column_by_column() -> None:
    """In vertical mode data goes down the window, then to its next column, then round."""
    panel = cleared("ssd1306")
    panel.write(bytes([0x00, 0x20, 0x01, 0x21, 10, 11, 0x22, 2, 3]))
    panel.write(b"\x40\x01\x02\x04\x08\x80")
    assert lit(panel) == {(10, 23), (10, 25), (11, 18), (11, 27)}


def test_sh1106_takes_window_commands_for_others() -> None:
    """An SH1106 knows no 0x21: its argument 0x7f moves the start line, so row 0 is seen one row down."""
    panel = cleared("sh1106")
    panel.write(b"\x40\x01")
    assert lit(panel) == {(0, 0)}
    panel.write(bytes([0x00, 0x21, 0x00, 0x7F]))
    assert lit(panel) == {(0, 1)}


def test_sh1106_glass_is_columns_2_to_129() -> None:
    """The first two and last two of an SH1106's 132 columns are behind no glass."""
    panel = cleared("sh1106")
    panel.write(bytes([0x00, 0xB0, 0x00, 0x10]))
    panel.write(b"\x40\xff\xff\x01" + bytes(126) + b"\x80\xff\xff")
    assert lit(panel) == {(0, 0), (127, 7)}


@pytest.mark.parametrize("chip", CHIPS)
def test_remapped_and_turned_glass(chip: Chip) -> None:
    """Without A1 the glass is mirrored, with C0 upside down, with A7 inverted, with A5 all lit, with AE black."""
    panel = cleared(chip)
    panel.write(b"\x00\xa0")
    panel.write(b"\x40\x01")
    assert lit(panel) == {(127, 0)}
    panel.write(b"\x00\xc0")
    assert lit(panel) == {(127, 63)}
    panel.write(b"\x00\xa7")
    assert len(lit(panel)) == 128 * 64 - 1
    assert (127, 63) not in lit(panel)
    panel.write(b"\x00\xa5")
    assert len(lit(panel)) == 128 * 64
    panel.write(b"\x00\xae")
    assert lit(panel) == set()


def test_control_bytes_mix_commands_and_data() -> None:
    """A control byte with its top bit set covers one byte only, so commands and data share a transaction."""
    panel = cleared("ssd1306")
    panel.write(b"\x80\xb1\x80\x03\xc0\x01\x40\x80\x01")
    assert lit(panel) == {(3, 8), (4, 15), (5, 8)}


def test_wire_time_is_nine_bits_a_byte_and_start_and_stop() -> None:
    """A transaction of ten bytes with its address takes 92 bit times."""
    panel = Panel()
    panel.write(bytes(9))
    assert (panel.traffic.bytes, panel.traffic.transactions) == (10, 1)
    assert panel.traffic.seconds(100_000) == pytest.approx(92 / 100_000)
    assert panel.traffic.seconds(400_000) == pytest.approx(92 / 400_000)


def test_bus_takes_every_call_of_a_driver() -> None:
    """Block, byte and message writes reach the device at the address alike, and a quick write sends nothing."""
    panel = Panel()
    panel.recording = []
    with installed(SimulatedBus({0x3C: panel})):
        bus = smbus2.SMBus(1)
        bus.write_quick(0x3C)
        bus.write_byte(0x3C, 0x00)
        bus.write_byte_data(0x3C, 0x00, 0xE3)
        bus.write_i2c_block_data(0x3C, 0x40, [1, 2])
        bus.i2c_rdwr(smbus2.i2c_msg.write(0x3C, [0x40, *range(100)]))
        bus.close()
        bus.close()
        with pytest.raises(TypeError):
            bus.write_byte(0x3C, 0x00)
    assert panel.recording == [b"\x00", b"\x00\xe3", b"\x40\x01\x02", bytes([0x40, *range(100)])]
    assert smbus2.SMBus.__module__.startswith("smbus2")


def test_block_write_takes_32_bytes_and_no_more() -> None:
    """The system's block write ends at 32 bytes; a driver that sends more is refused as there."""
    with installed(SimulatedBus({0x3C: Panel()})), smbus2.SMBus(1) as bus:
        bus.write_i2c_block_data(0x3C, 0x40, [0] * 32)
        with pytest.raises(ValueError, match="32"):
            bus.write_i2c_block_data(0x3C, 0x40, [0] * 33)


def test_another_bus_is_not_there() -> None:
    """A bus number that the machine lacks is a missing file, naming the node."""
    with installed(SimulatedBus({0x3C: Panel()})), pytest.raises(FileNotFoundError, match="/dev/i2c-7"):
        smbus2.SMBus(7)


def test_cut_delivers_what_came_before() -> None:
    """A transaction broken off leaves on the glass what had arrived, and nothing more."""
    panel = cleared("ssd1306")
    bus = SimulatedBus({0x3C: panel})
    bus.cut_after(4, pulled=False)
    with pytest.raises(OSError, match="Remote I/O"):
        bus.transfer(0x3C, b"\x40\x01\x01\x01\x01")
    assert lit(panel) == {(0, 0), (1, 0)}


def test_glass_is_drawn_anew_only_after_traffic() -> None:
    """The same picture object is given while nothing has come, another after a transaction."""
    panel = cleared("ssd1306")
    first = panel.glass()
    assert panel.glass() is first
    panel.write(b"\x40\x01")
    assert ImageChops.logical_xor(panel.glass(), first).getbbox() == (0, 0, 1, 1)
    assert first.getbbox() is None
    assert isinstance(first, Image.Image)


def test_power_lost_in_mid_command_forgets_the_command() -> None:
    """A command begun before the power went does not swallow the first byte after it came back."""
    panel = cleared("ssd1306")
    panel.write(b"\x00\x81")
    panel.power_on()
    panel.write(b"\x00\xa5\x8d\x14\xaf")
    assert len(lit(panel)) == 128 * 64


def test_pulled_out_is_dark_and_put_back_is_noise() -> None:
    """A panel pulled out goes dark; put back it stays dark, and switched on it shows noise and no old picture."""
    panel = cleared("sh1106")
    panel.write(b"\x40\x01")
    bus = SimulatedBus({0x3C: panel})
    bus.pull_out()
    assert lit(panel) == set()
    with pytest.raises(OSError, match="Remote I/O"):
        bus.transfer(0x3C, b"\x00\xaf")
    bus.put_back()
    assert lit(panel) == set()
    bus.transfer(0x3C, b"\x00\xaf")
    assert len(lit(panel)) > 2000
