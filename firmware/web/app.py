"""The page's addresses: the pages, ``/static/...``, ``/sw.js``, ``/version``, ``/state``, ``/events``, ``/key``.

Those of the history are in games.py, those of the players' names in names.py.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware.web.assets import PAGES, WORKER, load
from firmware.web.events import EventStream
from firmware.web.games import games_routes
from firmware.web.guard import Guard, Refusal, quoted
from firmware.web.limits import Limits
from firmware.web.names import names_routes
from firmware.web.phones import phone_routes
from firmware.web.press import read_press
from firmware.web.source import PageSource
from firmware.web.streams import Streams, as_json
from firmware.web.who import SPECTATOR, is_here, presser

CROWDED: Final = "as many look on as this board can serve: close the page on a device that does not need it"


def make_app(source: PageSource, *, names: Collection[str] = (), streams: int = Limits().streams) -> Starlette:
    """The page over a source. ``app.state.streams.end()`` ends its event streams, which a server must do to stop.

    ``names`` are the names it may be asked for beside the loopback's, ``streams`` how many read its events at once.
    Raises FileNotFoundError if the page's own files are not installed.
    """
    assets = load()
    pages = {path: assets[name] for path, name in PAGES.items()}
    worker = assets[WORKER]
    readers = Streams(source, streams)

    async def page(request: Request) -> Response:
        return pages[request.url.path].answer(request)

    async def service_worker(request: Request) -> Response:
        return worker.answer(request)

    async def version(request: Request) -> Response:
        return Response(as_json({"page": assets.version}), media_type="application/json")

    async def static(request: Request) -> Response:
        asset = assets.get(request.path_params["name"])
        if asset is None:
            raise HTTPException(404)
        return asset.answer(request)

    async def state(request: Request) -> Response:
        sight = source if is_here(request) else source.from_afar()
        return Response(as_json(sight.snapshot()), media_type="application/json")

    async def events(request: Request) -> Response:
        address = request.client.host if request.client else ""
        if request.method == "GET" and not readers.room_for(address):
            return Refusal(503, CROWDED, {"retry-after": "10"})
        return EventStream(readers, address, here=is_here(request))

    async def key(request: Request) -> Response:
        by = presser(request)
        if by is None:
            return Refusal(403, SPECTATOR)
        asked = await read_press(request)
        if isinstance(asked, Refusal):
            return asked
        try:
            late = source.press(asked.key, asked.hand(by), asked.seen)
        except ValueError as error:
            return Refusal(400, str(error))
        return Refusal(409, late) if late else Response(status_code=204)

    app = Starlette(
        routes=[
            *(Route(path, page) for path in PAGES),
            Route("/sw.js", service_worker),
            Route("/version", version),
            Route("/static/{name}", static),
            Route("/state", state),
            Route("/events", events),
            Route("/key", key, methods=["POST"]),
            *games_routes(source, assets["games.html"]),
            *phone_routes(source),
            *names_routes(source),
        ],
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={HTTPException: _refused, 500: _failed},
    )
    app.router.redirect_slashes = False
    app.state.streams = readers
    app.state.source = source
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    where = quoted(request.url.path)
    if error.status_code == 404:
        return Refusal(404, f"{where}: nothing is there; the page is at /", headers)
    if error.status_code == 405:
        return Refusal(405, f"{request.method} {where}: only {headers.get('Allow', 'GET')} is answered there", headers)
    return Refusal(error.status_code, f"{where}: {HTTPStatus(error.status_code).phrase}", headers)


async def _failed(request: Request, error: Exception) -> Response:
    return Refusal(500, "the board failed over that request; the game is as it was, and the service's log says why")
