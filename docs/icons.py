"""The page's icons as PNGs, drawn with the same peg holes as icon.svg: part of `make pictures`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

STATIC: Final = Path(__file__).parents[1] / "firmware" / "web" / "static"
SIZES: Final = {
    "icon-180": (180, 0.0),
    "icon-192": (192, 0.0),
    "icon-512": (512, 0.0),
    "icon-maskable-512": (512, 0.14),
}
"""Pixels, and how far in from the edge it is drawn: a maskable icon may lose its corners to any shape."""
OVER: Final = 4
"""Drawn so much larger and then reduced, for smooth edges."""
WOOD, BRASS, HOLE = (58, 36, 21), (139, 110, 65), (22, 13, 7)
PEGS: Final = {(18, 18): (91, 120, 255), (32, 32): (255, 154, 26), (46, 46): (255, 255, 255)}


def icon(size: int, inset: float) -> Image.Image:
    """The icon at that size. With an inset it fills the square to its edges and keeps the pegs in the middle."""
    whole = size * OVER
    unit = whole / 64
    picture = Image.new("RGBA", (whole, whole), WOOD if inset else (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    if not inset:
        box = (2 * unit, 2 * unit, 62 * unit, 62 * unit)
        pen.rounded_rectangle(box, 14 * unit, fill=WOOD, outline=BRASS, width=round(2 * unit))
    scale, middle = 1 - 2 * inset, 32

    def dot(x: int, y: int, radius: float, colour: tuple[int, int, int]) -> None:
        across, down = (middle + (part - middle) * scale for part in (x, y))
        reach = radius * scale
        pen.ellipse(
            ((across - reach) * unit, (down - reach) * unit, (across + reach) * unit, (down + reach) * unit),
            fill=colour,
        )

    for x in (18, 32, 46):
        for y in (18, 32, 46):
            dot(x, y, 5.5, HOLE)
    for (x, y), colour in PEGS.items():
        dot(x, y, 7, colour)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def draw_icons(folder: Path = STATIC) -> None:
    """Write every icon that the manifest and the page name."""
    for name, (size, inset) in SIZES.items():
        icon(size, inset).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    draw_icons()
