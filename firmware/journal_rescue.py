"""Which acts of a damaged journal can be carried over: those that still fold, with the gaps counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.history import Corrected, History, Undone
from firmware.journal_outline import Outline
from firmware.journal_pages import Salvaged
from firmware.journal_rows import Line, Removed, Row, act_of, grouped


@dataclass(frozen=True, slots=True)
class Rescued:
    """What is carried over, and how many entries the file is known to have held."""

    rows: tuple[Row, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    records: dict[int, tuple[str, str]] = field(default_factory=dict)
    held: int = 0


def rescue(found: Salvaged) -> Rescued:
    """Of sound rows in order, some perhaps missing: the acts that can be folded.

    After a gap nothing is kept until a match is opened, because what it would be folded onto is lost; nor is anything
    kept after an act that takes back a lost one, or that this program cannot fold.
    """
    held, last_seq, last_entry = 0, 0, 0
    groups: list[tuple[bool, list[Line]]] = []
    for group in grouped(found.lines):
        seq, entry = group[0].seq, group[0].entry
        missing = max(0, min(seq - last_seq - 1, entry - last_entry - 1))
        held += missing + (entry != last_entry)
        gap = seq != last_seq + 1 or entry <= last_entry
        last_seq, last_entry = group[-1].seq, group[-1].entry
        row = _row(group) if group[0].kind == "Removed" else None
        if row is not None and isinstance(row.act, Removed):  # it stands for more rows than one
            last_seq, last_entry = seq + row.act.rows - 1, entry + row.act.entries - 1
        whole = [line.more for line in group] == list(range(len(group) - 1, -1, -1))
        whole = whole and group[-1].seq - seq == len(group) - 1
        if whole and entry > 0:
            groups.append((gap, group))
        else:
            groups.append((True, []))
    return Rescued(tuple(_foldable(_ordered(groups))), found.settings, found.records, held)


def _ordered(groups: Iterable[tuple[bool, list[Line]]]) -> list[Row]:
    """The acts that follow on each other: every undo names the newest act that stands."""
    kept: list[Row] = []
    stack: list[int] = []
    lost = broken = False
    for gap, group in groups:
        lost = lost or gap
        row = _row(group) if group else None
        if row is None or (kept and row.number <= kept[-1].number):
            lost = True
            continue
        if isinstance(row.act, Removed):
            lost, broken, stack = False, False, []
            kept.append(row)
            continue
        if lost and not _opens_match(row):
            continue
        if lost:
            lost, broken, stack = False, True, []
        if isinstance(row.act, Undone):
            if not stack or stack[-1] != row.act.entry:
                lost = True
                continue
            stack.pop()
            lost = broken and not stack
        else:
            stack.append(row.number)
        kept.append(row)
    return kept


def _row(group: list[Line]) -> Row | None:
    try:
        return Row(group[0].entry, group[-1].game, act_of(group), group[0].at)
    except Exception:  # whatever is wrong with it, it cannot be folded
        return None


def _opens_match(row: Row) -> bool:
    if isinstance(row.act, Undone | Corrected | Removed):
        return False
    first = row.act[0]
    return type(first).__name__ == "GameOpened" and not getattr(first, "rematch", True)


def _foldable(rows: list[Row]) -> list[Row]:
    """The acts of each match up to the first that cannot be folded."""
    outline = Outline()
    for row in rows:
        for line in outline.lines(row.number, row.act, row.at):
            outline.add(line)
    starts = {opening.entry for opening, _ in outline.matches()}
    kept: list[Row] = []
    history: History | None = History()
    for row in rows:
        if row.number in starts or isinstance(row.act, Removed):
            history = History()
        if history is None:
            continue
        try:
            history = _step(history, row)
        except Exception:  # an older program's act that this one cannot fold: what follows rests on it
            history = None
        else:
            kept.append(row)
    return kept


def _step(history: History, row: Row) -> History:
    if isinstance(row.act, Undone):
        return history.undo()
    if isinstance(row.act, Removed):
        return history
    if isinstance(row.act, Corrected):
        return history.correct(row.number, row.act.was, row.act.card)
    return history.record(row.number, row.act)
