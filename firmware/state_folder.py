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


def fifo_folder(state: Path, environ: Mapping[str, str] = os.environ) -> str | None:
    """Where lgpio is to make its fifo and go, for ``LG_WD``; None where it was told, or no folder can be written.

    The service manager's runtime directory, else the user's, else the state folder.
    """
    if "LG_WD" in environ:
        return None
    named = (environ.get("RUNTIME_DIRECTORY", "").split(":")[0], environ.get("XDG_RUNTIME_DIR", ""), str(state))
    return next((one for one in named if one and os.path.isabs(one) and os.access(one, os.W_OK | os.X_OK)), None)
