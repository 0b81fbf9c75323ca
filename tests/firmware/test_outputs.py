"""From a view to the parts: what goes first, and that a thread which draws lets a light pass."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

import firmware.outputs
from firmware.cli import cli
from firmware.outputs import Outputs
from firmware.screens.draw import draw
from firmware.service import Service
from firmware.writer import HAND_OVER_S
from hardware.lanes import two_lanes
from hardware.ports import Colour


@pytest.fixture
def interval() -> Iterator[None]:
    """The interpreter's own switch interval, put back after."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_the_lights_are_handed_on_before_the_screen_is_drawn(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame is with the strip's writer before the first pixel of the screen is drawn."""
    order: list[str] = []

    class Sinks:
        def strip(self, colours: Sequence[Colour]) -> None:
            order.append("lights")

        def screen(self, picture: Image.Image) -> None:
            order.append("screen")

    def drawn(*screen: Any) -> Image.Image:
        order.append("drawing")
        return draw(*screen)

    monkeypatch.setattr(firmware.outputs, "draw", drawn)
    outputs = Outputs(Sinks(), two_lanes(), "en-US", lambda name: None)
    for keys in ("# 2# 12A 7C", "8D"):  # fifteen two
        outputs.show(table.press(keys).view, 100.0)
    assert order == ["lights", "drawing", "screen"] * 2


@pytest.mark.usefixtures("interval")
def test_a_thread_that_draws_lets_a_light_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program runs with threads taking turns often enough for a light not to wait for a drawing to be finished."""
    found: list[float] = []

    async def run(service: Service, *_: Any) -> None:
        found.append(sys.getswitchinterval())
        service.close()

    monkeypatch.setattr(Service, "run", run)
    settings = tmp_path / "empty.toml"
    settings.touch()
    words = ["run", "--config", str(settings), "--state", str(tmp_path / "state"), "--no-page"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert found == [pytest.approx(HAND_OVER_S)]
