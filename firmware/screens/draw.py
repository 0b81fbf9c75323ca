"""A screen as pixels: a mode "1" picture of 128 by 64."""

from __future__ import annotations

from PIL import Image

from firmware.screens.model import Screen
from hardware import fonts

SIZE = (128, 64)
_ROW = 16
_GUTTER = 4
"""Kept free on each side of the line between two numerals: three digits fill the rest."""
_QUIET = 6
"""Pixels that a QR code leaves free at least, both sides together."""
_BESIDE = 40
"""Where lines 2 and 3 begin beside a large count."""


def draw(screen: Screen, shift: int = 0) -> Image.Image:
    """The picture of a screen. With ``shift`` (0 or 1) it stands a pixel aside, to spare the panel, and loses none."""
    image = _drawn(screen)
    return _aside(image) if shift else image


def _drawn(screen: Screen) -> Image.Image:
    image = Image.new("1", SIZE)
    small = fonts.load("8x16")
    if screen.numerals:
        _numerals(image, screen.numerals)
        small.text(image, (0, 3 * _ROW), screen.lines[3])
        return image
    if screen.modules:
        image.paste(_modules(screen.modules), (0, 0))
        image.paste(0, (SIZE[1] - 1, 0, SIZE[1], SIZE[1]))  # the words stand clear of it
        for row, line in enumerate(screen.lines):
            small.text(image, (SIZE[1], row * _ROW), line)
        return image
    large = fonts.load("16x32")
    for row, line in enumerate(screen.lines):
        beside = screen.big and row in (1, 2)
        small.text(image, (_BESIDE if beside else 0, row * _ROW), line)
    if screen.big:
        large.text(image, (0, _ROW), screen.big.rjust(2))
    return image


def _numerals(image: Image.Image, numerals: tuple[str, ...]) -> None:
    """Side by side, a line between them."""
    tall = fonts.load("20x48")
    column = SIZE[0] // len(numerals)
    free = column - _GUTTER if len(numerals) > 1 else column
    for place, numeral in enumerate(numerals):
        left = place * (column + _GUTTER)
        tall.text(image, (left + (free - tall.width(numeral)) // 2, 0), numeral)
        if place:
            rule = place * column - 1
            image.paste(255, (rule, 4, rule + 2, 3 * _ROW - 4))


def _aside(image: Image.Image) -> Image.Image:
    """A pixel to the right, to the left or down, wherever the glass has a dark edge to take it."""
    box = image.getbbox()
    if box is None:
        return image
    left, _, right, bottom = box
    step = (1, 0) if right < SIZE[0] else (-1, 0) if left else (0, 1) if bottom < SIZE[1] else (0, 0)
    moved = Image.new("1", SIZE)
    moved.paste(image, step)
    return moved


def _modules(rows: tuple[str, ...]) -> Image.Image:
    """Dark modules on lit ground, a square as tall as the glass; what room they leave is their quiet zone."""
    scale = max(1, (SIZE[1] - _QUIET) // len(rows))
    margin = (SIZE[1] - scale * len(rows)) // 2
    square = Image.new("1", (SIZE[1], SIZE[1]), 255)
    for row, line in enumerate(rows):
        for column, module in enumerate(line):
            if module == "1":
                left, top = margin + column * scale, margin + row * scale
                square.paste(0, (left, top, left + scale, top + scale))
    return square
