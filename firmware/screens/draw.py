"""A screen as pixels: a mode "1" picture of 128 by 64."""

from __future__ import annotations

from PIL import Image

from firmware.screens.model import Screen
from hardware import fonts

SIZE = (128, 64)
_ROW = 16
_GUTTER = 4
"""Kept free on each side of the line between two numerals: three digits fill the rest."""
_BESIDE = 40
"""Where lines 2 and 3 begin beside a large count."""


def draw(screen: Screen, shift: int = 0) -> Image.Image:
    """The picture of a screen, moved right by ``shift`` pixels (0 or 1) to spare the panel."""
    image = Image.new("1", SIZE)
    small = fonts.load("8x16")
    if screen.numerals:
        tall = fonts.load("20x48")
        column = SIZE[0] // len(screen.numerals)
        free = column - _GUTTER if len(screen.numerals) > 1 else column
        for place, numeral in enumerate(screen.numerals):
            left = place * (column + _GUTTER)
            tall.text(image, (left + (free - tall.width(numeral)) // 2 + shift, 0), numeral)
            if place:
                rule = place * column - 1 + shift
                image.paste(255, (rule, 4, rule + 2, 3 * _ROW - 4))
        small.text(image, (shift, 3 * _ROW), screen.lines[3])
        return image
    large = fonts.load("16x32")
    for row, line in enumerate(screen.lines):
        beside = screen.big and row in (1, 2)
        small.text(image, ((_BESIDE if beside else 0) + shift, row * _ROW), line)
    if screen.big:
        large.text(image, (shift, _ROW), screen.big.rjust(2))
    return image
