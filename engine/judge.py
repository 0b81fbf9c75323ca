"""Judging claims: what is pegged at each referee level, what stays open to a call, and what a call brings.

Levels and embargo are our own; what is covered, put back, mended or lost is the rule book's (rules.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.awards import Kind, Why
from engine.cards import Card
from engine.pegging import award, because, holes_to_go, note, unwin, win_if_there
from engine.state import Claim, Dealt, FalseGo, Miscount, Revealed, State
from engine.values import replace


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

    claim_whys = () if claimed is None else (Why(Kind.CLAIMED, claimed),)
    worth = None if true is None else sum(why.points for why in true)
    if level == "call" and claimed is not None:
        state = peg(state, claimed, claim_whys)
        claim = Claim(seat, what, min(claimed, holes), None if worth is None else min(worth, holes), True, holes)
        claim = replace(claim, whys=tuple(true or ()))
        if state.winner is not None and claimed >= holes:
            claim = replace(claim, owed=extra)
        return _open(state, claim)
    if level == "off" or true is None or worth is None:
        return peg(state, claimed or 0, claim_whys)
    said = worth if claimed is None else claimed
    said, right = min(said, holes), min(worth, holes)
    miscount = Miscount(seat, said, right, what)
    taken = state.muggins and what in state.rules.covers
    if said == right:
        return peg(state, worth, true)
    if said < right and (level == "teach" or (not taken and state.rules.mends)):
        return note(peg(state, worth, true), miscount)
    if said < right:
        state = note(peg(state, said, claim_whys), miscount)
        return _open(state, Claim(seat, what, said, right, False, holes)) if taken else state
    if level == "teach":
        return note(peg(state, worth, true), miscount)
    state = award(state, seat, said, claim_whys, count=count, what=what, provisional=True)
    state = award(note(state, miscount), seat, right - said, (Why(Kind.OVER_CLAIM, right - said),), what=what)
    if extra:
        state = award(state, seat, more, extra, count=count)
    return _open(state, Claim(seat, what, said, right, False, holes)) if state.rules.calls_over else state


def _open(state: State, claim: Claim) -> State:
    """Open the window of a claim. Once the game is won only the claim that won it, under call, can be open."""
    if state.winner is not None and not (claim.by_call and claim.claimed):
        return state
    if claim.what == "card" and claim.by_call and state.rules.play_window == "none" and state.winner is None:
        return state
    plays = 0 if state.deal is None else len(state.deal.played)
    return replace(state, claims=(*state.claims, replace(claim, deal=state.deals, plays=plays)))


def close(state: State) -> State:
    """Close every window. A called winning claim then wins after all."""
    return win_if_there(replace(state, claims=())) if state.claims else state


def accept(state: State, seat: int | None) -> State:
    """The claims of a seat, or all of them, are accepted. A proved false go is no claim: its price stays due until the
    next starter, or until it is left by an acceptance when nothing else is open."""
    mine = [claim for claim in state.claims if seat in (None, claim.seat)]
    only_goes = all(claim.what == "go" for claim in mine)
    keep = tuple(claim for claim in state.claims if claim not in mine or (claim.what == "go" and not only_goes))
    return win_if_there(replace(state, claims=keep))


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
        if claim.deal == state.deals
        and (claim.what == "go" or (claim.what != "card" and stays and claim.seat in (dealer, shower)))
    )
    return replace(state, claims=keep)


def close_by_play(state: State, player: int, *, said_go: bool = False) -> State:
    """A card was laid or a go said: play windows close by the book.

    acc: when the caller plays the next card, which a go is not. foster: when the claimant next plays; a go counts.
    """
    by_claimant = state.rules.play_window == "claimant-plays"
    if not state.claims or (said_go and not by_claimant):
        return state
    keep = tuple(claim for claim in state.claims if claim.what != "card" or (claim.seat == player) != by_claimant)
    return replace(state, claims=keep)


def _may_call(state: State, caller: int, claim: Claim) -> bool:
    """Whether an omission in the play may be called yet: by 000 the caller first plays his own card, if he can.

    A go counts as a play. A count flagged by the board needs no waiting.
    """
    deal = state.deal
    if claim.what != "card" or not claim.by_call or state.rules.play_window != "claimant-plays" or deal is None:
        return True
    if deal.play_over or not deal.left(caller) or caller in deal.gone:
        return True
    acted = any(play.seat == caller for play in deal.played[claim.plays :])
    return acted or any(go.seat == caller and go.after >= claim.plays for go in deal.goes)


def find_claim(
    state: State, caller: int, on_seat: int | None, on_what: str | None, many: bool, on_card: Card | None = None
) -> Claim | None:
    """The newest open claim of another side that a call can mean, or None."""
    for claim in reversed(state.claims):
        if state.side(claim.seat) == state.side(caller):
            continue
        if on_seat is not None and claim.seat != on_seat:
            continue
        if claim.what != on_what and (on_what is not None or claim.what == "go"):
            continue
        if on_card is not None and not _is_for(state, claim, on_card):
            continue
        if not many and not _may_call(state, caller, claim):
            continue
        return claim
    return None


def _is_for(state: State, claim: Claim, card: Card) -> bool:
    """Whether a claim is for that card of the play; in a record the suit may be left out."""
    deal = state.deal_of(claim)
    if claim.what != "card" or deal is None:
        return False
    played = deal.played[claim.plays - 1].card
    return played == card or (played.rank == card.rank and None in (played.suit, card.suit))


def call(state: State, caller: int, claim: Claim, points: int, many: bool, agreed: bool) -> State:
    """A call is made: agreed to, judged, or (cards unknown) left waiting for the cards."""
    rest = tuple(one for one in state.claims if one is not claim)
    if state.winner is not None:
        state, claim = unwin(state), replace(claim, won=True)
    if claim.true is None and not agreed:
        waiting = replace(claim, called=-points if many else points, caller=caller)
        return replace(state, claims=(*rest, waiting))
    state = replace(state, claims=rest)
    if claim.what == "go":
        price = min(points, claim.true or 0)
        return award(state, caller, price, because(Kind.PENALTY, price), penalty=True)
    if agreed and many:
        state = _put_back(state, caller, claim, min(points, claim.claimed))
    elif agreed:
        state = award(state, caller, points, (Why(Kind.MUGGINS, points),))
    else:
        state = _verdict(state, caller, claim, points, many)
    return win_if_there(state)


def _put_back(state: State, caller: int, claim: Claim, surplus: int) -> State:
    """An over-count called: back to the true hole, the surplus to the caller's side, and the price of a game hole."""
    if claim.by_call:
        state = award(state, claim.seat, -surplus, (Why(Kind.OVER_CLAIM, -surplus),))
    for why in claim.owed:
        state = award(state, claim.seat, why.points, (why,))
    state = award(state, caller, surplus, (Why(Kind.MUGGINS, surplus),))
    back = state.rules.game_hole_back
    if claim.won and back:
        state = award(state, claim.seat, -back, because(Kind.PENALTY, -back), penalty=True)
    return state


def _verdict(state: State, caller: int, claim: Claim, points: int, many: bool) -> State:
    true = claim.true if claim.true is not None else claim.claimed
    if claim.by_call:
        state = note(state, Revealed(claim.seat, claim.what, claim.whys))
    if claim.by_call and true != claim.claimed:
        state = note(state, Miscount(claim.seat, claim.claimed, true, claim.what))
    missed, surplus = true - claim.claimed, claim.claimed - true
    if surplus > 0 and (many or state.rules.calls_over):
        # Called as too few, a count that the cards prove too high does not stand either (acc: on a call; else ours).
        return _put_back(state, caller, claim, surplus)
    if not many and missed > 0:
        points = min(points, missed)
        return award(state, caller, points, (Why(Kind.MUGGINS, points),))
    return award(state, claim.seat, points, (Why(Kind.MUGGINS, points),))


def prove(state: State, seat: int, true: Sequence[Why]) -> State:
    """The cards of a called claim were keyed: its call is judged now."""
    for claim in reversed(state.claims):
        if claim.seat == seat and claim.called:
            rest = tuple(one for one in state.claims if one is not claim)
            proved = replace(claim, true=min(sum(why.points for why in true), claim.holes), whys=tuple(true))
            caller = claim.caller if claim.caller is not None else claim.seat
            state = _verdict(replace(state, claims=rest), caller, proved, abs(claim.called), claim.called < 0)
            return win_if_there(state)
    return state


def audit(state: State) -> State:
    """Once every hand is known, each said go is proved from the cards (000; never a hint before).

    Under teach and flag the book's price is pegged at once; under call it waits to be taken; off is not judged.
    """
    deal = state.deal
    if deal is None or deal.audited or not deal.play_over or state.winner is not None:
        return state
    if any(_hand(deal, seat) is None for seat in range(state.rules.seats)):
        return state
    state = replace(state, deal=replace(deal, audited=True))
    for go in deal.goes:
        fitted = tuple(card for card in _held_at(deal, go.seat, go.after) if card.value + go.count <= 31)
        level = state.level(go.seat)
        if not fitted or level == "off":
            continue
        price = {"none": 0, "in-all": 2, "each-card": 2 * len(fitted)}[state.rules.false_go]
        to = _adversary(state, go.seat, go.after)
        state = note(state, FalseGo(go.seat, go.count, fitted, price, to))
        if price and level != "call":
            state = award(state, to, price, because(Kind.PENALTY, price), penalty=True)
        elif price:
            state = replace(state, claims=(*state.claims, Claim(go.seat, "go", 0, price, True, deal=state.deals)))
    return state


def _hand(deal: Dealt, seat: int) -> tuple[Card, ...] | None:
    """A seat's whole hand once it is known: all laid in the play, or told at the show."""
    if not deal.left(seat):
        return deal.cards_of(seat)
    place = (seat - deal.eldest) % len(deal.held)
    return deal.shown[place] if place < len(deal.shown) else None


def _held_at(deal: Dealt, seat: int, after: int) -> list[Card]:
    """What a seat still held when so many cards had been laid; cards laid later first, in that order."""
    rest = list(_hand(deal, seat) or ())
    held = []
    for number, play in enumerate(deal.played):
        if play.seat == seat:
            rest.remove(
                next(
                    card
                    for card in rest
                    if card == play.card or (play.card.suit is None and card.rank == play.card.rank)
                )
            )
            if number >= after:
                held.append(play.card)
    return held + rest


def _adversary(state: State, seat: int, after: int) -> int:
    """Who a false go pays: the last of another side to lay a card at that count (ours past two seats)."""
    deal = state.deal
    if deal is not None:
        for play in reversed(deal.played[:after]):
            if state.side(play.seat) != state.side(seat):
                return play.seat
    return (seat + 1) % state.rules.seats
