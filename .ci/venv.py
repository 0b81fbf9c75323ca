"""Make or mend the project's own Python environment; the Makefile calls it, nobody else needs to.

    python3 .ci/venv.py VENV_FOLDER run|test|drivers|bench

``run`` is what the board needs, ``test`` adds the tools and the compiled drivers, ``drivers`` tries once more those
that could not be built, as soon as a compiler is there, ``bench`` adds to either what speed is measured against. What
cannot be built or had is told and left out: everything but the tests of that driver, or that comparison, runs without.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = "{}.{}".format(*sys.version_info[:2])
COMPILER = "gcc python3-dev linux-libc-dev"


def stop(message):
    """Say what is wrong and what to do, and end."""
    sys.exit("\n" + message + "\n")


def check_python():
    """Refuse a Python that is too old, or Debian's without venv."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it is for those who have an older one that this is said
        stop(
            f"Muggins needs Python 3.11 or newer; {sys.executable} is {VERSION}. "
            "Name a newer one, like: make run PYTHON=python3.12"
        )
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        stop("This Python cannot make environments yet. Install the package python3-venv (apt install python3-venv).")


def make(venv):
    """Make the environment, anew if the one there belongs to another Python or to a folder that has since moved."""
    python = venv / "bin" / "python"
    ask = "import sys; print('{}.{}'.format(*sys.version_info[:2]))"
    there = subprocess.run([str(python), "-c", ask], capture_output=True, text=True) if python.exists() else None
    same = there is not None and there.returncode == 0 and there.stdout.strip() == VERSION
    works = same and subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True).returncode == 0
    home = venv / "home"
    moved = home.exists() and home.read_text() != str(ROOT)
    if moved or not works:
        print(f"Making {venv.name} with Python {VERSION} ...", flush=True)
        if subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)]).returncode:
            stop(f"The environment could not be made in {venv}; the lines above say why.")
    home.write_text(str(ROOT))


def pip(venv, *words, **how):
    """Run pip in the environment, without questions."""
    line = [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", *words]
    return subprocess.run(line, cwd=ROOT, stdin=subprocess.DEVNULL, **how)


def install(venv, extras):
    """Install the project in place, with those extras."""
    print("Installing what Muggins needs (once; a minute or two) ...", flush=True)
    if pip(venv, "install", "--quiet", "--editable", f".[{extras}]" if extras else ".").returncode:
        stop("Not everything could be installed; pip says why above. Is this machine on the network? Then try again.")


def wanted(extra):
    """What an extra of pyproject.toml names."""
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]


def compared(venv):
    """Install what speed is measured against, if it can be had; the bench itself says what it leaves out."""
    if pip(venv, "install", "--quiet", *wanted("bench")).returncode:
        print("Could not install what the bench compares with; pip says why above. It goes on without.", flush=True)


def drivers(venv, extra):
    """Install each compiled driver by itself; note in ``unbuilt`` those that cannot be had."""
    unbuilt = []
    with (venv / "drivers.log").open("w") as log:
        for one in wanted(extra):
            if one.startswith("muggins["):
                continue
            if pip(venv, "install", "--quiet", one, stdout=log, stderr=subprocess.STDOUT).returncode:
                unbuilt.append(one.split(";")[0].strip())
    note = venv / "unbuilt"
    if unbuilt:
        note.write_text("\n".join(unbuilt) + "\n")
        print(f"Could not build {', '.join(unbuilt)}: left out. To have them: apt install {COMPILER}", flush=True)
    elif note.exists():
        note.unlink()


def can_build():
    """Whether a compiler, Python's headers and the kernel's are there."""
    headers = Path(sysconfig.get_path("include"), "Python.h"), Path("/usr/include/linux/spi/spidev.h")
    return shutil.which("gcc") is not None and all(header.exists() for header in headers)


def on_a_pi():
    """Whether this machine calls itself a Raspberry Pi."""
    model = Path("/proc/device-tree/model")
    return model.exists() and "Raspberry Pi" in model.read_text(errors="replace")


def main(folder, what):
    """Do one of the four jobs."""
    os.environ.pop("PYTHONPATH", None)
    venv = Path(folder).absolute()
    if what == "drivers":
        if can_build():
            drivers(venv, "drivers")
        return
    if what == "bench":
        compared(venv)
        return
    check_python()
    make(venv)
    install(venv, {"run": "", "test": "test"}[what])
    if what == "test":
        drivers(venv, "drivers")
    elif what == "run" and on_a_pi():
        drivers(venv, "pi")
        drivers(venv, "drivers")


if __name__ == "__main__":
    main(*sys.argv[1:])
