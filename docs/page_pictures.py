"""Screenshots of the page and the scoreboard: the real service, played by real key presses, in a real Chromium."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from PIL import Image

from firmware.entry import split_keys

SIZES: Final = {360: 640, 768: 1024, 1920: 1080}
"""Width and height: a small phone, a tablet, a television."""
NETWORK: Final = '[page]\nhost = "0.0.0.0"\nmdns = false\n'
NAMES: Final = '[table]\nnames = ["Ann", "Bob"]\n'
TO_61: Final = f"{NETWORK}{NAMES}to = 61\n"
DEAL: Final = "# 2# 12A 4A 2D 3D 1B 5C 2B 4C 3C 10# 14# 11D 11A 10D 1A 9#"
PLAY: Final = f"{DEAL} 6C 5A 7B 7D 8A"
END: Final = f"{DEAL} 6C 5A 5B 5D 7B 8C 1A 7C 8B 12# 8# B 1# 8B"
STRANGER: Final = "muggins.local"
"""The name by which the page is opened as another device opens it."""


@contextmanager
def service(config: str, keys: str) -> Iterator[tuple[int, Any]]:
    """A service of one's own after these keys: its port, and what stops it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "muggins.toml"
        file.write_text(config, encoding="utf-8")
        command = [sys.executable, "-m", "firmware", "run", "--state", folder, "--config", str(file), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                port = int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2])
                for key in split_keys(keys):
                    _press(port, key)
                yield port, process.terminate
            finally:
                process.terminate()
                process.wait(30)


def _press(port: int, key: str) -> None:
    body = json.dumps({"key": key}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/key", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=5).close()


def draw_pages(folder: Path) -> None:
    """Every view at every size, as ``page-play-360.webp``."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium, args=[*quiet, f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"]
        )
        with service(NETWORK + NAMES, "") as (port, _):
            _shots(browser, folder, "set-up", f"http://127.0.0.1:{port}/")
        with service(TO_61, END) as (port, _):
            _shots(browser, folder, "end", f"http://127.0.0.1:{port}/")
        with service(NETWORK + NAMES, PLAY) as (port, stop):
            _shots(browser, folder, "play", f"http://127.0.0.1:{port}/")
            _shots(browser, folder, "scoreboard", f"http://127.0.0.1:{port}/scoreboard")
            _shots(browser, folder, "spectator", f"http://{STRANGER}:{port}/")
            _shots(browser, folder, "away", f"http://127.0.0.1:{port}/", stop)
        browser.close()


def _shots(browser: Any, folder: Path, name: str, address: str, first: Any = None) -> None:
    """One view at each size; ``first`` is done once all pages show the board."""
    pages = {}
    for width, height in SIZES.items():
        page = browser.new_page(viewport={"width": width, "height": height}, has_touch=width < 700)
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_selector("[data-link=live]")
        page.wait_for_timeout(1500)  # the sweep and the pulses end
        pages[width] = page
    if first is not None:
        first()
    for width, page in pages.items():
        if first is not None:
            page.wait_for_selector("[data-link=lost]")
        with Image.open(io.BytesIO(page.screenshot())) as picture:
            picture.convert("RGB").save(folder / f"page-{name}-{width}.webp", quality=88, method=6)
        page.close()
