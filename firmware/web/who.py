"""Who a request comes from: someone at the table, who may act, or a spectator, who may look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from firmware.web.guard import LOOPBACK, PORT

LOOPBACK_PEERS: Final = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Presser:
    """Someone who may press keys. ``seat`` is the seat this device is bound to, counted from 0; None is the table."""

    id: str
    seat: int | None = None


HERE: Final = Presser("here")
"""A browser on the board's own machine."""


def presser(request: Request) -> Presser | None:
    """Who may act by this request, or None for a spectator."""
    peer = request.client.host if request.client else ""
    host = PORT.sub("", request.headers.get("host", "")).lower()
    return HERE if peer in LOOPBACK_PEERS and host in LOOPBACK else None
