"""Questions on a terminal: an answer that makes no sense is asked for again, ``q`` or the end of the input leaves."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Sequence
from typing import Final

import click

from firmware.complaints import plain

QUIT: Final = "q"


class Left(Exception):
    """The person has left."""


class Terminal:
    """Says lines and asks for them. ``read`` gives an answer to a prompt, None where the input has ended; ``poll`` a
    line if one came within so many seconds, an empty one if none did, None at the end."""

    def __init__(
        self,
        say: Callable[[str], None],
        read: Callable[[str], str | None],
        poll: Callable[[float], str | None],
    ) -> None:
        self._say, self._read, self._poll = say, read, poll

    def say(self, line: str) -> None:
        """Print a line."""
        self._say(line)

    def ask(self, prompt: str) -> str:
        """An answer in small letters, without the blanks around it. Raises Left."""
        return self._heard(self._read(f"{prompt} "))

    def waited(self, seconds: float) -> None:
        """Let so much time pass unless a line is typed. Raises Left."""
        self._heard(self._poll(seconds))

    def choose(self, prompt: str, answers: Sequence[str]) -> str:
        """One of some answers. Raises Left."""
        while (answer := self.ask(f"{prompt} [{'/'.join((*answers, QUIT))}]")) not in answers:
            self.say(f"Please answer {', '.join(answers)} or {QUIT} to leave.")
        return answer

    def yes(self, prompt: str) -> bool:
        """Whether the answer is yes. Raises Left."""
        return self.choose(prompt, ("y", "n")) == "y"

    def number(self, prompt: str, most: int) -> int:
        """A whole number from 0 to ``most``. Raises Left."""
        while not (answer := self.ask(prompt)).isdecimal() or int(answer) > most:
            self.say(f"Please answer a whole number, 0 to {most}, or {QUIT} to leave.")
        return int(answer)

    def _heard(self, line: str | None) -> str:
        if line is None or line.strip().lower() == QUIT:
            raise Left
        return line.strip().lower()


def console() -> Terminal:
    """The terminal that the program was called from."""

    def read(prompt: str) -> str | None:
        click.echo(plain(prompt), nl=False)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            click.echo()
        return line or None

    def poll(seconds: float) -> str | None:
        if sys.stdin is None:  # the program was started with its input closed
            return None
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return "" if not ready else sys.stdin.readline() or None

    return Terminal(lambda line: click.echo(plain(line)), read, poll)
