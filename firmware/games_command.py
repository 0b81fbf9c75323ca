"""``muggins games``: the games played here, and any of them as a record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from engine.record_write import write
from firmware.complaints import FORBIDDEN, MALFORMED, Command, Complaint
from firmware.journal import GameSummary, Journal, JournalError
from firmware.journal_file import NAME
from firmware.state_folder import state_folder


@click.command("games", cls=Command)
@click.argument("number", required=False)
@click.option("--state", "folder", type=click.Path(path_type=Path), help="The folder the games are kept in.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
def games(number: str | None, folder: Path | None, as_json: bool) -> None:
    """List the games played here, newest last; with a NUMBER, that game as a record (.crib) to keep or replay.

    Reads a copy: a running board is not disturbed, and nothing is ever changed.
    """
    where = folder or state_folder()
    if number is not None and not (number.isascii() and number.isdigit() and len(number) < 9):
        raise Complaint(f"{number[:20]!r} is no game's number: muggins games lists them", MALFORMED)
    with _journal(where) as journal:
        found = [] if journal is None else journal.games()
        if number is None:
            click.echo(json.dumps({"games": [_plain(one) for one in found]}) if as_json else _listed(found, where))
            return
        game = next((one for one in found if one.number == int(number)), None)
        if game is None or journal is None:
            numbers = ", ".join(str(one.number) for one in found) or "none at all"
            raise Complaint(f"there is no game {number} in {where}; kept there: {numbers}", FORBIDDEN)
        record = write(journal.events_of(game.number), game.opened_at[:10])
        click.echo(json.dumps(_plain(game) | {"record": record}) if as_json else record, nl=as_json)


@contextmanager
def _journal(folder: Path) -> Iterator[Journal | None]:
    """The journal of a folder, opened from a copy; None where none was ever begun."""
    path = folder / NAME
    if not path.exists():
        yield None
        return
    with TemporaryDirectory(prefix="muggins-") as name:
        try:
            for end in ("", "-wal"):
                if Path(f"{path}{end}").exists():
                    shutil.copyfile(f"{path}{end}", Path(name) / f"{NAME}{end}")
            journal = Journal.open(Path(name), now=lambda: datetime.now(UTC))
        except (OSError, JournalError) as error:
            raise Complaint(f"the games in {folder} cannot be read: {error}", FORBIDDEN) from error
        try:
            yield journal
        except JournalError as error:
            raise Complaint(str(error), FORBIDDEN) from error
        finally:
            journal.close()


def _plain(game: GameSummary) -> dict[str, Any]:
    return {
        "game": game.number,
        "opened_at": game.opened_at,
        "kind": game.game,
        "rules": game.book,
        "players": list(game.names),
        "scores": None if game.scores is None else list(game.scores),
        "winner": game.winner,
        "stopped": game.stopped,
    }


def _listed(found: list[GameSummary], where: Path) -> str:
    if not found:
        return f"No game is kept in {where} yet."
    return "\n".join(_line(game) for game in found)


def _line(game: GameSummary) -> str:
    scores = "?" if game.scores is None else "-".join(str(score) for score in game.scores)
    end = "stopped" if game.stopped else "under way" if game.winner is None else "ended"
    what = f"{game.opened_at[:16]}  {' v '.join(game.names)}  {game.game}, {game.book}"
    return f"{game.number:>4}  {what}  {scores}  {end}"
