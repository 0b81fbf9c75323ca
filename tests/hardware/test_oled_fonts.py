"""The shipped fonts: every character a player must read, the sizes promised, the same pixels under every Pillow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from hardware import fonts

GOLDEN = Path(__file__).parents[1] / "golden" / "oled"
TEXT = "".join(map(chr, range(32, 127))) + "éüñçößÉ½×♠♥♣♦▶▲▼◀→←↑↓–—’“”…"


@pytest.mark.parametrize("name", ["8x16", "12x24", "16x32"])
def test_text_fonts_have_every_character(name: fonts.FontName) -> None:
    """The three text sizes draw ASCII, accents, the suits and the arrows, each in a cell of the promised size."""
    font = fonts.load(name)
    width, height = map(int, name.split("x"))
    assert [character for character in TEXT if not font.has(character)] == []
    assert {font.glyph(character).size for character in TEXT} == {(width, height)}
    assert font.height == height


@pytest.mark.parametrize("name", ["8x16", "12x24", "16x32"])
def test_no_two_characters_look_alike(name: fonts.FontName) -> None:
    """No character can be taken for another; only dashes and the apostrophe may look as their plain kin do."""
    drawn: dict[bytes, str] = {}
    for character in TEXT.translate(dict.fromkeys(map(ord, "–—’"))):
        assert drawn.setdefault(fonts.load(name).glyph(character).tobytes(), character) == character


def test_numerals_are_48_pixels_tall_and_six_fit() -> None:
    """The big numerals are 48 lit rows tall, and two scores of three digits fit side by side on 128 pixels."""
    font = fonts.load("20x48")
    for digit in "0123456789":
        box = font.glyph(digit).getbbox()
        assert box is not None
        assert (box[1], box[3]) == (0, 48)
    assert font.width("121") * 2 + 8 <= 128


def test_sixteen_characters_by_four_lines_fill_the_glass() -> None:
    """At 8x16 the glass holds four lines of sixteen characters."""
    font = fonts.load("8x16")
    assert (font.width("x" * 16), font.height * 4) == (128, 64)


@pytest.mark.parametrize(("name", "character"), [("8x16", "Ж"), ("20x48", "A")])
def test_missing_character_is_an_empty_box(name: fonts.FontName, character: str) -> None:
    """A character the sheet lacks is drawn as a box, never left out."""
    font = fonts.load(name)
    assert not font.has(character)
    assert font.glyph(character).getbbox() is not None
    assert font.glyph(character) is font.glyph("\ufffd")


def test_unknown_font_names_those_there_are() -> None:
    """Asking for a font that does not exist names the ones that do."""
    with pytest.raises(ValueError, match="8x16, 12x24, 16x32, 20x48"):
        fonts.load("9x9")  # type: ignore[arg-type]


def test_suits_are_the_shapes_kept() -> None:
    """The suits at 8x16 are, pixel by pixel, the shapes kept as text."""
    kept = json.loads((GOLDEN / "suits_8x16.json").read_text("utf-8"))
    for suit, rows in kept.items():
        glyph = fonts.load("8x16").glyph(suit)
        drawn = ["".join("#" if glyph.getpixel((x, y)) else "." for x in range(8)) for y in range(16)]
        assert drawn == rows, suit


def test_dark_text_on_light_is_the_inverse() -> None:
    """Text drawn dark on a lit picture is the inverse of text drawn lit on a dark one."""
    font, dark, light = fonts.load("8x16"), Image.new("1", (40, 16)), Image.new("1", (40, 16), 255)
    assert font.text(dark, (3, 0), "31♥") == 27
    font.text(light, (3, 0), "31♥", fill=0)
    assert dark.getbbox() is not None
    assert light.tobytes() == ImageChops.invert(dark).tobytes()


def test_text_outside_the_picture_is_cut_off() -> None:
    """Text that begins left of the picture or runs beyond it draws what falls inside and raises nothing."""
    font, whole, part = fonts.load("8x16"), Image.new("1", (32, 16)), Image.new("1", (20, 10))
    font.text(whole, (0, 0), "Anna")
    font.text(part, (-6, -3), "Anna")
    assert part.tobytes() == whole.crop((6, 3, 26, 13)).tobytes()


@pytest.mark.parametrize("licence", ["OFL-Terminus.txt", "OFL-Bebas-Neue.txt"])
def test_licences_lie_beside_the_sheets(licence: str) -> None:
    """Each sheet names its licence, and that text is shipped beside it."""
    folder = Path(fonts.__file__).parent
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / licence).read_text("utf-8")
    named = {sheet.read_text("ascii").splitlines()[0].rsplit(" ", 1)[1] for sheet in folder.glob("*.hex")}
    assert licence in named
