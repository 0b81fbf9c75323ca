"""What only the running machine can tell: whether its pins open, who uses one, whether its page answers."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from pathlib import Path
from typing import Final

LINE_INFO: Final = struct.Struct("=32s32sIIQ176x")
"""``struct gpio_v2_line_info``: name, consumer, offset, attributes, flags, and the rest (linux/gpio.h)."""
GET_LINE_INFO: Final = 3 << 30 | LINE_INFO.size << 16 | 0xB4 << 8 | 0x05
"""``GPIO_V2_GET_LINEINFO_IOCTL``, which reads and changes nothing."""
USED: Final = 1
ANSWER_S: Final = 2.0


def open_pins() -> str:
    """Open the Pi's pins, let them go again, and say which they are. Raises PartError with the cure."""
    from hardware.pin_factory import open_factory

    # lgpio may move the whole process to another folder.
    folder = os.getcwd()
    try:
        pins = open_factory()
        pins.close()
        return pins.line
    finally:
        os.chdir(folder)


def line_user(chip: Path, pin: int) -> str | None:
    """Who uses a pin of a gpiochip, as the kernel names it; None where nobody does. Raises OSError."""
    handle = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
    try:
        asked = bytearray(LINE_INFO.pack(b"", b"", pin, 0, 0))
        fcntl.ioctl(handle, GET_LINE_INFO, asked)
    finally:
        os.close(handle)
    _, consumer, _, _, flags = LINE_INFO.unpack(asked)
    return (consumer.rstrip(b"\0").decode("utf-8", "replace") or "somebody without a name") if flags & USED else None


def answers(address: str, port: int) -> bool:
    """Whether something listens at an address of this machine."""
    try:
        with socket.create_connection((address, port), timeout=ANSWER_S):
            return True
    except OSError:
        return False
