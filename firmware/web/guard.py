"""What stands between the network and the page: by which name it may be asked, and what every answer says."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection, Iterable
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware.addresses import is_loopback
from firmware.web.limits import BODY_BYTES
from firmware.web.streams import as_json

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
FOUND_AS: Final = "muggins"
"""The board's name on its network, before ``.local``."""
PORT: Final = re.compile(r":[0-9]{1,5}\Z")
QUOTED: Final = 24

SECURITY: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
SECURE: Final = {"cross-origin-opener-policy": "same-origin"}
"""Where the page came safely, over https or from this machine: elsewhere browsers only complain of it."""


class Refusal(Response):
    """An answer that a request was not taken: one line of JSON, ``{"error": ...}``."""

    media_type = "application/json"

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(as_json({"error": text}), status, {"cache-control": "no-store", **(headers or {})})


def names_for(host: str, more: Iterable[str] = ()) -> set[str]:
    """The names by which a page served at this address may be asked for, beside that address and the loopback's names.

    On the loopback there are none; elsewhere this machine's name, muggins.local and ``more``.
    """
    if is_loopback(host):
        return set()
    own = socket.gethostname().lower()
    own_local = own.partition(".")[0] + ".local"
    return {own, own_local, f"{FOUND_AS}.local"} | {name.lower() for name in more}


class Guard:
    """Answers only what is asked by this machine's own name, and gives every answer the security headers.

    A page of another site that points its name at this machine is refused by the Host it sends, and one that posts
    from elsewhere by its Origin. ``names`` is looked at anew each time: the board may be found by another one later.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = PORT.sub("", headers.get("host", "")).lower()
        said = SECURITY if scope["scheme"] != "https" and host not in LOOPBACK else SECURITY | SECURE

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in said.items():
                    answer[name] = value
                answer.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope, headers, host)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> Refusal | None:
        here = scope["server"][0] if scope.get("server") else ""
        known = host == here or host in self._names or (host in LOOPBACK and is_loopback(here))
        if len(headers.getlist("host")) != 1 or not host or not known:
            return Refusal(400, f"Host {quoted(headers.get('host', ''))}: {self._own(here)}", {"connection": "close"})
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BODY_BYTES:
            return Refusal(413, f"more than {BODY_BYTES} bytes: nothing so long is taken", {"connection": "close"})
        if scope["method"] in ("GET", "HEAD"):
            return None
        origins = headers.getlist("origin")
        own = f"{scope['scheme']}://{headers['host'].lower()}"
        foreign = any(origin.lower() != own for origin in origins)
        if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return Refusal(403, f"Origin {quoted(', '.join(origins))}: keys are taken from this board's own page only")
        return None

    def _own(self, here: str) -> str:
        if not self._names:
            return (
                "this page is served to this machine only; open it as http://127.0.0.1 or http://localhost, "
                "with its port"
            )
        return f"this is no name of this board's; open its page by number, as {here} with its port, or as muggins.local"


def quoted(value: Any) -> str:
    """What someone sent, fit for an error message: plain characters, one line, not long."""
    text = ascii(value)
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."
