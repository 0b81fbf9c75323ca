"""The buzzer: what is heard, and that it tells nobody anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.apply import fold
from engine.decide import decide
from engine.public import public
from engine.state import Pegs
from firmware.settings import Settings
from firmware.sound import PEGGED_HZ, REFUSED_HZ, SOUND_S, tone
from firmware.view import Moved, Notice, Noticed, Preferences, View

STATE = fold(decide(None, Settings().open_game()))
assert STATE is not None
VIEW = View(public(STATE), Settings(), False, pressed_at=5.0)
REFUSED = replace(VIEW, notice=Notice(Noticed.REFUSED, "no"))
PEGGED = replace(VIEW, moved=Moved((Pegs(3, 0), Pegs()), 5.0))


@pytest.mark.parametrize(("view", "hertz"), [(VIEW, None), (REFUSED, REFUSED_HZ), (PEGGED, PEGGED_HZ)])
def test_a_refusal_is_low_and_a_peg_is_high(view: View, hertz: float | None) -> None:
    """A refusal and a peg that moves each have a tone of their own; any other key is silent."""
    assert tone(view, 5.01) == hertz


@pytest.mark.parametrize("view", [REFUSED, PEGGED])
def test_a_tone_ends(view: View) -> None:
    """A tone lasts a moment, and is not heard before its key."""
    assert tone(view, 5.0 + SOUND_S) is None
    assert tone(view, 4.9) is None


@pytest.mark.parametrize("view", [REFUSED, PEGGED])
def test_sound_can_be_switched_off(view: View) -> None:
    """A board told to be silent is."""
    assert tone(replace(view, preferences=Preferences(sound=False)), 5.01) is None
