"""Pairing a phone: the code on the board's screen, typed on the phone, judged here. All time is an argument."""

from __future__ import annotations

import hmac
import math
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from firmware.overlay import WRONG_MOST, Overlay, Pairing
from firmware.phones import Phone, Phones, PhonesFull
from firmware.words import say

WINDOW_S: Final = 60.0
EACH_MOST: Final = 5
ALL_MOST: Final = 20
"""Tries within WINDOW_S, from one address and from all."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The code was right: the phone, and the cookie it is to keep."""

    phone: Phone
    cookie: str


@dataclass(frozen=True, slots=True)
class Unpaired:
    """The phone was not paired, and why, for the person who holds it; ``status`` is HTTP's word for it."""

    status: int
    text: str
    wait_s: int = 0
    """After so many seconds it may be tried again; 0 where that does not matter."""


class Tries:
    """The tries of the last minute. It remembers no more of them than may be made in it."""

    def __init__(self) -> None:
        self._tries: deque[tuple[float, str]] = deque()

    def take(self, address: str, now: float) -> int:
        """Make one try, or, without making it, the seconds until this address may."""
        while self._tries and self._tries[0][0] + WINDOW_S <= now:
            self._tries.popleft()
        own = [at for at, one in self._tries if one == address]
        waits = [own[-EACH_MOST]] if len(own) >= EACH_MOST else []
        waits += [self._tries[-ALL_MOST][0]] if len(self._tries) >= ALL_MOST else []
        if waits:
            return max(1, math.ceil(max(waits) + WINDOW_S - now))
        self._tries.append((now, address))
        return 0


class Desk:
    """Judges the codes that phones send."""

    def __init__(self, phones: Phones) -> None:
        self._phones = phones
        self._tries = Tries()

    def judge(
        self, overlay: Overlay | None, code: str, address: str, now: float
    ) -> tuple[Overlay | None, Paired | Unpaired]:
        """A code typed on a phone at that address, while ``overlay`` is on the board's screen: what is on it then, and
        the answer. A code holds once, and only while it is shown."""
        wait = self._tries.take(address, now)
        if wait:
            return overlay, Unpaired(429, say("told-pair-wait", seconds=wait), wait)
        if not isinstance(overlay, Pairing):
            return overlay, Unpaired(409, say("told-pair-closed"))
        if not overlay.code:
            return overlay, Unpaired(410, say("told-pair-void"))
        if not hmac.compare_digest(overlay.code.encode(), code.encode()):
            wrong = overlay.wrong + 1
            if wrong >= WRONG_MOST:
                return replace(overlay, code="", wrong=wrong), Unpaired(410, say("told-pair-void"))
            return replace(overlay, wrong=wrong), Unpaired(403, say("told-pair-wrong", left=WRONG_MOST - wrong))
        try:
            phone = self._phones.add(overlay.seat)
        except PhonesFull:
            return overlay, Unpaired(409, say("told-pair-full"))
        return None, Paired(phone, self._phones.cookie(phone))
