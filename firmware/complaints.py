"""How every command answers what it cannot do: one plain line and exit 1 or 2, or under ``--json`` one object.

Exit 2: words or lines not understood. Exit 1: understood, but the rules, the position or the machine forbid it. Never
a traceback for what a person typed.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, NoReturn

import click

MALFORMED, FORBIDDEN = 2, 1


class Complaint(Exception):
    """A command's refusal: the line for the person, and the exit code. ``answer`` is the object said under ``--json``
    where it is not simply ``{"error": message}``."""

    def __init__(self, message: str, code: int, answer: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.answer = answer


def complain(message: str, code: int, as_json: bool, answer: dict[str, Any] | None = None) -> NoReturn:
    """Say it and end the program: with JSON on standard output and nothing on standard error, else the reverse."""
    if as_json:
        click.echo(json.dumps(answer or {"error": plain(" ".join(message.split()))}))
    else:
        click.echo(f"error: {plain(message)}", err=True)
    raise SystemExit(code)


def plain(message: str) -> str:
    """The message in characters that every terminal and every pipe can take."""
    return message.encode("ascii", "backslashreplace").decode()


class Command(click.Command):
    """A click command whose every error, usage errors too, is answered as this module says."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments; answers a usage error and ends the program with 2."""
        as_json = "--json" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            complain(error.format_message(), MALFORMED, as_json)

    def invoke(self, ctx: click.Context) -> Any:
        """Do it; answers a Complaint."""
        as_json = bool(ctx.params.get("as_json"))
        try:
            return super().invoke(ctx)
        except Complaint as error:
            complain(str(error), error.code, as_json, error.answer)
        except BrokenPipeError:
            _hush()
            raise SystemExit(FORBIDDEN) from None


class Group(click.Group):
    """The program itself: an unknown command is answered as this module says, with its near miss."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; answers one that is not there and ends the program with 2."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = ", ".join(self.list_commands(ctx))
            complain(f"{error.format_message()} There are: {near}.", MALFORMED, "--json" in args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments before the command; answers a usage error and ends the program with 2."""
        as_json = "--json" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            complain(error.format_message(), MALFORMED, as_json)


def _hush() -> None:
    """Nobody reads any more: let the interpreter's last flush go nowhere instead of complaining."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
