"""Pairing over the page: ``/pair`` takes the code that the board shows, ``/unpair`` lets go, ``/me`` says who asks.

``lost`` in ``/me``: this device was paired, and is no more.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware.pairing import Unpaired
from firmware.phones import REMEMBERED_S
from firmware.web.body import read_object
from firmware.web.guard import Refusal, quoted
from firmware.web.source import PageSource
from firmware.web.streams import as_json
from firmware.web.who import COOKIE, HERE, SPECTATOR, presser

SHAPE: Final = '{"code": "123456"}'
OWN: Final = "a page on the board's own machine has every key: it needs no pairing"
_CODE: Final = re.compile(r"[0-9]{6}")


def phone_routes(source: PageSource) -> list[Route]:
    """The three addresses, over a source."""

    async def me(request: Request) -> Response:
        by = presser(request)
        seat = None if by is None else by.seat
        told = {
            "may": by is not None,
            "here": by == HERE,
            "seat": seat,
            "name": by.name if by else "",
            "lost": by is None and bool(request.cookies.get(COOKIE)),
        }
        return Response(as_json(told), media_type="application/json")

    async def pair(request: Request) -> Response:
        before = presser(request)
        if before == HERE:
            return Refusal(409, OWN)
        data = await read_object(request, "a code", SHAPE)
        if isinstance(data, Refusal):
            return data
        code = data.get("code")
        if set(data) != {"code"} or not isinstance(code, str) or not _CODE.fullmatch(code):
            return Refusal(400, f"{quoted(data)} holds no code: it has six digits, like {SHAPE}")
        answer = source.phones.pair(code, request.client.host if request.client else "")
        if isinstance(answer, Unpaired):
            wait = {"retry-after": str(answer.wait_s)} if answer.wait_s else {}
            return Refusal(answer.status, answer.text, wait)
        if before is not None:
            source.phones.unpair(before)  # one phone, one hand
        response = Response(status_code=204)
        _keep(response, request, answer.cookie, REMEMBERED_S)
        return response

    async def unpair(request: Request) -> Response:
        data = await read_object(request, "the wish to be let go", "{}")
        if isinstance(data, Refusal):
            return data
        by = presser(request)
        if by is None:
            return Refusal(403, SPECTATOR)
        if by == HERE:
            return Refusal(409, OWN)
        source.phones.unpair(by)
        response = Response(status_code=204)
        _keep(response, request, "", 0)
        return response

    return [
        Route("/me", me),
        Route("/pair", pair, methods=["POST"]),
        Route("/unpair", unpair, methods=["POST"]),
    ]


def _keep(response: Response, request: Request, cookie: str, seconds: int) -> None:
    """Have the browser keep the cookie so long, out of reach of scripts and of other sites; 0 seconds: forget it."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, max_age=seconds, path="/", httponly=True, samesite="strict", secure=secure)
