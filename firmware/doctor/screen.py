"""``muggins doctor screen``: shows the border test, and from what is seen finds chip, column and rotation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

from PIL import Image, ImageChops

from firmware.config import Config
from firmware.doctor.terminal import Terminal
from hardware.oled import SIZE, Chip, Oled, OledSettings, open_oled
from hardware.oled_pattern import border_picture
from hardware.ports import Screen

LOOKS: Final = {
    "w": "a whole border, the filled corner at the top left",
    "u": "the same upside down",
    "s": "shifted sideways: an edge is missing, or noise stands at a side",
    "t": "torn: strips in a wrong order, or noise all over",
    "d": "nothing, the glass is dark",
}
"""What can be seen, by the letter that says so."""

MEANS: Final = {
    "u": "The panel is mounted the other way round.",
    "s": "The column at the glass's left edge is another: most often a wrong chip.",
    "t": "The panel has another chip than the configuration says.",
    "d": "The panel has another chip, one that wants to be switched on otherwise; or it has no power.",
}

Try = tuple[Chip, int | None]
TRIES: Final[dict[str, tuple[Try, ...]]] = {
    "s": (("sh1106", None), ("ssd1306", None), ("ssd1309", None), ("sh1106", 0), ("sh1106", 4), ("sh1106", 1)),
    "t": (("sh1106", None), ("ssd1306", None), ("ssd1309", None)),
    "d": (("ssd1306", None), ("sh1106", None), ("ssd1309", None)),
}
"""What to try after each answer, the likeliest first."""


class Glass(Protocol):
    """A panel that can be set up anew; ``hint`` says what a simulated one shows, and nothing of a real one."""

    def open(self, settings: OledSettings) -> Screen:
        """The panel with other settings. Raises PartError."""
        ...

    def hint(self) -> str:
        """What is to be seen, for who cannot look."""
        ...

    def close(self) -> None:
        """Let it go, dark."""
        ...


@dataclass
class Look:
    """The questions about the screen."""

    config: Config
    terminal: Terminal
    glass: Glass

    def go(self) -> list[str]:
        """Ask until a whole border is seen; the lines for the configuration. Raises Left, PartError."""
        config, terminal = self.config, self.terminal
        settings = OledSettings(config.chip, config.i2c_port, config.address, config.column, config.rotate)
        tried = {(settings.chip, settings.glass_column)}
        terminal.say("What does the screen show? q leaves.")
        for letter, words in LOOKS.items():
            terminal.say(f"  {letter}: {words}")
        while True:
            self.glass.open(settings).show(border_picture(lines=(settings.chip, f"column {settings.glass_column}")))
            said = self.glass.hint()
            if said:
                terminal.say(said)
            answer = terminal.choose(f"Set up as an {settings.chip}, column {settings.glass_column}:", tuple(LOOKS))
            if answer == "w":
                return self._lines(settings)
            terminal.say(MEANS[answer])
            if answer == "u":
                settings = replace(settings, rotation=0 if settings.rotation else 180)
                continue
            following = (replace(settings, chip=chip, column=column) for chip, column in TRIES[answer])
            other = next((one for one in following if (one.chip, one.glass_column) not in tried), None)
            if other is None:
                terminal.say(
                    "No chip that is known shows it whole. Check the four wires, keep them short, and that the"
                )
                terminal.say("panel has 128x64 dots and I2C (not SPI); then try again.")
                return []
            settings = other
            tried.add((settings.chip, settings.glass_column))

    def _lines(self, settings: OledSettings) -> list[str]:
        config, lines = self.config, []
        if settings.chip != config.chip:
            lines.append(f'chip = "{settings.chip}"')
        if settings.column != config.column:
            lines.append('column = "auto"' if settings.column is None else f"column = {settings.column}")
        if settings.rotation != config.rotate:
            lines.append(f"rotate = {settings.rotation}")
        return ["[screen]", *lines] if lines else []


class TwinGlass:
    """A simulated panel that stays what it is, whatever the driver is told about it."""

    def __init__(self, config: Config, chip: Chip | None = None, upside_down: bool = False) -> None:
        from hardware.oled_faults import ADDRESSES
        from hardware.simulated.i2c import SimulatedBus
        from hardware.simulated.panel import Panel

        self.panel = Panel(chip or config.chip)
        address = ADDRESSES[0] if config.address is None else config.address
        self._bus = SimulatedBus({address: self.panel}, config.i2c_port)
        self._upside_down = upside_down
        self._oled: Oled | None = None

    def open(self, settings: OledSettings) -> Screen:
        """See Glass."""
        from hardware.simulated import i2c

        self.close()
        with i2c.installed(self._bus):
            self._oled = open_oled(settings)
        return self._oled

    def seen(self) -> Image.Image:
        """What a person sees, a panel mounted upside down as it is."""
        glass = self.panel.glass()
        return glass.transpose(Image.Transpose.ROTATE_180) if self._upside_down else glass

    def hint(self) -> str:
        """What the glass shows, by the letter."""
        assert self._oled is not None
        settings = self._oled.settings
        drawn = border_picture(lines=(settings.chip, f"column {settings.glass_column}"))
        return f"(simulated: {LOOKS[look_of(self.seen(), drawn)]})"

    def close(self) -> None:
        """See Glass."""
        if self._oled is not None:
            self._oled.close()


class RealGlass:
    """The configured panel."""

    def __init__(self) -> None:
        self._oled: Oled | None = None

    def open(self, settings: OledSettings) -> Screen:
        """See Glass."""
        self.close()
        self._oled = open_oled(settings)
        return self._oled

    def hint(self) -> str:
        """Nothing: look at it."""
        return ""

    def close(self) -> None:
        """See Glass."""
        if self._oled is not None:
            self._oled.close()


def look_of(glass: Image.Image, drawn: Image.Image) -> str:
    """The letter of LOOKS for what a glass shows of what was drawn."""
    if glass.getbbox() is None:
        return "d"
    if glass.tobytes() == drawn.tobytes():
        return "w"
    if glass.transpose(Image.Transpose.ROTATE_180).tobytes() == drawn.tobytes():
        return "u"
    width, height = SIZE
    for shift in (1, 2, 3, 4):
        inner = (shift, 0, width - shift, height)
        for by in (shift, -shift):
            if ImageChops.offset(glass, by, 0).crop(inner).tobytes() == drawn.crop(inner).tobytes():
                return "s"
    return "t"
