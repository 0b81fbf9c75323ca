"""Screens of several pages in plain words: what is one text is said whole, a list is said a page at a time."""

from __future__ import annotations

from collections.abc import Iterable

from engine.penalties import Infraction
from firmware.overlay import ADJUSTMENTS, Adjust, Fields, Levels, Menu, Overlay, Penalties, PhoneList, Report, Says, Why
from firmware.screens.model import LISTED
from firmware.screens.pages import MORE, keys_of, overlay_pages, page_count, pages, report_entries
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
            return _pages([_choice(place, say(key)) for place, (key, _) in enumerate(ADJUSTMENTS, 1)], picks=True)
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
            return _pages(named, picks=True)
        case Menu():
            return _pages(
                [line.strip() for page in overlay_pages(view, overlay) for line in page[:-1] if line], picks=True
            )
        case Report(lines=lines):
            return _report(lines)
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


def _pages(entries: list[str], *, picks: bool = False) -> list[str]:
    """The entries of each page in sentences, what a number does there, and on every page that has one after it that
    there are more."""
    cut = [entries[start : start + LISTED] for start in range(0, len(entries), LISTED)] or [[]]
    chooses, more = say("say-picks") if picks else "", say("say-more")
    return [sentences(*page, chooses, more if number + 1 < len(cut) else "") for number, page in enumerate(cut)]


def _report(lines: Iterable[str]) -> list[str]:
    """Each line whole, on the page of the glass that it begins on."""
    entries = report_entries(lines)
    found = pages([part for entry in entries for part in entry])
    said: list[list[str]] = [[] for _ in found]
    number, left = 0, _rows(found[0])
    for entry in entries:
        said[number].append(" ".join(part.strip() for part in entry))
        left -= len(entry)
        while left <= 0 and number + 1 < len(found):
            number += 1
            left += _rows(found[number])
    return [sentences(*page, say("say-more") if number + 1 < len(said) else "") for number, page in enumerate(said)]


def _rows(page: list[str]) -> int:
    """How many lines of its text a page holds."""
    return len([line for line in page if line != MORE])


def _choice(number: int, what: str) -> str:
    return say("say-choice", number=number, what=what)


def _penalty(number: int, one: Infraction) -> str:
    """An infraction by its whole name, with what it costs where the book says."""
    cost = f", {one.amount}" if isinstance(one.amount, int) and one.amount else ""
    return _choice(number, one.name.replace("-", " ") + cost)
