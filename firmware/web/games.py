"""The history's addresses: the page ``/games``, the list, one game in each form, importing and deleting.

Anybody may read what is told there; only who may press keys may change anything.
"""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from firmware.web.assets import Asset
from firmware.web.guard import Refusal
from firmware.web.library import Library, NotTold
from firmware.web.source import PageSource
from firmware.web.streams import as_json
from firmware.web.who import SPECTATOR, presser

RECORD_BYTES: Final = 256 * 1024
"""A longer record is none."""
WISH_BYTES: Final = 4096


def games_routes(source: PageSource, page: Asset) -> list[Route]:
    """Everything under ``/games``."""

    def library() -> Library:
        return source.library

    async def shown(request: Request) -> Response:
        return page.answer(request)

    async def listed(request: Request) -> Response:
        return _json(await library().games() | {"may_change": presser(request) is not None})

    async def game(request: Request) -> Response:
        found = await library().game(request.path_params["name"])
        return _json(found | {"may_change": presser(request) is not None})

    async def record(request: Request) -> Response:
        name = request.path_params["name"]
        found = await library().game(name)
        return _file(f"muggins-{name}.crib", "text/plain", found["record"])

    async def table(request: Request) -> Response:
        name = request.path_params["name"]
        return _file(f"muggins-{name}.csv", "text/csv", await library().table(name))

    async def take_over(request: Request) -> Response:
        _may_change(request)
        data = await _body(request, RECORD_BYTES, "application/octet-stream")
        return _json(await library().take_over(data))

    async def delete(request: Request) -> Response:
        _may_change(request)
        wish = _wish(await _body(request, WISH_BYTES, "application/json"))
        return _json(await library().delete(request.path_params["name"], wish))

    return [
        Route("/games", shown),
        Route("/games.json", told(listed)),
        Route("/games/import", told(take_over), methods=["POST"]),
        Route("/games/{name}/delete", told(delete), methods=["POST"]),
        Route("/games/{name}.json", told(game)),
        Route("/games/{name}.crib", told(record)),
        Route("/games/{name}.csv", told(table)),
        Route("/games/{name}", shown),
    ]


def told(answer: Any) -> Any:
    """The same, with a NotTold said as a refusal."""

    async def answered(request: Request) -> Response:
        try:
            found: Response = await answer(request)
        except NotTold as error:
            return _refusal(error)
        return found

    return answered


def _refusal(error: NotTold) -> Refusal:
    refusal = Refusal(error.status, str(error))
    if error.line:
        refusal.body = as_json({"error": str(error), "line": error.line, "column": error.column}).encode()
        refusal.headers["content-length"] = str(len(refusal.body))
    return refusal


def _may_change(request: Request) -> None:
    if presser(request) is None:
        raise NotTold(403, SPECTATOR)


async def _body(request: Request, most: int, kind: str) -> bytes:
    """What was sent. Raises NotTold for too much of it, or another kind."""
    found = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if found != kind:
        raise NotTold(415, f"this is sent as {kind}")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise NotTold(413, f"more than {most} bytes: this is no record of a game")
    except ClientDisconnect as error:
        raise NotTold(400, "the request broke off: send it whole") from error
    return body


def _wish(body: bytes) -> list[str]:
    """The games that the person agreed to delete. Raises NotTold."""
    shape = '{"games": ["7"]}'
    try:
        data = json.loads(body.decode("utf-8"))
        games = data["games"]
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise NotTold(400, f"the games that are to be deleted are sent like {shape}") from error
    if set(data) != {"games"} or not isinstance(games, list) or not all(isinstance(one, str) for one in games):
        raise NotTold(400, f"the games that are to be deleted are sent like {shape}")
    return games


def _json(values: dict[str, Any]) -> Response:
    return Response(as_json(values), media_type="application/json")


def _file(name: str, kind: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8"), media_type=f"{kind}; charset=utf-8", headers=headers)
