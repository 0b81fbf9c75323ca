"""An I2C bus for a laptop: stands in for ``smbus2.SMBus``, hands each transaction to the panel at its address.

``installed(bus)`` puts it in the place of ``smbus2.SMBus``, so that the real drivers run unchanged, on the same calls
as on a Pi. Faults are switches on the bus; each raises the error number a Pi gives.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any, Final, Protocol
from unittest import mock


class Device(Protocol):
    """Something on the bus."""

    def write(self, payload: bytes) -> None:
        """Take the bytes of one transaction, without the address."""
        ...

    def power_on(self) -> None:
        """Start as after a reset."""
        ...

    def power_off(self) -> None:
        """Lose the power."""
        ...


class Fault(Enum):
    """What can be wrong with the whole bus."""

    NO_BUS = "there is no such device node"
    PERMISSION = "the user may not open the node"
    BUSY = "a driver of the system holds the address"
    TIMED_OUT = "a line is held low"


_LONGEST_BLOCK: Final = 32


class SimulatedBus:
    """One bus with its devices by address. ``fault`` is a switch; ``open_handles`` counts what was not closed."""

    def __init__(self, devices: Mapping[int, Device], port: int = 1) -> None:
        self.devices: Final = dict(devices)
        self.port: Final = port
        self.fault: Fault | None = None
        self.open_handles = 0
        self._absent: set[int] = set()
        self._budget: int | None = None
        self._cut: tuple[int, bool] = (errno.EREMOTEIO, False)

    def pull_out(self, address: int | None = None) -> None:
        """Unplug a device, or all of them: it is dark, and nothing answers at its address."""
        for at in self.devices if address is None else [address]:
            self._absent.add(at)
            self.devices[at].power_off()

    def put_back(self, address: int | None = None) -> None:
        """Plug in what was pulled out: it starts with noise in its memory, switched off."""
        for at in [*self._absent] if address is None else [address]:
            self._absent.discard(at)
            self.devices[at].power_on()

    def cut_after(self, count: int, code: int = errno.EREMOTEIO, pulled: bool = True) -> None:
        """Break off once, after ``count`` more bytes on the wire, address bytes included.

        The bytes before arrive. Then the transaction fails with ``code``, and unless ``pulled`` is False the device is
        unplugged.
        """
        self._budget, self._cut = count, (code, pulled)

    def transfer(self, address: int, payload: bytes) -> None:
        """One write transaction. Raises OSError as the system would."""
        self._ready(address)
        if self._budget is not None and self._budget < 1 + len(payload):
            arrived, self._budget = self._budget, None
            code, pulled = self._cut
            if arrived > 1:
                self.devices[address].write(payload[: arrived - 1])
            if pulled:
                self.pull_out(address)
            raise _error(code)
        if self._budget is not None:
            self._budget -= 1 + len(payload)
        self.devices[address].write(payload)

    def ping(self, address: int) -> None:
        """Address a device and write nothing. Raises OSError as the system would."""
        self._ready(address)

    def open(self, port: int | str) -> SimulatedSMBus:
        """What ``smbus2.SMBus(port)`` gives. Raises OSError as the system would."""
        node = f"/dev/i2c-{port}" if isinstance(port, int) else port
        if self.fault is Fault.PERMISSION:
            raise _error(errno.EACCES, node)
        if self.fault is Fault.NO_BUS or node != f"/dev/i2c-{self.port}":
            raise _error(errno.ENOENT, node)
        self.open_handles += 1
        return SimulatedSMBus(self)

    def _ready(self, address: int) -> None:
        if self.fault is Fault.TIMED_OUT:
            raise _error(errno.ETIMEDOUT)
        if address not in self.devices or address in self._absent:
            raise _error(errno.EREMOTEIO)


class SimulatedSMBus:
    """An open handle with the calls of ``smbus2.SMBus`` that a panel's driver makes."""

    def __init__(self, bus: SimulatedBus) -> None:
        self._bus: SimulatedBus | None = bus

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int], force: bool | None = None) -> None:
        """Write a register number and up to 32 bytes. Raises ValueError beyond them."""
        if len(data) > _LONGEST_BLOCK:
            raise ValueError(f"Data length cannot exceed {_LONGEST_BLOCK} bytes")
        self._claimed(force).transfer(i2c_addr, bytes([register, *data]))

    def write_byte_data(self, i2c_addr: int, register: int, value: int, force: bool | None = None) -> None:
        """Write a register number and one byte."""
        self._claimed(force).transfer(i2c_addr, bytes([register, value]))

    def write_byte(self, i2c_addr: int, value: int, force: bool | None = None) -> None:
        """Write one byte."""
        self._claimed(force).transfer(i2c_addr, bytes([value]))

    def write_quick(self, i2c_addr: int, force: bool | None = None) -> None:
        """Write nothing: succeeds where something answers."""
        self._claimed(force).ping(i2c_addr)

    def read_byte(self, i2c_addr: int, force: bool | None = None) -> int:
        """Read one byte: a panel on I2C gives its status, of which nothing is modelled."""
        self._claimed(force).ping(i2c_addr)
        return 0

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Send real ``smbus2.i2c_msg`` writes of any length; these pass even where the system holds the address."""
        bus = self._open()
        for message in i2c_msgs:
            if message.flags & 1:
                raise _error(errno.EOPNOTSUPP)
            bus.transfer(message.addr, bytes(message))

    def close(self) -> None:
        """Let the bus go; harmless twice."""
        if self._bus is not None:
            self._bus.open_handles -= 1
            self._bus = None

    def __enter__(self) -> SimulatedSMBus:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _open(self) -> SimulatedBus:
        if self._bus is None:
            raise TypeError("argument must be an int, or have a fileno() method.")
        return self._bus

    def _claimed(self, force: bool | None) -> SimulatedBus:
        bus = self._open()
        if bus.fault is Fault.BUSY and not force:
            raise _error(errno.EBUSY)
        return bus


@contextmanager
def installed(bus: SimulatedBus) -> Iterator[SimulatedBus]:
    """Put the bus in the place of ``smbus2.SMBus`` for a while."""
    import smbus2

    simulated = bus

    def smbus(bus: int | str, force: bool = False) -> SimulatedSMBus:
        return simulated.open(bus)

    with mock.patch.object(smbus2, "SMBus", smbus):
        yield simulated


def _error(code: int, node: str | None = None) -> OSError:
    """The exception Python makes of an error number: PermissionError, FileNotFoundError, TimeoutError and so on."""
    return OSError(code, os.strerror(code), node) if node else OSError(code, os.strerror(code))
