"""Names given to the seats of a board and kept on it, and names that it forgets."""

from __future__ import annotations

from firmware.board import Board
from firmware.hands import KEYPAD, Presser
from firmware.words import say


def keep_name(board: Board, text: str, by: Presser, seat: int | None = None) -> str:
    """Keep a name, and give it to a seat (from 0) of the set-up that is on the glass; gives it as it is kept.

    Raises ValueError for what can be no name, or not at that seat, or not now; then nothing has changed.
    """
    view = board.view()
    name = board.roster.spelled(text)
    if seat is not None and not view.setting_up:
        raise ValueError(say("names-at-set-up"))
    settings = None if seat is None else view.settings.named(seat, name)
    board.take_names(board.roster.keep(name), settings, by)
    return name


def drop_name(board: Board, text: str) -> None:
    """Forget a name that was typed here; games keep those they were played under.

    Raises LookupError for one that is not kept, ValueError while it sits at the table.
    """
    view = board.view()
    board.take_names(board.roster.drop(text, (*view.settings.names, *view.names)), None, KEYPAD)
