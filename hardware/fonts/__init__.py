"""Bitmap fonts that draw the same pixels under every Pillow: no font engine, only the sheets beside this file.

``8x16``, ``12x24`` and ``16x32`` hold ASCII, Latin-1, the four suits and arrows; ``20x48`` holds space, plus, minus and
the digits, which are exactly 48 pixels tall. Each sheet's licence lies beside it (SIL Open Font License 1.1).
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from PIL import Image

FontName = Literal["8x16", "12x24", "16x32", "20x48"]
NAMES: Final[tuple[FontName, ...]] = get_args(FontName)
MISSING: Final = "\ufffd"
"""What is drawn for a character the sheet lacks: an empty box, so that nothing vanishes unseen."""


_MADE_OF: Final = dict(zip("ŁłĐđĦħŦŧŊŋıĸƏə’‘–—", "LlDdHhTtNnikEe''--", strict=True))
"""Letters that are not a plain letter and an accent, as the nearest that a sheet has."""


def like(character: str) -> str:
    """The plain letter that a character is made of, or itself.

    >>> like("ş"), like("Ł"), like("é"), like("ж")
    ('s', 'L', 'é', 'ж')
    """
    if character in _MADE_OF or character <= "\xff":
        return _MADE_OF.get(character, character)
    return unicodedata.normalize("NFKD", character)[:1]


class Font:
    """One sheet of glyphs. Sizes are in pixels; a cell is ``height`` tall and stands directly under ``y``."""

    def __init__(self, name: str, height: int, glyphs: dict[str, Image.Image]) -> None:
        self.name = name
        self.height = height
        self._glyphs = glyphs

    def has(self, character: str) -> bool:
        """Whether the sheet can draw this one character."""
        return character in self._glyphs

    def glyph(self, character: str) -> Image.Image:
        """The character's cell as a mode "1" picture (not to be drawn on); where the sheet lacks it that of the letter
        it is made of, else an empty box."""
        return self._glyphs.get(character) or self._glyphs.get(like(character)) or self._glyphs[MISSING]

    def width(self, text: str) -> int:
        """How many pixels across one line of text takes.

        >>> load("8x16").width("Ann 121")
        56
        """
        return sum(self.glyph(character).width for character in text)

    def text(self, image: Image.Image, xy: tuple[int, int], text: str, fill: int = 1) -> int:
        """Draw one line with its top left corner at ``xy`` and return the x just after it.

        Only the glyphs' own pixels are set, to ``fill`` (1 lit, 0 dark); what falls outside the picture is cut off.
        """
        x, y = xy
        ink = 255 if fill else 0  # what Pillow's own operations take for lit; a bare 1 would survive inversion
        for character in text:
            glyph = self.glyph(character)
            image.paste(ink, (x, y, x + glyph.width, y + glyph.height), glyph)
            x += glyph.width
        return x


@cache
def load(name: FontName) -> Font:
    """The font of that name, read once. Raises ValueError naming the fonts there are."""
    if name not in NAMES:
        raise ValueError(f"no font {name!r}; there are {', '.join(NAMES)}")
    height = int(name.partition("x")[2])
    glyphs: dict[str, Image.Image] = {}
    for line in Path(__file__).with_name(f"{name}.hex").read_text("ascii").splitlines():
        if not line.startswith("#"):
            code, width, rows = line.split()
            glyphs[chr(int(code, 16))] = Image.frombytes("1", (int(width), height), bytes.fromhex(rows))
    return Font(name, height, glyphs)
