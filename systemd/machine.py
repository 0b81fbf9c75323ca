"""The machine that is installed on: its files below a root, the programs run in it, and what is said to the person."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


class Stop(Exception):
    """Nothing goes on from here; the message says why, and what to do."""


class Machine:
    """The running machine, or a tree of one below ``root``, in which programs then run by chroot.

    ``yes`` answers every question with yes; without a terminal, and without it, the answer is no.
    """

    def __init__(self, root: Path = Path("/"), *, yes: bool = False) -> None:
        self.root = root.resolve()
        self.yes = yes

    @property
    def is_tree(self) -> bool:
        """Whether it is a tree, in which nothing runs."""
        return self.root != Path("/")

    @property
    def boots_systemd(self) -> bool:
        """Whether systemd runs it now."""
        return not self.is_tree and Path("/run/systemd/system").is_dir()

    @property
    def model(self) -> str:
        """What it says it is; empty where it does not."""
        return (self.read("proc/device-tree/model") or "").strip("\0 \n")

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi, or a tree of its system."""
        return "Raspberry Pi" in self.model or self.read("boot/firmware/config.txt") is not None

    def at(self, path: str) -> Path:
        """The place of ``etc/passwd`` and the like."""
        return self.root / path

    def has(self, path: str) -> bool:
        """Whether something is there, if only a link that leads nowhere from outside."""
        return os.path.lexists(self.at(path))

    def read(self, path: str) -> str | None:
        """A file's text; None where it is not there."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def texts(self, folder: str, ending: str) -> dict[str, str]:
        """The files of a folder that end so and can be read, by path: a link may lead nowhere, to switch a rule off."""
        names = sorted(path.name for path in self.at(folder).glob(f"*{ending}"))
        texts = {f"{folder}/{name}": self.read(f"{folder}/{name}") for name in names}
        return {path: text for path, text in texts.items() if text is not None}

    def write(self, path: str, text: str) -> bool:
        """Put a file there, whole or not at all; False where it is so already."""
        if self.read(path) == text:
            return False
        target = self.at(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.new")
        with fresh.open("w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.chmod(0o644)
        fresh.replace(target)
        return True

    def remove(self, path: str) -> bool:
        """Take a file or link away, and its folder if that is then empty; False where there was none."""
        target = self.at(path)
        if not os.path.lexists(target):
            return False
        target.unlink()
        if target.parent.name.endswith(".d") and not any(target.parent.iterdir()):
            target.parent.rmdir()
        return True

    def run(self, *words: str, log: str | None = None) -> int:
        """Run a program of the machine and give its exit status; what it says goes to the file ``log``, or nowhere."""
        line = ["chroot", str(self.root), *words] if self.is_tree else list(words)
        said = self.at(log).open("a", encoding="utf-8") if log else None
        try:
            done = subprocess.run(
                line, stdin=subprocess.DEVNULL, stdout=said or subprocess.DEVNULL, stderr=subprocess.STDOUT, cwd="/"
            )
        except OSError:
            return 127
        finally:
            if said:
                said.close()
        return done.returncode

    def names(self, path: str) -> set[str]:
        """The first fields of etc/passwd or etc/group."""
        return {line.partition(":")[0] for line in (self.read(path) or "").splitlines()}

    def say(self, line: str) -> None:
        """One plain line for each step."""
        print(line, flush=True)

    def asks(self, question: str) -> bool:
        """Whether the person says yes."""
        if self.yes:
            return True
        if not sys.stdin.isatty():
            return False
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
