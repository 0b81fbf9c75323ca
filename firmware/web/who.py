"""Who a request comes from: someone at the table, who may act, or a spectator, who may look."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from firmware.hands import Presser
from firmware.web.guard import LOOPBACK, PORT
from firmware.web.source import PageSource
from firmware.words import say

__all__ = ["COOKIE", "HERE", "SPECTATOR", "Presser", "is_here", "presser"]

LOOPBACK_PEERS: Final = frozenset({"127.0.0.1", "::1"})

SPECTATOR: Final = "this page only watches: pair this device at the board to press keys"

HERE: Final = Presser("here", None, say("by-page"))
"""A browser on the board's own machine."""


COOKIE: Final = "muggins_phone"
"""What a paired phone keeps."""


def is_here(request: Request) -> bool:
    """Whether this is asked on the board's own machine, and by its own name there."""
    peer = request.client.host if request.client else ""
    host = PORT.sub("", request.headers.get("host", "")).lower()
    return peer in LOOPBACK_PEERS and host in LOOPBACK


def presser(request: Request) -> Presser | None:
    """Who may act by this request: this machine's own page, or a paired phone; None for a spectator.

    Asked anew for each request, since a phone may have been sent away.
    """
    if is_here(request):
        return HERE
    cookie = request.cookies.get(COOKIE)
    source: PageSource = request.app.state.source
    return source.phones.of(cookie) if cookie else None
