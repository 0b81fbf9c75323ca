"""Draws the pictures of the README and the guides from the running product: `make pictures`.

The OLED screens and the lanes are what the simulated parts show after real key presses; the page is a screenshot of the
real service in a real browser. The drawings of the build guide are those of `muggins template`.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from building import draw_building

from firmware.cabinet import Cabinet
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.pictures import board_picture, glass_picture
from firmware.settings import Settings
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

HERE: Final = Path(__file__).parent / "pictures"
CHROMIUM: Final = "/usr/bin/chromium"

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
"""The keys before the picture of the page: one deal counted, the next in the play."""


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


def draw_page() -> None:
    """The page in mid-deal, at a phone's and at a television's width."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "muggins.toml"
        config.write_text('[table]\nnames = ["Ann", "Bob"]\n', encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "firmware", "run", "--state", folder, "--config", str(config)]
        service = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, text=True)
        try:
            assert service.stdout is not None
            address = service.stdout.readline().strip()
            for key in split_keys(DEAL):
                _press(address, key)
            time.sleep(2)  # the sweep and the pulses end
            with sync_playwright() as play:
                browser = play.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
                )
                for width, height in ((1920, 1080), (360, 740)):
                    page = browser.new_page(viewport={"width": width, "height": height})
                    page.goto(address, wait_until="domcontentloaded")
                    page.wait_for_timeout(800)
                    page.screenshot(path=HERE / f"page-{width}.png")
                browser.close()
        finally:
            service.terminate()
            service.wait(10)


def _press(address: str, key: str) -> None:
    data = f'{{"key": "{key}"}}'.encode()
    request = urllib.request.Request(f"{address}key", data, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=5).close()


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    draw_screens()
    draw_page()
    draw_building()
    print(f"drawn in {HERE}")
