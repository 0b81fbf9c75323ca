"""The screens that lie over the game."""

from __future__ import annotations

from firmware.overlay import Address, Answering, Asking, Calling, Consent, Fields, Levels, Overlay, Pairing, UndoOffer
from firmware.screens.call import call_screen
from firmware.screens.game import typed_line
from firmware.screens.model import Screen, screen
from firmware.screens.pages import overlay_pages, wrap
from firmware.screens.pages_aloud import overlay_aloud
from firmware.screens.phones import address_screen, pairing_screen
from firmware.screens.set_up import field_screen, names_field
from firmware.view import View
from firmware.words import say


def over_screen(view: View, overlay: Overlay) -> Screen:
    """The screen of an overlay."""
    match overlay:
        case UndoOffer(what=what):
            text = say("undo", what=what)
            return screen(_asked(text, "# yes"), say("say-undo", what=text))
        case Calling() | Answering() | Consent() if view.public is not None:
            return call_screen(view, view.public, overlay)
        case Address():
            return address_screen(view)
        case Pairing():
            return pairing_screen(view, overlay)
        case Fields() if names_field(view):
            return field_screen(view)
        case Asking():
            text = _question(view, overlay)
            typed = view.typed + "_" if view.typed else ""
            return screen(_asked(text, typed), text)
        case _:
            found = overlay_pages(view, overlay)
            number = 0 if isinstance(overlay, Levels | Calling | Answering | Consent) else overlay.page
            page = found[min(number, len(found) - 1)]
            lines = [*page, *[""] * (4 - len(page))]
            if view.typed:
                lines[3] = typed_line(view, lines[3])
            spoken = overlay_aloud(view, overlay)
            return screen(lines, spoken[min(number, len(spoken) - 1)])


def _question(view: View, overlay: Asking) -> str:
    """What an adjustment asks for next."""
    if overlay.was is not None:
        return say("ask-right-card", was=overlay.was)
    if overlay.task == "penalty" and overlay.amount is not None and overlay.to is not None and view.public is not None:
        name = view.public.names[overlay.to]
        return say("ask-penalty-to", reason=overlay.reason, amount=overlay.amount, name=name)
    if overlay.task == "penalty" and overlay.amount is not None:
        return say("ask-penalty-set", reason=overlay.reason, amount=overlay.amount)
    return say(f"ask-{overlay.task}", reason=overlay.reason)


def _asked(text: str, foot: str) -> list[str]:
    """A question over three lines, and what to do about it on the fourth."""
    return [*[*wrap(text), "", "", ""][:3], foot]
