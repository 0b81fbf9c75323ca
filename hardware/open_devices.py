"""From a frozen spec to opened ports: each part by itself, so that one that is missing keeps no other from opening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hardware.buttons import SeatButtons
from hardware.buzzer import PwmBuzzer
from hardware.current import LimitedStrip
from hardware.errors import PartError, PartFailed, foreign
from hardware.keypad import Keypad
from hardware.lanes import Layout
from hardware.numpad import Numpad
from hardware.oled import Oled, open_oled
from hardware.parts_spec import PartName, PartsSpec
from hardware.pin_factory import OpenFactory, open_factory
from hardware.ports import Buzzer, KeyEvent, Keys, Screen, Speaker, Strip
from hardware.simulated import spidev
from hardware.simulated.i2c import SimulatedBus
from hardware.simulated.matrix import SimulatedBuzzer, SimulatedKeys
from hardware.simulated.numpad import Pad, SimulatedNumpad
from hardware.simulated.panel import Panel
from hardware.simulated.parts import SimulatedOled, SimulatedStrip, open_spidev
from hardware.simulated.speaker import SimulatedSpeaker, SoundCard
from hardware.simulated.strip import WireStrip
from hardware.speaker import EspeakSpeaker
from hardware.strip_ws281x import SPI_PIN, Ws281xStrip

RETRY_S: Final = 5.0
"""How long a missing part is left alone between two attempts."""

NAMES: Final[tuple[PartName, ...]] = ("strip", "screen", "keypad", "buttons", "numpad", "buzzer", "speaker")


@dataclass(frozen=True, slots=True)
class PartStatus:
    """How one part is: ``say`` is one line for the person, with the cure where it is missing."""

    name: PartName
    state: Literal["ok", "simulated", "missing", "off"]
    say: str


@dataclass(frozen=True, slots=True)
class Twins:
    """The simulated ends of the wires, for looking at and for making faults; None where the part is not simulated."""

    panel: Panel | None = None
    i2c: SimulatedBus | None = None
    wire: WireStrip | None = None
    spi: spidev.Bus | None = None
    keys: SimulatedKeys | None = None
    pad: Pad | None = None
    buzzer: SimulatedBuzzer | None = None
    card: SoundCard | None = None


class JoinedKeys:
    """Keypad, buttons and numpad as one. What one of them cannot do keeps no key of the others back."""

    def __init__(self, parts: Mapping[PartName, Any]) -> None:
        self._parts: Final = dict(parts)
        self.failed: dict[PartName, str] = {}
        """The parts that could not be read in the last poll, and why."""

    @property
    def names(self) -> tuple[PartName, ...]:
        """Which parts are read."""
        return tuple(self._parts)

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        """Poll every part at ``now`` (seconds); ``failed`` names those that could not be read. Raises nothing."""
        events: list[KeyEvent] = []
        for name, part in self._parts.items():
            try:
                events += part.poll(now)
            except PartFailed as error:
                self.failed[name] = str(error)
            else:
                self.failed.pop(name, None)
        return tuple(events)

    def faults(self) -> dict[PartName, str]:
        """What is wrong just now with parts that can be read (a stuck key, say), in plain words."""
        told = {name: " ".join(part.faults()) for name, part in self._parts.items()}
        return {name: words for name, words in told.items() if words}

    def close(self) -> None:
        """Let all of them go; harmless twice."""
        for part in self._parts.values():
            part.close()


class _OnCircuit:
    """One of the simulated key parts: the fingers move before it is read."""

    def __init__(self, twin: SimulatedKeys, part: Any) -> None:
        self._twin, self._part = twin, part
        self.faults, self.close = part.faults, twin.close

    def poll(self, now: float) -> tuple[KeyEvent, ...]:
        self._twin.circuit.advance(now)
        events: tuple[KeyEvent, ...] = self._part.poll(now)
        return events


class Devices:
    """The opened parts of one board, made by ``open_devices``; a part that is missing or off is None.

    ``strip`` is already held to its current limit. ``keys`` is the keypad, the buttons and the numpad, as far as
    they are there. After ``retry`` has named a part, take its port from here again; it may run in another thread.
    """

    def __init__(self, spec: PartsSpec, clock: Callable[[], float] | None = None, retry_s: float = RETRY_S) -> None:
        self.spec: Final = spec
        self.strip: Strip | None = None
        self.screen: Screen | None = None
        self.keys: JoinedKeys | None = None
        self.buzzer: Buzzer | None = None
        self.speaker: Speaker | None = None
        self._clock = clock
        self._retry_s = retry_s
        self._pins: OpenFactory | None = None
        self._twins: dict[str, Any] = {}
        self._status: dict[PartName, PartStatus] = {}
        self._open: dict[str, Any] = {}
        self._due: float | None = None
        self._closed = False
        self._open_all()

    @property
    def layout(self) -> Layout:
        """Which light is which hole."""
        return self.spec.layout

    @property
    def twins(self) -> Twins:
        """The simulated ends of the wires."""
        return Twins(**self._twins)

    def status(self) -> tuple[PartStatus, ...]:
        """How each part was when last opened or tried, in the order of NAMES."""
        return tuple(self._status[name] for name in NAMES)

    def retry(self, now: float) -> tuple[PartName, ...]:
        """Try missing parts again at ``now`` (seconds), at most every ``retry_s``; names those that are there now."""
        missing = [one.name for one in self.status() if one.state == "missing"]
        if self._closed or not missing:
            return ()
        if self._due is None or now < self._due:
            self._due = now + self._retry_s if self._due is None else self._due
            return ()
        self._due = now + self._retry_s
        self._open_all()
        return tuple(name for name in missing if self._status[name].state != "missing")

    def give_up(self, name: PartName, why: str) -> bool:
        """Close a part that has failed and does not come back by itself, so that ``retry`` opens it anew.

        Says whether it did: the SPI strip, the panel, the numpad and everything simulated open themselves anew.
        """
        if name not in self._open or getattr(self.spec, name) not in ("ws281x", "gpio", "espeak"):
            return False
        part = self._open.pop(name)
        self._status[name] = PartStatus(name, "missing", why)
        if name == "strip":
            self.strip = None
        elif name == "buzzer":
            self.buzzer = None
        elif name == "speaker":
            self.speaker = None
        else:
            self._join_keys()
        with suppress(PartError, OSError):
            part.close()
        return True

    def close(self, *, leave_lights: bool = False) -> None:
        """Close every part: panel dark, lights dark unless they are to stay, pins let go; harmless twice."""
        self._closed = True
        if leave_lights:
            # Closing a strip blanks it; the device is let go with the process.
            self._open.pop("strip", None)
        while self._open:
            _, part = self._open.popitem()
            # One that cannot even be closed must not keep the others open.
            with suppress(PartError, OSError):
                part.close()
        pins, self._pins = self._pins, None
        if pins is not None:
            pins.close()
        self.strip = self.screen = self.keys = self.buzzer = self.speaker = None

    def __enter__(self) -> Devices:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _open_all(self) -> None:
        self._try("strip", self.spec.strip, self._open_strip)
        self._try("screen", self.spec.screen, self._open_screen)
        self._open_keys()
        buzzer = self.spec.buzzer if self.spec.wiring.buzzer is not None else "none"
        self._try("buzzer", buzzer, self._open_buzzer)
        self._try("speaker", self.spec.speaker, self._open_speaker)

    def _try(self, name: PartName, kind: str, opening: Callable[[], str]) -> None:
        """Open a part unless it is open; what it says of itself, or why it cannot be, becomes its status."""
        if name in self._status and self._status[name].state != "missing":
            return
        if kind == "none":
            self._status[name] = PartStatus(name, "off", f"The {name}: not fitted.")
            return
        try:
            said = opening()
        except PartError as error:
            self._status[name] = PartStatus(name, "missing", str(error))
        except Exception as error:  # a vendor's library may raise anything, and the game goes on without its part
            self._status[name] = PartStatus(
                name,
                "missing",
                f"The {name} cannot be opened: {foreign(repr(error))}. Look at its wiring and its driver.",
            )
        else:
            simulated = kind == "simulated"
            words = f"simulated, {said}" if simulated else said
            self._status[name] = PartStatus(name, "simulated" if simulated else "ok", f"The {name}: {words}.")

    def _open_strip(self) -> str:
        spec, layout = self.spec, self.spec.layout
        strip: Strip
        where = f"/dev/spidev{spec.spi_bus}.{spec.spi_device}"
        if spec.strip == "simulated":
            simulated = SimulatedStrip(spec)
            self._twins |= {"wire": simulated.wire, "spi": simulated.bus}
            strip, where = simulated.driver, "the SPI driver"
        elif spec.strip == "spidev":
            strip = open_spidev(spec)
        else:
            pin = SPI_PIN if spec.wiring.strip is None else spec.wiring.strip
            strip = Ws281xStrip.open(layout.pixels, order=layout.colour_order, skip_first=layout.skip_first, pin=pin)
            where = f"rpi-ws281x and GPIO{pin}"
        self._open["strip"] = strip
        self.strip = LimitedStrip(strip, spec.max_ma, dark_pixels=layout.skip_first)
        return f"{layout.wire_pixels} lights by {where}, at most {spec.max_ma} mA"

    def _open_screen(self) -> str:
        if self.spec.screen == "simulated":
            simulated = SimulatedOled(self.spec.oled)
            simulated.open()
            self._twins |= {"panel": simulated.panel, "i2c": simulated.bus}
            oled: Oled = simulated
        else:
            oled = open_oled(self.spec.real_oled())
        self.screen = self._open["screen"] = oled
        return f"{oled.settings.chip} at {oled.address:#04x} on I2C bus {oled.settings.port}"

    def _open_keys(self) -> None:
        """Keypad and buttons; where both are simulated they are soldered into one circuit."""
        spec, wiring = self.spec, self.spec.wiring
        kinds = {"keypad": spec.keypad if wiring.rows else "none", "buttons": spec.buttons if wiring.seats else "none"}
        times = {"debounce_ms": spec.debounce_ms, "hold_ms": spec.hold_ms}
        simulated = {name: kind == "simulated" for name, kind in kinds.items()}
        if any(simulated.values()) and "keys" not in self._twins:
            twin = SimulatedKeys(spec.keys_wiring(**simulated), **times)
            self._twins["keys"] = self._open["simulated keys"] = twin

        def keypad() -> str:
            if not simulated["keypad"]:
                self._open["keypad"] = Keypad(self._factory(), spec.keys_wiring(True, False), **times)
            return f"{len(wiring.rows)} rows of {len(wiring.columns)} keys"

        def buttons() -> str:
            if not simulated["buttons"]:
                self._open["buttons"] = SeatButtons(self._factory(), wiring.seats, **times)
            return f"for {len(wiring.seats)} seats"

        self._try("keypad", kinds["keypad"], keypad)
        self._try("buttons", kinds["buttons"], buttons)
        self._try("numpad", spec.numpad, self._open_numpad)
        self._join_keys()

    def _join_keys(self) -> None:
        """What there is to press, as one port; the very same while nothing has changed."""
        parts: dict[PartName, Keys] = {}
        twin: SimulatedKeys | None = self._twins.get("keys")
        if twin is not None and self.spec.keypad == "simulated" and twin.keypad is not None:
            parts["keypad"] = _OnCircuit(twin, twin.keypad)
        if twin is not None and self.spec.buttons == "simulated" and twin.wiring.seats:
            parts["buttons"] = _OnCircuit(twin, twin.buttons)
        for name in NAMES:
            if name in ("keypad", "buttons", "numpad") and name in self._open:
                parts[name] = self._open[name]
        if self.keys is None or set(self.keys.names) != set(parts):
            self.keys = JoinedKeys(parts) if parts else None

    def _open_numpad(self) -> str:
        if self.spec.numpad == "simulated":
            twin = SimulatedNumpad()
            self._twins["pad"], self._open["numpad"] = twin.pad, twin
            return "enters what the keypad enters"
        device = self.spec.numpad_device
        numpad = self._open["numpad"] = Numpad(None if device is None else Path(device))
        return f"{numpad.name}, on USB"

    def _open_buzzer(self) -> str:
        pin = self.spec.wiring.buzzer
        assert pin is not None
        if self.spec.buzzer == "simulated":
            twin = SimulatedBuzzer(pin, self._clock)
            self._twins["buzzer"] = self.buzzer = self._open["buzzer"] = twin
        else:
            self.buzzer = self._open["buzzer"] = PwmBuzzer(self._factory(), pin)
        return f"on GPIO{pin}"

    def _open_speaker(self) -> str:
        """One that was missing is tried out first; at the start nothing is, for the board may never have to speak."""
        if self.spec.speaker == "simulated":
            twin = SimulatedSpeaker(self._clock)
            self._twins["card"] = twin.card
            self.speaker = self._open["speaker"] = twin
            return "espeak-ng on a sound card"
        speaker = EspeakSpeaker()
        if "speaker" in self._status:
            speaker.try_out()
        self.speaker = self._open["speaker"] = speaker
        return "espeak-ng, when there is something to say"

    def _factory(self) -> Any:
        """The real pins, opened when the first part wants one. Raises PartMissing."""
        if self._pins is None:
            self._pins = open_factory()
        return self._pins.factory


def open_devices(spec: PartsSpec, *, clock: Callable[[], float] | None = None, retry_s: float = RETRY_S) -> Devices:
    """Open every part of a board; one that cannot be opened is None and ``status`` says why, with the cure.

    ``clock`` gives the seconds at which a simulated buzzer or speaker is heard, ``retry_s`` how long a missing part is
    left alone between two attempts. Raises nothing for a part.

    >>> with open_devices(PartsSpec(screen="none")) as devices:
    ...     devices.strip.pixels, devices.screen, devices.status()[0].state
    (242, None, 'simulated')
    """
    return Devices(spec, clock, retry_s)
