"""``muggins replay``: game records played through the same engine as the board, told in words or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from engine.record_words import RecordError
from engine.replay import in_words
from engine.replay import replay as replay_record
from engine.rules import BOOKS, RuleBook
from firmware.archive import within
from firmware.complaints import FORBIDDEN, Command, Complaint, standard_input
from firmware.config import ConfigError, load_config
from firmware.config_command import unread

MOST_BYTES: Final = 4 * 1024 * 1024
"""A longer file is no record: that is a thousand games."""


@click.command("replay", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Know this configuration's own book.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(files: tuple[str, ...], config_file: Path | None, as_json: bool) -> None:
    """Play game records (.crib) and tell every point they peg; - reads standard input.

    The first line that cannot be read (exit 2), or that the rules forbid (exit 1), stops everything.
    """
    books = known_books(config_file)
    for file in files:
        _replay(file, books, as_json, {"file": click.format_filename(file)} if len(files) > 1 else {})


def known_books(config_file: Path | None) -> Mapping[str, RuleBook]:
    """The books of the sources, and that configuration's own. Raises Complaint where it cannot be read."""
    if config_file is None:
        return BOOKS
    try:
        return load_config(config_file).books
    except ConfigError as error:
        raise unread(error) from error


def said(error: RecordError, command: str = "muggins replay") -> str:
    """What is wrong with a record, and the option of the command that may cure it."""
    cure = f": {command} --config FILE takes it from the table's configuration" if "own book" in error.brief else ""
    return f"{error}{cure}"


def read_record(file: str, most: int) -> bytes:
    """The bytes of a file, or with - of standard input, but never more than ``most`` and one.

    Some files never end, and others would fill the memory. Raises OSError or ValueError where it cannot be read.
    """
    if file == "-":
        return standard_input().read(most + 1)
    with Path(file).open("rb") as stream:
        return stream.read(most + 1)


def unreadable(shown: str, error: Exception) -> str:
    """What to say of a file that could not be read."""
    why = getattr(error, "strerror", None) or str(error)
    return f"{shown} cannot be read: {why}. Give the path of a .crib file, or - for standard input"


def _replay(file: str, books: Mapping[str, RuleBook], as_json: bool, named: dict[str, str]) -> None:
    shown = click.format_filename(file)
    try:
        data = read_record(file, MOST_BYTES)
    except (OSError, ValueError) as error:
        message = unreadable(shown, error)
        raise Complaint(message, FORBIDDEN, _error(named, 0, 0, message)) from error
    if named and not as_json:
        click.echo(f"{shown}:")
    try:
        within(data, MOST_BYTES)
        for line in replay_record(data, books):
            click.echo(json.dumps({**named, **line}) if as_json else in_words(line))
    except RecordError as error:
        message = f"{shown}:{error.line}:{error.column}: {said(error)}"
        raise Complaint(message, error.exit_code, _error(named, error.line, error.column, said(error))) from error


def _error(named: dict[str, str], line: int, column: int, message: str) -> dict[str, Any]:
    return {**named, "event": "error", "line": line, "column": column, "message": message}
