"""The screens that lie over the game."""

from __future__ import annotations

from firmware.overlay import Asking, Overlay, UndoOffer, Why
from firmware.screens.model import COLUMNS, Screen, screen
from firmware.screens.pages import overlay_pages, wrap
from firmware.view import View
from firmware.words import say


def over_screen(view: View, overlay: Overlay) -> Screen:
    """The screen of an overlay."""
    match overlay:
        case UndoOffer(what=what):
            text = say("undo", what=what)
            return screen(_asked(text, "# yes"), f"{text} Hash: yes.")
        case Asking(task=task, was=was):
            text = say("ask-right-card", was=was) if was is not None else say(f"ask-{task}")
            typed = view.typed + "_" if view.typed else ""
            return screen(_asked(text, typed), text)
        case _:
            found = overlay_pages(view, overlay)
            page = found[min(overlay.page, len(found) - 1)]
            lines = [*page, *[""] * (4 - len(page))]
            if view.typed:
                lines[3] = f"{view.typed}_".rjust(COLUMNS)
            spoken = overlay.text if isinstance(overlay, Why) else ", ".join(filter(None, map(str.strip, page)))
            return screen(lines, spoken)


def _asked(text: str, foot: str) -> list[str]:
    """A question over three lines, and what to do about it on the fourth."""
    return [*[*wrap(text), "", "", ""][:3], foot]
