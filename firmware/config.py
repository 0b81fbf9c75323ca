"""The configuration: where its file is sought, and how it is read.

The first of these that is given or there is used, alone: the file named on the command line, the one that
$MUGGINS_CONFIG names, /etc/muggins.toml, and muggins/muggins.toml in the user's configuration folder. Without any, the
defaults hold: simulated parts, or on a Raspberry Pi real ones.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from firmware.config_faults import ConfigError, ConfigUnreadable, Fault
from firmware.config_read import config_from
from firmware.config_values import Config, simulated_only
from firmware.config_write import to_plain, to_toml

__all__ = [
    "Config",
    "ConfigError",
    "ConfigUnreadable",
    "Fault",
    "config_from",
    "default_config",
    "find_config",
    "load_config",
    "on_a_pi",
    "parse_config",
    "simulated_only",
    "to_plain",
    "to_toml",
]

VARIABLE: Final = "MUGGINS_CONFIG"
LONGEST: Final = 1_000_000
"""A file of more bytes is no configuration."""

ROOT: Final = Path("/")


def load_config(file: Path | None = None, *, environ: Mapping[str, str] = os.environ, root: Path = ROOT) -> Config:
    """The configuration in force; ``root`` is where the system's files begin.

    Raises ConfigError with every fault of the file, ConfigUnreadable where a file that is named or there cannot be
    read.
    """
    defaults = default_config(root)
    path = find_config(file, environ=environ, root=root)
    if path is None:
        return defaults
    try:
        with path.open("rb") as stream:
            data = stream.read(LONGEST + 1)
    except OSError as error:
        raise ConfigUnreadable((Fault("", _cure(error)),), path) from error
    try:
        return replace(parse_config(data, defaults), file=path)
    except ConfigError as error:
        raise ConfigError(error.faults, path) from error.__cause__


def find_config(file: Path | None = None, *, environ: Mapping[str, str] = os.environ, root: Path = ROOT) -> Path | None:
    """The file to use, or None where none is named and none is there."""
    if file is not None:
        return file
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    places = [root / "etc" / "muggins.toml"]
    home = environ.get("XDG_CONFIG_HOME") or (f"{environ['HOME']}/.config" if environ.get("HOME") else "")
    if home:
        places.append(Path(home) / "muggins" / "muggins.toml")
    return next((place for place in places if _is_there(place)), None)


def parse_config(data: bytes, defaults: Config | None = None) -> Config:
    """The configuration that the bytes of a file describe. Raises ConfigError with every fault."""
    return config_from(_toml(data), Config() if defaults is None else defaults)


def default_config(root: Path = ROOT) -> Config:
    """What holds without a file: real parts on a Raspberry Pi, simulated ones elsewhere."""
    if on_a_pi(root):
        return Config(strip="spidev", screen="oled", keypad="gpio", buttons="gpio", buzzer="gpio")
    return Config()


def on_a_pi(root: Path = ROOT) -> bool:
    """Whether this machine says that it is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in (root / "proc" / "device-tree" / "model").read_bytes()
    except OSError:
        return False


def _is_there(path: Path) -> bool:
    """Whether the file is there, if only as something that cannot be looked at: reading it then says why."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _toml(data: bytes) -> dict[str, Any]:
    if len(data) > LONGEST:
        raise _fault("", f"more than {LONGEST} bytes: this is no configuration")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fault(
            f"line {line}", f"found the byte {data[error.start]:#04x}, expected UTF-8 text: save the file as UTF-8"
        ) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (line \d+, column \d+|end of document)\)", str(error), re.DOTALL)
        what, where = found.groups() if found else (str(error), "")
        if where == "end of document":
            lines = text.split("\n")
            where = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        raise _fault(where, f"this is no TOML: {what}") from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, brackets thousands deep
        raise _fault("", f"this is no TOML that can be read: {error}") from None


def _fault(path: str, message: str) -> ConfigError:
    return ConfigError((Fault(path, message),))


def _cure(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file: name one that is there, or none"
        case PermissionError():
            return "it may not be read: let this user read it (chmod a+r), or name another"
        case IsADirectoryError():
            return "it is a folder: name a file in it"
    return f"it cannot be read: {error.strerror or error}"
