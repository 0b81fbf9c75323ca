"""A limit on the current a frame may draw; it lies below every drawing path, so that no picture can pass it.

A WS2812 draws about 20 mA a colour at full brightness, and about 1 mA in its own chip even when dark. Every pixel is
counted with that rest, lit or not, so that the estimate is never too low. Scaling brightness alone does not cap a
current: it depends on how many pixels are lit.
"""

from __future__ import annotations

from typing import Final

from hardware.ports import OFF, Frame, Strip

FULL_CHANNEL_MA: Final = 20
"""One colour of one pixel at 255."""

REST_MA: Final = 1
"""The chip of one pixel, even when dark."""


def estimate_ma(frame: Frame, *, dark_pixels: int = 0) -> float:
    """The estimated current of a frame in milliamperes; ``dark_pixels`` more hang on the strip outside the frame.

    >>> estimate_ma([(255, 255, 255), (0, 0, 0)])
    62.0
    """
    return (len(frame) + dark_pixels) * REST_MA + sum(map(sum, frame)) * FULL_CHANNEL_MA / 255


def limit(frame: Frame, max_ma: int, *, dark_pixels: int = 0) -> Frame:
    """The frame itself where it draws at most ``max_ma``, else one dimmed as a whole until it does.

    All channels shrink by one factor and are rounded down, so a colour keeps its hue. Where the dark rest alone draws
    more than ``max_ma`` the frame is black: there is nothing left to take away.

    >>> limit([(255, 140, 0), (0, 0, 0)], 20)
    [(148, 81, 0), (0, 0, 0)]
    """
    lit = sum(map(sum, frame)) * FULL_CHANNEL_MA
    allowed = (max_ma - (len(frame) + dark_pixels) * REST_MA) * 255
    if lit <= allowed:
        return frame
    if allowed <= 0:
        return [OFF] * len(frame)
    # Whole numbers throughout: a factor as a float may round a channel up, and with it the sum past the limit.
    scaled = [value * allowed // lit for value in range(256)]
    return [(scaled[r], scaled[g], scaled[b]) for r, g, b in frame]


class LimitedStrip:
    """A Strip that never draws more than ``max_ma``: whatever is shown through it is limited first.

    ``dark_pixels`` are those on the same supply that the frame does not hold, such as skipped first ones.
    """

    def __init__(self, strip: Strip, max_ma: int, *, dark_pixels: int = 0) -> None:
        self._strip = strip
        self.max_ma = max_ma
        self._dark_pixels = dark_pixels

    @property
    def pixels(self) -> int:
        """How many pixels a frame must have."""
        return self._strip.pixels

    def show(self, frame: Frame) -> None:
        """Show the frame within the limit. Raises what the strip raises."""
        self._strip.show(limit(frame, self.max_ma, dark_pixels=self._dark_pixels))

    def close(self) -> None:
        """Blank the strip and let the device go; harmless twice."""
        self._strip.close()
