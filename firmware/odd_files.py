"""What may lie in the state folder under a name of ours and is no plain file: a folder, a pipe, a device.

None of it may hold the board up: a pipe is never waited for, and what is in the way gets another name.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_odd(path: Path) -> bool:
    """Whether something lies there that is no plain file, nor a link to one."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def read_plain(path: Path, most: int) -> tuple[bytes, int]:
    """The bytes of a plain file, and its mode; a pipe or a device is not waited for.

    Raises OSError where there is none or it cannot be read, ValueError for what is no plain file, or longer than
    ``most``.
    """
    if is_odd(path):
        raise ValueError("no plain file")
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"longer than {most} bytes")
    return data, mode


def set_aside(path: Path) -> Path | None:
    """Give what lies there and is no plain file another name, and tell it; None where nothing is in the way.

    Raises OSError where the folder cannot be written.
    """
    if not is_odd(path):
        return None
    names = (path.with_name(f"{path.name}-odd{again or ''}") for again in range(10_000))
    aside = next(one for one in names if not os.path.lexists(one))
    path.rename(aside)
    return aside


def sync_folder(folder: Path) -> None:
    """Have the names themselves on the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
