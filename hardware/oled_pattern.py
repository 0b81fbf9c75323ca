"""A picture that shows a wrong choice of panel: a full border, four different corners, and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from hardware import fonts

_MARK: Final = 9


def border_picture(size: tuple[int, int] = (128, 64), lines: Sequence[str] = ("Whole border?",)) -> Image.Image:
    """A mode "1" picture with every edge pixel lit and up to three lines of text 16 pixels tall, 14 characters each.

    An edge that is missing or doubled means a wrong chip or column; the filled corner belongs at the top left, the
    empty one opposite it, else the rotation is wrong.
    """
    width, height = size
    image = Image.new("1", size)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width - 1, height - 1), outline=1)
    far_x, far_y = width - 1 - _MARK, height - 1 - _MARK
    draw.rectangle((0, 0, _MARK, _MARK), fill=1)
    draw.line((far_x, 0, width - 1, _MARK), fill=1)
    draw.line((0, far_y, _MARK, height - 1), fill=1)
    font = fonts.load("8x16")
    top = (height - font.height * min(len(lines), 3)) // 2
    for row, line in enumerate(lines[:3]):
        font.text(image, ((width - font.width(line)) // 2, top + row * font.height), line)
    return image
