"""The whole board without a clock of its own: parts, journal, rules and views, driven by simulated time.

``press`` and the tests use it: no thread, no sleep, no port, no file of the user's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from engine.state import Pegs
from firmware.board import Board
from firmware.journal import SafeJournal
from firmware.keys import keys_of
from firmware.outputs import Outputs
from firmware.readback import pegs_shown
from firmware.screens import Screen
from firmware.settings import Choices, Settings, choices_of
from firmware.talk import Saying, Talk, utter
from firmware.view import LIKED, Preferences
from firmware.words import Language
from hardware.open_devices import Devices
from hardware.ports import Colour

REST_S = 0.02
"""Simulated time between two polls."""


class GlassDiffers(Exception):
    """The simulated glass does not show what was drawn: a driver, or its twin, is wrong."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the parts show: the drawn screen, and the pegs read back from the lights, by side."""

    screen: Screen
    glass: Image.Image
    colours: list[Colour]
    pegs: tuple[Pegs, ...]


class Cabinet:
    """A board on simulated parts in simulated time. ``tap`` presses keys on the simulated keypad."""

    def __init__(
        self,
        devices: Devices,
        journal: SafeJournal,
        settings: Settings,
        *,
        choices: Choices | None = None,
        preferences: Preferences = LIKED,
        language: Language = "en-US",
    ) -> None:
        self._devices = devices
        self._layout = devices.spec.layout
        self.now = 0.0
        self.board = Board(journal, settings, choices=choices or choices_of(self._layout), preferences=preferences)
        self._outputs = Outputs(_Straight(devices), self._layout, language, lambda name: None)
        card = devices.twins.card
        if card is not None:
            card.clock = lambda: self.now
        self.talk = Talk(language, self._speak)
        self._outputs.show(self.board.view(), self.now)
        self.talk.follow(self.board.view())

    def _speak(self, saying: Saying | None) -> None:
        if self._devices.speaker is not None:
            utter(self._devices.speaker, saying)

    def tap(self, key: str) -> None:
        """Press one key (``7``, ``@2``, ``hold(@2)``) with a finger on the simulated keypad."""
        keys = self._devices.twins.keys
        if keys is None:
            raise LookupError("there is no simulated keypad to press")
        held = key.startswith("hold(")
        name = key.removeprefix("hold(").removesuffix(")")
        for now, events in keys.hold(name, self.now) if held else keys.stroke(name, self.now):
            self.now = now
            for pressed in keys_of(events):
                self.board.press(pressed, self.now)
                self._outputs.show(self.board.view(), self.now)
                self.talk.follow(self.board.view(), pressed)

    def tap_all(self, keys: Sequence[str]) -> None:
        """Press several keys one after the other."""
        for key in keys:
            self.tap(key)

    def settle(self) -> None:
        """Let time run until nothing but a blink changes, and what blinks is lit."""
        while not self.board.settled(self.now):
            due = self.board.tick(self.now)
            if due is None:
                break
            self.now = max(due, self.now + REST_S)
            self._outputs.show(self.board.view(), self.now)
        self._outputs.show(self.board.view(), self.now)

    def shown(self) -> Shown:
        """What the glass and the strip show. Raises GlassDiffers when the glass is not what was drawn."""
        from firmware.screens.draw import draw

        twins, view = self._devices.twins, self.board.view()
        screen = self._outputs.shown
        if twins.panel is None or twins.wire is None or screen is None:
            raise LookupError("there is no simulated screen or strip to look at")
        glass = twins.panel.glass()
        if glass.tobytes() != draw(screen).tobytes():
            raise GlassDiffers("the simulated glass does not show what was drawn: look at the screen's settings")
        colours = twins.wire.colours()
        sides = view.settings.sides if view.public is None else len(view.public.pegs)
        target = view.settings.target if view.public is None else view.public.target
        pegs = tuple(pegs_shown(self._layout, colours, side, target) for side in range(sides))
        return Shown(screen, glass, colours, pegs)

    def summary(self) -> dict[str, Any]:
        """What the glass and the strip show, as ``muggins press --json`` prints it."""
        shown, view = self.shown(), self.board.view()
        public = view.public
        names = view.settings.side_names if public is None else public.side_names
        turn = None if public is None or public.turn is None else public.names[public.turn]
        return {
            "screen": shown.screen.text,
            "spoken": shown.screen.spoken,
            "phase": view.phase,
            "count": 0 if public is None else public.count,
            "turn": turn,
            "scores": dict(zip(names, public.scores if public else (0,) * len(names), strict=True)),
            "lanes": {
                name: {"front": pegs.front, "back": pegs.back} for name, pegs in zip(names, shown.pegs, strict=True)
            },
        }

    def close(self) -> None:
        """Let the parts go."""
        self._devices.close()


class _Straight:
    """Frames and pictures straight to the parts; in simulated time a part that fails is a fault of the run."""

    def __init__(self, devices: Devices) -> None:
        self._devices = devices

    def strip(self, colours: Sequence[Colour]) -> None:
        if self._devices.strip is not None:
            self._devices.strip.show(colours)

    def screen(self, picture: Image.Image) -> None:
        if self._devices.screen is not None:
            self._devices.screen.show(picture)
