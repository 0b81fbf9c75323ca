"""``muggins replay``: game records played through the same engine as the board, told in words or as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from engine.record_words import RecordError
from engine.replay import in_words
from engine.replay import replay as replay_record


class _ReplayCommand(click.Command):
    """A command whose usage errors, too, are one JSON object when ``--json`` was asked for."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments; under ``--json`` answers a usage error itself and ends the program with 2."""
        as_json = "--json" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            if as_json:
                _fail({}, error.format_message(), 2)
            raise


@click.command("replay", cls=_ReplayCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(files: tuple[str, ...], as_json: bool) -> None:
    """Play game records (.crib) and tell every point they peg; - reads standard input.

    The first line that cannot be read (exit 2), or that the rules forbid (exit 1), stops everything.
    """
    for file in files:
        _replay(file, as_json, {"file": click.format_filename(file)} if len(files) > 1 else {})


def _replay(file: str, as_json: bool, named: dict[str, str]) -> None:
    shown = click.format_filename(file)
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"{shown} cannot be read: {reason}. Give the path of a .crib file, or - for standard input"
        if as_json:
            _fail({**named, "line": 0, "column": 0}, message, 1)
        _fail_in_words(message, 1)
    if named and not as_json:
        click.echo(f"{shown}:")
    try:
        for line in replay_record(data):
            click.echo(_dumped({**named, **line}) if as_json else in_words(line))
    except RecordError as error:
        if as_json:
            _fail({**named, "line": error.line, "column": error.column}, str(error), error.exit_code)
        _fail_in_words(f"{shown}:{error.line}:{error.column}: {error}", error.exit_code)


def _dumped(values: dict[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


def _fail(where: dict[str, Any], message: str, exit_code: int) -> NoReturn:
    """One JSON object as the last line of standard output; standard error stays empty."""
    click.echo(_dumped({**where, "event": "error", "message": message}))
    raise SystemExit(exit_code)


def _fail_in_words(message: str, exit_code: int) -> NoReturn:
    click.echo(message, err=True)
    raise SystemExit(exit_code)
