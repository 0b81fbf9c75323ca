"""One key's contact, sampled: chatter taken out, holding noticed. Pure; the caller's ``now`` is the only clock."""

from __future__ import annotations

from typing import Final

from hardware.ports import Edge

DEBOUNCE_MS: Final = 25
HOLD_MS: Final = 600

# Sums of 0.02 s drift in the last bits; a nanosecond is far below any contact and far above the drift.
_SLACK_S: Final = 1e-9


class Debouncer:
    """Turns the sampled levels of one contact into edges.

    The first change is believed at once; then the level is not looked at for ``debounce_ms``, and whatever it is
    after that counts. So a press is reported in the very sample that sees it, contacts that chatter for less than
    ``debounce_ms`` give one edge each way, and the last level always wins. HOLD comes once, in the first sample
    that still finds the key down ``hold_ms`` after its DOWN. A contact that is down between two samples only is not
    seen.
    """

    __slots__ = ("_debounce_s", "_held", "_hold_s", "_quiet_until", "down", "since")

    def __init__(self, debounce_ms: float = DEBOUNCE_MS, hold_ms: float = HOLD_MS) -> None:
        self._debounce_s = debounce_ms / 1000
        self._hold_s = hold_ms / 1000
        self._quiet_until = float("-inf")
        self._held = False
        self.down = False
        """The level last reported."""
        self.since = float("-inf")
        """When that level was reported, in the caller's seconds."""

    @property
    def held(self) -> bool:
        """Whether HOLD was reported for the present press."""
        return self._held

    def sample(self, down: bool, now: float) -> Edge | None:
        """Take in one level at ``now`` (seconds, never going back) and return what it means, at most one edge."""
        if now + _SLACK_S < self._quiet_until:
            return None
        if down != self.down:
            self.down, self.since = down, now
            self._quiet_until = now + self._debounce_s
            self._held = False
            return Edge.DOWN if down else Edge.UP
        if down and not self._held and now + _SLACK_S >= self.since + self._hold_s:
            self._held = True
            return Edge.HOLD
        return None
