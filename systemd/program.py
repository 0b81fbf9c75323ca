"""The program itself: an environment under /opt/muggins, on top of the system's own Python packages."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from machine import Machine, Stop

SOURCE = Path(__file__).resolve().parent.parent
PARTS = ("pyproject.toml", "README.md", "LICENSE", "engine", "hardware", "firmware")
"""What the program is built from."""
PREFIX = "opt/muggins"
MARK = f"{PREFIX}/installed"
LOG = f"{PREFIX}/install.log"
LINK = "usr/local/bin/muggins"
OUTSIDE = "/usr/bin/python3"
"""The system's Python: only that one sees the packages that apt installs."""

DRIVERS = (
    (
        "lgpio",
        "keypad, buttons and buzzer",
        "apt install python3-lgpio (Raspberry Pi OS has it)",
    ),
    ("spidev", "the strip", "apt install python3-spidev"),
    ("evdev", "a USB numpad", "apt install python3-evdev"),
)
"""Each with what it is used for, and the cure where it is not to be had."""
NEEDS_COMPILER = {"spidev", "evdev"}
ASK_VERSION = "import sys, ensurepip; sys.exit(0 if sys.version_info >= (3, 11) else 9)"


def check_python(machine: Machine) -> None:
    """Refuse, before anything is changed, a machine whose Python cannot do it."""
    status = machine.run(OUTSIDE, "-c", ASK_VERSION)
    if status == 9:
        raise Stop(f"Muggins needs Python 3.11 or newer, and {OUTSIDE} is older: use Debian 12 or newer.")
    if status == 1:
        raise Stop(f"{OUTSIDE} cannot make environments yet. Install what is missing: apt install python3-venv")
    if status:
        raise Stop(f"{OUTSIDE} is not there. Install it: apt install python3 python3-venv")


def put_program(machine: Machine) -> bool:
    """Make or renew the environment; False where this very program is in it already."""
    mark = _fingerprint(machine)
    works = machine.has(f"{PREFIX}/bin/muggins") and machine.run(f"/{PREFIX}/bin/muggins", "--version") == 0
    if works and machine.read(MARK) == mark:
        machine.say(f"The program: /{PREFIX} has it already, as it is here.")
        _drivers(machine)
        return False
    machine.at(PREFIX).mkdir(parents=True, exist_ok=True)
    machine.at(LOG).write_text("")
    if not works:
        machine.say(f"The program: making its environment in /{PREFIX}, on top of the system's Python packages.")
        if machine.run(OUTSIDE, "-m", "venv", "--clear", "--system-site-packages", f"/{PREFIX}", log=LOG):
            raise Stop(f"The environment could not be made; {machine.at(LOG)} says why.")
        machine.at(LOG).touch()
    machine.say("The program: installing it with what it needs (a minute or two, or ten on a small Pi).")
    with _staged(machine) as source:
        if _pip(machine, source):
            raise Stop(
                f"Not everything could be installed; {machine.at(LOG)} says why. Is this machine on the network? With "
                "32 bits there may be no ready-made pillow: apt install python3-pil. Then run it again."
            )
    _drivers(machine)
    machine.write(MARK, mark)
    return True


def put_link(machine: Machine) -> None:
    """Make the command known to every user, unless another program has that name."""
    target = machine.at(LINK)
    if target.is_symlink() and str(target.readlink()) == f"/{PREFIX}/bin/muggins":
        return
    if machine.has(LINK):
        machine.say(f"The command: /{LINK} is another program; ours is /{PREFIX}/bin/muggins.")
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(f"/{PREFIX}/bin/muggins")
    machine.say("The command: muggins, for every user.")


def take_program(machine: Machine) -> None:
    """Take the environment and the command away."""
    target = machine.at(LINK)
    if target.is_symlink() and str(target.readlink()) == f"/{PREFIX}/bin/muggins":
        target.unlink()
    if machine.has(PREFIX):
        shutil.rmtree(machine.at(PREFIX))
        machine.say(f"The program: /{PREFIX} is gone.")
    else:
        machine.say(f"The program: there was none in /{PREFIX}.")


def _drivers(machine: Machine) -> None:
    """Each driver by itself: one that is not to be had keeps nothing else away, and is tried again the next time."""
    for driver in DRIVERS:
        machine.say(_driver(machine, *driver))


def _driver(machine: Machine, name: str, used_for: str, cure: str) -> str:
    """See to one driver; the line to say of it."""
    python = f"/{PREFIX}/bin/python"
    find = f"import importlib.util as u, sys; sys.exit(u.find_spec({name!r}) is None)"
    if machine.run(python, "-c", find) == 0:
        return f"The driver {name}: there."
    built_here = name not in NEEDS_COMPILER or machine.has("usr/bin/gcc")
    wheels = () if name in NEEDS_COMPILER else ("--only-binary", ":all:")
    if built_here and _pip(machine, *wheels, name) == 0:
        return f"The driver {name}: installed."
    return f"The driver {name}: not to be had here, so without {used_for}. To have it: {cure}"


def _pip(machine: Machine, *words: str) -> int:
    line = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--no-cache-dir", *words)
    return machine.run(f"/{PREFIX}/bin/python", *line, log=LOG)


class _staged:
    """A copy of what the program is built from, inside the machine: nothing is written into the source folder."""

    def __init__(self, machine: Machine) -> None:
        machine.at("var/tmp").mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix="muggins-", dir=machine.at("var/tmp")))
        self._inside = f"/{self._folder.relative_to(machine.root)}"

    def __enter__(self) -> str:
        for part in PARTS:
            if (SOURCE / part).is_dir():
                shutil.copytree(SOURCE / part, self._folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(SOURCE / part, self._folder / part)
        return self._inside

    def __exit__(self, *exc_info: object) -> None:
        shutil.rmtree(self._folder)


def _fingerprint(machine: Machine) -> str:
    """What is installed: the program's files, and the Python that it is installed for."""
    found = hashlib.sha256()
    for part in PARTS:
        whole = SOURCE / part
        for path in sorted(whole.rglob("*")) if whole.is_dir() else [whole]:
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(SOURCE)}\0".encode() + path.read_bytes())
    python = machine.at(OUTSIDE[1:])
    return f"{found.hexdigest()} {python.readlink() if python.is_symlink() else ''}\n"
