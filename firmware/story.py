"""What the board tells of its history: worked out when it is first asked for, and once while that history stands.

A digit typed changes nothing of it, and the lights ask for none of the words: a peg does not wait for them.
"""

from __future__ import annotations

from functools import cached_property

from engine.events import CutMade, GameOpened
from engine.history import History
from engine.public import Public, public
from engine.report import report
from firmware import describe
from firmware.explain import explain, tell
from firmware.report_words import report_lines
from firmware.words import say


class Story:
    """The public state of a history, and its words."""

    def __init__(self, history: History) -> None:
        self.history = history

    @cached_property
    def public(self) -> Public | None:
        """What everyone at the table may know; None before the first game."""
        state = self.history.state
        return None if state is None else public(state, self.history.news)

    @cached_property
    def undoable(self) -> str:
        """What an undo would take back; empty where nothing stands."""
        return describe.newest(self.history)

    @cached_property
    def undo_asks_all(self) -> bool:
        """Whether each side is asked before that."""
        return describe.undo_asks_all(self.history)

    @cached_property
    def reason(self) -> str:
        """What the newest entry brought; empty where it pegged nothing and asks for nothing."""
        return self._told[0] or self._cut_again()

    @cached_property
    def reckoned(self) -> str:
        """The count that proves a miscount which the newest entry brought; else empty."""
        return self._told[1]

    @cached_property
    def _told(self) -> tuple[str, str]:
        state = self.history.state
        return ("", "") if state is None else tell(state, state.ledger[self.history.news :])

    @cached_property
    def why(self) -> str:
        """The same of the newest entry of this match that pegged anything: a restart keeps the match in mind alone."""
        node: History | None = self.history
        while node is not None and node.state is not None:
            text = _reason(node)
            if text or _begins_match(node):
                return text
            node = node.earlier
        return ""

    @cached_property
    def report(self) -> tuple[str, ...]:
        """The game report in lines, once the game is over and nothing is open any more."""
        state = self.history.state
        if state is None or state.winner is None or state.claims:
            return ()
        return report_lines(report(self.history.events()))

    def _cut_again(self) -> str:
        entry, state = self.history.entry, self.history.state
        tied = entry is not None and isinstance(entry.events[-1], CutMade) and state is not None and not state.cuts
        return say("cut-again") if tied else ""


def _begins_match(history: History) -> bool:
    first = None if history.entry is None else history.entry.events[0]
    return isinstance(first, GameOpened) and not first.rematch


def _reason(history: History) -> str:
    state = history.state
    fresh = () if state is None else state.ledger[history.news :]
    return explain(state, fresh) if state is not None and fresh else ""
