"""From a view to the parts: the strip's frame, the screen's picture, the buzzer. What has not changed is not sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from PIL import Image

from firmware.lights import frame
from firmware.screens import Screen, screen_of
from firmware.screens.draw import draw
from firmware.view import View
from firmware.words import Language, localise
from hardware.lanes import Layout
from hardware.ports import Colour


class Sinks(Protocol):
    """Where frames and pictures go: straight to the parts, or to their writers."""

    def strip(self, colours: Sequence[Colour]) -> None:
        """Take a whole frame for the strip."""
        ...

    def screen(self, picture: Image.Image) -> None:
        """Take a picture for the screen."""
        ...


class Outputs:
    """Draws views. ``changed`` hears ``state``, ``lights`` or ``glass`` for whatever was sent."""

    def __init__(self, sinks: Sinks, layout: Layout, language: Language, changed: Callable[[str], None]) -> None:
        self._sinks = sinks
        self.layout = layout
        self._language = language
        self._changed = changed
        self.frame: Sequence[Colour] = ()
        """The frame last sent."""
        self._picture: bytes | None = None
        self.shown: Screen | None = None
        """The screen last drawn, in the board's language."""

    def show(self, view: View, now: float, *, everything: bool = False) -> None:
        """Send what differs from what was sent last, or all of it. The strip goes first: a peg waits for no text."""
        colours = frame(view, self.layout, now)
        if everything or colours != self.frame:
            self.frame = colours
            self._sinks.strip(colours)
            self._changed("lights")
        shown = localised(screen_of(view), self._language)
        picture = draw(shown)
        pixels = picture.tobytes()
        if everything or pixels != self._picture:
            self._picture = pixels
            self._sinks.screen(picture)
            self._changed("glass")
        self.shown = shown


def localised(screen: Screen, language: Language) -> Screen:
    """The screen as that language says it."""
    if language == "en-US":
        return screen
    first, second, third, fourth = (localise(line, language) for line in screen.lines)
    twin = screen.twin.map(lambda text: localise(text, language))
    return replace(screen, lines=(first, second, third, fourth), twin=twin)
