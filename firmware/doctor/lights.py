"""``muggins doctor lights``: which order of colours, where the board begins, and how long the strip is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from firmware.config import Config
from firmware.config_values import OWN
from firmware.doctor.terminal import Terminal
from hardware.errors import PartMissing
from hardware.lanes import Layout
from hardware.ports import OFF, Colour, Strip

COLOURS: Final[dict[str, Colour]] = {"r": (255, 0, 0), "g": (0, 255, 0), "b": (0, 0, 255)}
WHITE: Final = (255, 255, 255)
NAMES: Final = {"r": "red", "g": "green", "b": "blue"}
FIRST_LIGHTS: Final = 12
"""So many are lit to see a colour by; on a strip of four colours set up for three they differ from one another."""
FIRST_PLACES: Final = 10
"""The board is sought to begin at one of so many lights."""
STEP_S: Final = 0.02
MOST_AFTER: Final = 10_000


class Lights(Protocol):
    """A strip that can be set up anew; ``hint`` says what a simulated one shows, and nothing of a real one."""

    def open(self, lights: int, order: str) -> Strip:
        """The strip with so many lights, none skipped, its colours in an order. Raises PartError."""
        ...

    def hint(self) -> str:
        """What is to be seen, for who cannot look."""
        ...

    def close(self) -> None:
        """Let it go, dark."""
        ...


@dataclass
class Walk:
    """What the person's answers have shown; ``lines`` are what is to be written into the configuration."""

    config: Config
    terminal: Terminal
    lights: Lights
    pause: Callable[[float], None]
    order: str = ""
    skip: int = 0
    length: int = 0
    _strip: Strip | None = field(default=None, repr=False)

    def go(self) -> list[str]:
        """Ask everything. Raises Left, PartError."""
        layout, say = self.config.layout, self.terminal.say
        say(f"The configuration: {layout.wire_pixels} lights, colours in the order {layout.colour_order}. q leaves.")
        self.order, self.skip, self.length = layout.colour_order, layout.skip_first, layout.wire_pixels
        if not self._colours():
            say(
                "No light, or no colour that fits: look at the strip's 5 V and ground, that the data wire is at its DIN"
            )
            say("end, and at the level shifter; then try again.")
            return []
        self._start()
        self._walk()
        return self._lines()

    def _colours(self) -> bool:
        """Find the order of the colours; False where none fits."""
        for attempt in range(3):
            self._open()
            self._show(dict.fromkeys(range(FIRST_LIGHTS), COLOURS["r"]))
            answer = self.terminal.choose(
                f"The first {FIRST_LIGHTS} lights: all of one colour (y), of several (n), or all dark (0)?",
                ("y", "n", "0"),
            )
            if answer == "0":
                return False
            if answer == "n":
                if attempt == 2:
                    return False
                # Bytes for three colours are read in fours, or the reverse.
                self.order = self.order[:3] if "W" in self.order else f"{self.order}W"
                self.terminal.say(f"Then it takes {len(self.order)} colours a light; set up anew so.")
                continue
            seen = self._seen()
            if sorted(seen.values()) == sorted(COLOURS):
                sent = self.order.replace("W", "").lower()
                self.order = "".join(seen[colour].upper() for colour in sent) + self.order[3:]
                self._open()
                return True
            self.terminal.say("Red, green and blue must each be seen once; once more, please.")
        return False

    def _seen(self) -> dict[str, str]:
        """What each colour that is sent looks like."""
        seen = {}
        for name, colour in COLOURS.items():
            self._show(dict.fromkeys(range(FIRST_LIGHTS), colour))
            seen[name] = self.terminal.choose("Which colour is it: red, green or blue?", tuple(COLOURS))
        return seen

    def _start(self) -> None:
        """Find the light at which the board begins."""
        places = [self.skip, *(place for place in range(FIRST_PLACES) if place != self.skip)]
        for place in places:
            self._show({place: WHITE})
            if self.terminal.yes("Is the one white light the first of the board?"):
                self.skip = place
                return
        self.terminal.say(f"Then the board is taken to begin after {self.skip} lights, as the configuration says.")

    def _walk(self) -> None:
        """Walk a dot over the board, and find the strip's end."""
        layout = self.config.layout
        last = self.skip + layout.pixels - 1
        self._open(last + 1)
        self.terminal.say("A dot walks along the board.")
        for place in range(self.skip, last + 1):
            self._show({place: WHITE}, hint=place == last)
            self.pause(STEP_S)
        answer = self.terminal.choose(
            "Where did the dot stop: on the strip's last light (e), before more lights (m), or did it vanish (v)?",
            ("e", "m", "v"),
        )
        if answer == "e":
            self.length = last + 1
        elif answer == "m":
            self.length = last + 1 + self.terminal.number("How many lights come after the dot?", MOST_AFTER)
        else:
            self.length = self._vanished(last)

    def _vanished(self, last: int) -> int:
        """How many lights there are where the last of the board is none: the span is halved with each answer."""
        lit, dark = self.skip, last
        while dark - lit > 1:
            place = (lit + dark) // 2
            self._show({place: WHITE})
            if self.terminal.yes("Is a light lit?"):
                lit = place
            else:
                dark = place
        return lit + 1

    def _lines(self) -> list[str]:
        config, layout = self.config, self.config.layout
        strip, own = [], []
        if self.order != layout.colour_order:
            strip.append(f'colour_order = "{self.order}"')
        if self.skip != layout.skip_first:
            strip.append(f"skip_first = {self.skip}")
        board, there = layout.pixels, self.length - self.skip
        if there < board:
            self.terminal.say(f"The board has {board} lights and the strip carries {there} of them: fit a longer one,")
            self.terminal.say(f"or mend it after light {self.length}, or make the lanes shorter:")
            if config.layout_name == OWN or config.own_layout is not None:
                own.append(f"pixels = {there}")
            elif there >= layout.lane_count:
                strip.append(f"holes = {there // layout.lane_count}")
        elif there > board:
            self.terminal.say(f"The strip has {self.length} lights; the last {there - board} stay dark.")
        return [*(["[strip]", *strip] if strip else []), *(["[layout]", *own] if own else [])]

    def _open(self, lights: int | None = None) -> None:
        self._strip = self.lights.open(lights or max(self.length, FIRST_LIGHTS), self.order)

    def _show(self, lit: dict[int, Colour], hint: bool = True) -> None:
        assert self._strip is not None
        self._strip.show([lit.get(place, OFF) for place in range(self._strip.pixels)])
        said = self.lights.hint() if hint else ""
        if said:
            self.terminal.say(said)


def raw_layout(lights: int, order: str) -> Layout:
    """So many lights in a row, none skipped."""
    return Layout("every light", lights, (tuple(range(lights)),), frozenset(), 0, order)


class TwinLights:
    """A simulated strip that stays what it is, whatever the driver is told about it."""

    def __init__(self, config: Config, wire: object = None) -> None:
        from hardware.simulated import spidev
        from hardware.simulated.strip import WireStrip

        layout = config.layout
        self.wire = (
            wire
            if isinstance(wire, WireStrip)
            else WireStrip(layout.pixels, order=layout.colour_order, skip_first=layout.skip_first)
        )
        self._bus = spidev.Bus(self.wire)
        self._strip: Strip | None = None

    def open(self, lights: int, order: str) -> Strip:
        """See Lights."""
        from hardware.parts_spec import PartsSpec
        from hardware.simulated import spidev
        from hardware.simulated.parts import open_spidev

        self.close()
        with spidev.installed(self._bus):
            self._strip = open_spidev(PartsSpec(layout=raw_layout(lights, order)))
        return self._strip

    def hint(self) -> str:
        """The colours at the end of the wire."""
        return f"(simulated: {describe(self.wire.colours())})"

    def close(self) -> None:
        """See Lights."""
        if self._strip is not None:
            self._strip.close()


class RealLights:
    """The configured strip; its current is limited as ever."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._devices: object = None

    def open(self, lights: int, order: str) -> Strip:
        """See Lights."""
        from dataclasses import replace

        from hardware.open_devices import open_devices

        self.close()
        spec = replace(
            self._config.parts_spec(),
            layout=raw_layout(lights, order),
            screen="none",
            keypad="none",
            buttons="none",
            numpad="none",
            buzzer="none",
            speaker="none",
        )
        self._devices = devices = open_devices(spec)
        if devices.strip is None:
            raise PartMissing(devices.status()[0].say)
        return devices.strip

    def hint(self) -> str:
        """Nothing: look at it."""
        return ""

    def close(self) -> None:
        """See Lights."""
        from hardware.open_devices import Devices

        if isinstance(self._devices, Devices):
            self._devices.close()


def describe(colours: list[Colour]) -> str:
    """Which lights are lit and how, in words, counted from 1.

    >>> describe([(0, 0, 0), (255, 0, 0), (255, 0, 0), (0, 0, 9)])
    'lights 2 to 3 red, light 4 blue'
    >>> describe([(0, 0, 0)])
    'no light is lit'
    """
    said: list[tuple[int, int, str]] = []
    for number, colour in enumerate(colours, 1):
        name = _name(colour)
        if name and said and said[-1][1:] == (number - 1, name):
            said[-1] = (said[-1][0], number, name)
        elif name:
            said.append((number, number, name))
    runs = [f"light {a} {name}" if a == b else f"lights {a} to {b} {name}" for a, b, name in said]
    return ", ".join(runs) or "no light is lit"


def _name(colour: Colour) -> str:
    """The name of a colour by its channels alone; empty for darkness."""
    lit = "".join(name for name, value in zip("rgb", colour, strict=True) if value)
    return {"rgb": "white", "rg": "yellow", "rb": "violet", "gb": "cyan"}.get(lit, NAMES.get(lit, ""))
