"""Whole simulated parts: the real driver, opened on its twin at the wire.

A double stands in the place of its vendor's module only while a driver is being opened, for the driver keeps what it
was given. So any number of simulated parts, and real ones beside them, live in one process.
"""

from __future__ import annotations

import threading
from typing import Final

from hardware.oled import Oled, OledSettings
from hardware.parts_spec import PartsSpec
from hardware.simulated import i2c, spidev
from hardware.simulated.i2c import SimulatedBus
from hardware.simulated.panel import Panel
from hardware.simulated.strip import WireStrip
from hardware.strip_spidev import SpidevStrip, read_bufsiz

INSTALLING: Final = threading.Lock()
"""Held while a double stands in for a module: a screen may be opened anew in its writer's thread, a part in another."""


class SimulatedOled(Oled):
    """The real screen driver on a bus of its own with one panel on it; ``bus`` has the switches for faults."""

    def __init__(self, settings: OledSettings, seed: int = 0) -> None:
        super().__init__(settings)
        self.panel = Panel(settings.chip, seed)
        self.bus = SimulatedBus({self.address: self.panel}, settings.port)

    def open(self) -> None:
        """As ``Oled.open``, on the simulated bus."""
        if self._driver is None:
            with INSTALLING, i2c.installed(self.bus):
                super().open()


class SimulatedStrip:
    """The real SPI driver on a wire with lights at its end: ``wire`` has what they show, ``bus`` the faults."""

    def __init__(self, spec: PartsSpec) -> None:
        """Raises FrameTooLong, as the real strip would on this machine."""
        layout = spec.layout
        self.wire = WireStrip(layout.pixels, order=layout.colour_order, skip_first=layout.skip_first)
        self.bus = spidev.Bus(self.wire, bus=spec.spi_bus, device=spec.spi_device, bufsiz=read_bufsiz())
        with INSTALLING, spidev.installed(self.bus):
            self.driver = open_spidev(spec)


def open_spidev(spec: PartsSpec) -> SpidevStrip:
    """The strip of a board over SPI. Raises what ``SpidevStrip.open`` raises."""
    return SpidevStrip.open(
        spec.layout.pixels,
        order=spec.layout.colour_order,
        skip_first=spec.layout.skip_first,
        bits=spec.spi_bits,
        bus=spec.spi_bus,
        device=spec.spi_device,
    )
