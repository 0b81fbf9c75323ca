"""How a move of the pegs is shown in time: it sweeps, then pulses; what follows too soon upon another only jumps.

So that no light flashes more than three times in any second, however quickly acts follow each other: an effect has the
lights to itself, and once a peg goes back among quick acts each waits until the one before it has been seen. Points
that are only given never wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.state import Pegs
from firmware.view import Moved

SWEEP_S_PER_HOLE: Final = 0.05
LONGEST_SWEEP_S: Final = 0.8
PULSE_S: Final = 0.4
"""One pulse: half bright, half dim; 2.5 Hz."""
APART_S: Final = PULSE_S / 2
"""The least time between two changes of one light."""
CALM_S: Final = 1.0
"""After a move that jumped it takes so long until the next may sweep and pulse."""


def sweep_s(moved: Moved, side: int, pegs: Pegs) -> float:
    """How long (seconds) that side's front peg runs."""
    return 0.0 if moved.calm else min(LONGEST_SWEEP_S, SWEEP_S_PER_HOLE * abs(pegs.front - moved.before[side].front))


def pulses(moved: Moved, side: int, *, blink: bool) -> int:
    """How often that side's front peg pulses when it has arrived: side A once, side B twice, the third three times."""
    return side + 1 if blink and not moved.calm else 0


def rests_at(moved: Moved, pegs: Sequence[Pegs], *, blink: bool) -> float:
    """When (seconds) sweep and pulses are over, ``pegs`` being where the pegs have moved to."""
    ends = [moved.at]
    for side, stand in enumerate(pegs):
        if stand != moved.before[side]:
            ends.append(moved.at + sweep_s(moved, side, stand) + pulses(moved, side, blink=blink) * PULSE_S)
    return max(ends)


def follow(
    previous: Moved | None,
    before: tuple[Pegs, ...] | None,
    after: tuple[Pegs, ...] | None,
    now: float,
    *,
    blink: bool,
) -> Moved | None:
    """How the move from ``before`` to ``after``, accepted at ``now`` (seconds), is shown after the previous one.

    An act that moves no peg leaves a move under way alone; at a table of other pegs, or none (None), nothing moves.
    """
    if before is None or after is None or len(before) != len(after):
        return None
    if previous is None or len(previous.before) != len(after):
        return Moved(before, now)
    if before == after:
        return previous
    if now < previous.at:
        return Moved(previous.before, previous.at, calm=True, turned=True)  # it waits still: both are shown as one
    quiet = previous.at + CALM_S if previous.calm else rests_at(previous, before, blink=blink) + APART_S
    if now >= quiet:
        return Moved(before, now)
    back = any(new.front < old.front for old, new in zip(before, after, strict=True))
    if not (back or previous.turned):
        return Moved(before, now, calm=True)
    return Moved(before, max(now, previous.at + APART_S), calm=True, turned=True)
