"""The players' names: ``/names`` tells them and takes one, ``/names/remove`` forgets one. For who may press keys."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware.hands import Presser
from firmware.web.body import read_object
from firmware.web.games import told
from firmware.web.guard import Refusal, quoted
from firmware.web.library import NotTold
from firmware.web.source import PageSource
from firmware.web.streams import as_json
from firmware.web.who import SPECTATOR, presser

SHAPE: Final = '{"name": "Ann", "seat": 1}'
ONE: Final = '{"name": "Ann"}'


def names_routes(source: PageSource) -> list[Route]:
    """Everything under ``/names``."""

    async def listed(request: Request) -> Response:
        _by(request)
        return _json(source.library.names())

    async def keep(request: Request) -> Response:
        by = _by(request)
        data = await read_object(request, "a name", SHAPE)
        if isinstance(data, Refusal):
            return data
        seat = data.get("seat")
        if set(data) - {"name", "seat"} or not isinstance(data.get("name"), str):
            return Refusal(400, f"{quoted(data)}: a name is sent like {SHAPE}")
        if seat is not None and (type(seat) is not int or not 1 <= seat <= 9):
            return Refusal(400, f"{quoted(seat)} is no seat: a name is sent like {SHAPE}")
        return _json(source.library.keep_name(data["name"], seat, by))

    async def remove(request: Request) -> Response:
        _by(request)
        data = await read_object(request, "a name", ONE)
        if isinstance(data, Refusal):
            return data
        if set(data) != {"name"} or not isinstance(data["name"], str):
            return Refusal(400, f"{quoted(data)}: a name is sent like {ONE}")
        return _json(await source.library.drop_name(data["name"]))

    return [
        Route("/names", told(listed)),
        Route("/names", told(keep), methods=["POST"]),
        Route("/names/remove", told(remove), methods=["POST"]),
    ]


def _by(request: Request) -> Presser:
    """Who asks. Raises NotTold for a spectator: who plays here is no concern of his."""
    by = presser(request)
    if by is None:
        raise NotTold(403, SPECTATOR)
    return by


def _json(values: dict[str, Any]) -> Response:
    return Response(as_json(values), media_type="application/json")
