"""The page's own files, read once when the service starts: a few dozen kilobytes, and no path that leads elsewhere."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

FOLDER: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
PAGES: Final = {"/": "index.html", "/scoreboard": "scoreboard.html"}
"""The pages that are of use when the board is away: each shows the state it saw last."""
WORKER: Final = "worker.js"
"""The service worker, which is served from the root so that all of the page is in its reach."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its bytes, its type, and a tag that changes when they do."""

    content: bytes
    media_type: str
    etag: str

    def answer(self, request: Request) -> Response:
        """The file, or 304 where the browser has it already."""
        headers = {"cache-control": "no-cache", "etag": self.etag}
        if request.headers.get("if-none-match") == self.etag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.media_type, headers=headers)


class Assets(dict[str, Asset]):
    """The page's files by name, and the version of them all."""

    version: str


def load(folder: Path = FOLDER) -> Assets:
    """All files of the page by name; files of an unknown type are left out.

    ``{{version}}`` in a page or in the service worker becomes ``version`` of all files, ``{{shell}}`` the list of the
    files that the browser keeps for when the board is away. So a change to any file changes the worker, and a browser
    that has the old files drops them.
    """
    found = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in TYPES}
    version = version_of(found)
    shell = json.dumps(
        [*PAGES, *(f"/static/{name}" for name in found if name not in PAGES.values() and name != WORKER)]
    )
    for name, content in found.items():
        if name.endswith(".html") or name == WORKER:
            found[name] = content.replace(b"{{version}}", version.encode()).replace(b"{{shell}}", shell.encode())
    assets = Assets()
    assets.version = version
    for name, content in found.items():
        assets[name] = Asset(content, TYPES[Path(name).suffix], f'"{_hash(content)}"')
    return assets


def version_of(files: dict[str, bytes]) -> str:
    """A word that changes when any byte or name of the page's files does.

    >>> version_of({"a.js": b"1"}) == version_of({"a.js": b"2"})
    False
    """
    return _hash(b"".join(f"{name} {_hash(content)}\n".encode() for name, content in sorted(files.items())))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]
