"""Where the games are kept: a checkout's own ignored folder, the service's state directory, else the user's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import firmware


def state_folder(environ: Mapping[str, str] = os.environ, package: Path = Path(firmware.__file__).parent) -> Path:
    """The state folder in force; it is made when the journal is opened.

    A checkout (the package beside a ``pyproject.toml``) keeps its state in ``.muggins`` there; a service manager names
    ``STATE_DIRECTORY``; otherwise ``$XDG_STATE_HOME/muggins`` or ``~/.local/state/muggins``.
    """
    if "STATE_DIRECTORY" in environ:
        return Path(environ["STATE_DIRECTORY"].split(":")[0])
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file():
        return checkout / ".muggins"
    base = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME", "/tmp")) / ".local" / "state")
    return Path(base) / "muggins"
