"""What the board keeps in its journal, and what it says where that cannot be written."""

from __future__ import annotations

from typing import Any, Final

from engine.events import Event, GameOpened
from engine.history import Corrected, History, Undone
from engine.public import public
from engine.state import Stage
from firmware.journal import JournalError, SafeJournal
from firmware.settings import ENTRY_LEVELS, EntryLevel, Settings
from firmware.view import Notice, Noticed
from firmware.words import say

REMIND: Final = 10
"""After so many acts that are not saved it is said once more, with how many they are."""


def commit(
    journal: SafeJournal, number: int, what: tuple[Event, ...] | Undone | Corrected
) -> tuple[bool, Notice | None]:
    """Have an act in the journal: whether it may be shown, and what there is to say."""
    try:
        journal.append(number, what)
    except JournalError as error:
        return False, Notice(Noticed.FAULT, say("not-saved", why=str(error)))
    unsaved = journal.unsaved
    if unsaved and unsaved % REMIND == 0:
        return True, Notice(Noticed.FAULT, say("would-be-lost", number=unsaved, why=journal.trouble))
    return True, None


def remember(journal: SafeJournal, name: str, value: Any) -> Notice | None:
    """Keep a setting; what there is to say, if anything."""
    try:
        journal.set_setting(name, value)
    except JournalError as error:
        return Notice(Noticed.FAULT, say("not-saved", why=str(error)))
    return None


def terms_of(settings: Settings, history: History) -> Settings:
    """The agreement to go on with: at the end of a game it is that game's, wherever an undo or a start has led."""
    state = history.state
    if state is None or state.stage is not Stage.END:
        return settings
    game = public(state)
    return settings if settings.continues(game) else settings.as_played(game)


def entry_of(journal: SafeJournal, history: History, otherwise: EntryLevel) -> EntryLevel:
    """The entry level that the game now on the board was opened with: an undo may lead back to another one."""
    node: History | None = history
    while node is not None and node.entry is not None:
        if isinstance(node.entry.events[0], GameOpened):
            found = journal.setting(f"entry {node.entry.number}")
            return next((level for level in ENTRY_LEVELS if level == found), otherwise)
        node = node.earlier
    return otherwise
