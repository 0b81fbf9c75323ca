"""Nobody else's distribution merges into our packages."""

from __future__ import annotations

from importlib import import_module, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "hardware", "firmware")


def test_only_muggins_owns_the_three_names() -> None:
    """No other installed distribution brings a top-level engine, hardware or firmware: it would mix with ours."""
    others = set()
    for distribution in metadata.distributions():
        name = distribution.metadata["Name"]
        tops = {file.parts[0].removesuffix(".py") for file in distribution.files or ()}
        tops |= set((distribution.read_text("top_level.txt") or "").split())
        others |= {f"{name} brings {top}" for top in tops & set(PACKAGES) if name != "muggins"}
    assert others == set()


def test_muggins_is_installed_once() -> None:
    """One distribution named muggins is installed, and it is the one that the console script belongs to."""
    assert len([one for one in metadata.distributions() if one.metadata["Name"] == "muggins"]) == 1
    scripts = metadata.entry_points(group="console_scripts", name="muggins")
    assert {one.value for one in scripts} == {"firmware.start:main"}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_are_this_checkout(package: str) -> None:
    """What the tests import is the code beside them, not another copy."""
    assert Path(str(import_module(package).__file__)).resolve().parent == ROOT / package
