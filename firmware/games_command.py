"""``muggins games``: the games kept here; any of them as a record, a table or a report; importing and deleting."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from engine.record_words import RecordError
from engine.rules import RuleBook
from firmware.archive import MOST_BYTES, Archive, Found, Listed, checked, identity, side_scores
from firmware.complaints import FORBIDDEN, MALFORMED, Command, Complaint, reason
from firmware.game_csv import to_csv
from firmware.journal import Journal, JournalError
from firmware.journal_file import NAME
from firmware.lock import FolderInUse, StateLock
from firmware.names import LONGEST
from firmware.replay_command import known_books, read_record, said, unreadable
from firmware.report_sentences import report_sentences
from firmware.state_folder import state_folder


@click.command("games", cls=Command)
@click.argument("words", nargs=-1, metavar="[GAME | FILE...]")
@click.option("--csv", "as_csv", is_flag=True, help="The game as a table for a spreadsheet: a row an award.")
@click.option("--report", "as_report", is_flag=True, help="The game in words, deal by deal, and its report.")
@click.option("--import", "importing", is_flag=True, help="Take over game records (.crib); - reads standard input.")
@click.option("--delete", "deleting", is_flag=True, help="Delete the game for good.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option("--state", "folder", type=click.Path(path_type=Path), help="The folder the games are kept in.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Know this configuration's own book.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
def games(
    words: tuple[str, ...],
    as_csv: bool,
    as_report: bool,
    importing: bool,
    deleting: bool,
    yes: bool,
    folder: Path | None,
    config_file: Path | None,
    as_json: bool,
) -> None:
    """List the games kept here, newest last; with a GAME, that one as a record (.crib) to keep or replay.

    Looking reads a copy: a running board is not disturbed. Importing and deleting need the board to be stopped; its
    page does both while it runs.
    """
    where = folder or state_folder()
    asked = [name for name, on in (("--csv", as_csv), ("--report", as_report), ("--delete", deleting)) if on]
    if len(asked) + importing > 1 or (as_json and (as_csv or as_report)):
        raise Complaint("one thing at a time: --csv, --report, --json, --import or --delete", MALFORMED)
    if where.exists() and not where.is_dir():
        raise Complaint(f"{where} is no folder: give the one that the games are kept in", FORBIDDEN)
    books = known_books(config_file)
    if importing:
        _import(words, where, books, as_json)
        return
    if len(words) > 1:
        raise Complaint(f"{words[1][:20]!r} is one word too many: one game at a time", MALFORMED)
    if asked and not words:
        raise Complaint(f"{asked[0]} needs a game: muggins games lists them", MALFORMED)
    if deleting:
        _delete(_identity(words[0]), where, books, yes, as_json)
    elif words:
        _tell(_identity(words[0]), where, books, as_json, as_csv, as_report)
    else:
        _list(where, books, as_json)


def _identity(word: str) -> str:
    found = identity(word)
    if found is None:
        raise Complaint(f"{word[:20]!r} is no game's number: muggins games lists them", MALFORMED)
    return found


def _list(where: Path, books: Mapping[str, RuleBook], as_json: bool) -> None:
    with _copy(where) as journal:
        found = [] if journal is None else Archive(journal, books).listed()
        damage = "" if journal is None else _damage(journal, where) or _bad_records(journal, where)
    answer = {"games": [one.plain() for one in found]}
    if as_json and not damage:
        click.echo(json.dumps(answer))
    elif not as_json and (found or not damage):
        click.echo("\n".join(map(_line, found)) if found else f"No game is kept in {where} yet.")
    if damage:
        raise Complaint(damage, FORBIDDEN, {"error": damage} | answer)


def _tell(game: str, where: Path, books: Mapping[str, RuleBook], as_json: bool, as_csv: bool, as_report: bool) -> None:
    with _copy(where) as journal:
        damage = "" if journal is None else _damage(journal, where)
        found = _found(journal, game, where, books, damage)
    if found.history.embargoed and not found.listed.imported:
        raise Complaint(
            f"game {game} has a count that is judged only when it is called: nothing of its cards is told before that "
            "count is accepted, or called and settled. Then ask again",
            FORBIDDEN,
        )
    if as_json and not damage:
        click.echo(json.dumps(found.plain()))
    elif not as_json:
        text = to_csv(found) if as_csv else in_words(found) if as_report else found.record
        click.echo(text.encode(), nl=False)  # a record is UTF-8 whatever the terminal speaks
    if damage:
        raise Complaint(damage, FORBIDDEN, {"error": damage} | found.plain())


def _found(journal: Journal | None, game: str, where: Path, books: Mapping[str, RuleBook], damage: str = "") -> Found:
    """The game. Raises Complaint where it is not there or cannot be read."""
    try:
        if journal is None:
            raise LookupError
        return Archive(journal, books).find(game)
    except LookupError as error:
        kept = [] if journal is None else Archive(journal, books).listed()
        numbers = ", ".join(one.identity for one in kept) or "none at all"
        message = f"there is no game {game} in {where}; kept there: {numbers}"
        raise Complaint(f"{message}. {damage}" if damage else message, FORBIDDEN) from error
    except RecordError as error:
        message = f"game {game}, line {error.line}, column {error.column}: {said(error, 'muggins games')}"
        raise Complaint(message, error.exit_code) from error


def _damage(journal: Journal, where: Path) -> str:
    """What to tell of a damaged journal, besides what can still be read of it."""
    if not journal.notes:
        return ""
    what = journal.notes[0].split(":")[0]
    if "newer program" in what:
        return f"{what}: install that one to read the games in {where}"
    return (
        f"{what}. What can still be read in {where / NAME} is listed. Nothing was changed: when the board is started "
        "it goes on with these games and keeps the damaged file beside them"
    )


def _bad_records(journal: Journal, where: Path) -> str:
    """What to tell of damaged records in a journal that is sound otherwise."""
    bad = ", ".join(f"i{number}" for number in journal.bad_records())
    what = f"{where / NAME} is damaged: the imported {bad} cannot be read, the other games can"
    return f"{what}. Delete and import anew what cannot" if bad else ""


def _import(files: tuple[str, ...], where: Path, books: Mapping[str, RuleBook], as_json: bool) -> None:
    """All of these records, or none of them."""
    if not files:
        raise Complaint("--import needs at least one file, or - for standard input", MALFORMED)
    texts = [(click.format_filename(file), _record(file, books)) for file in files]
    answers: list[dict[str, Any]] = []
    with _changing(where) as journal:
        archive = Archive(journal, books)
        for file, text in texts:
            there = archive.same(text)
            name = there or f"i{journal.keep([text])[0]}"
            answers.append({"file": file, "id": name, "there_already": there is not None})
    if as_json:
        click.echo(json.dumps({"imported": answers}))
        return
    for one in answers:
        told = "is there already, as game" if one["there_already"] else "is game"
        click.echo(f"{one['file']} {told} {one['id']}")


def _record(file: str, books: Mapping[str, RuleBook]) -> str:
    """A file's text, once it has been read and played. Raises Complaint with its line and column."""
    shown = click.format_filename(file)
    try:
        data = read_record(file, MOST_BYTES)
    except (OSError, ValueError) as error:
        message = unreadable(shown, error)
        raise Complaint(message, FORBIDDEN, _error(shown, 0, 0, message)) from error
    try:
        return checked(data, books)
    except RecordError as error:
        text = said(error, "muggins games --import")
        message = f"{shown}:{error.line}:{error.column}: {text}. Nothing was imported"
        raise Complaint(message, error.exit_code, _error(shown, error.line, error.column, text)) from error


def _error(file: str, line: int, column: int, message: str) -> dict[str, Any]:
    return {"event": "error", "file": file, "line": line, "column": column, "message": message}


def _delete(game: str, where: Path, books: Mapping[str, RuleBook], yes: bool, as_json: bool) -> None:
    if not (where / NAME).exists():
        raise Complaint(f"there is no game {game} in {where}; kept there: none at all", FORBIDDEN)
    with _changing(where) as journal:
        there = {one.identity: one for one in Archive(journal, books).listed()}
        if game not in there:
            numbers = ", ".join(there) or "none at all"
            raise Complaint(f"there is no game {game} in {where}; kept there: {numbers}", FORBIDDEN)
        stretch = None
        going = [game]
        if not game.startswith("i"):
            try:
                stretch = journal.stretch_of(int(game))
            except LookupError as error:
                raise Complaint(str(error), FORBIDDEN) from error
            going = [str(one) for one in stretch.games]
        _ask([there[one] for one in going], yes, as_json)
        if stretch is None:
            journal.drop(int(game[1:]))
        else:
            journal.remove(stretch)
        journal.scrub()
    aside = sorted(path.name for path in where.glob("journal-*.db*"))
    if as_json:
        click.echo(json.dumps({"deleted": going} | ({"set_aside": aside} if aside else {})))
        return
    click.echo(f"deleted: {', '.join(going)}")
    if aside:
        click.echo(f"Files once set aside may still hold them: {', '.join(aside)}; remove those by hand.")


def _ask(going: list[Listed], yes: bool, as_json: bool) -> None:
    """Raises Complaint unless the person means it."""
    if yes:
        return
    if as_json or sys.stdin is None or not sys.stdin.isatty():
        raise Complaint(f"nothing was deleted: say --yes to delete {_named(going)} for good", FORBIDDEN)
    click.echo("\n".join(map(_line, going)), err=True)
    together = " (the games of one match go together)" if len(going) > 1 else ""
    if not click.confirm(f"Delete {_named(going)} for good{together}?", err=True):
        raise Complaint("nothing was deleted", FORBIDDEN)


def _named(going: list[Listed]) -> str:
    return ("game " if len(going) == 1 else "games ") + ", ".join(one.identity for one in going)


@contextmanager
def _changing(folder: Path) -> Iterator[Journal]:
    """The journal itself, to be changed, while no board has it."""
    try:
        with StateLock(folder):
            journal = Journal.open(folder, now=lambda: datetime.now(UTC))
            try:
                yield journal
            finally:
                journal.close()
    except FolderInUse as error:
        who = f"process {error.pid}" if error.pid else "its number is not known"
        message = f"a board is running with {folder} ({who}): import and delete on its page, under /games, or stop it"
        raise Complaint(message, FORBIDDEN) from error
    except JournalError as error:
        raise Complaint(str(error), FORBIDDEN) from error


@contextmanager
def _copy(folder: Path) -> Iterator[Journal | None]:
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
            why = reason(error) if isinstance(error, OSError) else error
            raise Complaint(f"the games in {folder} cannot be read: {why}", FORBIDDEN) from error
        try:
            yield journal
        except JournalError as error:
            raise Complaint(str(error), FORBIDDEN) from error
        finally:
            journal.close()


def _line(game: Listed) -> str:
    if game.trouble:
        return f"{game.identity:>4}  {game.at[:16]:16}  cannot be read: {game.trouble}"
    end = "stopped" if game.stopped else "ended" if game.ended else "not ended" if game.imported else "under way"
    what = f"{game.at[:16]}  {' v '.join(map(_short, game.names))}  {game.kind}, {game.book}"
    return f"{game.identity:>4}  {what}  {side_scores(game.scores)}  {end}"


def _short(name: str) -> str:
    """A name of an imported record, no longer in a list than those typed here."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."


def in_words(found: Found) -> str:
    """A game for people: its line in the list, every deal with what it brought, and the report at its end."""
    lines = [_line(found.listed).strip()]
    for deal in found.history.deals:
        dealer = f"Deal {deal.number}: {deal.dealer} deals" if deal.number else "Before the first deal"
        starter = f", starter {deal.starter}" if deal.starter else ""
        lines += ["", f"{dealer}{starter}{', void' if deal.void else ''}"]
        lines += [f"  {line['words']}" for line in deal.lines]
        lines.append("  " + ", ".join(f"{side} {score}" for side, score in deal.scores.items()))
    if found.history.report is not None:
        lines += ["", "The game", *(f"  {line}" for line in report_sentences(found.history.report))]
    return "\n".join(lines) + "\n"
