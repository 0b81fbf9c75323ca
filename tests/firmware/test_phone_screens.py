"""The screens that invite phones: a camera reads the address off the glass, and all is said in words too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image

from firmware.overlay import Address, Pairing, PhoneList
from firmware.phones import Phone
from firmware.screens import screen_of
from firmware.screens.draw import draw
from firmware.view import View
from hardware.oled import CHIPS, OledSettings
from hardware.parts_spec import PartsSpec

ADDRESSES = [
    "http://10.0.0.5:8121/",
    "http://192.168.1.20:8121/",
    "https://192.168.1.20/",
    "http://192.168.178.201:8121/",
    "https://192.168.178.201:65535/",
    "http://muggins.local:8121/",
    "https://[2001:db8:1234:5678:9abc:def0:1234:5678]:8121/",
]


def read(glass: Image.Image) -> list[str]:
    """What a camera makes of the glass: the lit pixels bright, each as large as a pixel of a photograph is not."""
    width, height = glass.size
    return [found.text for found in zxingcpp.read_barcodes(glass.convert("L").resize((4 * width, 4 * height)))]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_camera_reads_the_address_off_the_glass(new_cabinet: Callable[..., Any], address: str, chip: str) -> None:
    """On every kind of panel the simulated glass itself holds a code that gives the page's address."""
    cabinet = new_cabinet(spec=PartsSpec(oled=OledSettings(chip=chip)))
    cabinet.board.address = address
    cabinet.tap_all(["D", "D", "9", "#"])
    found = read(cabinet.shown().glass)
    assert [one.lower() for one in found] == [address]


@pytest.mark.parametrize("address", ADDRESSES[:6])
def test_the_address_can_be_read_beside_the_code(table: Any, address: str) -> None:
    """Scheme, host and port stand beside the code, whole, in the order in which they are typed."""
    table.board.address = address
    shown = table.press("D D 9#").screen
    assert "".join(shown.text) == address.rstrip("/")
    assert all(len(line) <= 8 for line in shown.text)


@pytest.mark.parametrize(
    ("host", "lines"),
    [
        ("192.0.2.2", ["192.0.", "2.2"]),
        ("192.168.178.201", ["192.168.", "178.201"]),
        ("10.0.0.5", ["10.0.0.5"]),
        ("172.16.4.9", ["172.16.", "4.9"]),
        ("muggins.local", ["muggins.", "local"]),
    ],
)
def test_an_address_too_long_for_a_line_has_two_numbers_on_each(table: Any, host: str, lines: list[str]) -> None:
    """No number of the address is broken, and none stands alone on a line."""
    table.board.address = f"http://{host}:8121/"
    shown = table.press("D D 9#").screen
    assert [line for line in shown.text if line] == ["http://", *lines, ":8121"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_code_keeps_what_quiet_there_is(table: Any, address: str) -> None:
    """Around the code the ground is lit as far as the glass goes, three pixels at least, and modules are square."""
    table.board.address = address
    picture = draw(table.press("D D 9#").screen)
    dark = [(x, y) for x in range(63) for y in range(64) if not picture.getpixel((x, y))]
    left, top = min(x for x, _ in dark), min(y for _, y in dark)
    right, bottom = max(x for x, _ in dark), max(y for _, y in dark)
    assert min(left, top, 62 - right, 63 - bottom) >= 2
    assert right - left == bottom - top
    assert all(not picture.getpixel((63, y)) for y in range(64))


def test_leaving_the_address(table: Any) -> None:
    """``#`` and ``*`` leave the code for the game."""
    table.board.address = ADDRESSES[0]
    for key in "#*":
        assert isinstance(table.press("D D 9#").view.overlay, Address)
        assert table.press(key).view.overlay is None


def overlays() -> list[Any]:
    """Each screen that invites phones, as it can be."""
    return [
        Address(), Pairing("482913"), Pairing("070707", 0), Pairing("482913", 1, wrong=3), Pairing("", 1, wrong=5),
        Pairing("", None, hidden=True), Pairing("", 0, 2, hidden=True), PhoneList(), PhoneList(1),
    ]  # fmt: skip


def seen(table: Any, overlay: Any, typed: str = "") -> View:
    """A moment with that screen over the game, and some phones paired."""
    phones = (Phone("a", 1, 0, 0), Phone("b", 2, None, 0), Phone("c", 3, 3, 0), Phone("d", 14, 1, 0))
    return replace(table.view, overlay=overlay, address=ADDRESSES[1], phones=phones, typed=typed)


@pytest.mark.parametrize("overlay", overlays(), ids=repr)
@pytest.mark.parametrize("typed", ["", "12"])
def test_each_is_said_in_words(table: Any, overlay: Any, typed: str) -> None:
    """The spoken twin has every number that is drawn, a code digit by digit, and no symbol."""
    found = screen_of(seen(table, overlay, typed))
    said = found.spoken
    assert not set("#*_&") & set(said)
    if isinstance(overlay, Pairing):
        assert ", ".join(" ".join(half) for half in (overlay.code[:3], overlay.code[3:]) if half) in said
        if overlay.wrong and overlay.code:
            assert "Tries left: 2" in said
        assert ("Ann" in said) == ("Ann" in " ".join(found.text)) or not overlay.hidden
    if isinstance(overlay, Address):
        assert urlsplit(ADDRESSES[1]).netloc in said
    if isinstance(overlay, PhoneList):
        assert all(line.split(" ", 1)[1] in said for line in found.text if line[:1].isdigit() and not typed)
    assert ("Typed 12" in said) == bool(typed)


@pytest.mark.parametrize("overlay", overlays()[1:], ids=repr)
def test_what_is_typed_is_seen(table: Any, overlay: Any) -> None:
    """The digits of a choice stand on the glass while they are typed."""
    assert screen_of(seen(table, overlay, "12")).text[-1].endswith("12_")
