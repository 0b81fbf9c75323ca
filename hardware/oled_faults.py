"""What goes wrong on an I2C bus, said to the person at the table: what happened, where, and the cure."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from enum import Enum
from typing import Final

from hardware.errors import PartFailed, PartMissing, foreign

ADDRESSES: Final = (0x3C, 0x3D)
"""Where such panels live; a solder bridge on the back chooses."""


class Answer(Enum):
    """How an address on the bus answered."""

    PRESENT = "present"
    ABSENT = "absent"
    NO_BUS = "no bus"
    OWNED = "owned"
    FORBIDDEN = "forbidden"
    STUCK = "stuck"
    FAILED = "failed"


_ANSWERS: Final = {
    errno.ENXIO: Answer.ABSENT,
    errno.EREMOTEIO: Answer.ABSENT,
    errno.ENODEV: Answer.ABSENT,
    errno.ENOENT: Answer.NO_BUS,
    errno.EBUSY: Answer.OWNED,
    errno.EACCES: Answer.FORBIDDEN,
    errno.EPERM: Answer.FORBIDDEN,
    errno.ETIMEDOUT: Answer.STUCK,
}

_WORDS: Final = {
    Answer.ABSENT: "no screen answers at {address:#04x} on I2C bus {port}; check its wires (power, ground, SDA, SCL)"
    " and that it is plugged in",
    Answer.NO_BUS: "there is no I2C bus {port} (/dev/i2c-{port}); put dtparam=i2c_arm=on into /boot/firmware/config.txt"
    " and restart the Pi",
    Answer.OWNED: "the screen at {address:#04x} on I2C bus {port} is held by a driver of the system; take its dtoverlay"
    " line (ssd1306 or sh1106) out of /boot/firmware/config.txt and restart the Pi",
    Answer.FORBIDDEN: "this user may not use I2C bus {port}; add it to the group i2c (sudo usermod -aG i2c NAME), then"
    " log in again or restart the service",
    Answer.STUCK: "I2C bus {port} is stuck: the screen at {address:#04x} was not reached in time; unplug the screen and"
    " plug it in again, then look for a short between SDA, SCL and ground",
    Answer.FAILED: "the screen at {address:#04x} on I2C bus {port} failed ({reason}); check its wires, keep them short,"
    " then unplug it and plug it in again",
}


def answer(error: BaseException) -> Answer:
    """Which answer an exception of the bus stands for."""
    code = _code(error)
    return Answer.FAILED if code is None else _ANSWERS.get(code, Answer.FAILED)


def words(error: BaseException, port: int, address: int, elsewhere: Iterable[int] = ()) -> str:
    """The fault in one line with its cure; ``elsewhere`` are other addresses at which something answers."""
    kind = answer(error)
    line = _WORDS[kind].format(port=port, address=address, reason=foreign(error))
    found = ", ".join(f"{other:#04x}" for other in elsewhere)
    return f"{line}; something answers at {found}: set the screen's address to that" if found else line


def at_open(error: BaseException, port: int, address: int, elsewhere: Iterable[int] = ()) -> PartMissing | PartFailed:
    """The error to raise where a screen could not be opened: missing if nothing is there, failed if it is but may not
    or will not answer."""
    line = words(error, port, address, elsewhere)
    if answer(error) in (Answer.ABSENT, Answer.NO_BUS):
        return PartMissing(line)
    return _failed(error, line)


def in_use(error: BaseException, port: int, address: int) -> PartFailed:
    """The error to raise where a screen that was there stopped answering."""
    return _failed(error, words(error, port, address))


def probe(port: int = 1, addresses: Iterable[int] = ADDRESSES) -> dict[int, Answer]:
    """Ask each address whether something is there, without writing to it. Never raises for a fault of the bus."""
    import smbus2

    try:
        bus = smbus2.SMBus(port)
    except OSError as error:
        return dict.fromkeys(addresses, answer(error))
    answers: dict[int, Answer] = {}
    try:
        for address in addresses:
            try:
                bus.write_quick(address)
            except OSError as error:
                answers[address] = answer(error)
            else:
                answers[address] = Answer.PRESENT
    finally:
        bus.close()
    return answers


def _failed(error: BaseException, line: str) -> PartFailed:
    failed = PartFailed(line)
    failed.errno = _code(error)
    return failed


def _code(error: BaseException | None) -> int | None:
    """The system's error number; luma hides it behind an error of its own, raised in its place."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__ or error.__context__
    return None
