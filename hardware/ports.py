"""The ports: what the service asks of a part, real or simulated. Values here carry no vendor types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from PIL import Image

Colour = tuple[int, int, int]
"""Red, green, blue, each 0..255."""

Frame = Sequence[Colour]
"""One colour a pixel, in wire order, the whole strip."""

OFF: Colour = (0, 0, 0)


class Strip(Protocol):
    """A strip of addressable lights."""

    @property
    def pixels(self) -> int:
        """How many pixels a frame must have."""
        ...

    def show(self, frame: Frame) -> None:
        """Send a whole frame and return when it is on the wire. Raises PartFailed or FrameTooLong; never shows half."""
        ...

    def close(self) -> None:
        """Blank the strip and let the device go; harmless twice."""
        ...


class Screen(Protocol):
    """A small monochrome panel."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def show(self, image: Image.Image) -> None:
        """Show a mode "1" picture of exactly ``size``. Raises PartFailed; the next call then sends everything."""
        ...

    def contrast(self, level: int) -> None:
        """Brightness 0..255; 0 switches the panel off, anything else on."""
        ...

    def close(self) -> None:
        """Switch the panel off and let the bus go; harmless twice."""
        ...


class Edge(Enum):
    """What a debounced key did."""

    DOWN = "down"
    UP = "up"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """One debounced act on a key: ``key`` is its name (``"1"``, ``"A"``, ``"#"``, or ``"@2"`` for seat 2's button)."""

    key: str
    edge: Edge


class Keys(Protocol):
    """Keys that are polled; the caller's clock is the only clock."""

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """Sample once at ``now`` (seconds, monotonic) and return what has happened since. Raises PartFailed."""
        ...

    def close(self) -> None:
        """Let the pins go; harmless twice."""
        ...


class Speaker(Protocol):
    """A voice. ``poll`` may be called in another thread than the rest."""

    def say(self, text: str, rate: int, voice: str) -> None:
        """Begin to say plain words at ``rate`` words a minute, in place of what is being said. Raises PartError."""
        ...

    def hush(self) -> None:
        """Be silent at once. Raises PartFailed."""
        ...

    def poll(self) -> bool:
        """Whether an utterance has ended well since the last time. Raises PartFailed for one that nobody heard."""
        ...

    def close(self) -> None:
        """Fall silent for good; harmless twice."""
        ...


class Buzzer(Protocol):
    """A small sounder."""

    def tone(self, hertz: float | None) -> None:
        """Sound, or fall silent with None. Raises PartFailed."""
        ...

    def close(self) -> None:
        """Fall silent and let the pin go; harmless twice."""
        ...
