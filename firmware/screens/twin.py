"""The spoken twin of a whole screen: its own words, and those that every screen of its kind has, in plain language."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.public import Public
from engine.state import Award, Miscount
from firmware.screens.model import Twin
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import plain


def twin_of(view: View, twin: Twin) -> Twin:
    """The twin of a screen whose own words are given; symbols and codes have become words.

    A screen of the game has its news, scores and levels too; any but a notice has what is typed.
    """
    rest = twin.rest
    if view.typed and view.notice is None:
        rest = (*rest, say("say-typed", typed=view.typed))
    if view.notice is None and view.overlay is None:
        if not view.saved:
            rest = (*rest, say("say-unsaved"))
        if view.public is not None and not view.setting_up:
            proof = view.reckoned
            twin = Twin(twin.prompt, _news(view, view.public), standing(view, view.public), proof=proof)
    names = view.settings.names if view.public is None else (*view.public.side_names, *view.public.names)
    return replace(twin, rest=rest).map(lambda text: plain(text, names))


def _news(view: View, public: Public) -> str:
    """What the newest entry brought; where a seat was given several awards, what they make together too."""
    fresh = [one for one in public.ledger[public.news :] if isinstance(one, Award) and one.points]
    wrong = {one.seat for one in public.ledger[public.news :] if isinstance(one, Miscount)}
    several = [seat for seat, awards in Counter(one.seat for one in fresh).items() if awards > 1 and seat not in wrong]
    sums = (
        say("say-pegs", name=public.names[seat], points=sum(one.points for one in fresh if one.seat == seat))
        for seat in several
    )
    return ". ".join(part for part in (view.reason, *sums) if part)


def standing(view: View, public: Public) -> tuple[str, ...]:
    """Each side's score, in the big theme its holes to go too, and the referee levels."""
    sides = range(len(public.side_names))
    key = "say-score-to-go" if view.preferences.theme == "big" else "say-score"
    scores = (
        say(key, name=public.side_names[side], points=public.scores[side], holes=public.holes_to_go(side))
        for side in sides
    )
    if len(set(public.levels)) == 1:
        return (*scores, say("say-referee", level=public.levels[0]))
    levels = (say("say-referee-of", name=public.side_names[side], level=public.levels[side]) for side in sides)
    return (*scores, *levels)
