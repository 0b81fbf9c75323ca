"""The games kept here for the page of a running board: read in a thread of its own, changed by the board alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final, TypeVar

from engine.record_words import RecordError
from engine.rules import RuleBook
from firmware.archive import Archive, Found, Listed, checked, identity
from firmware.board import Board
from firmware.game_csv import to_csv
from firmware.hands import Presser
from firmware.journal import GameSummary, JournalError, SafeJournal
from firmware.journal_care import JournalCare
from firmware.names import LONGEST
from firmware.seating import drop_name, keep_name
from firmware.web.library import NotTold
from firmware.words import Language
from hardware.fonts import like, load

T = TypeVar("T")
KEPT: Final = 16
"""So many answers are kept until the next act: a crowd that looks at one game has it folded once."""


class BoardLibrary:
    """``firmware.web.library.Library`` over a board's journal. One wish is worked on at a time."""

    def __init__(
        self,
        board: Board,
        journal: SafeJournal,
        care: JournalCare,
        books: Mapping[str, RuleBook],
        language: Language = "en-US",
    ) -> None:
        self._board = board
        self._journal = journal
        self._care = care
        self._books = books
        self._language = language
        self._turn = asyncio.Lock()
        self._imported: dict[tuple[int, str, int], Listed] = {}
        self._summaries: dict[tuple[int, int], list[GameSummary]] = {}
        self._answers: dict[str, Any] = {}
        self._answered_at = (-1, -1)
        self._changes = 0

    async def games(self) -> dict[str, Any]:
        """The list."""
        found = await self._kept("", lambda archive: archive.listed())
        return {"games": [one.plain() | ({"trouble": one.trouble} if one.trouble else {}) for one in found]}

    async def game(self, name: str) -> dict[str, Any]:
        """One game that is over."""
        found = await self._found(name)
        together, stays = self._together(found.listed)
        return found.plain(self._language) | {"together": together, "stays": stays}

    async def table(self, name: str) -> str:
        """The same as CSV."""
        return to_csv(await self._found(name))

    async def take_over(self, data: bytes) -> dict[str, Any]:
        """Import a record."""
        try:
            text = await asyncio.to_thread(checked, data, self._books)
        except RecordError as error:
            message = str(error)
            if "own book" in message:
                message += ": the configuration of this board names none like it"
            raise NotTold(422, message, error.line, error.column) from error
        there = await self._read(lambda archive: archive.same(text))
        if there is None:
            try:
                there, new = f"i{self._journal.keep([text])[0]}", True
            except JournalError as error:
                raise NotTold(503, str(error)) from error
        else:
            new = False
        self._changes += 1
        return {"id": there, "there_already": not new}

    async def delete(self, name: str, agreed: list[str]) -> dict[str, Any]:
        """Delete a game with those that go with it."""
        found = next(
            (one for one in await self._kept("", lambda archive: archive.listed()) if one.identity == name), None
        )
        if found is None:
            raise NotTold(404, f"there is no game {name[:20]}")
        async with self._turn:  # nobody reads the file meanwhile: a reader would keep its old pages
            await self._care.pause()
            try:
                return self._remove(found, agreed)
            except JournalError as error:
                raise NotTold(503, str(error)) from error
            finally:
                self._changes += 1
                self._summaries.clear()
                self._imported.clear()
                self._care.begin()

    def _remove(self, found: Listed, agreed: list[str]) -> dict[str, Any]:
        """As things stand now: keys may have been pressed since it was asked for."""
        together, stays = self._together(found)
        if stays:
            raise NotTold(409, stays)
        if sorted(together) != sorted(agreed):
            raise NotTold(409, f"these go together: {', '.join(together)}. Look at them once more")
        if found.imported:
            self._journal.drop(found.number)
        else:
            self._board.remove(found.number)
        notes = []
        try:
            self._journal.scrub()
        except JournalError as error:
            notes.append(f"{error} Traces may be left in the file until games are deleted again.")
        aside = self._journal.set_aside()
        if aside:
            notes.append(f"Files once set aside may still hold them: {', '.join(aside)}.")
        return {"deleted": together} | ({"note": " ".join(notes)} if notes else {})

    def _together(self, listed: Listed) -> tuple[list[str], str]:
        """What goes with it, and why it cannot go."""
        if listed.imported:
            return [listed.identity], ""
        try:
            return [str(one) for one in self._journal.stretch_of(listed.number).games], ""
        except LookupError as error:
            words = str(error)
            return [], words[:1].upper() + words[1:]

    def names(self) -> dict[str, Any]:
        """The names kept on this board."""
        view = self._board.view()
        return {
            "kept": list(self._board.roster.kept),
            "offered": list(view.choices.names),
            "seats": list(view.settings.names) if view.setting_up else [],
            "longest": LONGEST,
        }

    def keep_name(self, text: str, seat: int | None, by: Presser) -> dict[str, Any]:
        """Keep a name and give it to a seat of the set-up."""
        try:
            name = keep_name(self._board, text, by, None if seat is None else seat - 1)
        except ValueError as error:
            raise NotTold(422, str(error)) from error
        lacking = "".join(one for one in dict.fromkeys(name) if not load("8x16").has(like(one)))
        note = {"note": f"The little screen has no letters for {lacking}: it draws boxes."} if lacking else {}
        return {"name": name} | note

    async def drop_name(self, text: str) -> dict[str, Any]:
        """Forget a name that was typed here."""
        async with self._turn:
            try:
                drop_name(self._board, text)
            except LookupError as error:
                raise NotTold(404, str(error)) from error
            except ValueError as error:
                raise NotTold(409, str(error)) from error
            await self._care.pause()
            try:
                self._journal.scrub()
            except JournalError as error:
                return {"note": f"{error} Traces may be left in the file until something is deleted again."}
            finally:
                self._care.begin()
        return {}

    async def _found(self, name: str) -> Found:
        asked = identity(name)
        if asked is None or asked != name:
            raise NotTold(404, f"there is no game {ascii(name)[:24]}: the games are listed at /games")
        found = await self._kept(name, lambda archive: archive.find(name))
        if not (found.listed.ended or found.listed.imported):
            raise NotTold(409, f"game {name} is under way: it is told here once it is over")
        return found

    async def _kept(self, name: str, work: Callable[[Archive], T]) -> T:
        """The answer to that, worked out once for each state of the journal."""
        at = (self._journal.next_number, self._changes)
        if at != self._answered_at:
            self._answers, self._answered_at = {}, at
        answers = self._answers
        if name not in answers:
            found = await self._read(work)
            if len(answers) >= KEPT:
                answers.pop(next(iter(answers)))
            answers[name] = found
        kept: T = answers[name]
        return kept

    async def _read(self, work: Callable[[Archive], T]) -> T:
        """Work on the games in a thread, on the file; in the loop while some are only in memory."""
        async with self._turn:
            try:
                if not self._journal.saved:
                    return work(Archive(self._journal, self._books, self._imported))
                return await asyncio.to_thread(self._in_thread, work)
            except LookupError as error:
                raise NotTold(404, f"{error}: the games are listed at /games") from error
            except RecordError as error:
                raise NotTold(409, str(error), error.line, error.column) from error
            except JournalError as error:
                raise NotTold(503, str(error)) from error

    def _in_thread(self, work: Callable[[Archive], T]) -> T:
        with closing(self._journal.look()) as journal:
            journal.known = self._summaries
            return work(Archive(journal, self._books, self._imported))
