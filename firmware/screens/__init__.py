"""What the OLED shows: pure functions of a view, a file a screen."""

from __future__ import annotations

from dataclasses import replace

from engine.state import Stage
from firmware.calling import waiting
from firmware.overlay import Overlay
from firmware.screens.big import BIG, big_screen
from firmware.screens.call import settle_screen, winning_claim_screen
from firmware.screens.game import (
    count_screen,
    cut_screen,
    deal_screen,
    end_screen,
    must_read,
    play_screen,
    starter_screen,
)
from firmware.screens.model import Screen, screen
from firmware.screens.over import over_screen
from firmware.screens.pages import notice_pages
from firmware.screens.set_up import set_up_screen
from firmware.screens.twin import twin_of
from firmware.view import View

__all__ = ["Overlay", "Screen", "screen_of"]

_STAGES = {
    Stage.CUT: cut_screen,
    Stage.DEAL: deal_screen,
    Stage.STARTER: starter_screen,
    Stage.PLAY: play_screen,
    Stage.SHOW: count_screen,
    Stage.CRIB: count_screen,
    Stage.END: end_screen,
}


def screen_of(view: View) -> Screen:
    """The one screen of this moment: a notice first, then what lies over the game, then the game."""
    found = _drawn(view)
    return replace(found, twin=twin_of(view, found.twin))


def _drawn(view: View) -> Screen:
    if view.notice is not None:
        found = notice_pages(view.notice.text)
        return screen(found[min(view.notice.page, len(found) - 1)], view.notice.text)
    if view.overlay is not None:
        return over_screen(view, view.overlay)
    if view.setting_up or view.public is None:
        return set_up_screen(view)
    called = waiting(view.public)
    if called is not None:
        return settle_screen(view, view.public, called)
    if view.public.winner is not None and view.public.claims:
        return winning_claim_screen(view, view.public)
    normal = _STAGES[view.public.stage](view, view.public)
    if view.preferences.theme == "big" and view.public.stage in BIG and not must_read(view.public):
        return big_screen(normal, view, view.public)
    return normal
