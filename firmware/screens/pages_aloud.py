"""Screens of several pages in plain words: what is one text is said whole, a list is said a page at a time."""

from __future__ import annotations

from engine.penalties import Infraction
from firmware.overlay import ADJUSTMENTS, Adjust, Fields, Levels, Menu, Overlay, Penalties, PhoneList, Report, Says, Why
from firmware.screens.model import ROWS
from firmware.screens.pages import keys_of, overlay_pages, page_count
from firmware.screens.set_up import field_sentences
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import sentences


def overlay_aloud(view: View, overlay: Overlay) -> list[str]:
    """What is said on each page; a text that is said whole is the same on every one."""
    match overlay:
        case Why(text=text):
            return [text]
        case Says():
            return [sentences(*score_sentences(view))]
        case Adjust():
            return _pages([_choice(place, say(key)) for place, (key, _) in enumerate(ADJUSTMENTS, 1)])
        case Fields():
            return [sentences(page, say("say-changes-field")) for page in _pages(field_sentences(view.settings))]
        case Levels() if view.public is not None:
            sides = zip(view.public.side_names, view.public.levels, strict=True)
            rows = [_choice(place, f"{name}, {level}") for place, (name, level) in enumerate(sides, 1)]
            return [sentences(*rows, say("say-changes-level"))]
        case PhoneList():
            rows = [_choice(phone.number, keys_of(view, phone.seat)) for phone in view.phones]
            return [sentences(*rows, say("say-unpairs"))] * page_count(view, overlay)
        case Penalties():
            named = [_penalty(place, one) for place, one in enumerate(view.penalties, 1)]
            named.append(_choice(len(named) + 1, say("by-hand")))
            named += [_penalty(place, one) for place, one in enumerate(view.unruled, len(named) + 1)]
            return _pages(named)
        case Menu() | Report():
            return _pages([line.strip() for page in overlay_pages(view, overlay) for line in page])
        case _:
            return [""]


def score_sentences(view: View) -> list[str]:
    """What ``D`` says: every score and the holes to go, whose crib, the starter, the count, the turn."""
    public = view.public
    if public is None:
        return [say("say-no-game", players=", ".join(view.settings.names))]
    said = [
        say("say-score-to-go", name=name, points=public.scores[side], holes=public.holes_to_go(side))
        for side, name in enumerate(public.side_names)
    ]
    if public.dealer is not None:
        said.append(say("say-whose-crib", name=public.names[public.dealer]))
    if public.starter is not None and public.dealer is not None and not public.sealed:
        said.append(say("say-starter-is", card=public.starter))
    if public.stage.value == "play":
        said.append(say("say-count", count=public.count))
    if public.turn is not None:
        said.append(say("say-turn", name=public.names[public.turn]))
    return said


def _pages(entries: list[str]) -> list[str]:
    """The entries of each page in sentences, and on every page but a single one that there are more."""
    cut = [entries[start : start + ROWS] for start in range(0, len(entries), ROWS)] or [[]]
    more = say("say-more") if len(cut) > 1 else ""
    return [sentences(*page, more) for page in cut]


def _choice(number: int, what: str) -> str:
    return say("say-choice", number=number, what=what)


def _penalty(number: int, one: Infraction) -> str:
    """An infraction by its whole name, with what it costs where the book says."""
    cost = f", {one.amount}" if isinstance(one.amount, int) and one.amount else ""
    return _choice(number, one.name.replace("-", " ") + cost)
