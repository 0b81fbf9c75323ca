"""Pictures of what the simulated parts show: the glass as a panel, the strip as lanes of round lights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from firmware.readback import lane_colours
from hardware.lanes import Layout
from hardware.ports import Colour

SCALE = 4
"""Pixels of a picture for each pixel of the glass."""
GLASS_LIT, GLASS_DARK, BEZEL = (205, 235, 255), (6, 10, 16), (22, 24, 28)
STREET = 30
"""Holes in a row of the picture."""
HOLE, ROW, MARGIN = 22, 26, 18


def glass_picture(glass: Image.Image, scale: int = SCALE) -> Image.Image:
    """The glass as a person sees it: lit pixels pale blue, in a bezel."""
    width, height = glass.size
    border = 3 * scale
    picture = Image.new("RGB", (width * scale + 2 * border, height * scale + 2 * border), BEZEL)
    lit = glass.convert("L").resize((width * scale, height * scale), Image.Resampling.NEAREST)
    face = Image.composite(Image.new("RGB", lit.size, GLASS_LIT), Image.new("RGB", lit.size, GLASS_DARK), lit)
    picture.paste(face, (border, border))
    return picture


def save_glass(glass: Image.Image, path: Path) -> None:
    """Write the glass as a PNG."""
    glass_picture(glass).save(path)


def board_picture(layout: Layout, colours: Sequence[Colour]) -> Image.Image:
    """The lanes folded into rows of thirty holes, each hole in the colour its light shows, brightened for paper."""
    lanes = lane_colours(layout, colours)
    rows = [lane[start : start + STREET] for lane in lanes for start in range(0, len(lane), STREET)]
    size = (2 * MARGIN + STREET * HOLE, 2 * MARGIN + len(rows) * ROW + (len(lanes) - 1) * ROW // 2)
    picture = Image.new("RGB", size, (38, 27, 20))
    pen = ImageDraw.Draw(picture)
    top, per_lane = MARGIN, -(-layout.holes // STREET)
    for number, row in enumerate(rows):
        if number and number % per_lane == 0:
            top += ROW // 2
        for place, colour in enumerate(row):
            left = MARGIN + place * HOLE + HOLE // 2
            middle = top + ROW // 2
            pen.ellipse((left - 7, middle - 7, left + 7, middle + 7), fill=_seen(colour), outline=(20, 14, 10))
        top += ROW
    return picture


def save_board(layout: Layout, colours: Sequence[Colour], path: Path) -> None:
    """Write the lanes as a PNG."""
    board_picture(layout, colours).save(path)


def _seen(colour: Colour) -> Colour:
    """How bright a light looks: the eye sees a dim light brighter than its number."""
    red, green, blue = (round(255 * (channel / 255) ** 0.45) if channel else 14 for channel in colour)
    return red, green, blue
