"""What the buzzer sounds, as a pure function of the view and the time: a low tone for a refusal, a high one for a peg.

A claim that is pegged sounds the same whether it is right or wrong.
"""

from __future__ import annotations

from typing import Final

from firmware.view import Noticed, View

SOUND_S: Final = 0.08
"""How long a tone lasts."""
REFUSED_HZ: Final = 220.0
PEGGED_HZ: Final = 880.0


def tone(view: View, now: float) -> float | None:
    """Hertz at ``now`` (seconds on the board's clock), or None for silence."""
    if not view.preferences.sound or not 0 <= now - view.pressed_at < SOUND_S:
        return None
    if view.notice is not None and view.notice.kind is Noticed.REFUSED:
        return REFUSED_HZ
    moved, public = view.moved, view.public
    if moved is not None and public is not None and moved.at == view.pressed_at and moved.before != public.pegs:
        return PEGGED_HZ
    return None
