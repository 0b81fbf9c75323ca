"""What a page posts to press a key, checked to the last word."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.requests import Request

from firmware.hands import Presser
from firmware.web.body import read_object
from firmware.web.guard import Refusal, quoted
from firmware.web.source import KEYS

SHAPE: Final = '{"key": "7"}'
LARGEST: Final = 2**53
"""What a browser's numbers can hold."""
_WINDOW: Final = re.compile(r"[A-Za-z0-9-]{1,36}")


@dataclass(frozen=True, slots=True)
class Press:
    """A key; the moment that its page showed, if it said so; and which window of a browser it came from."""

    key: str
    seen: int | None = None
    window: str = ""

    def hand(self, by: Presser) -> Presser:
        """Two windows of one browser type apart."""
        return replace(by, id=f"{by.id}/{self.window}") if self.window else by


async def read_press(request: Request) -> Press | Refusal:
    """The press that a request carries, or why there is none."""
    data = await read_object(request, "a key", SHAPE)
    return data if isinstance(data, Refusal) else _checked(data)


def _checked(data: dict[str, Any]) -> Press | Refusal:
    if "key" not in data or set(data) - {"key", "seen", "window"}:
        words = '"key" is wanted, and "seen" and "window" are taken'
        return Refusal(400, f"{quoted(data)}: {words}, nothing else, like {SHAPE}")
    key, seen, window = data["key"], data.get("seen"), data.get("window", "")
    if not isinstance(key, str) or key not in KEYS:
        return Refusal(
            400, f"{quoted(key)} is no key: the keys are 0-9 * # A B C D, and @1 to @4 or hold(@1) to hold(@4)"
        )
    if "seen" in data and (type(seen) is not int or not 0 <= seen <= LARGEST):
        return Refusal(400, f'"seen" {quoted(seen)} is no moment: the "moment" of the state that the page shows')
    if "window" in data and not (isinstance(window, str) and _WINDOW.fullmatch(window)):
        return Refusal(400, f'"window" {quoted(window)} is no name: up to 36 letters and digits')
    return Press(key, seen, window)
