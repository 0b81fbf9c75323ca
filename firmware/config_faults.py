"""What can be wrong with a configuration; every fault is told at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.complaints import FORBIDDEN, MALFORMED


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: ``path`` is the key (``strip.max_ma``) or the place in the file (``line 3, column 7``)."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class ConfigError(ValueError):
    """A configuration that cannot be used; ``faults`` has every fault, ``file`` where they are, if in a file."""

    exit_code: int = MALFORMED

    def __init__(self, faults: tuple[Fault, ...], file: Path | None = None) -> None:
        where = "the configuration" if file is None else str(file)
        many = "" if len(faults) == 1 else f"{len(faults)} faults, nothing of it is used"
        lines = [f"{where}: {many or faults[0]}"]
        super().__init__("\n".join(lines if not many else [*lines, *(f"  {fault}" for fault in faults)]))
        self.faults: Final = faults
        self.file: Final = file


class ConfigUnreadable(ConfigError):
    """The file cannot be read at all."""

    exit_code = FORBIDDEN
