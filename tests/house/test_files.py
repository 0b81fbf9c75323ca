"""What the repository's own files may and may not hold."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "hardware", "firmware")
TOP = frozenset(
    "pyproject.toml engine firmware hardware tests systemd docs README.md Makefile CHANGELOG.md CONTRIBUTING.md LICENSE"
    " .ci .gitignore .gitattributes .pre-commit-config.yaml .importlinter".split()
)
LONGEST = 400

# Put together here, so that this file does not hold what it forbids.
HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("piwheels", "org"),
        ("deb", "debian", "org"),
        ("security", "debian", "org"),
        ("archive", "raspberrypi", "com"),
        ("registry", "npmjs", "org"),
        ("npmjs", "com"),
        ("unpkg", "com"),
        ("jsdelivr", "net"),
        ("cdnjs", "cloudflare", "com"),
        ("fonts", "googleapis", "com"),
    )
)
PATHS = ("/" + "work/", "/" + "root/", "/" + "opt/wheels", "../" + "shared")


@cache
def tracked() -> tuple[Path, ...]:
    """The files that git knows; where there is no git, all but the ignored folders."""
    line = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    try:
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
        names = done.stdout.split("\0") if done.returncode == 0 else []
    except FileNotFoundError:
        names = []
    if not names:
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [
                one for one in folders if one in TOP or (not one.startswith((".", "__")) and folder != str(ROOT))
            ]
            names += [os.path.relpath(os.path.join(folder, file), ROOT) for file in files]
    return tuple(ROOT / name for name in names if name and (ROOT / name).is_file())


def modules() -> list[Path]:
    """The source files of the three packages."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def here(path: Path) -> str:
    """A path as a reader of the repository writes it."""
    return path.relative_to(ROOT).as_posix()


def held(words: tuple[str, ...], before: bytes) -> list[str]:
    """Which tracked files hold one of some words (after what ``before`` allows), and on which line."""
    pattern = re.compile(before + b"(?:" + "|".join(map(re.escape, words)).encode() + b")")
    faults = []
    for path in tracked():
        data = path.read_bytes()
        for match in pattern.finditer(data):
            line = data[: match.start()].count(10) + 1
            faults.append(f"{here(path)}:{line} {match[0].decode()}")
    return faults


def test_the_top_level_holds_the_known_few() -> None:
    """At the top level lies only what the layout names."""
    assert {here(path).partition("/")[0] for path in tracked()} - TOP == set()


def test_no_file_names_a_package_host() -> None:
    """Where packages come from is the machine's affair: no file names a host of them, no page loads from one."""
    assert held(HOSTS, before=rb"(?<![\w-])") == []


def test_no_file_names_a_path_of_one_machine() -> None:
    """A clone works anywhere: no file names a folder that only one machine has."""
    assert held(PATHS, before=rb"(?<![\w.-])") == []


@pytest.mark.parametrize("path", modules(), ids=here)
def test_no_module_is_too_long(path: Path) -> None:
    """A module past 400 lines holds more than one idea and is to be split."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", modules(), ids=here)
def test_what_is_public_says_what_it_promises(path: Path) -> None:
    """Every module, public class and public function of the three packages has a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bare = [
        f"{node.name}, line {node.lineno}"
        for node in tree.body
        if isinstance(node, kinds) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    empty = not tree.body
    assert ([] if ast.get_docstring(tree) or empty else ["the module"]) + bare == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=here)
def test_every_test_says_its_promise(path: Path) -> None:
    """Every test function has a docstring that says what it promises."""
    bare = [
        f"{node.name}, line {node.lineno}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert bare == []


def test_no_test_goes_uncollected() -> None:
    """Every test file is named so that the runner finds it: a file with tests begins with test_."""
    stray = [
        here(path)
        for path in (ROOT / "tests").rglob("*.py")
        if not path.name.startswith("test_") and re.search(r"^\s*(async )?def test_", path.read_text(), re.MULTILINE)
    ]
    assert stray == []


def test_the_changelog_tells_this_version() -> None:
    """The newest entry of the changelog is the version that would be built."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = re.search(r"^## (?!Unreleased)\[?([0-9][^\s\]]*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == version
