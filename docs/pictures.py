"""Draws the pictures of the README and the guides from the running product: `make pictures`.

The OLED screens and the lanes are what the simulated parts show after real key presses; the page is a screenshot of the
real service in a real browser (page_pictures.py), its icons are drawn by icons.py, the build guide's drawings by
`muggins template`.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from building import draw_building
from icons import draw_icons
from page_pictures import draw_pages

from firmware.cabinet import Cabinet
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.pictures import board_picture, glass_picture
from firmware.settings import Settings
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

HERE: Final = Path(__file__).parent / "pictures"

PLAY: Final = "# 2# 12A 4A 2D 3D 1B 5C"
SHOW: Final = f"{PLAY} 2B 4C 3C 10# 12#"
SCREENS: Final = {
    "screen-set-up": "",
    "screen-play": PLAY,
    "screen-miscount": SHOW,
    "screen-undo": f"{PLAY} *",
    "screen-big": f"{PLAY} D D 1# *",
}
"""The keys before each OLED picture."""

DEAL: Final = f"{PLAY} 2B 4C 3C 10# 14# 11D 11A 10D 1A 9# 6C 5A 7B 7D 8A"
"""The keys before the picture of the lanes: one deal counted, the next in the play."""


def draw_screens() -> None:
    """The OLED screens, and the lanes after a whole deal."""
    for name, keys in SCREENS.items():
        with tempfile.TemporaryDirectory() as folder:
            cabinet = _cabinet(Path(folder), keys)
            glass_picture(cabinet.shown().glass).save(HERE / f"{name}.png", optimize=True)
            cabinet.close()
    with tempfile.TemporaryDirectory() as folder:
        cabinet = _cabinet(Path(folder), DEAL)
        board_picture(PartsSpec().layout, cabinet.shown().colours).save(HERE / "lanes.png", optimize=True)
        cabinet.close()


def _cabinet(folder: Path, keys: str) -> Cabinet:
    journal = open_journal(folder, now=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    cabinet = Cabinet(open_devices(PartsSpec()), journal, Settings(names=("Ann", "Bob")))
    cabinet.tap_all(split_keys(keys))
    cabinet.settle()
    return cabinet


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    draw_screens()
    draw_icons()
    draw_pages(HERE)
    draw_building()
    print(f"drawn in {HERE}")
