"""What is told off the board's own machine: all that is public, but not the code by which a phone is paired.

Whoever types that code is to have read it at the table. So pages elsewhere are told of a moment in which a code is
shown as of one in which another code is shown: their state, glass and words are made of a view without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from firmware.board import Board
from firmware.face import Face
from firmware.outputs import Outputs, localised
from firmware.overlay import Pairing
from firmware.screens import Screen, screen_of
from firmware.screens.draw import draw
from firmware.talk import Talk
from firmware.view import View
from firmware.words import Language
from hardware.open_devices import Devices


def from_afar(view: View) -> View:
    """The same moment without the code."""
    if isinstance(view.overlay, Pairing) and view.overlay.code:
        return replace(view, overlay=replace(view.overlay, code="", hidden=True))
    return view


class Afar(Face):
    """The board as every other page sees it; what was said last is what ``follow`` was told of."""

    def __init__(
        self,
        board: Board,
        outputs: Outputs,
        devices: Devices,
        parts: Callable[[], list[dict[str, str]]],
        language: Language,
    ) -> None:
        super().__init__(board, outputs, devices, parts, Talk(language, lambda saying: None), language)
        self.follow(None)

    def follow(self, key: str | None) -> None:
        """The board has changed, by that key or by none."""
        self._talk.follow(from_afar(self._board.view()), key)

    def _seen(self) -> tuple[View, Screen]:
        view = from_afar(self._board.view())
        return view, localised(screen_of(view), self._language)

    def glass(self) -> tuple[int, int, bytes]:
        """What the panel shows, or would without the code; never the panel's own glass, which may lag behind."""
        picture = draw(self._seen()[1])
        return (*picture.size, picture.tobytes())
