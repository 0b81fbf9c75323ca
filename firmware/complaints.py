"""How every command answers what it cannot do: one plain line and exit 1 or 2, or under ``--json`` one object.

Exit 2: words or lines not understood. Exit 1: understood, but the rules, the position or the machine forbid it. Never
a traceback, whatever a person typed and wherever the answer goes: a full disk, a closed pipe, a poor terminal.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Any, BinaryIO, Final, NoReturn, TextIO

import click

from firmware.interrupts import interruptible
from hardware.errors import foreign

MALFORMED, FORBIDDEN = 2, 1
JSON: Final = "firmware.json"
"""Where a click context keeps whether JSON was asked for."""
LONGEST_WAY: Final = 8
"""Steps to a fault of our own that are told."""


class Complaint(Exception):
    """A command's refusal: the line for the person, and the exit code. ``answer`` is the object said under ``--json``
    where it is not simply ``{"error": message}``."""

    def __init__(self, message: str, code: int, answer: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.answer = answer


def complain(message: str, code: int, as_json: bool, answer: dict[str, Any] | None = None) -> NoReturn:
    """Say it and end the program: with JSON on standard output and nothing on standard error, else the reverse.

    Where standard output takes nothing, standard error has it, and where that takes nothing either, the exit code.
    """
    said = as_json and say(json.dumps(answer or {"error": plain(" ".join(message.split()))}))
    if not said:
        say(f"error: {plain(message)}", err=True)
    raise SystemExit(code)


def say(line: str, *, err: bool = False) -> bool:
    """Print a line on standard output, or standard error; whether it could be written. Never raises OSError."""
    try:
        click.echo(line, err=err)
    except OSError:
        _hush(sys.stderr if err else sys.stdout)
        return False
    return True


def plain(message: str) -> str:
    """The message in characters that every terminal and every pipe can take."""
    return message.encode("ascii", "backslashreplace").decode()


def standard_input() -> BinaryIO:
    """The standard input's bytes. Raises OSError where it was closed by whoever started the program."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer


@contextmanager
def answering(as_json: bool) -> Iterator[None]:
    """Whatever ends a command before its answer is said as this module says."""
    try:
        yield
    except Complaint as error:
        complain(str(error), error.code, as_json, error.answer)
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        complain(error.format_message(), MALFORMED, as_json)
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted", FORBIDDEN, as_json)
    except BrokenPipeError:  # nobody reads any more, as after `| head`: then nobody is told
        _hush(sys.stdout)
        raise SystemExit(FORBIDDEN) from None
    except OSError as error:
        if not _unsaid(error):
            complain(reason(error), FORBIDDEN, as_json)
        _hush(sys.stdout)
        complain(f"standard output takes no answer: {error.strerror}", FORBIDDEN, as_json=False)


class _Answering(click.Command):
    """A click command whose every error is answered as this module says, alone or as one of a group's."""

    def main(self, *words: Any, **extra: Any) -> Any:
        """The whole program: reads the arguments, does it, and ends the process."""
        with answering("--json" in sys.argv):
            mend_streams()
            return super().main(*words, **extra)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments; answers a usage error and ends the program with 2."""
        as_json = "--json" in args
        with answering(as_json):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta.setdefault(JSON, as_json)  # a group has its command's words too
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Do it; answers what stops it."""
        with answering(ctx.meta[JSON]):
            return super().invoke(ctx)


class SlowCommand(_Answering):
    """A command that says itself from where on it is ``interruptible``: before, it imports what takes long."""


class Command(_Answering):
    """One command."""

    def invoke(self, ctx: click.Context) -> Any:
        """Do it; answers what stops it, an interrupt too."""
        with answering(ctx.meta[JSON]), interruptible():
            return super().invoke(ctx)


class Group(_Answering, click.Group):
    """The program itself: an unknown command is answered with those there are."""

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


def mend_streams() -> None:
    """Make the three standard streams such that a word they cannot spell is no error, and a missing one no accident.

    A number that is left closed would be given to the next file opened, the journal's perhaps, and that would then get
    what is meant for people: it is filled. What is written to a standard output that is not there is an OSError, not
    silence: an answer that nobody got is no success.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):  # an input that was begun to be read stays as it is
                stream.reconfigure(errors="backslashreplace")
        elif stream is None:
            # The lowest number that is free is this one's: those below it are open by now.
            mode = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            os.set_inheritable(os.open(os.devnull, mode), True)
            if name == "stdout":
                sys.stdout = os.fdopen(number, "w", encoding="utf-8", closefd=False)


def where(error: BaseException) -> str:
    """What an error is and the way to it, innermost first, in one line."""
    steps = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
    return f"{type(error).__name__}: {foreign(error)} at {' < '.join(steps[: -LONGEST_WAY - 1 : -1])}"


def reason(error: OSError) -> str:
    """What the machine forbade, and with which file."""
    named = os.fsdecode(error.filename) + ": " if isinstance(error.filename, str | bytes) else ""
    return f"{named}{error.strerror or error}"


def _unsaid(error: OSError) -> bool:
    """Whether it was the answer that could not be written: all is said by click, which does nothing else here."""
    *_, innermost = walk_tb(error.__traceback__)
    return str(innermost[0].f_globals.get("__name__")).startswith("click.")


def _hush(stream: TextIO) -> None:
    """What the stream still holds goes nowhere, or the interpreter's last flush would complain."""
    with suppress(OSError, ValueError):
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, stream.fileno())
        os.close(sink)
