"""What everyone at the table may know: the state without the truth. Views are made of this and of nothing else.

Between a claim and its acceptance, under ``call``, nothing here depends on whether the claim is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.intents import Level
from engine.state import Claim, Outcome, Pegs, Played, Stage, State


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim that another side may still act on."""

    seat: int
    what: str
    claimed: int
    flagged: int
    """Points all have been told of: missed or a false go's price (positive), too many (negative); 0 under call."""
    waits: bool = False
    """Called, and waiting for its cards to be keyed."""
    plays: int = 0
    """Cards of the play up to this claim: it tells several cards of one seat apart."""


@dataclass(frozen=True, slots=True)
class Public:
    """One table as its people see it. Seats and sides count from 0, clockwise."""

    stage: Stage
    names: tuple[str, ...]
    sides: tuple[int, ...]
    side_names: tuple[str, ...]
    levels: tuple[Level, ...]
    muggins: bool
    covers: tuple[str, ...]
    """Where the book lets missed points be called: hand, crib, card."""
    calls_over: bool
    """Whether the book lets over-counts be called."""
    book: str
    game: str
    target: int
    hand: int
    crib: int
    pegs: tuple[Pegs, ...]
    games_won: tuple[int, ...]
    deals: int
    dealer: int | None
    next_dealer: int | None
    first_dealer: int | None
    """Who dealt the first deal of this game."""
    cuts: tuple[Card, ...]
    starter: Card | None
    starter_skipped: bool
    sealed: bool
    """A hand or crib stands open under call, or is being counted at that level: none of its cards may be drawn."""
    count: int
    series: tuple[Card, ...]
    played: tuple[Played, ...]
    turn: int | None
    """The seat that acts next: plays, cuts, counts; None between deals and at the end."""
    gone: tuple[int, ...]
    held: tuple[int, ...]
    """Cards each seat held when the play began."""
    left: tuple[int, ...]
    claimable: bool
    claims_heels: bool
    """Points claimed now are the dealer's for his heels."""
    by_points: bool
    cards_known: bool
    """Every card of the hand that is counted next was laid in the play, or has been keyed."""
    turned: tuple[Card, ...]
    claims: tuple[OpenClaim, ...]
    ledger: tuple[Outcome, ...]
    news: int
    """How much of the ledger was there before the newest entry."""
    skunk_lines: tuple[int, ...]
    winner: int | None
    stopped: bool
    skunks: tuple[int, ...]
    """By side, once the game is won: 0, 1 or 2."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Front pegs by side."""
        return tuple(peg.front for peg in self.pegs)

    def level(self, seat: int) -> Level:
        """The referee level of that seat's side."""
        return self.levels[self.sides[seat]]

    def speaks_for(self, by: int | None, seat: int) -> bool:
        """Whether keys bound to seat ``by`` may answer for that seat: only for their own side; None is the table's."""
        return by is None or (0 <= seat < len(self.sides) and self.sides[by] == self.sides[seat])

    def holes_to_go(self, side: int) -> int:
        """Holes from the front peg to the game hole."""
        return self.target - self.pegs[side].front


def _flagged(claim: Claim) -> int:
    """A false go was told to all; any other claim under call was not."""
    if claim.true is None or (claim.by_call and claim.what != "go"):
        return 0
    return claim.true - claim.claimed


def sealed(state: State) -> bool:
    """Whether a hand or crib stands open under call, or is being counted at that level: from the keying of its cards
    to its acceptance none of them may be drawn. The same whether the count is right or wrong."""
    if any(claim.by_call and claim.what in ("hand", "crib") for claim in state.claims):
        return True
    if state.deal is None or state.stage not in (Stage.SHOW, Stage.CRIB):
        return False
    return state.level(state.deal.shower if state.stage is Stage.SHOW else state.deal.dealer) == "call"


def public(state: State, news: int = 0) -> Public:
    """The public part of a state; ``news`` is how long the ledger was before the newest entry."""
    deal = state.deal
    stage = state.stage
    turn: int | None = None
    known = False
    if stage is Stage.CUT:
        turn = len(state.cuts)
    elif deal is not None and stage is Stage.PLAY:
        turn = deal.turn
    elif deal is not None and stage is Stage.SHOW:
        turn = deal.shower
        told = all(card.suit is not None for card in deal.cards_of(turn))
        known = len(deal.turned) == deal.left(turn) and told
    elif deal is not None and stage in (Stage.CRIB, Stage.STARTER):
        turn = deal.dealer
        known = len(deal.turned) >= (deal.crib_held or state.rules.crib)
    won = state.winner is not None
    return Public(
        stage=stage,
        names=state.names,
        sides=state.rules.sides,
        side_names=tuple(state.side_name(side) for side in range(state.rules.side_count)),
        levels=state.levels,
        muggins=state.muggins,
        covers=state.rules.covers,
        calls_over=state.rules.calls_over,
        book=state.rules.book,
        game=state.rules.game,
        target=state.rules.target,
        hand=state.rules.hand,
        crib=state.rules.crib if deal is None or deal.crib_held is None else deal.crib_held,
        pegs=state.pegs,
        games_won=state.games_won,
        deals=state.deals,
        dealer=None if deal is None or stage is Stage.DEAL else deal.dealer,
        next_dealer=state.next_dealer,
        first_dealer=state.first_dealer,
        cuts=state.cuts,
        starter=None if deal is None else deal.starter,
        starter_skipped=deal is not None and deal.starter_skipped,
        sealed=sealed(state),
        count=0 if deal is None else deal.count,
        series=() if deal is None else deal.series,
        played=() if deal is None else deal.played,
        turn=turn,
        gone=() if deal is None else deal.gone,
        held=() if deal is None else deal.held,
        left=() if deal is None else tuple(deal.left(seat) for seat in range(len(deal.held))),
        claimable=deal is not None and deal.claimable,
        claims_heels=deal is not None and deal.claims_heels,
        by_points=deal is None or deal.by_points,
        cards_known=known,
        turned=() if deal is None else deal.turned,
        claims=tuple(
            OpenClaim(
                claim.seat,
                claim.what,
                claim.claimed,
                _flagged(claim),
                bool(claim.called),
                claim.plays,
            )
            for claim in state.claims
        ),
        ledger=state.ledger,
        news=news,
        skunk_lines=state.rules.skunks,
        winner=state.winner,
        stopped=state.stopped,
        skunks=tuple(state.skunk(side) if won and side != state.winner else 0 for side in range(len(state.pegs))),
    )
