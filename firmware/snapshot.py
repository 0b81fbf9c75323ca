"""What the page writes in words and figures: plain JSON values of the public state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.public import Public
from engine.rules import GAMES
from engine.state import Award, FalseGo, Miscount, Outcome, Revealed, Stage
from firmware.laps import lap_holes, lap_of, on_lane
from firmware.lights import STREET_HOLES
from firmware.screens import Screen
from firmware.view import View
from firmware.words import Language, localise, say
from firmware.words_aloud import sentences

COLOURS = ("blue", "amber", "white")
MOST_LOG = 200


def log_lines(public: Public, reasons: Sequence[str]) -> list[dict[str, Any]]:
    """The newest awards and findings, oldest first; ``reasons`` has a sentence for each outcome of the ledger."""
    lines = [
        _line(public, number, outcome, reason)
        for number, (outcome, reason) in enumerate(zip(public.ledger, reasons, strict=True), 1)
        if not isinstance(outcome, Award) or outcome.points or outcome.what in ("hand", "crib")
    ]
    return lines[-MOST_LOG:]


def _line(public: Public, number: int, outcome: Outcome, reason: str) -> dict[str, Any]:
    who = public.names[outcome.seat]
    match outcome:
        case Award(points=points, scores=scores):
            return {"n": number, "who": who, "points": points, "why": reason, "scores": list(scores)}
        case Miscount() | FalseGo() | Revealed():
            return {"n": number, "who": who, "points": None, "why": reason, "scores": None}


def snapshot(
    view: View,
    shown: Screen,
    parts: Sequence[dict[str, str]],
    log: list[dict[str, Any]],
    *,
    shared_lane: bool,
    language: Language = "en-US",
    spoken: str | None = None,
) -> dict[str, Any]:
    """One moment of the board for the page. ``shown`` is the screen that is on the glass, ``spoken`` what was said
    last (by default all that the screen says). The screen's whole twin goes with it, and its caption."""
    public = view.public
    notice = None if view.notice is None else {"kind": view.notice.kind.value, "text": view.notice.text}
    if notice is not None:
        notice["text"] = localise(notice["text"], language)
    at = GAMES[view.settings.game].sides if public is None else public.sides
    seats = [{"name": name, "side": side} for name, side in zip(view.names, at, strict=True)]
    return {
        "phase": view.phase,
        "turn": None if public is None or public.turn is None else public.names[public.turn],
        "count": 0 if public is None else public.count,
        "go": _hash_is_go(view),
        "target": view.settings.target if public is None else public.target,
        "shared_lane": shared_lane,
        "lap_holes": _lap(view),
        "sides": _sides(view),
        "seats": seats,
        "agreed": list(view.settings.names) if view.setting_up else [],
        "dealer": None if public is None or public.dealer is None else public.names[public.dealer],
        "starter": None if public is None or public.starter is None or public.sealed else str(public.starter),
        "plays": [] if public is None else _plays(public),
        "hushed": public is not None and _hushed(public),
        "screen": shown.text,
        "spoken": shown.spoken if spoken is None else spoken,
        "caption": _caption(view, shown, language),
        "twin": shown.spoken,
        "typed": view.typed,
        "moment": view.moment,
        "phones": view.phones_moved,
        "theme": view.preferences.theme,
        "notice": notice,
        "claims": [] if public is None else _claims(public),
        "report": [localise(line, language) for line in view.report],
        "log": log,
        "parts": list(parts),
        "saved": view.saved,
        "marks": {"streets": STREET_HOLES, "skunks": [] if public is None else list(public.skunk_lines)},
    }


def _hash_is_go(view: View) -> bool:
    """Whether ``#`` alone says go now: in the play card by card, with nothing typed, asked or called over it."""
    public = view.public
    if public is None or view.setting_up or view.overlay is not None or view.typed or view.settings.entry != "full":
        return False
    called = any(claim.waits for claim in public.claims)
    return public.stage is Stage.PLAY and public.turn is not None and not called


def _caption(view: View, shown: Screen, language: Language) -> str:
    """What is new and what is asked; large figures are named."""
    figures = shown.numerals and view.overlay is None
    return sentences(shown.twin.caption, localise(say("say-figures"), language) if figures else "")


def _lap(view: View) -> int:
    """Holes of one lap of the lanes; 0 where the game hole lies on them."""
    target = view.settings.target if view.public is None else view.public.target
    return lap_holes(target, view.choices.holes)


def _hushed(public: Public) -> bool:
    """Whether any side counts under ``call``: the cards a claim was made on are then no one's to read off a screen."""
    return "call" in public.levels


def _plays(public: Public) -> list[list[dict[str, Any]]]:
    """The cards of the play, a list for each count, the present one last: who laid which, and the count after it.

    Under ``call`` it is the card last laid, while the play lasts, as on the glass; the others are being counted.
    """
    told = public.played
    if _hushed(public):
        told = told[-1:] if public.stage is Stage.PLAY else ()
    counts: list[list[dict[str, Any]]] = []
    before = 0
    for play in told:
        if play.count <= before or not counts:
            counts.append([])
        counts[-1].append({"card": str(play.card), "seat": play.seat, "count": play.count})
        before = play.count
    if counts and public.stage is Stage.PLAY and not public.series and not _hushed(public):
        counts.append([])
    return counts


def _claims(public: Public) -> list[dict[str, Any]]:
    """The claims that wait for a call, oldest first: who claims how many for what. Whether that is right is no part."""
    return [
        {"who": public.names[claim.seat], "what": claim.what, "claimed": claim.claimed, "called": claim.waits}
        for claim in public.claims
        if claim.what != "go" and public.level(claim.seat) == "call"
    ]


def _sides(view: View) -> list[dict[str, Any]]:
    public = view.public
    if public is None:
        target, levels = view.settings.target, view.settings.side_levels()
        plain = {"score": 0, "front": 0, "back": 0, "front_hole": 0, "back_hole": 0, "lap": 0, "games": 0}
        return [
            {"name": name, "colour": COLOURS[side], "to_go": target, "level": levels[side]} | plain
            for side, name in enumerate(view.settings.side_names)
        ]
    lap = _lap(view)
    return [
        {
            "name": name,
            "colour": COLOURS[side],
            "score": pegs.front,
            "front": pegs.front,
            "back": pegs.back,
            "front_hole": on_lane(pegs.front, lap),
            "back_hole": on_lane(pegs.back, lap),
            "lap": lap_of(pegs.front, lap),
            "to_go": public.holes_to_go(side),
            "level": public.levels[side],
            "games": public.games_won[side],
        }
        for side, (name, pegs) in enumerate(zip(public.side_names, public.pegs, strict=True))
    ]
