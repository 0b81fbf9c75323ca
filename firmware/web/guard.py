"""What stands between the network and the page: who may ask, and what every answer says to the browser."""

from __future__ import annotations

import re
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware.web.events import as_json

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
PORT: Final = re.compile(r":[0-9]{1,5}\Z")
QUOTED: Final = 24

SECURITY: Final = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Refusal(Response):
    """An answer that a request was not taken: one line of JSON, ``{"error": ...}``."""

    media_type = "application/json"

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(as_json({"error": text}), status, {"cache-control": "no-store", **(headers or {})})


class Guard:
    """Answers only what is asked by this machine's own name, and gives every answer the security headers.

    A page of another site that points its name at this machine is refused by the Host it sends, and one that posts
    from elsewhere by its Origin.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = _refusal(scope["method"], Headers(scope=scope))
        await (refusal or self._app)(scope, receive, guarded)


def quoted(value: Any) -> str:
    """What someone sent, fit for an error message: plain characters, one line, not long."""
    text = ascii(value)
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."


def _refusal(method: str, headers: Headers) -> Refusal | None:
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or PORT.sub("", host).lower() not in LOOPBACK:
        return Refusal(
            400,
            f"Host {quoted(host)}: this page is served to this machine only; open it as http://127.0.0.1 or "
            "http://localhost, with its port",
        )
    if method in ("GET", "HEAD"):
        return None
    origins = headers.getlist("origin")
    foreign = any(origin.lower() != f"http://{host.lower()}" for origin in origins)
    if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return Refusal(403, f"Origin {quoted(', '.join(origins))}: keys are taken from this board's own page only")
    return None
