"""The screens of a call: who calls and how many, the claimant's answer, the cards that settle it, a claim of the game.

Nothing here depends on whether a claim is right, and no card that is counted is drawn.
"""

from __future__ import annotations

from engine.public import OpenClaim, Public
from firmware.calling import caller_of, claims_against, named, still_to_key
from firmware.overlay import Answering, Calling, Consent
from firmware.screens.game import CALL_LINE, header, typed_line
from firmware.screens.model import COLUMNS, Screen, screen
from firmware.screens.names import seat_label, side_labels
from firmware.screens.pages import wrap
from firmware.view import View
from firmware.words import say
from firmware.words_aloud import sentences


def call_screen(view: View, public: Public, overlay: Calling | Answering | Consent) -> Screen:
    """The screen of a call, of its answer, or of a question to each side."""
    match overlay:
        case Calling():
            return _calling(view, public, overlay)
        case Answering():
            return _answering(public, overlay)
        case Consent(what=what, side=side):
            return _consent(public, what, side)


def _consent(public: Public, what: str, side: int) -> Screen:
    """What is asked of a side, and its name: whole where there is room for it, else before the keys."""
    asked, name = wrap(what), public.side_names[side]
    text = say("say-consent", what=say("consent", what=what, name=name))
    if len(asked) < 3 and len(name) < COLUMNS:
        return screen([*[*asked, ""][:2], f"{name}?", "# yes  * no"], text)
    keys = " #yes *no"
    return screen([*asked[:3], side_labels(public, COLUMNS - len(keys))[side] + keys], text)


def _claim_line(public: Public, claim: OpenClaim) -> str:
    """Whose claim it is, for what, and how many."""
    kind = "" if claim.what == "hand" else f" {named(public, claim)}"
    rest = f"{kind}: {claim.claimed}"
    return seat_label(public, claim.seat, COLUMNS - len(rest)) + rest


def _said(public: Public, claim: OpenClaim) -> str:
    """The same in words."""
    return say("say-claims", name=public.names[claim.seat], what=named(public, claim), points=claim.claimed)


def _calling(view: View, public: Public, overlay: Calling) -> Screen:
    claims = claims_against(public, overlay.caller)
    claim = claims[overlay.older % len(claims)]
    about = _claim_line(public, claim)
    if caller_of(public, overlay.caller, claim) is None:
        text = say("call-who")
        spoken = sentences(_said(public, claim), text)
        return screen([about, *[*wrap(text), ""][:2], typed_line(view, "seat")], spoken)
    older = "B older" if len(claims) > 1 else ""
    steps = say("say-older") if older else ""
    if claim.flagged:
        text = say("call-takes", points=abs(claim.flagged))
        return screen(
            [about, older, text, ""], sentences(_said(public, claim), say("say-take", points=abs(claim.flagged)), steps)
        )
    way = say("call-many" if overlay.many else "call-few")
    turn = "A flips" if public.muggins and public.calls_over else ""
    foot = f"{turn} {older}".strip()
    spoken = sentences(_said(public, claim), say("say-call", way=way), say("say-flips") if turn else "", steps)
    return screen([about, f"{way} {view.typed}_", foot, "# calls  * drops"], spoken)


def _answering(public: Public, overlay: Answering) -> Screen:
    claims = claims_against(public, overlay.caller)
    claim = claims[overlay.older % len(claims)]
    way = "many" if overlay.many else "few"
    caller, claimant = public.names[overlay.caller], public.names[claim.seat]
    rest, by = f": too {way}", f"by {overlay.points}. "
    lines = [
        _claim_line(public, claim),
        seat_label(public, overlay.caller, COLUMNS - len(rest)) + rest,
        f"{by}{seat_label(public, claim.seat, COLUMNS - len(by) - 1)}:",
        "#agree  *dispute",
    ]
    asked = say("answer", name=claimant, caller=caller, way=way, points=overlay.points)
    return screen(lines, sentences(_said(public, claim), asked))


def settle_screen(view: View, public: Public, claim: OpenClaim) -> Screen:
    """A call waits for cards; those keyed already are not drawn."""
    name = public.names[claim.seat]
    if public.starter is None:
        text = say("say-disputed-starter", name=name, what=claim.what, points=claim.claimed)
        return screen([_claim_line(public, claim), "is disputed", "", typed_line(view, "Starter?")], text)
    needed = still_to_key(public, claim)
    ask = f"{needed} card{'s' if needed > 1 else ''} to key"
    lines = [_claim_line(public, claim), "is disputed", ask, typed_line(view, f"{claim.what}?")]
    cards = ask.removesuffix(" to key")
    return screen(lines, say("say-disputed", name=name, what=claim.what, points=claim.claimed, cards=cards))


def winning_claim_screen(view: View, public: Public) -> Screen:
    """A claim that reaches the game hole stops the table until it is accepted or called, true or false."""
    claim = public.claims[-1]
    text = f"{seat_label(public, claim.seat, COLUMNS)} claims the game"
    lines = [header(view, public), *[*wrap(text), ""][:2], CALL_LINE]
    return screen(lines, say("say-wins-claim", name=public.names[claim.seat]))
