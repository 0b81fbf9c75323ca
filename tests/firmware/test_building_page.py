"""The build guide: its tables and pictures are what the drivers' own data give, and its commands work."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.cli import COMMANDS, cli
from firmware.config import parse_config
from firmware.config_schema import KEYS
from firmware.template.places import folded
from hardware.header import header_pin
from hardware.lanes import two_lanes

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "building.md").read_text(encoding="utf-8")
TEMPLATES = sorted(set(re.findall(r"`(muggins template [^`]*)`", PAGE)))


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """The module that writes the page."""
    return runpy.run_path(str(DOCS / "building.py"))


def test_the_tables_are_up_to_date(made: dict[str, Any]) -> None:
    """docs/building.md has the pins, currents and layout that hold now; `python docs/building.py` writes them."""
    assert made["page"](PAGE) == PAGE


def test_the_pictures_are_up_to_date(made: dict[str, Any]) -> None:
    """The guide's drawings are what `muggins template` draws now; `python docs/building.py` draws them anew."""
    pictures = made["pictures"]()
    stale = [name for name, text in pictures.items() if (DOCS / "pictures" / name).read_text("utf-8") != text]
    assert stale == []
    assert [name for name in pictures if f"(pictures/{name})" not in PAGE] == []


def test_pins_named_in_the_text_are_those_of_the_header() -> None:
    """Each row of the pin table pairs a number along the header with the GPIO that is there."""
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (?:strip|screen|keypad|buttons|buzzer) \|", PAGE, re.MULTILINE)
    assert len(rows) == 16
    assert [(pin, bcm) for pin, bcm in rows if header_pin(int(bcm)) != int(pin)] == []


def test_the_layout_shown_is_two_lanes_in_rows_of_thirty() -> None:
    """The [layout] table of the guide, as a configuration, is the folded board."""
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert parse_config(example.encode()).layout == folded(two_lanes(), 30)


@pytest.mark.parametrize("line", TEMPLATES)
def test_every_template_command_of_the_guide_draws(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each `muggins template` line of the guide writes a file."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, shlex.split(line)[1:])
    assert done.exit_code == 0, done.output
    assert list(tmp_path.glob("*.pdf")) != []


def test_settings_named_in_the_guide_exist() -> None:
    """Every setting that the guide names is one of the configuration's."""
    known = {key.path for key in KEYS}
    named = set(re.findall(r"`((?:strip|screen|wiring|keys)\.\w+)", PAGE))
    assert "strip.max_ma" in named
    assert named - known == set()


def test_commands_named_in_the_guide_exist() -> None:
    """Every `muggins` command that the guide names is one of the program's."""
    assert set(re.findall(r"`muggins (\w+)", PAGE)) - set(COMMANDS) == set()
