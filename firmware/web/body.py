"""Reading what a page posts: one small JSON object, or one clear line about what is wrong with it."""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request

from firmware.web.guard import Refusal, quoted

MAX_BODY: Final = 1024


async def read_object(request: Request, what: str, shape: str, most: int = MAX_BODY) -> dict[str, Any] | Refusal:
    """The object that a request carries, or why there is none.

    ``what`` is what it should be, in a word or two ("a key"), ``shape`` an example of it, ``most`` the bytes it may
    take.
    """
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        return Refusal(415, f"Content-Type {quoted(kind)}: {what} is sent as application/json, like {shape}")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                text = f"more than {most} bytes: {what} is sent alone, like {shape}"
                return Refusal(413, text, {"connection": "close"})
    except ClientDisconnect:
        return Refusal(400, f"the request broke off: {what} is sent whole, like {shape}")
    try:
        data = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return Refusal(400, f"{quoted(body.decode('utf-8', 'replace'))} is not JSON: {what} is sent like {shape}")
    return data if isinstance(data, dict) else Refusal(400, f"{quoted(data)} is no object: {what} is sent like {shape}")
