"""A strip of WS2812 lights at the end of a wire: it is sent highs and lows with their lengths, nothing else.

What it shows is what a real strip would: colours in its own order, nothing before the line has been low for its reset
time, the last picture for as long as it has power, whoever has died meanwhile. Pulses outside the chip's limits are
noted as glitches. Everything about it (length, order, sacrificed pixels, limits) is the strip's own and not told by the
driver, so a wrong setting shows wrong colours.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from hardware.ports import Colour


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the line may be high for a 0 and for a 1, and the low that latches; nanoseconds."""

    zero_high_ns: tuple[float, float]
    one_high_ns: tuple[float, float]
    low_ns: float
    latch_ns: float


WS2812: Final = Limits((200, 500), (550, 1000), 200, 280_000)
"""What every common part takes: T0H 350 +- 150 ns and T1H 700 +- 150 ns (Worldsemi WS2812), T1H to 950 (WS2812B,
800 +- 150), a little slack above: chips compare with about half a microsecond. Latches as late as the newest."""

WS2812_EARLY: Final = Limits((200, 500), (550, 1000), 200, 50_000)
"""The first parts: any low of 50 us latches (Worldsemi WS2812)."""

WS2812B_V5: Final = Limits((220, 380), (580, 1000), 220, 280_000)
"""A newer part that wants short zeros (Worldsemi WS2812B-V5: T0H 220-380 ns, T1H 580-1000 ns, reset over 280 us)."""


class WireStrip:
    """A strip of ``pixels`` lights after ``skip_first`` sacrificed ones, which take data but are not looked at.

    ``order`` is the order of its colours, such as "GRB" or "GRBW". It powers up dark.

    >>> strip = WireStrip(1)
    >>> strip.feed(bytes.fromhex("924924 db6db6 924924"), 2_400_000)
    >>> strip.colours()
    [(0, 0, 0)]
    >>> strip.idle(300)
    >>> strip.colours(), strip.glitches
    ([(255, 0, 0)], [])
    """

    def __init__(self, pixels: int, *, order: str = "GRB", skip_first: int = 0, limits: Limits = WS2812) -> None:
        self.pixels = pixels
        self.order = order
        self.skip_first = skip_first
        self.limits = limits
        self.glitches: list[str] = []
        """What the wire did outside the limits, oldest first; clear it as you like."""
        self.frames = 0
        """How often the strip has latched new colours."""
        self.powered = True
        self._leds = [bytes(len(order))] * (skip_first + pixels)
        self._bits: list[str] = []
        self._low_ns = float("inf")
        self._high_ns = 0.0

    def feed(self, data: bytes, hz: int) -> None:
        """The line follows these bits, most significant first, each as long as one clock of ``hz``."""
        if not data:
            return
        cell = 1e9 / hz
        text = format(int.from_bytes(data, "big"), f"0{len(data) * 8}b")
        body = text.lstrip("1")
        self._high(cell * (len(text) - len(body)))
        pulses = body.rstrip("1")
        self._pulses(pulses, cell)
        self._high(cell * (len(body) - len(pulses)))

    def hold(self, high: bool, ns: float) -> None:
        """The line stays high or low for so long."""
        if high:
            self._high(ns)
        else:
            self._low(ns)

    def idle(self, us: float) -> None:
        """The line rests low for so many microseconds, as between transfers; a long rest latches."""
        self._low(us * 1000)

    def power(self, on: bool) -> None:
        """Take the supply away, or give it back: dark either way, until a whole frame comes."""
        self.powered = on
        self._leds = [bytes(len(self.order))] * len(self._leds)
        self._bits.clear()

    def colours(self) -> list[Colour]:
        """What the lights after the sacrificed ones show now; white light is added to each colour."""
        places = [self.order.index(c) for c in "RGB"]
        white = self.order.find("W")
        seen = []
        for led in self._leds[self.skip_first :]:
            extra = led[white] if white >= 0 else 0
            r, g, b = (min(255, led[place] + extra) for place in places)
            seen.append((r, g, b))
        return seen

    def raw(self) -> list[bytes]:
        """The latched bytes of every light, sacrificed ones included, in wire order."""
        return list(self._leds)

    def _high(self, ns: float) -> None:
        if ns <= 0:
            return
        if not self._high_ns:
            self._rise()
        self._high_ns += ns

    def _rise(self) -> None:
        if self._low_ns < self.limits.low_ns and self._bits:
            self.glitches.append(f"low for {self._low_ns:.0f} ns")
        self._low_ns = 0.0

    def _low(self, ns: float) -> None:
        if ns <= 0:
            return
        if self._high_ns:
            self._bits.append(self._bit(self._high_ns))
            self._high_ns = 0.0
        self._low_ns += ns
        if self._low_ns >= self.limits.latch_ns:
            self._latch()

    def _pulses(self, text: str, cell: float) -> None:
        """Text that begins and ends low; taken by whole-string steps, since a frame has thousands of pulses."""
        rest = text.lstrip("0")
        self._low(cell * (len(text) - len(rest)))
        whole = rest.rstrip("0")
        if not whole:
            return
        resets = "0" * math.ceil(self.limits.latch_ns / cell)
        first, *others = whole.split(resets)
        self._rise()
        self._bits.append(self._decode(first, cell))
        for part in others:
            self._latch()
            self._bits.append(self._decode(part.strip("0"), cell))
        self._low(cell * (len(rest) - len(whole)))

    def _decode(self, pulses: str, cell: float) -> str:
        """The data bits of highs that last whole cells, with the lows between them."""
        short = math.ceil(self.limits.low_ns / cell) - 1
        if short > 0:
            lows = re.findall(f"(?<=1)0{{1,{short}}}(?=1)", pulses)
            self.glitches += [f"low for {len(low) * cell:.0f} ns" for low in lows]
        marks = pulses
        longest = int(self.limits.one_high_ns[1] / cell)
        for length in range(longest, 0, -1):
            if "1" * length in marks:
                if not self._within(length * cell):
                    break
                marks = marks.replace("1" * length, "b" if self._is_one(length * cell) else "a")
        if "1" in marks or "1" * (longest + 1) in pulses:
            return "".join(self._bit(len(run) * cell) for run in pulses.split("0") if run)
        return marks.replace("0", "").replace("a", "0").replace("b", "1")

    def _bit(self, high_ns: float) -> str:
        if not self._within(high_ns):
            self.glitches.append(f"high for {high_ns:.0f} ns")
        return "1" if self._is_one(high_ns) else "0"

    def _within(self, high_ns: float) -> bool:
        return any(low <= high_ns <= high for low, high in (self.limits.zero_high_ns, self.limits.one_high_ns))

    def _is_one(self, high_ns: float) -> bool:
        return high_ns > (self.limits.zero_high_ns[1] + self.limits.one_high_ns[0]) / 2

    def _latch(self) -> None:
        """Lights that were sent all their bits take them; the others keep what they had."""
        bits = "".join(self._bits)
        self._bits.clear()
        width = 8 * len(self.order)
        full = min(len(bits) // width, len(self._leds))
        if not full or not self.powered:
            return
        data = int(bits[: full * width], 2).to_bytes(full * len(self.order), "big")
        sent = [data[at : at + len(self.order)] for at in range(0, len(data), len(self.order))]
        self._leds = sent + self._leds[full:]
        self.frames += 1
