"""``muggins config``: the configuration in force, or only what differs from the defaults."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from firmware.complaints import Command, Complaint
from firmware.config import ConfigError, default_config, load_config, to_plain, to_toml


@click.command("config", cls=Command)
@click.option("--config", "file", type=click.Path(path_type=Path), help="Look at this file.")
@click.option("--changed", is_flag=True, help="Print only what differs from the defaults.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
def config(file: Path | None, changed: bool, as_json: bool) -> None:
    """Print the configuration in force, as a file that could be read again; every fault of the file at once."""
    try:
        found = load_config(file)
    except ConfigError as error:
        raise unread(error) from error
    defaults = default_config() if changed else None
    if as_json:
        click.echo(json.dumps({"file": None if found.file is None else str(found.file)} | to_plain(found, defaults)))
        return
    click.echo("# No file is in force: the defaults." if found.file is None else f"# From {str(found.file)!a}")
    text = to_toml(found, defaults, ascii_only=not _takes_all(to_toml(found, defaults)))
    if text:
        click.echo(f"\n{text}", nl=False)
    elif changed:
        click.echo("# Nothing differs from the defaults.")


def unread(error: ConfigError) -> Complaint:
    """What every command says of a configuration that cannot be used: all its faults."""
    faults = [{"path": fault.path, "message": fault.message} for fault in error.faults]
    first, *_ = str(error).splitlines()
    return Complaint(str(error), error.exit_code, {"error": first, "faults": faults})


def _takes_all(text: str) -> bool:
    """Whether the standard output can take these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
