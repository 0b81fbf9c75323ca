"""A USB numpad for a laptop: a node that gives the kernel's own ``struct input_event`` bytes, and evdev's class on it.

The node is a pipe with a name, beside it a link as the system makes under ``by-id``. ``installed(pad)`` puts a small
double in the place of the ``evdev`` package; ``underneath(pad)`` leaves the real package and answers only what it asks
the kernel by ioctl, so that its own class opens the node and its own compiled reader takes the bytes apart.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final, NamedTuple
from unittest import mock

from hardware.numpad import EV_KEY, EV_SYN, KEYS, SYN_DROPPED, SYN_REPORT, Numpad
from hardware.simulated.parts import INSTALLING

FORMAT: Final = "@llHHi"
"""``struct input_event``: seconds, microseconds, type, code, value."""
SIZE: Final = struct.calcsize(FORMAT)
NUMLOCK: Final = 69
EV_MSC, MSC_SCAN = 4, 4
NAME: Final = "usb-Simulated_Numpad-event-kbd"
_CODES: Final = {key: code for code, key in reversed(KEYS.items())}


class InputEvent(NamedTuple):
    """What evdev makes of the bytes of one event."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


class Pad:
    """One numpad in its socket. ``fault`` is the error number that opening its node meets, 0 for none."""

    def __init__(self, codes: Iterable[int] = (*KEYS, NUMLOCK), name: str = "Simulated Numpad") -> None:
        self._folder = TemporaryDirectory(prefix="muggins-numpad-", ignore_cleanup_errors=True)
        self.by_id: Final = Path(self._folder.name)
        self.node: Final = self.by_id / "event7"
        self.link: Final = self.by_id / NAME
        self.name = name
        self.codes = tuple(codes)
        self.fault = 0
        self.grabbed_by: object = None
        """Whoever has it for himself: an open file's number, or ``"another"`` program."""
        self.down: set[int] = set()
        self._plugged = False
        self._stale: set[int] = set()
        self._open: set[int] = set()
        self.put_back()

    def pull_out(self) -> None:
        """Unplug it: its node goes, and whoever has it open reads ENODEV from then on."""
        self._plugged = False
        self._stale |= self._open
        self._open.clear()
        self.grabbed_by = None
        self.down.clear()
        for path in (self.link, self.node):
            path.unlink(missing_ok=True)

    def put_back(self) -> None:
        """Plug it in: a new node under the old name."""
        if not self._plugged:
            self._plugged = True
            os.mkfifo(self.node)
            self.link.symlink_to(self.node.name)

    def press(self, key: str | int) -> None:
        """Put a finger on a key, by the board's name for it or by Linux's code."""
        code = _code(key)
        self.down.add(code)
        self.send((EV_MSC, MSC_SCAN, code), (EV_KEY, code, 1), (EV_SYN, SYN_REPORT, 0))

    def release(self, key: str | int) -> None:
        """Take the finger off."""
        code = _code(key)
        self.down.discard(code)
        self.send((EV_MSC, MSC_SCAN, code), (EV_KEY, code, 0), (EV_SYN, SYN_REPORT, 0))

    def repeat(self, key: str | int, times: int = 5) -> None:
        """What the kernel sends while a finger stays."""
        for _ in range(times):
            self.send((EV_KEY, _code(key), 2), (EV_SYN, SYN_REPORT, 1))

    def tap(self, *keys: str | int) -> None:
        """Press and let go, one key after the other."""
        for key in keys:
            self.press(key)
            self.release(key)

    def overrun(self) -> None:
        """The kernel's buffer ran over: it says so, and nothing of what was lost."""
        self.send((EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0))

    def send(self, *events: tuple[int, int, int]) -> None:
        """Put events (type, code, value) on the node, as bytes; lost where nobody has it open."""
        with suppress(OSError):
            pipe = os.open(self.node, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(pipe, b"".join(struct.pack(FORMAT, 0, 0, *event) for event in events))
            finally:
                os.close(pipe)

    def close(self) -> None:
        """Take it off the disk."""
        self._folder.cleanup()

    # What the kernel answers to whoever has the node open, by his file's number.
    def opened(self, handle: int) -> None:
        """Raises OSError as opening the node would."""
        if self.fault:
            raise _os_error(self.fault)
        self._stale.discard(handle)
        self._open.add(handle)

    def closed(self, handle: int) -> None:
        """The file was closed, and with it a grab ends."""
        self._open.discard(handle)
        self._stale.discard(handle)
        if self.grabbed_by == handle:
            self.grabbed_by = None

    def grab(self, handle: int, wanted: int) -> None:
        """EVIOCGRAB. Raises OSError EBUSY where another has it."""
        self.check(handle)
        if wanted and self.grabbed_by is not None and self.grabbed_by in (*self._open, "another"):
            raise _os_error(errno.EBUSY)
        self.grabbed_by = handle if wanted else None

    def check(self, handle: int) -> None:
        """Raises OSError ENODEV once the pad was unplugged."""
        if handle in self._stale:
            raise _os_error(errno.ENODEV)


class InputDevice:
    """What we use of evdev's class of that name, and no more; made by ``installed``, which says for which pad."""

    _pad: Pad

    def __init__(self, dev: str) -> None:
        self.path = dev
        self.fd = os.open(dev, os.O_RDWR | os.O_NONBLOCK)
        try:
            self._pad.opened(self.fd)
        except OSError:
            os.close(self.fd)
            raise
        self.name = self._pad.name

    def capabilities(self) -> dict[int, list[int]]:
        """Codes by type."""
        return {EV_KEY: list(self._pad.codes)}

    def grab(self) -> None:
        """Have it alone. Raises OSError EBUSY."""
        self._pad.grab(self.fd, 1)

    def active_keys(self) -> list[int]:
        """The codes of the keys that are down."""
        return sorted(self._pad.down)

    def read(self) -> Iterator[InputEvent]:
        """The next events. Raises BlockingIOError where there are none, OSError ENODEV once unplugged."""
        self._pad.check(self.fd)
        for event in struct.iter_unpack(FORMAT, os.read(self.fd, 64 * SIZE)):
            yield InputEvent(*event)

    def close(self) -> None:
        """Let it go; harmless twice."""
        if self.fd >= 0:
            self._pad.closed(self.fd)
            os.close(self.fd)
            self.fd = -1


def module(pad: Pad) -> ModuleType:
    """A module to stand in ``sys.modules["evdev"]``."""
    double = ModuleType("evdev")
    vars(double)["InputDevice"] = type("InputDevice", (InputDevice,), {"_pad": pad})
    return double


@contextmanager
def installed(pad: Pad | None) -> Iterator[None]:
    """While open, ``import evdev`` gives the double for that pad; with None it fails, as where it is not installed."""
    # None in sys.modules makes an import fail; the type of the mapping does not know of it.
    double: Any = None if pad is None else module(pad)
    before = sys.modules.get("evdev")
    sys.modules["evdev"] = double
    try:
        yield
    finally:
        if before is None:
            del sys.modules["evdev"]
        else:
            sys.modules["evdev"] = before


@contextmanager
def underneath(pad: Pad) -> Iterator[None]:
    """While open, the real ``evdev`` package meets that pad in the place of a kernel's input device."""
    from evdev import InputDevice

    _input = import_module("evdev._input")
    read, close = _input.device_read_many, InputDevice.close

    def info(handle: int) -> tuple[int, int, int, int, str, str, str]:
        pad.opened(handle)
        return (3, 0x04D9, 0x1203, 0x110, pad.name, "usb-simulated/input0", "")

    def read_many(handle: int) -> Any:
        pad.check(handle)
        return read(handle)

    def let_go(device: Any) -> None:
        if device.fd > -1:
            pad.closed(device.fd)
        close(device)

    answers = {
        "ioctl_devinfo": info,
        "ioctl_EVIOCGVERSION": lambda handle: 0x010001,
        "ioctl_capabilities": lambda handle: {EV_SYN: [0, 1], EV_KEY: list(pad.codes), EV_MSC: [MSC_SCAN]},
        "ioctl_EVIOCGEFFECTS": lambda handle: 0,
        "ioctl_EVIOCGRAB": pad.grab,
        "ioctl_EVIOCG_bits": lambda handle, kind: sorted(pad.down),
        "device_read_many": read_many,
    }
    with ExitStack() as stack:
        for name, answer in answers.items():
            stack.enter_context(mock.patch.object(_input, name, answer))
        stack.enter_context(mock.patch.object(InputDevice, "close", let_go))
        yield


class SimulatedNumpad(Numpad):
    """The real driver on a pad of its own; ``pad`` has fingers and faults."""

    def __init__(self) -> None:
        self.pad = Pad()
        super().__init__(by_id=self.pad.by_id)

    def _open(self) -> Any:
        with INSTALLING, installed(self.pad):
            return super()._open()

    def close(self) -> None:
        """Let it go and take it off the disk; harmless twice."""
        super().close()
        self.pad.close()


def _code(key: str | int) -> int:
    return key if isinstance(key, int) else _CODES[key]


def _os_error(code: int) -> OSError:
    return OSError(code, os.strerror(code))
