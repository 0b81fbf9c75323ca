"""Screens that invite phones: the address as a code for a camera, and the pairing code."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import segno

from firmware.overlay import WRONG_MOST, Pairing
from firmware.screens.game import typed_line
from firmware.screens.model import Screen, screen
from firmware.screens.pages import keys_of, wrap
from firmware.view import View
from firmware.words import say

BESIDE: Final = 8
"""Columns beside it."""


def address_screen(view: View) -> Screen:
    """The page's address: for a camera at the left, to be read at the right."""
    found = urlsplit(view.address)
    host, port = found.hostname or "", f":{found.port}" if found.port else ""
    lines = [f"{found.scheme}://"[:BESIDE], *_cut(host, port), "", ""][:4]
    return screen(lines, say("say-address", address=view.address.rstrip("/")), modules=modules(view.address))


def _cut(host: str, port: str) -> list[str]:
    """The host by number and the port in lines of eight: two numbers a line, a name broken after a dot."""
    first, second = host, ""
    if len(host) > BESIDE:
        numbers = host.split(".")
        even = len(numbers) == 4 and all(number.isdigit() for number in numbers)
        at = len(".".join(numbers[:2])) + 1 if even else host.rfind(".", 0, BESIDE) + 1 or BESIDE
        first, second = host[:at], host[at:]
    return [first, second, port] if second else [first, port]


@lru_cache(maxsize=4)
def modules(address: str) -> tuple[str, ...]:
    """The address as a QR code, a row a string, ``1`` for a dark module; as small as can be.

    Scheme and host are the same in capitals, which take less room. Where the address has a path it stays as it is.
    """
    found = urlsplit(address)
    plain = found.path in ("", "/") and not found.query
    spellings = (address.upper(), address) if plain else (address,)
    codes = [segno.make(one, error="l", boost_error=True, micro=False) for one in spellings]
    code = min(codes, key=lambda one: one.symbol_size(border=0))
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix)


def pairing_screen(view: View, overlay: Pairing) -> Screen:
    """The pairing code as large as it goes, or that it is void; from afar only that there is one."""
    whose = keys_of(view, overlay.seat)
    left = WRONG_MOST - overlay.wrong
    if overlay.hidden:
        lines = [*wrap(say("pair-hidden"))[:3], typed_line(view, say("pair-for", whose=whose))]
        return screen(lines, say("say-pairing", whose=whose))
    if not overlay.code:
        spent = wrap(say("pair-spent", tries=WRONG_MOST))[:2]
        return screen([*spent, "# a new code", typed_line(view, "* leaves")], say("say-pair-void"))
    free = overlay.seat is None and not overlay.wrong
    foot = say("pair-left", left=left) if overlay.wrong else say("pair-all") if free else say("pair-for", whose=whose)
    code = (overlay.code[:3], overlay.code[3:])
    aloud = say("say-pair", code=", ".join(" ".join(half) for half in code), whose=whose)
    wrong = (say("say-tries", left=left),) if overlay.wrong else ()
    return screen(["", "", "", typed_line(view, foot)], aloud, rest=wrong, numerals=code)
