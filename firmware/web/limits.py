"""How much the page takes from anybody, and for how long it waits: the keys at the table come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD_BYTES: Final = 8192
"""A request's first lines may be about so long."""
BODY_BYTES: Final = 1_000_000
"""No request's body is longer; most paths take far less."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Connections and event streams at once; seconds until a slow client is dropped."""

    connections: int = 128
    streams: int = 64
    head_s: float = 10.0
    """For the first lines of a request, from the connection or from the first byte on."""
    body_s: float = 10.0
    """For the rest of a request."""
    drain_s: float = 10.0
    """For a client to take what it asked for, where it has fallen behind."""
    keep_s: int = 5
    """For the next request on a connection."""
    linger_s: float = 3.0
    """For a client that still sends to read that it was refused."""
