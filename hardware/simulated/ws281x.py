"""The compiled half of ``rpi_ws281x`` with a strip of lights on its pin; its Python half runs on it unchanged.

It does what the C library does with a frame: brightness, gamma, colour order, three-bit symbols, the reset. Where the C
library would take the whole process down it raises WouldCrash, so that a driver that does so fails its test.

    >>> from hardware.simulated.strip import WireStrip
    >>> wire = Wire(WireStrip(2))
    >>> with installed(wire):
    ...     import _rpi_ws281x
    ...     leds = _rpi_ws281x.new_ws2811_t()
    ...     _rpi_ws281x.ws2811_led_set(_rpi_ws281x.ws2811_channel_get(leds, 0), 0, 0xFF0000)
    Traceback (most recent call last):
    hardware.simulated.ws281x.WouldCrash: a pixel was touched before begin()
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from types import ModuleType
from typing import Final

from hardware.simulated.strip import WireStrip

RESULTS: Final = {
    0: ("SUCCESS", "Success"),
    -1: ("ERROR_GENERIC", "Generic failure"),
    -2: ("ERROR_OUT_OF_MEMORY", "Out of memory"),
    -3: ("ERROR_HW_NOT_SUPPORTED", "Hardware revision is not supported"),
    -4: ("ERROR_MEM_LOCK", "Memory lock failed"),
    -5: ("ERROR_MMAP", "mmap() failed"),
    -6: ("ERROR_MAP_REGISTERS", "Unable to map registers into userspace"),
    -7: ("ERROR_GPIO_INIT", "Unable to initialize GPIO"),
    -8: ("ERROR_PWM_SETUP", "Unable to initialize PWM"),
    -9: ("ERROR_MAILBOX_DEVICE", "Failed to create mailbox device"),
    -10: ("ERROR_DMA", "DMA error"),
    -11: ("ERROR_ILLEGAL_GPIO", "Selected GPIO not possible"),
    -12: ("ERROR_PCM_SETUP", "Unable to initialize PCM"),
    -13: ("ERROR_SPI_SETUP", "Unable to initialize SPI"),
    -14: ("ERROR_SPI_TRANSFER", "SPI transfer error"),
}
"""What the library's return codes are called and say."""

SPI_PIN: Final = 10
PINS: Final = {0: (10, 12, 18, 21, 31), 1: (13, 19)}
"""Pins that each channel can drive: SPI 10, PWM 12 and 18, PCM 21 and 31; PWM's second channel 13 and 19."""

COLOURS_ALLOCATED: Final = 4
BUFFER_RESET_US: Final = 55
RENDER_WAIT_US: Final = 300
WHITE_MASK: Final = 0xF0000000


class WouldCrash(AssertionError):
    """The C library would have touched memory it does not have; no driver may catch this and go on."""


@dataclass(eq=False)
class Channel:
    """One ``ws2811_channel_t``."""

    count: int = 0
    gpionum: int = 0
    invert: int = 0
    brightness: int = 0
    strip_type: int = 0
    gamma: list[int] = field(default_factory=lambda: list(range(256)))
    leds: list[int] | None = None


@dataclass(eq=False)
class Leds:
    """One ``ws2811_t``."""

    channels: tuple[Channel, Channel] = field(default_factory=lambda: (Channel(), Channel()))
    freq: int = 0
    dmanum: int = 0
    begun: bool = False
    deleted: bool = False


class Wire:
    """The pin, the strip on it, and what the library will answer.

    ``begin_result`` is the code of the next begin() (0 is success); ``show_result`` that of show(). Over SPI a buffer
    longer than ``bufsiz`` gives -14 by itself, a pin that cannot be driven -11.
    """

    def __init__(self, strip: WireStrip, *, bufsiz: int = 4096, begin_result: int = 0, show_result: int = 0) -> None:
        self.strip = strip
        self.bufsiz = bufsiz
        self.begin_result = begin_result
        self.show_result = show_result
        self.dma: int | None = None
        """The DMA channel that was taken at begin()."""
        self.begun = 0
        """How many strips are between begin() and their end."""
        self._cut: int | None = None

    def pull_out(self, *, after_bytes: int = 0) -> None:
        """SPI goes away: the next frame ends after so many bytes with code -14, and every one after it at once."""
        self._cut = after_bytes

    def put_back(self) -> None:
        """SPI is there again."""
        self._cut = None

    def begin(self, leds: Leds) -> int:
        """``ws2811_init``."""
        if self.begin_result:
            return self.begin_result
        used = [(index, channel) for index, channel in enumerate(leds.channels) if channel.count]
        if any(channel.gpionum not in PINS[index] for index, channel in used):
            return -11
        for _, channel in used:
            channel.leds = [0] * channel.count
        self.dma = leds.dmanum
        self.begun += 1
        leds.begun = True
        return 0

    def render(self, leds: Leds) -> int:
        """``ws2811_render``."""
        if self.show_result:
            return self.show_result
        hz = leds.freq * 3
        for channel in leds.channels:
            if not channel.count:
                continue
            data = _symbols(channel, hz)
            if channel.gpionum == SPI_PIN:
                if len(data) > self.bufsiz:
                    return -14
                if self._cut is not None:
                    self.strip.feed(data[: self._cut], hz)
                    self._cut = 0
                    return -14
            self.strip.feed(data, hz)
            # The library waits so long before it would start the next frame.
            self.strip.idle(RENDER_WAIT_US)
        return 0

    def end(self, leds: Leds) -> None:
        """``ws2811_fini``."""
        self.begun -= 1
        leds.begun = False
        for channel in leds.channels:
            channel.leds = None


def buffer_bytes(count: int, hz: int) -> int:
    """What the library allocates for SPI: four colours a pixel whatever the strip has, a reset, padded to words.

    >>> buffer_bytes(339, 2_400_000), buffer_bytes(340, 2_400_000)
    (4088, 4104)
    """
    bits = count * COLOURS_ALLOCATED * 8 * 3 + BUFFER_RESET_US * hz // 1_000_000
    return (bits >> 3 & ~7) + 8


def _symbols(channel: Channel, hz: int) -> bytes:
    kind = channel.strip_type
    shifts = [kind >> 16 & 0xFF, kind >> 8 & 0xFF, kind & 0xFF]
    if kind & WHITE_MASK:
        shifts.append(kind >> 24 & 0xFF)
    scale = (channel.brightness & 0xFF) + 1
    values = bytes(
        channel.gamma[((led >> shift & 0xFF) * scale) >> 8] for led in channel.leds or () for shift in shifts
    )
    cells = "".join(_CELLS[value] for value in values)
    if channel.invert:
        raise NotImplementedError("the simulated wire has no inverter; leave invert off")
    return int(cells, 2).to_bytes(len(cells) // 8, "big").ljust(buffer_bytes(channel.count, hz), b"\0")


_CELLS: Final = tuple(
    "".join("110" if value >> place & 1 else "100" for place in range(7, -1, -1)) for value in range(256)
)


def module(wire: Wire) -> ModuleType:
    """A module to stand in ``sys.modules["_rpi_ws281x"]``."""

    def alive(leds: Leds) -> Leds:
        if leds.deleted:
            raise WouldCrash("a strip was used after its memory was given back")
        return leds

    def begun(leds: Leds, act: str) -> Leds:
        if not alive(leds).begun:
            raise WouldCrash(f"{act} without a begin() that worked")
        return leds

    def pixels(channel: Channel) -> list[int]:
        if channel.leds is None:
            raise WouldCrash("a pixel was touched before begin()")
        return channel.leds

    def led_set(channel: Channel, number: int, colour: int) -> int:
        leds = pixels(channel)
        if not 0 <= number < len(leds):
            return -1
        leds[number] = colour & 0xFFFFFFFF
        return 0

    def led_get(channel: Channel, number: int) -> int:
        leds = pixels(channel)
        return leds[number] if 0 <= number < len(leds) else -1

    def gamma_set(channel: Channel, gamma: list[int]) -> None:
        if len(gamma) != 256:
            raise ValueError("Sequence size mismatch")
        channel.gamma = list(gamma)

    def delete(leds: Leds) -> None:
        alive(leds).deleted = True

    double = ModuleType("_rpi_ws281x")
    names = vars(double)
    names.update(
        new_ws2811_t=Leds,
        delete_ws2811_t=delete,
        ws2811_init=lambda leds: wire.begin(alive(leds)),
        ws2811_render=lambda leds: wire.render(begun(leds, "show()")),
        ws2811_wait=lambda leds: 0 if begun(leds, "wait") else -1,
        ws2811_fini=lambda leds: wire.end(begun(leds, "the end of the strip")),
        ws2811_channel_get=lambda leds, number: alive(leds).channels[number],
        ws2811_led_set=led_set,
        ws2811_led_get=led_get,
        ws2811_get_return_t_str=lambda code: RESULTS.get(code, ("", ""))[1],
        ws2811_channel_t_gamma_set=gamma_set,
        WS2811_TARGET_FREQ=800_000,
        SK6812_SHIFT_WMASK=WHITE_MASK,
    )
    for owner, kind, attributes in (
        ("ws2811_channel_t", Channel, ("count", "gpionum", "invert", "brightness", "strip_type", "gamma")),
        ("ws2811_t", Leds, ("freq", "dmanum")),
    ):
        for name in attributes:
            names[f"{owner}_{name}_get"] = lambda thing, name=name: getattr(thing, name)
            names.setdefault(f"{owner}_{name}_set", _setter(kind, name))
    names.update({f"WS2811_{name}": code for code, (name, _) in RESULTS.items()})
    shifts = {"R": 16, "G": 8, "B": 0}
    for order in permutations("RGB"):
        number = sum(shifts[colour] << 8 * (2 - place) for place, colour in enumerate(order))
        names["WS2811_STRIP_" + "".join(order)] = number
        names["SK6812_STRIP_" + "".join(order) + "W"] = number | 24 << 24
    names.update(
        WS2812_STRIP=names["WS2811_STRIP_GRB"],
        SK6812_STRIP=names["WS2811_STRIP_GRB"],
        SK6812W_STRIP=names["SK6812_STRIP_GRBW"],
    )
    return double


def _setter(kind: type, name: str) -> object:
    def set_it(thing: object, value: int) -> None:
        if not isinstance(thing, kind) or not isinstance(value, int):
            raise TypeError(f"in method '{name}', argument of the wrong type")
        setattr(thing, name, value)

    return set_it


_PYTHON_HALF: Final = ("rpi_ws281x", "rpi_ws281x.rpi_ws281x")


@contextmanager
def installed(wire: Wire | None) -> Iterator[None]:
    """While open, ``import rpi_ws281x`` runs its own Python half on that wire; with None it fails, as not installed.

    Both halves are as they were afterwards.
    """
    names = ("_rpi_ws281x", *_PYTHON_HALF)
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    if wire is None:
        # None in sys.modules makes an import fail; the type of the mapping does not know of it.
        sys.modules.update(dict.fromkeys(names))  # type: ignore[arg-type]
    else:
        sys.modules["_rpi_ws281x"] = module(wire)
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)
