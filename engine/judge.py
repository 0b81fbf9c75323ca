"""Judging claims: what is pegged at each referee level, what stays open to a call, and what a call brings.

Levels and embargo are our own; what is covered, put back, mended or lost is the rule book's (rules.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.awards import Kind, Why
from engine.pegging import award, because, holes_to_go, note
from engine.state import Claim, FalseGo, Miscount, State


def settle(
    state: State,
    seat: int,
    what: str,
    claimed: int | None,
    true: Sequence[Why] | None,
    *,
    count: int | None = None,
    extra: tuple[Why, ...] = (),
) -> State:
    """Peg a counted card, hand or crib. ``true`` is what it is worth, None where the board was not told the cards.

    ``extra`` is pegged by the board on top and is never part of a claim: the point for last.
    """
    holes = holes_to_go(state, seat)
    level = state.level(seat)
    more = sum(why.points for why in extra)

    def peg(state: State, points: int, whys: Sequence[Why]) -> State:
        return award(state, seat, points + more, (*whys, *extra), count=count, what=what)

    if level == "off" or true is None:
        points = claimed or 0
        state = peg(state, points, because(Kind.CLAIMED, points))
        if level == "call" and claimed is not None:
            state = _open(state, Claim(seat, what, min(points, holes), None, True))
        return state
    worth = sum(why.points for why in true)
    if level == "call" and claimed is not None:
        state = peg(state, claimed, because(Kind.CLAIMED, claimed))
        return _open(state, Claim(seat, what, min(claimed, holes), min(worth, holes), True))
    said = worth if claimed is None else claimed
    said, right = min(said, holes), min(worth, holes)
    miscount = Miscount(seat, said, right, what)
    taken = state.muggins and what in state.rules.covers
    if said == right:
        return peg(state, worth, true)
    if said < right and (level == "teach" or (not taken and state.rules.mends)):
        return note(peg(state, worth, true), miscount)
    if said < right:
        state = note(peg(state, said, because(Kind.CLAIMED, said)), miscount)
        return _open(state, Claim(seat, what, said, right, False)) if taken else state
    if level == "teach":
        return note(peg(state, worth, true), miscount)
    state = award(state, seat, said, because(Kind.CLAIMED, said), count=count, what=what, provisional=True)
    state = award(note(state, miscount), seat, right - said, (Why(Kind.OVER_CLAIM, right - said),), what=what)
    if extra:
        state = award(state, seat, more, extra, count=count)
    return _open(state, Claim(seat, what, said, right, False)) if state.rules.calls_over else state


def _open(state: State, claim: Claim) -> State:
    if claim.what == "card":
        if claim.by_call and state.rules.play_window == "none":
            return state
        deal = state.deal
        plays = 0 if deal is None else len(deal.played) + len(deal.goes)
        waits = claim.by_call and state.rules.play_window == "claimant-plays"
        claim = replace(claim, plays=plays, opened=not waits)
    return replace(state, claims=(*state.claims, claim))


def close(state: State, *, accepted: int | None = None, everything: bool = False) -> State:
    """Close windows: those of one seat by acceptance, or all of them."""
    if not state.claims:
        return state
    keep = () if everything else tuple(claim for claim in state.claims if claim.seat != accepted)
    return replace(state, claims=keep)


def close_by_count(state: State, shower: int) -> State:
    """A count was quitted: card windows close, and of the shows' windows those the book closes by the next count.

    acc: the pone's hand closes when the dealer's count is quitted; the dealer's hand stays open through the crib.
    """
    if not state.claims:
        return state
    deal = state.deal
    dealer = None if deal is None else deal.dealer
    stays = state.rules.window == "accepted"
    keep = tuple(
        claim
        for claim in state.claims
        if claim.what == "go" or (claim.what != "card" and stays and claim.seat in (dealer, shower))
    )
    return replace(state, claims=keep)


def close_by_play(state: State, player: int) -> State:
    """A card was laid or a go said: play windows open and close by the book.

    acc: until the caller plays the next card. foster: opens once the caller has played, closes when the claimant
    next plays.
    """
    if not state.claims:
        return state
    keep: list[Claim] = []
    for claim in state.claims:
        if claim.what != "card":
            keep.append(claim)
        elif state.rules.play_window == "claimant-plays" and claim.by_call:
            if claim.seat != player:
                keep.append(replace(claim, opened=True))
        elif claim.seat == player:
            keep.append(claim)
    return replace(state, claims=tuple(keep))


def find_claim(state: State, caller: int, on_seat: int | None, on_what: str | None, many: bool) -> Claim | None:
    """The newest open claim of another side that a call can mean, or None."""
    for claim in reversed(state.claims):
        if state.side(claim.seat) == state.side(caller):
            continue
        if on_seat is not None and claim.seat != on_seat:
            continue
        if claim.what != on_what and (on_what is not None or claim.what == "go"):
            continue
        if not claim.opened and not many:
            continue
        return claim
    return None


def call(state: State, caller: int, claim: Claim, points: int, many: bool, agreed: bool) -> State:
    """A call is made: agreed to, judged, or (cards unknown) left waiting for the cards."""
    rest = tuple(one for one in state.claims if one is not claim)
    if claim.true is None and not agreed:
        waiting = replace(claim, called=-points if many else points, caller=caller)
        return replace(state, claims=(*rest, waiting))
    state = replace(state, claims=rest)
    if claim.what == "go":
        price = min(points, claim.true or 0)
        return award(state, caller, price, because(Kind.PENALTY, price), penalty=True)
    if agreed:
        if many:
            state = award(state, claim.seat, -points, (Why(Kind.OVER_CLAIM, -points),))
        return award(state, caller, points, (Why(Kind.MUGGINS, points),))
    return _verdict(state, caller, claim, points, many)


def _verdict(state: State, caller: int, claim: Claim, points: int, many: bool) -> State:
    true = claim.true if claim.true is not None else claim.claimed
    if claim.by_call and true != claim.claimed:
        state = note(state, Miscount(claim.seat, claim.claimed, true, claim.what))
    missed, surplus = true - claim.claimed, claim.claimed - true
    if many and surplus > 0:
        if claim.by_call:
            state = award(state, claim.seat, -surplus, (Why(Kind.OVER_CLAIM, -surplus),))
        return award(state, caller, surplus, (Why(Kind.MUGGINS, surplus),))
    if not many and missed > 0:
        points = min(points, missed)
        return award(state, caller, points, (Why(Kind.MUGGINS, points),))
    return award(state, claim.seat, points, (Why(Kind.MUGGINS, points),))


def prove(state: State, seat: int, true: Sequence[Why]) -> State:
    """The cards of a called claim were keyed: its call is judged now."""
    for claim in reversed(state.claims):
        if claim.seat == seat and claim.called:
            rest = tuple(one for one in state.claims if one is not claim)
            worth = min(sum(why.points for why in true), holes_to_go(state, seat) + claim.claimed)
            proved = replace(claim, true=worth)
            caller = claim.caller if claim.caller is not None else claim.seat
            return _verdict(replace(state, claims=rest), caller, proved, abs(claim.called), claim.called < 0)
    return state


def audit(state: State) -> State:
    """Once every hand is known, each said go is proved from the cards (000; never a hint before).

    Under teach and flag the book's price is pegged at once; under call it waits to be taken; off is not judged.
    """
    deal = state.deal
    if deal is None or deal.audited or not deal.play_over or state.winner is not None:
        return state
    if any(deal.left(seat) for seat in range(state.rules.seats)):
        return state
    state = replace(state, deal=replace(deal, audited=True))
    for go in deal.goes:
        later = [play.card for play in deal.played[go.after :] if play.seat == go.seat]
        fitted = tuple(card for card in later if card.value + go.count <= 31)
        level = state.level(go.seat)
        if not fitted or level == "off":
            continue
        price = {"none": 0, "in-all": 2, "each-card": 2 * len(fitted)}[state.rules.false_go]
        to = _adversary(state, go.seat, go.after)
        state = note(state, FalseGo(go.seat, go.count, fitted, price, to))
        if price and level != "call":
            state = award(state, to, price, because(Kind.PENALTY, price), penalty=True)
        elif price:
            state = replace(state, claims=(*state.claims, Claim(go.seat, "go", 0, price, True)))
    return state


def _adversary(state: State, seat: int, after: int) -> int:
    """Who a false go pays: the last of another side to lay a card at that count (ours past two seats)."""
    deal = state.deal
    if deal is not None:
        for play in reversed(deal.played[:after]):
            if state.side(play.seat) != state.side(seat):
                return play.seat
    return (seat + 1) % state.rules.seats
