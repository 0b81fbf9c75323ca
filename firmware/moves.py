"""How a move of the pegs is shown in time: it sweeps, then pulses; what follows too soon upon another only jumps.

So that no light flashes more than three times in any second, however quickly acts follow each other: an effect has the
lights to itself, and a peg that turns back waits until its last change has been seen.
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
    previous: Moved | None, before: tuple[Pegs, ...], after: tuple[Pegs, ...], now: float, *, blink: bool
) -> Moved:
    """How the move from ``before`` to ``after``, accepted at ``now`` (seconds), is shown after the previous one.

    An act that moves no peg leaves a move under way alone.
    """
    if previous is None or len(previous.before) != len(after):
        return Moved(before, now)
    if before == after:
        return previous
    if now < previous.at:
        return Moved(previous.before, previous.at, calm=True)  # that one waits still: both are shown as one
    quiet = previous.at + CALM_S if previous.calm else rests_at(previous, before, blink=blink) + APART_S
    if now >= quiet:
        return Moved(before, now)
    turns = _turns_back(previous.before, before, after)
    return Moved(before, max(now, previous.at + APART_S) if turns else now, calm=True)


def _turns_back(first: Sequence[Pegs], second: Sequence[Pegs], third: Sequence[Pegs]) -> bool:
    """Whether any front peg goes one way and then the other."""
    return any(
        (two.front - one.front) * (three.front - two.front) < 0
        for one, two, three in zip(first, second, third, strict=True)
    )
