"""The installer's modules, which belong to no package, and machines to install on."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module systemd/install.py."""
    monkeypatch.syspath_prepend(str(ROOT / "systemd"))
    import install

    return install


class Tree:
    """A made tree of a machine, in which programs only seem to run: their doings are kept in ``ran``.

    ``groupadd``, ``useradd`` and ``usermod`` write the two files that they would; ``venv`` and ``pip`` make what the
    installer looks for. ``drivers`` are the Python packages that are there, ``fails`` the programs that fail.
    """

    def __init__(self, installer: ModuleType, root: Path) -> None:
        self.install = installer
        self.root = root
        self.ran: list[str] = []
        self.said: list[str] = []
        self.answer: bool | None = None
        self.asked: list[str] = []
        self.drivers = {"lgpio", "spidev", "evdev"}
        self.fails: dict[str, int] = {}
        self.systemd = False
        self.put("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
        self.put("etc/group", "root:x:0:\ninput:x:101:\n")
        self.put("usr/sbin/useradd", "")

    def put(self, path: str, text: str) -> None:
        """Put a file there."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def text(self, path: str) -> str:
        """A file's text."""
        return (self.root / path).read_text()

    def has(self, path: str) -> bool:
        """Whether a file or a link is there."""
        return (self.root / path).is_symlink() or (self.root / path).exists()

    def files(self) -> dict[str, str]:
        """Every file and link with what it holds, but pip's log."""
        return {
            str(path.relative_to(self.root)): str(path.readlink()) if path.is_symlink() else path.read_text()
            for path in sorted(self.root.rglob("*"))
            if (path.is_symlink() or path.is_file()) and path.suffix != ".log"
        }

    @property
    def words(self) -> str:
        """All that was said by the last run."""
        return "\n".join(self.said)

    def __call__(self, *, uninstall: bool = False) -> str:
        """Install, or uninstall; gives all that was said. Raises the installer's Stop."""
        self.ran.clear()
        self.said.clear()
        machine = self._machine()
        (self.install.uninstall if uninstall else self.install.install)(machine)
        return self.words

    def _machine(self) -> Any:
        tree = self

        class Made(self.install.Machine):  # type: ignore[name-defined,misc]
            boots_systemd = property(lambda _: tree.systemd)

            def run(self, *words: str, log: str | None = None) -> int:
                return tree.run(*words)

            def say(self, line: str) -> None:
                tree.said.append(line)

            def asks(self, question: str) -> bool:
                tree.asked.append(question)
                return bool(super().asks(question) if tree.answer is None else tree.answer)

        return Made(self.root)

    def run(self, *words: str) -> int:
        """Seem to run a program."""
        line = " ".join(words)
        self.ran.append(line)
        for start, status in self.fails.items():
            if start in line:
                return status
        if words[0] in ("groupadd", "useradd"):
            self.put("etc/group", f"{self.text('etc/group')}{words[-1]}:x:900:\n")
        if words[0] == "useradd":
            self.put("etc/passwd", f"{self.text('etc/passwd')}{words[-1]}:x:900:900::/var/lib/muggins:/nologin\n")
        if words[0] in ("useradd", "usermod"):
            joined = words[words.index("--groups") + 1].split(",")
            rows = [row.split(":") for row in self.text("etc/group").splitlines()]
            for row in rows:
                if row[0] in joined:
                    row[3] = ",".join(filter(None, [row[3], words[-1]]))
            self.put("etc/group", "".join(f"{':'.join(row)}\n" for row in rows))
        if "venv" in words:
            self.put("opt/muggins/bin/python", "")
        if "pip" in words and not words[-1].startswith("/"):
            self.drivers.add(words[-1])
        elif "pip" in words:
            self.put("opt/muggins/bin/muggins", (self.root / words[-1][1:] / "pyproject.toml").read_text())
        if "find_spec" in line:
            return 0 if any(repr(name) in line for name in self.drivers) else 1
        return 0


@pytest.fixture
def tree(installer: ModuleType, tmp_path: Path) -> Tree:
    """A tree of plain Debian: no part, no group but input, no udev rule."""
    return Tree(installer, tmp_path / "tree")
