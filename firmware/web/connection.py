"""One connection: HTTP as uvicorn speaks it, within bounds of size and time, and each request in its turn."""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.server import ServerState

from firmware.web.door import Door
from firmware.web.guard import SECURITY, Refusal
from firmware.web.limits import HEAD_BYTES, Limits
from firmware.web.pace import Pace

PIECE: Final = HEAD_BYTES // 2
"""Of what might be a head so much is looked at before it must be one."""
LINGER_BYTES: Final = 16_000_000
WHY: Final = {
    400: "this is no HTTP request that can be read",
    408: "the request did not come to its end in time: send it whole, and again",
    431: f"the request's first lines are longer than {HEAD_BYTES} bytes: send fewer or shorter ones",
    501: "the request's body comes in a way that is not known here",
}


class Connection(H11Protocol):
    """A guest of the door."""

    def __init__(
        self,
        door: Door,
        pace: Pace,
        limits: Limits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = door
        self._pace = pace
        self._limits = limits
        self.address = ""
        self._inbox = bytearray()
        self._queued = False
        self._phase = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._overdue = False
        self._stuck: asyncio.TimerHandle | None = None
        self._lingers = False
        self._discarded = 0

    # What the door asks.
    @property
    def idle(self) -> bool:
        """Whether no whole request of it waits or is being answered."""
        if self._queued:
            return False
        cycle = self.cycle
        return cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started)

    def drop(self) -> None:
        """End it at once."""
        self._door.left(self)
        self.transport.abort()

    # What the transport tells.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.transport = _Gentle(transport, self)  # type: ignore[assignment]
        self.address = self.client[0] if self.client else ""
        self._door.entered(self)
        self._expect("head")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._door.left(self)
        self._expect("")
        self._inbox.clear()
        if self._stuck is not None:
            self._stuck.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Keep what came until it is this connection's turn, and read no more until then."""
        if self._lingers:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.drop()
            else:
                self.transport.pause_reading()
                self._pace.add(self.address, self.transport.resume_reading)
            return
        self._unset_keepalive_if_required()
        if not self._phase and (self.cycle is None or self.cycle.response_complete):
            self._expect("head")
        self._inbox += data
        self.transport.pause_reading()
        self.handle_events()

    def eof_received(self) -> bool:  # type: ignore[override]
        """A client that has said all it will still gets its answer; a reader of events that goes is gone."""
        cycle = self.cycle
        if cycle is None or cycle.response_started or self.scheme != "http":
            return False
        cycle.keep_alive = False
        return True

    def pause_writing(self) -> None:
        """The client does not take what is sent: it has some seconds."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(self._limits.drain_s, self.drop)

    def resume_writing(self) -> None:
        """The client has caught up."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    # Requests.
    def handle_events(self) -> None:
        """Have what came looked at when it is the turn of this client's address."""
        if not self._queued:
            self._queued = True
            self._pace.add(self.address, self._turn)

    def _turn(self) -> None:
        self._queued = False
        if self.transport.is_closing():
            return
        if self._inbox and not self.flow.read_paused:
            # Never more than a piece of what might be a head: one that comes all at once is no shorter for it.
            size = len(self._inbox) if self.conn.their_state is h11.SEND_BODY else PIECE
            self.conn.receive_data(bytes(self._inbox[:size]))
            del self._inbox[:size]
        super().handle_events()
        if self.transport.is_closing():
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._expect("body")
        elif state is not h11.IDLE:
            self._expect("")
        if self.flow.read_paused:
            return  # an answer is under way; what has come meanwhile waits for it
        if self._inbox:
            self.handle_events()
        elif self._overdue:
            self._late()
        else:
            self.transport.resume_reading()

    def on_response_complete(self) -> None:
        """Ready for the next request, unless this one was answered before its end: nobody reads the rest."""
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self._expect("")
            self.transport.close()
        super().on_response_complete()

    def _expect(self, phase: str) -> None:
        """Wait so long for the rest of a head or a body, and for nothing after it."""
        if phase == self._phase:
            return
        self._phase = phase
        self._overdue = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if phase:
            seconds = self._limits.head_s if phase == "head" else self._limits.body_s
            self._deadline = self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        self._deadline = None
        if self._queued:  # it may all be here, and wait for its turn
            self._overdue = True
            return
        if self._phase == "body" or self._inbox or self.conn.trailing_data[0]:
            self._refuse(408)
        else:
            self.drop()

    def send_400_response(self, msg: str) -> None:
        """Answer a request that is none, with the status that says why."""
        error = sys.exc_info()[1]
        self._refuse(getattr(error, "error_status_hint", 400))

    def _refuse(self, status: int) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # whoever works at an answer may leave off
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # something is being answered already
            self.drop()
            return
        refusal = Refusal(status, WHY.get(status, WHY[400]), {**SECURITY, "connection": "close"})
        head = h11.Response(status_code=status, headers=refusal.raw_headers, reason=STATUS_PHRASES[status])
        self.transport.write(
            (self.conn.send(head) or b"")
            + (self.conn.send(h11.Data(data=bytes(refusal.body))) or b"")
            + (self.conn.send(h11.EndOfMessage()) or b"")
        )
        self._expect("")
        self.transport.close()

    # The end.
    def say_goodbye(self) -> bool:
        """Whether the client still sends and is let finish, so that it can read its answer."""
        if self._lingers or self.scheme != "http":
            return self._lingers
        if self.conn.their_state not in (h11.SEND_BODY, h11.ERROR) and not self._inbox and self._phase != "head":
            return False
        self._lingers = True
        self._inbox.clear()
        self.loop.call_later(self._limits.linger_s, self.drop)
        return True


class _Gentle:
    """The transport as uvicorn sees it. Closing it while the client still sends would take the answer from it on the
    way: then it is closed one way first."""

    def __init__(self, transport: asyncio.Transport, connection: Connection) -> None:
        self._transport = transport
        self._connection = connection
        self._closing = False

    def close(self) -> None:
        """Close it; after a moment, where the client still sends."""
        if self._closing:
            return
        self._closing = True
        if self._transport.is_closing() or not self._connection.say_goodbye():
            self._transport.close()
            return
        try:
            self._transport.write_eof()
        except OSError:  # gone already
            self._transport.close()
        else:
            self._transport.resume_reading()

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._closing or self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
