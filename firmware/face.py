"""What pages see of a running board: its state in words and figures, its glass, its lights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PIL import Image

from firmware.board import Board
from firmware.explain import Reasons
from firmware.outputs import Outputs
from firmware.readback import lane_colours
from firmware.screens import Screen
from firmware.screens.draw import SIZE, draw
from firmware.snapshot import log_lines, snapshot
from firmware.talk import Talk
from firmware.view import View
from firmware.words import Language
from hardware.open_devices import Devices
from hardware.ports import Colour


class Face:
    """The board as a page on its own machine sees it, the glass and the lights as the simulated parts show them.

    ``parts`` gives the parts in a line each; ``talk`` knows what was said last.
    """

    def __init__(
        self,
        board: Board,
        outputs: Outputs,
        devices: Devices,
        parts: Callable[[], list[dict[str, str]]],
        talk: Talk,
        language: Language,
    ) -> None:
        self._board = board
        self._outputs = outputs
        self._devices = devices
        self._parts = parts
        self._talk = talk
        self._language = language
        self._reasons = Reasons()

    def _seen(self) -> tuple[View, Screen]:
        """The present moment, and its screen."""
        shown = self._outputs.shown
        assert shown is not None
        return self._board.view(), shown

    def snapshot(self) -> dict[str, Any]:
        """The public state for the page."""
        view, shown = self._seen()
        log = [] if view.public is None else log_lines(view.public, self._reasons.of(self._board.history))
        one_lane = self._devices.spec.layout.lane_count == 1
        said = self._talk.said
        return snapshot(view, shown, self._parts(), log, shared_lane=one_lane, language=self._language, spoken=said)

    def glass(self) -> tuple[int, int, bytes]:
        """What the panel shows: the simulated glass itself, or with a real panel the picture it was sent."""
        panel = self._devices.twins.panel
        shown = self._outputs.shown
        picture = panel.glass() if panel is not None else draw(shown) if shown else Image.new("1", SIZE)
        return (*picture.size, picture.tobytes())

    def lights(self) -> list[list[Colour]]:
        """The colour each hole shows: the simulated strip's own, or with a real strip the frame it was sent."""
        wire = self._devices.twins.wire
        return lane_colours(self._devices.spec.layout, wire.colours() if wire is not None else self._outputs.frame)
