"""Who a request comes from: someone at the table, who may act, or a spectator, who may look."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from firmware.hands import Presser
from firmware.web.guard import LOOPBACK, PORT
from firmware.words import say

__all__ = ["HERE", "SPECTATOR", "Presser", "presser"]

LOOPBACK_PEERS: Final = frozenset({"127.0.0.1", "::1"})


SPECTATOR: Final = "this page only watches: pair this device at the board to press keys"

HERE: Final = Presser("here", None, say("by-page"))
"""A browser on the board's own machine."""


def presser(request: Request) -> Presser | None:
    """Who may act by this request, or None for a spectator."""
    peer = request.client.host if request.client else ""
    host = PORT.sub("", request.headers.get("host", "")).lower()
    return HERE if peer in LOOPBACK_PEERS and host in LOOPBACK else None
