"""The page's own files, read once when the service starts: a few dozen kilobytes, and no path that leads elsewhere."""

from __future__ import annotations

import hashlib
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
}


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


def load(folder: Path = FOLDER) -> dict[str, Asset]:
    """All files of the page by name; files of an unknown type are left out."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in TYPES:
            content = path.read_bytes()
            found[path.name] = Asset(content, TYPES[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:20]}"')
    return found
