"""What is said aloud, as a pure function of two moments of the board and the key between them.

The key first, then the news, then what is asked; what has been heard and stands unchanged is not said again. Nothing is
said that no screen shows: a card keyed under seal is only "a card".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.errors import CribbageError
from engine.state import Stage
from firmware.entry import SUIT_KEYS, Suited
from firmware.overlay import Asking
from firmware.screens import screen_of
from firmware.screens.model import Twin
from firmware.view import Noticed, View
from firmware.words import say
from firmware.words_aloud import card_words, digit_word, plain, sentences, split_sentences


def utterance(before: View | None, after: View, key: str | None = None) -> str | None:
    """What to say now that ``key`` (None: no key, a part or the disk) has led from one view to the next.

    None where there is nothing to say. The first utterance, without a ``before``, is the whole screen.
    """
    if before is None:
        return screen_of(after).spoken
    said = sentences("" if key is None else echo(before, after, key), _notice(before, after), *_screen(before, after))
    return said or None


def echo(before: View, after: View, key: str) -> str:
    """The key by its name; a number and a suit key together by the card they say."""
    names = before.settings.names if before.public is None else before.public.names
    if "@" in key:
        seat = int(key.strip("hold()@")) - 1
        name = plain(names[seat] if seat < len(names) else str(seat + 1), names)
        return say("say-held" if key.startswith("hold") else "say-button", name=name)
    if key.isdigit():
        return digit_word(key)
    if key == "*" and after.entered is None:
        return say("say-erased")
    return _card(before, after.entered) if isinstance(after.entered, Suited) else say(f"key-{key}")


def _card(before: View, token: Suited) -> str:
    """The card, where a card is asked for; the key where a seat is."""
    public, key = before.public, say(f"key-{SUIT_KEYS[token.key]}")
    asking = before.overlay.task if isinstance(before.overlay, Asking) else ""
    points = public is not None and public.stage is Stage.PLAY and public.by_points and before.settings.entry != "full"
    if before.setting_up or public is None or (asking and asking != "wrong-card") or (points and not asking):
        return key
    if public.sealed or any(claim.waits for claim in public.claims):
        return say("say-sealed-card")
    try:
        return card_words(str(token.card()))
    except CribbageError:
        return key


def _notice(before: View, after: View) -> str:
    """What is newly to be read; not its further pages, for it is said whole."""
    if after.notice is None:
        return ""
    turned = before.notice is not None and after.notice.page > 0 and before.notice.text == after.notice.text
    return "" if turned else screen_of(after).twin.prompt


def _screen(before: View, after: View) -> Iterable[str]:
    """What the screen under a notice has to say that was not heard yet: the news of an act, then what is asked now."""
    if after.notice is not None and before.notice is not None and after.notice.page > 0:
        return []
    was, now = _under(before), _under(after)
    acted = before.public != after.public and after.overlay is None
    changed = [one for one in now.standing if one not in was.standing] if was.standing else []
    if acted:
        return [now.news, *changed, now.prompt, now.proof]
    refused = after.notice is not None and after.notice.kind is not Noticed.INFO
    same = type(before.overlay) is type(after.overlay) and before.setting_up == after.setting_up
    heard = split_sentences(was.prompt) if same and not refused else ()
    return [*(one for one in changed if before.overlay is None), *_fresh(heard, now.prompt)]


def _fresh(heard: Iterable[str], prompt: str) -> list[str]:
    known = set(heard)
    return [one for one in split_sentences(prompt) if one not in known]


def _under(view: View) -> Twin:
    """The twin of the screen that a notice lies over."""
    return screen_of(replace(view, notice=None)).twin
