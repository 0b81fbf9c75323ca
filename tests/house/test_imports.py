"""Who may import whom, beyond what import-linter can say."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "hardware", "firmware")

IMPURE = frozenset(
    "asyncio concurrent datetime glob io logging multiprocessing os pathlib queue random sched secrets select shutil "
    "signal socket sqlite3 subprocess sys tempfile threading time urllib uuid zoneinfo".split()
)
"""Standard modules by which a clock, a file, a thread, a port or chance would come in."""

IMPURE_CALLS = frozenset({"print", "open", "input", "exec", "eval", "__import__", "breakpoint"})

VENDORS = frozenset(
    "spidev rpi_ws281x _rpi_ws281x luma gpiozero smbus2 lgpio rpi_lgpio pigpio RPi evdev".split(),
)
"""What only real parts need; it is imported when a part is opened, never before."""

VIEWS = tuple(
    f"firmware.{name}" for name in "screens lights web speech words view entry meaning over overlay effects".split()
)
"""What draws, speaks, or decides what a key means: all of it may depend on nothing but what is public."""

SCORING = tuple(
    f"engine.{name}" for name in "show rank_table play_points judge apply decide history report impossible".split()
)
"""What knows, or works out, the worth of cards."""


def sources(package: str) -> list[Path]:
    """All source files of a package."""
    return sorted((ROOT / package).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Each absolute module name that a file imports, anywhere in it, and the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module), node.lineno


@pytest.mark.parametrize("path", sources("engine"), ids=lambda path: path.stem)
def test_engine_is_pure(path: Path) -> None:
    """The engine imports itself and the harmless part of the standard library, and neither prints nor opens."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = (sys.stdlib_module_names - IMPURE) | {"engine"}
    faults = [
        f"{path.name}:{line} imports {name}" for name, line in imported(tree) if name.partition(".")[0] not in allowed
    ]
    faults += [
        f"{path.name}:{node.lineno} calls {node.func.id}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    assert faults == []


def test_no_driver_is_imported_before_a_part_is_opened() -> None:
    """Every module of the three packages imports without a warning, and without any vendor's driver."""
    names = []
    for package in PACKAGES:
        for path in sources(package):
            parts = path.relative_to(ROOT).with_suffix("").parts
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    program = (
        "import importlib, sys\n"
        f"for name in {[name for name in names if not name.endswith('__main__')]!r}: importlib.import_module(name)\n"
        f"print(*sorted({set(VENDORS)!r} & {{name.partition('.')[0] for name in sys.modules}}))\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_hardware_and_engine_import_nothing_of_the_service() -> None:
    """No engine or hardware file names another of the three packages, not even inside a function or for types only."""
    faults = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for package, others in (("engine", {"hardware", "firmware"}), ("hardware", {"engine", "firmware"}))
        for path in sources(package)
        for name, line in imported(ast.parse(path.read_text(encoding="utf-8")))
        if name.partition(".")[0] in others
    ]
    assert faults == []


def test_every_view_is_kept_from_the_scoring() -> None:
    """The import contract on views names each view and each scoring module that exists, so none slips past it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    views = next(
        (one for one in contracts if one["type"] == "forbidden"), {"source_modules": [], "forbidden_modules": []}
    )

    def exists(module: str) -> bool:
        path = ROOT / module.replace(".", "/")
        return path.with_suffix(".py").exists() or (path / "__init__.py").exists()

    assert [one for one in VIEWS if exists(one) and one not in views["source_modules"]] == []
    if any(exists(one) for one in VIEWS):
        assert [one for one in SCORING if exists(one) and one not in views["forbidden_modules"]] == []
