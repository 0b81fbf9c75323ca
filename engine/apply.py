"""Folding: ``apply(state, event)`` is what follows from an accepted fact. It never refuses a decided event."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from engine import events as did
from engine import judge
from engine.awards import Kind, Why
from engine.cards import Card
from engine.pegging import award, because, win
from engine.play_points import play_points
from engine.show import show
from engine.state import Dealt, Go, Pegs, Played, State
from engine.values import replace


def open_game(before: State | None, event: did.GameOpened) -> State:
    """A fresh game; with a rematch the tally of the game before it goes on."""
    sides = event.rules.side_count
    state = State(
        rules=event.rules,
        names=event.names,
        muggins=event.muggins,
        levels=event.levels,
        pegs=(Pegs(),) * sides,
        under_way=event.start is not None,
        next_dealer=event.first_dealer,
        games_won=before.games_won if event.rematch and before is not None else (0,) * sides,
    )
    for side, holes in enumerate(event.start or ()):
        if holes:
            state = award(state, side, holes, because(Kind.START, holes))
    return state


def apply(state: State | None, event: did.Event) -> State:
    """The state after an event that ``decide`` gave for this state."""
    if isinstance(event, did.GameOpened):
        return open_game(state, event)
    if state is None:
        raise TypeError("the first event of a table opens a game")
    return _apply(event, state)


def fold(events: Iterable[did.Event], state: State | None = None) -> State | None:
    """All events in order; None when there are none."""
    for event in events:
        state = apply(state, event)
    return state


@singledispatch
def _apply(event: did.Event, state: State) -> State:
    raise TypeError(f"no such event: {event!r}")


@_apply.register
def _(event: did.CutMade, state: State) -> State:
    cuts = (*state.cuts, event.card)
    if len(cuts) == state.rules.seats and [card.rank for card in cuts].count(min(card.rank for card in cuts)) > 1:
        cuts = ()  # equal lowest: cut again (001, Setup; the tie is ours)
    return replace(state, cuts=cuts)


@_apply.register
def _(event: did.DealBegun, state: State) -> State:
    rules = state.rules
    # What is open stays open until the starter (001 and acc: the last counts are accepted by it, not by the deal).
    before = state.deal if state.claims else None
    eldest = (event.dealer + 1) % rules.seats
    deal = Dealt(dealer=event.dealer, held=(rules.hand,) * rules.seats, turn=eldest, gained=(0,) * rules.side_count)
    first = event.dealer if state.first_dealer is None else state.first_dealer
    state = replace(
        state, deal=deal, before=before, deals=state.deals + 1, next_dealer=None, first_dealer=first, cuts=()
    )
    if rules.start_bonus and state.deals == 1 and not state.under_way:
        # Three for last belong to the game, not to its first deal: a void deal leaves them (002, five-card).
        why = because(Kind.THREE_FOR_LAST, rules.start_bonus)
        state = award(state, eldest, rules.start_bonus, why, penalty=True)
    return state


@_apply.register
def _(event: did.StarterTurned, state: State) -> State:
    waiting = state.waiting()
    if waiting is not None and waiting.deal != state.deals and state.before is not None:
        return replace(state, before=replace(state.before, starter=event.card))
    deal = _deal(state)
    if waiting is not None or deal.shown:
        # Turned to settle a call: too late for heels, and it closes nothing.
        return replace(state, deal=replace(deal, starter=event.card, starter_skipped=False))
    state = replace(judge.close(state), before=None)
    off = state.level(deal.dealer) == "off"
    waits = event.card.rank == 11 and event.claim is None and off
    deal = replace(deal, starter=event.card, starter_skipped=False, claimable=waits, heels_due=waits)
    state = replace(state, deal=deal)
    if event.card.rank != 11:
        return state
    heels = state.rules.heels if event.claim is None and not off else event.claim or 0
    return award(state, deal.dealer, heels, because(Kind.HEELS, heels)) if heels else state


@_apply.register
def _(event: did.StarterSkipped, state: State) -> State:
    state = replace(judge.close(state), before=None)
    return replace(state, deal=replace(_deal(state), starter_skipped=True))


@_apply.register
def _(event: did.CardsHeld, state: State) -> State:
    deal = _deal(state)
    if event.seat is None:
        return replace(state, deal=replace(deal, crib_held=event.cards))
    held = (*deal.held[: event.seat], event.cards, *deal.held[event.seat + 1 :])
    return replace(state, deal=replace(deal, held=held))


@_apply.register
def _(event: did.CardPlayed, state: State) -> State:
    state = judge.close_by_play(state, event.seat)
    deal = _deal(state)
    count = deal.count + event.card.value
    series = (*deal.series, event.card)
    level = state.level(event.seat)
    off = level == "off"
    deal = replace(
        deal,
        played=(*deal.played, Played(event.seat, event.card, count)),
        series=series,
        count=count,
        claimable=(off and event.claim is None) or (level == "call" and event.claim == 0),
        heels_due=deal.heels_due and state.rules.heels_until == "dealer-card" and event.seat != deal.dealer,
    )
    empty = not any(deal.left(seat) for seat in range(len(deal.held)))
    extra = (Why(Kind.LAST, 1),) if empty and count != 31 and not off else ()
    state = replace(state, deal=deal)
    state = judge.settle(state, event.seat, "card", event.claim, play_points(series), count=count, extra=extra)
    return _close_count(state, event.seat)


@_apply.register
def _(event: did.CardClaimed, state: State) -> State:
    deal = _deal(state)
    heels = deal.heels_due and (not deal.played or event.seat != deal.played[-1].seat)
    state = replace(state, deal=replace(deal, claimable=False, heels_due=deal.heels_due and not heels))
    if heels or not deal.played:
        return award(state, event.seat, event.points, because(Kind.HEELS, event.points))
    last = deal.played[-1]
    # The card was laid with nothing claimed; this claim takes the place of that one.
    mine = ("card", event.seat, len(deal.played))
    claims = tuple(claim for claim in state.claims if (claim.what, claim.seat, claim.plays) != mine)
    state = replace(state, claims=claims)
    true = play_points(_series_of_last(deal))
    return judge.settle(state, event.seat, "card", event.points, true, count=last.count)


def _claim_is_late(state: State) -> State:
    """A claim for a card comes before any other act: what was open to it is no longer."""
    deal = state.deal
    return replace(state, deal=replace(deal, claimable=False)) if deal is not None and deal.claimable else state


def _series_of_last(deal: Dealt) -> tuple[Card, ...]:
    """The cards of the count that the last card was laid on, also when that count has since closed."""
    start = next(i for i in range(len(deal.played) - 1, -1, -1) if deal.played[i].count == deal.played[i].card.value)
    return tuple(play.card for play in deal.played[start:])


@_apply.register
def _(event: did.GoSaid, state: State) -> State:
    state = judge.close_by_play(state, event.seat, said_go=True)
    deal = _deal(state)
    go = Go(event.seat, deal.count, len(deal.played))
    deal = replace(deal, goes=(*deal.goes, go), gone=(*deal.gone, event.seat), claimable=False)
    return _close_count(replace(state, deal=deal), deal.played[-1].seat)


def _close_count(state: State, last: int) -> State:
    """Pass the turn on, or close a count that nobody can add to: at 31, or once all seats with cards have said go."""
    deal = _deal(state)
    seats = len(deal.held)
    holding = [seat for seat in range(seats) if deal.left(seat)]
    closed = deal.count == 31 or all(seat in deal.gone for seat in holding)
    if closed and holding and deal.count != 31 and state.level(last) != "off":
        # One point for the last card under 31; the same point as last, never both (001, Play).
        if state.winner is not None and state.claims:
            claim = replace(state.claims[-1], owed=because(Kind.GO, 1))
            state = replace(state, claims=(*state.claims[:-1], claim))
        state = award(state, last, 1, because(Kind.GO, 1), count=deal.count)
        deal = _deal(state)
    after = [(last + step) % seats for step in range(1, seats + 1)]
    if not closed:
        # After a go the turn passes clockwise from the one who said it, over seats without cards or already gone.
        current = deal.turn
        order = [(current + step) % seats for step in range(1, seats + 1)]
        turn = next(seat for seat in order if seat in holding and seat not in deal.gone)
        return replace(state, deal=replace(deal, turn=turn))
    over = not holding or not state.rules.play_resumes
    turn = next((seat for seat in after if seat in holding), deal.turn)
    deal = replace(deal, turn=turn, count=0, series=(), gone=(), play_over=over)
    return judge.audit(replace(state, deal=deal))


@_apply.register
def _(event: did.PlayEnded, state: State) -> State:
    return replace(state, deal=replace(_deal(state), play_over=True, claimable=False, heels_due=False))


@_apply.register
def _(event: did.CardTurned, state: State) -> State:
    deal = _deal(state)
    return replace(state, deal=replace(deal, turned=(*deal.turned, event.card), play_over=True, claimable=False))


@_apply.register
def _(event: did.HandShown, state: State) -> State:
    deal = _deal(state)
    cards = event.cards
    if cards is None and not deal.by_points:
        cards = deal.cards_of(event.seat)
    state = judge.close_by_count(state, event.seat)
    # A record tells no skipping: a hand counted before any starter has skipped it, and it may still be turned later.
    skipped = deal.starter is None
    deal = replace(
        deal,
        shown=(*deal.shown, cards),
        turned=(),
        play_over=True,
        claimable=False,
        starter_skipped=skipped,
    )
    state = replace(state, deal=deal)
    true = None if cards is None else show(cards, deal.starter, flush_min=state.rules.flush_min).whys
    return judge.audit(judge.settle(state, event.seat, "hand", event.claim, true))


@_apply.register
def _(event: did.CribShown, state: State) -> State:
    deal = _deal(state)
    state = judge.close_by_count(state, event.seat)
    deal = replace(deal, crib=event.cards, turned=(), crib_done=True)
    state = replace(state, deal=deal, next_dealer=(deal.dealer + 1) % state.rules.seats)
    if event.void:
        return state
    true = None
    if event.cards is not None:
        true = show(event.cards, deal.starter, crib=True, flush_min=state.rules.flush_min).whys
    return judge.settle(state, event.seat, "crib", event.claim, true)


@_apply.register
def _(event: did.ClaimsAccepted, state: State) -> State:
    return judge.accept(_claim_is_late(state), event.seat)


@_apply.register
def _(event: did.MugginsCalled, state: State) -> State:
    claim = judge.find_claim(state, event.caller, event.on_seat, event.on_what, event.many, event.on_card)
    if claim is None:
        return state
    return judge.call(_claim_is_late(state), event.caller, claim, event.points, event.many, event.agreed)


@_apply.register
def _(event: did.CardsKeyed, state: State) -> State:
    deal = _deal(state)
    claim = next(one for one in reversed(state.claims) if one.seat == event.seat and one.called)
    its = state.deal_of(claim) or deal
    crib = claim.what == "crib"
    counted = show(event.cards, its.starter, crib=crib, flush_min=state.rules.flush_min)
    place = (event.seat - its.eldest) % len(its.held)
    shown = its.shown if crib else (*its.shown[:place], event.cards, *its.shown[place + 1 :])
    told = replace(its, shown=shown, crib=event.cards if crib else its.crib)
    if its is deal:
        state = replace(state, deal=replace(told, turned=()))
    else:
        state = replace(state, before=told, deal=replace(deal, turned=()))
    return judge.prove(state, event.seat, counted.whys)


@_apply.register
def _(event: did.PenaltyGiven, state: State) -> State:
    return award(state, event.seat, event.points, because(Kind.PENALTY, event.points), penalty=True)


@_apply.register
def _(event: did.GameClaimed, state: State) -> State:
    holes = state.rules.target - state.pegs[state.side(event.seat)].front
    state = award(state, event.seat, holes, because(Kind.PENALTY, holes), penalty=True)
    return state if state.winner is not None else win(state, state.side(event.seat))


@_apply.register
def _(event: did.PointsPegged, state: State) -> State:
    return award(state, event.seat, event.points, because(Kind.HAND_PEGGED, event.points))


@_apply.register
def _(event: did.LevelSet, state: State) -> State:
    if event.seat is None:
        return replace(state, levels=(event.level,) * len(state.levels))
    side = state.side(event.seat)
    return replace(state, levels=(*state.levels[:side], event.level, *state.levels[side + 1 :]))


@_apply.register
def _(event: did.DealVoided, state: State) -> State:
    deal = _deal(state)
    for side, points in enumerate(deal.gained):
        if points:
            seat = state.rules.sides.index(side)
            state = award(state, seat, -points, because(Kind.HAND_PEGGED, -points), penalty=True)
    return replace(judge.close(state), deal=None, next_dealer=deal.dealer)


@_apply.register
def _(event: did.GameStopped, state: State) -> State:
    return replace(state, stopped=True, claims=())


def _deal(state: State) -> Dealt:
    if state.deal is None:
        raise TypeError("no deal has begun")
    return state.deal
