"""Refusing or accepting: ``decide(state, intent)`` gives the events of an intent, or says why not."""

from __future__ import annotations

from functools import singledispatch

from engine import events as did
from engine import intents as want
from engine.errors import Illegal, Malformed
from engine.judge import find_claim
from engine.letters import fold, unseen
from engine.spoken import number_word
from engine.state import Dealt, Stage, State
from engine.verify import check_cards, check_hand, illegal, name


def decide(state: State | None, intent: want.Intent) -> tuple[did.Event, ...]:
    """The events that this intent becomes. Raises Malformed or Illegal, quoting the input and the position.

    ``state`` is None before the first game of a table.
    """
    if isinstance(intent, want.OpenGame):
        return (_open(state, intent),)
    if state is None:
        raise Illegal("no game has been opened")
    if state.stage is Stage.END and not (isinstance(intent, want.CallMuggins | want.Accept) and state.claims):
        raise illegal(state, "the game is over")
    for field in ("seat", "caller", "on_seat", "dealer"):
        if getattr(intent, field, None) is not None:
            name(state, getattr(intent, field))
    _check_waiting(state, intent)
    return _decide(intent, state)


_SETTLES = (want.KeyCards, want.TurnCard, want.TurnStarter, want.Accept, want.SetLevel, want.VoidDeal, want.StopGame)
"""What may come while a call waits for the cards of the claim."""


def _check_waiting(state: State, intent: want.Intent) -> None:
    waiting = state.waiting()
    if waiting is not None and not isinstance(intent, _SETTLES):
        raise illegal(
            state, f"a call waits for the cards of {name(state, waiting.seat)}'s {waiting.what}: key them first"
        )


def _open(state: State | None, intent: want.OpenGame) -> did.GameOpened:
    rules = intent.rules
    if state is not None and state.stage is not Stage.END:
        raise illegal(state, "a game is under way: it ends, or is stopped, before another is opened")
    if len(intent.names) != rules.seats:
        raise Malformed(f"{rules.game} is for {rules.seats} players; {len(intent.names)} are named")
    if len({fold(name) for name in intent.names}) != len(intent.names):
        raise Malformed("two players have the same name: no two alike")
    for one in intent.names:
        if not one.strip():
            raise Malformed("a player has no name")
        if '"' in one or any(map(unseen, one)):
            raise Malformed(
                f"{one!r} cannot be a name: quotation marks and invisible characters cannot be written down"
            )
    if len(intent.levels) != rules.side_count or any(level not in want.LEVELS for level in intent.levels):
        raise Malformed(f"a referee level is one of {', '.join(want.LEVELS)}, one for each of {rules.side_count} sides")
    if intent.start is not None:
        if len(intent.start) != rules.side_count:
            raise Malformed(f"{len(intent.start)} starting holes for {rules.side_count} sides")
        if any(not 0 <= holes < rules.target for holes in intent.start):
            raise Malformed(f"a starting hole is 0 to {rules.target - 1}")
    if intent.first_dealer is not None and not 0 <= intent.first_dealer < rules.seats:
        raise Malformed(f"seat {intent.first_dealer + 1} is not at this table")
    return did.GameOpened(
        rules, intent.names, intent.muggins, intent.levels, intent.start, intent.rematch, intent.first_dealer
    )


@singledispatch
def _decide(intent: want.Intent, state: State) -> tuple[did.Event, ...]:
    raise TypeError(f"no such intent: {intent!r}")


@_decide.register
def _(intent: want.CutForDeal, state: State) -> tuple[did.Event, ...]:
    if state.stage is not Stage.CUT:
        raise illegal(state, f"{intent.card} cannot be cut: the dealer is known")
    seat = len(state.cuts)
    if intent.seat not in (None, seat):
        raise illegal(state, f"{name(state, intent.seat)} cannot cut now: {name(state, seat)} cuts next")
    if intent.card in state.cuts:
        raise illegal(state, f"{intent.card} has been cut already")
    event = did.CutMade(seat, intent.card)
    cuts = (*state.cuts, intent.card)
    lowest = min(card.rank for card in cuts)
    if len(cuts) < state.rules.seats or [card.rank for card in cuts].count(lowest) > 1:
        return (event,)
    return (event, did.DealBegun([card.rank for card in cuts].index(lowest)))


@_decide.register
def _(intent: want.Deal, state: State) -> tuple[did.Event, ...]:
    if state.stage not in (Stage.CUT, Stage.DEAL):
        raise illegal(state, "a new deal cannot begin: this one is not counted to its end")
    dealer = state.next_dealer if intent.dealer is None else intent.dealer
    if dealer is None:
        raise illegal(state, "nobody knows yet who deals: cut for it")
    if state.next_dealer is not None and dealer != state.next_dealer:
        raise illegal(state, f"{name(state, dealer)} cannot deal: it is {name(state, state.next_dealer)}'s deal")
    return (did.DealBegun(dealer),)


@_decide.register
def _(intent: want.TurnStarter, state: State) -> tuple[did.Event, ...]:
    waiting = state.waiting()
    deal = _deal(state, counted=True) if waiting is None else state.deal_of(waiting)
    if deal is None or (deal.crib_done and waiting is None):
        raise illegal(state, "no deal has begun: say who deals")
    if deal.starter is not None:
        raise illegal(state, f"{intent.card} cannot be the starter: it is {deal.starter}")
    if waiting is None and state.stage is not Stage.STARTER and not (deal.starter_skipped and deal.by_points):
        raise illegal(state, f"{intent.card} comes too late to be the starter")
    check_cards(state, deal, (intent.card,), suited=True)
    if intent.claim is not None:
        if intent.claim and (waiting is not None or deal.shown):
            raise illegal(state, f"{intent.claim} claimed for {intent.card}: his heels come too late")
        heels = state.rules.heels
        if intent.claim not in (0, heels):
            raise illegal(
                state,
                f"{intent.claim} claimed for the starter: his heels are {number_word(heels)}, or 0 where forfeited",
            )
        if intent.claim and intent.card.rank != 11:
            raise illegal(state, f"{intent.card} is no jack: nothing is pegged for it")
    return (did.StarterTurned(intent.card, intent.claim),)


@_decide.register
def _(intent: want.SkipStarter, state: State) -> tuple[did.Event, ...]:
    if state.stage is not Stage.STARTER:
        raise illegal(state, "there is no starter to skip")
    return (did.StarterSkipped(),)


@_decide.register
def _(intent: want.HoldCards, state: State) -> tuple[did.Event, ...]:
    deal = _deal(state)
    if intent.seat is None:
        if not 3 <= intent.cards <= 6:
            raise Malformed(f"a crib of {intent.cards} cards cannot be counted: 3 to 6")
        return (did.CardsHeld(None, intent.cards),)
    if state.stage not in (Stage.STARTER, Stage.PLAY) or not deal.by_points:
        raise illegal(state, f"what {name(state, intent.seat)} holds is told before the first card is played")
    if not 1 <= intent.cards <= 8:
        raise Malformed(f"a hand of {intent.cards} cards cannot be played: 1 to 8")
    return (did.CardsHeld(intent.seat, intent.cards),)


def _in_play(state: State, what: str) -> Dealt:
    """The deal, when a card or a go may come now."""
    deal = _deal(state)
    if state.stage is Stage.STARTER or (state.stage is Stage.PLAY and deal.starter is None):
        raise illegal(state, f"{what} cannot come yet: key the starter first")
    if state.stage is not Stage.PLAY:
        raise illegal(state, f"{what} cannot come now: the play is over")
    return deal


@_decide.register
def _(intent: want.PlayCard, state: State) -> tuple[did.Event, ...]:
    deal = _in_play(state, str(intent.card))
    seat = deal.turn if intent.seat is None else intent.seat
    if seat != deal.turn:
        raise illegal(
            state, f"{intent.card} is out of turn for {name(state, seat)}: it is {name(state, deal.turn)}'s turn"
        )
    check_cards(state, deal, (intent.card,))
    if deal.count + intent.card.value > 31:
        raise illegal(state, f"{intent.card} makes {deal.count + intent.card.value}: past 31. Another card, or go")
    _check_claim(intent.claim)
    return (did.CardPlayed(seat, intent.card, intent.claim),)


@_decide.register
def _(intent: want.SayGo, state: State) -> tuple[did.Event, ...]:
    deal = _in_play(state, "go")
    seat = deal.turn if intent.seat is None else intent.seat
    if seat != deal.turn:
        raise illegal(state, f"go is out of turn for {name(state, seat)}: it is {name(state, deal.turn)}'s turn")
    if deal.count <= 21:
        raise illegal(state, f"no go at {deal.count}: every card fits at 21 or less. Play a card")
    return (did.GoSaid(seat),)


@_decide.register
def _(intent: want.ClaimCard, state: State) -> tuple[did.Event, ...]:
    deal = _deal(state)
    late = deal.claims_heels and bool(deal.played) and (intent.points != 0 or not deal.claimable)
    if not deal.claimable and not late:
        raise illegal(state, f"{intent.points} claimed, but no card waits for a claim")
    _check_claim(intent.points)
    if late or not deal.played:
        heels = state.rules.heels
        if intent.points not in (0, heels):
            raise illegal(state, f"{intent.points} claimed for the starter: his heels are {number_word(heels)}")
        return (did.CardClaimed(deal.dealer, intent.points),)
    return (did.CardClaimed(deal.played[-1].seat, intent.points),)


@_decide.register
def _(intent: want.EndPlay, state: State) -> tuple[did.Event, ...]:
    deal = _deal(state)
    if deal.play_over and deal.claimable:
        return (did.PlayEnded(),)
    if state.stage is not Stage.PLAY:
        raise illegal(state, "there is no play to end")
    if not deal.by_points:
        raise illegal(state, "the play goes on: cards are still to be laid")
    return (did.PlayEnded(),)


@_decide.register
def _(intent: want.TurnCard, state: State) -> tuple[did.Event, ...]:
    waiting = state.waiting()
    deal = _deal(state, counted=waiting is not None)
    turned = deal.turned
    by_points = state.stage is Stage.PLAY and deal.by_points
    if state.stage not in (Stage.SHOW, Stage.CRIB) and not by_points and waiting is None:
        raise illegal(state, f"{intent.card} cannot be turned up now")
    if waiting is not None:
        deal = state.deal_of(waiting) or deal
    if deal.starter is None:
        raise illegal(state, "cards cannot be counted before the starter is known: key the starter first")
    crib = state.stage is Stage.CRIB if waiting is None else waiting.what == "crib"
    owner = deal.shower if waiting is None else waiting.seat
    most = 6 if crib else deal.left(owner)
    if len(turned) >= most:
        raise illegal(state, f"{intent.card} is one card too many: {most} are keyed")
    if intent.card in turned or (not crib and intent.card in deal.cards_of(owner)):
        raise illegal(state, f"{intent.card} is keyed already")
    check_cards(state, deal, (*turned, intent.card), owner=None if crib else owner)
    return (did.CardTurned(intent.card),)


@_decide.register
def _(intent: want.ShowHand, state: State) -> tuple[did.Event, ...]:
    deal = _deal(state)
    seat = deal.shower if intent.seat is None else intent.seat
    by_points = state.stage in (Stage.STARTER, Stage.PLAY) and deal.by_points
    if state.stage is not Stage.SHOW and not by_points:
        why = "the crib is next" if state.stage is Stage.CRIB else "the play is not over"
        raise illegal(state, f"{name(state, seat)}'s hand cannot be counted now: {why}")
    if seat != deal.shower:
        raise illegal(state, f"{name(state, deal.shower)}'s hand is counted before {name(state, seat)}'s")
    _check_claim(intent.claim)
    cards = intent.cards or ((*deal.cards_of(seat), *deal.turned) if deal.turned else None)
    if cards is not None:
        if deal.starter is None:
            raise illegal(state, "cards cannot be counted before the starter is known: key the starter first")
        check_hand(state, deal, seat, cards)
    elif deal.by_points:
        if intent.claim is None:
            raise illegal(state, f"{name(state, seat)}'s cards are not all known: key them, or claim points")
    elif deal.left(seat) or any(card.suit is None for card in deal.cards_of(seat)):
        raise illegal(state, f"{name(state, seat)}'s cards are not all known: key the whole hand")
    return (did.HandShown(seat, cards, intent.claim),)


@_decide.register
def _(intent: want.ShowCrib, state: State) -> tuple[did.Event, ...]:
    deal = _deal(state)
    if state.stage is not Stage.CRIB:
        raise illegal(state, "the crib is counted after the hands")
    if intent.seat not in (None, deal.dealer):
        raise illegal(state, f"the crib is {name(state, deal.dealer)}'s, not {name(state, intent.seat)}'s")
    _check_claim(intent.claim)
    if intent.void:
        return (did.CribShown(deal.dealer, None, None, True),)
    cards = intent.cards or deal.turned or None
    if cards is not None:
        if not 3 <= len(cards) <= 6:
            raise Malformed(
                f"{len(cards)} cards in the crib: three to six can be counted, {state.rules.crib} are usual"
            )
        if deal.starter is None:
            raise illegal(state, "cards cannot be counted before the starter is known")
        check_cards(state, deal, cards, suited=True)
    elif intent.claim is None or not deal.by_points:
        raise illegal(state, "the crib's cards are not known: key them")
    return (did.CribShown(deal.dealer, cards, intent.claim, False),)


@_decide.register
def _(intent: want.Accept, state: State) -> tuple[did.Event, ...]:
    if not any(intent.seat in (None, claim.seat) for claim in state.claims):
        raise illegal(state, "no claim is open to be accepted")
    return (did.ClaimsAccepted(intent.seat),)


@_decide.register
def _(intent: want.CallMuggins, state: State) -> tuple[did.Event, ...]:
    if intent.points < 1:
        raise Malformed(f"{intent.points} called: a call is of one point or more")
    what = intent.on_what
    if what == "go" and intent.many:
        raise illegal(state, "too many cannot be called on a go")
    if intent.many and not state.rules.calls_over:
        raise illegal(state, f"by the book {state.rules.book} a count too high stands: too many cannot be called")
    if not intent.many and not state.muggins and what != "go":
        raise illegal(state, "muggins is off at this table: too few cannot be called")
    if what is not None and what not in (*state.rules.covers, "go"):
        raise illegal(state, f"by the book {state.rules.book} a {what} cannot be called")
    card = intent.on_card
    claim = find_claim(state, intent.caller, intent.on_seat, what, intent.many, card)
    if claim is None and find_claim(state, intent.caller, intent.on_seat, what, True, card) is not None:
        raise illegal(state, f"{name(state, intent.caller)} plays his own card first, then too few can be called")
    if claim is None:
        raise illegal(state, f"{name(state, intent.caller)} has nothing open to call")
    if claim.what not in (*state.rules.covers, "go"):
        raise illegal(state, f"by the book {state.rules.book} a {claim.what} cannot be called")
    if not claim.by_call:
        right = claim.true if claim.true is not None else claim.claimed
        if intent.many != (claim.claimed > right):
            raise illegal(state, f"{name(state, claim.seat)}'s count was not too {'many' if intent.many else 'few'}")
    newest = find_claim(state, intent.caller, claim.seat, claim.what, intent.many)
    which = None if claim is newest else card
    return (did.MugginsCalled(intent.caller, intent.points, intent.many, claim.seat, claim.what, intent.agreed, which),)


@_decide.register
def _(intent: want.KeyCards, state: State) -> tuple[did.Event, ...]:
    waiting = state.waiting()
    if waiting is None or waiting.seat != intent.seat:
        raise illegal(state, f"no call waits for {name(state, intent.seat)}'s cards")
    deal = state.deal_of(waiting)
    if deal is None or deal.starter is None:
        raise illegal(state, "the starter is not known: key it first")
    crib = waiting.what == "crib"
    turned = (state.deal or deal).turned
    cards = intent.cards or (turned if crib else (*deal.cards_of(intent.seat), *turned))
    if crib:
        if not 3 <= len(cards) <= 6:
            raise Malformed(f"{len(cards)} cards in the crib: three to six can be counted")
        check_cards(state, deal, cards, suited=True)
    else:
        check_hand(state, deal, intent.seat, cards)
    return (did.CardsKeyed(intent.seat, cards),)


@_decide.register
def _(intent: want.GivePenalty, state: State) -> tuple[did.Event, ...]:
    if not 1 <= intent.points <= 999:
        raise Malformed(f"a penalty of {intent.points}: 1 or more")
    return (did.PenaltyGiven(intent.seat, intent.points, intent.reason),)


@_decide.register
def _(intent: want.ClaimGame, state: State) -> tuple[did.Event, ...]:
    return (did.GameClaimed(intent.seat, intent.reason),)


@_decide.register
def _(intent: want.PegByHand, state: State) -> tuple[did.Event, ...]:
    if intent.points == 0:
        raise Malformed("0 points by hand move nothing")
    pegged = state.pegs[state.side(intent.seat)].front
    if -intent.points > pegged:
        raise illegal(state, f"{-intent.points} cannot be taken back: {name(state, intent.seat)} has pegged {pegged}")
    return (did.PointsPegged(intent.seat, intent.points),)


@_decide.register
def _(intent: want.SetLevel, state: State) -> tuple[did.Event, ...]:
    if intent.level not in want.LEVELS:
        raise Malformed(f"{intent.level!r} is no referee level: {', '.join(want.LEVELS)}")
    return (did.LevelSet(intent.level, intent.seat),)


@_decide.register
def _(intent: want.VoidDeal, state: State) -> tuple[did.Event, ...]:
    if state.deal is None or state.stage not in (Stage.STARTER, Stage.PLAY, Stage.SHOW, Stage.CRIB, Stage.DEAL):
        raise illegal(state, "there is no deal to void")
    return (did.DealVoided(),)


@_decide.register
def _(intent: want.StopGame, state: State) -> tuple[did.Event, ...]:
    return (did.GameStopped(),)


def _check_claim(claim: int | None) -> None:
    """No claim is refused for being impossible: that would tell the truth early. A negative one cannot be meant."""
    if claim is not None and claim < 0:
        raise Malformed(f"{claim} cannot be claimed: 0 or more")


def _deal(state: State, counted: bool = False) -> Dealt:
    """The deal under way; with ``counted`` also one whose crib has been counted and that has not been followed yet."""
    if state.deal is None or (state.deal.crib_done and not counted):
        raise illegal(state, "no deal has begun: say who deals")
    return state.deal
