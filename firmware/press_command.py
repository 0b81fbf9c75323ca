"""``muggins press``: the whole service on simulated parts in simulated time, in a throw-away state folder."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from engine.errors import CribbageError
from firmware.cabinet import Cabinet, GlassDiffers
from firmware.complaints import FORBIDDEN, MALFORMED, Command, Complaint
from firmware.config import Config, ConfigError, load_config, simulated_only
from firmware.config_command import unread
from firmware.entry import split_keys
from firmware.journal import open_journal
from firmware.pictures import save_board, save_glass
from firmware.settings import Settings
from hardware.errors import PartError
from hardware.open_devices import open_devices

PRESSED_SETTINGS = Settings(names=("Ann", "Bob"))
"""The fixed settings that ``press`` starts from."""
STARTED = datetime(2000, 1, 1, tzinfo=UTC)
"""What the throw-away journal writes for the time of day: the run depends on no clock."""


@click.command("press", cls=Command)
@click.argument("keys")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this configuration.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
@click.option("--png", "folder", type=click.Path(path_type=Path), help="Write screen.png and lanes.png there.")
def press(keys: str, config_file: Path | None, as_json: bool, folder: Path | None) -> None:
    """Press KEYS on the simulated keypad and print what the glass and the strip then show.

    KEYS are digits, * and #, A B C D (or S H for spade and heart), @2 to tap and hold(@2) to hold seat 2's button;
    blanks do not matter.
    """
    try:
        pressed = split_keys(keys)
        config = simulated_only(Config() if config_file is None else load_config(config_file))
    except CribbageError as error:
        raise Complaint(str(error), MALFORMED) from error
    except ConfigError as error:
        raise unread(error) from error
    try:
        with tempfile.TemporaryDirectory(prefix="muggins-") as state:
            summary = _run(pressed, config, Path(state), folder)
    except (PartError, GlassDiffers, LookupError) as error:
        raise Complaint(str(error), FORBIDDEN) from error
    click.echo(json.dumps(summary) if as_json else in_words(summary))


def _run(keys: list[str], config: Config, state: Path, folder: Path | None) -> dict[str, Any]:
    journal = open_journal(state, now=lambda: STARTED)
    devices = open_devices(config.parts_spec())
    cabinet = Cabinet(
        devices,
        journal,
        PRESSED_SETTINGS,
        choices=config.choices(),
        preferences=config.preferences(),
        language=config.language,
    )
    try:
        cabinet.tap_all(keys)
        cabinet.settle()
        summary = cabinet.summary()
        if folder is not None:
            shown = cabinet.shown()
            folder.mkdir(parents=True, exist_ok=True)
            save_glass(shown.glass, folder / "screen.png")
            save_board(devices.spec.layout, shown.colours, folder / "lanes.png")
        return summary
    finally:
        cabinet.close()
        journal.close()


def in_words(summary: dict[str, Any]) -> str:
    """The summary for a person: the glass in a frame, then the lanes."""
    width = max(16, *(len(line) for line in summary["screen"]))
    lines = ["+" + "-" * (width + 2) + "+"]
    lines += [f"| {line.ljust(width)} |" for line in summary["screen"]]
    lines.append(lines[0])
    turn = f", {summary['turn']}'s turn" if summary["turn"] else ""
    lines.append(f"{summary['phase']}, count {summary['count']}{turn}")
    for name, pegs in summary["lanes"].items():
        lines.append(f"{name}: front peg {pegs['front']}, back peg {pegs['back']}, score {summary['scores'][name]}")
    return "\n".join(lines)
