"""The state of a table: one frozen value, folded from events. N seats, S sides, a lane a side."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.awards import Why
from engine.cards import Card
from engine.intents import Level
from engine.rules import Rules


class Stage(StrEnum):
    """Where the table stands."""

    CUT = "cut"
    DEAL = "deal"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    CRIB = "crib"
    END = "end"


@dataclass(frozen=True, slots=True)
class Pegs:
    """One side's two pegs: holes counted from the start, 0 is the start itself."""

    front: int = 0
    back: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A card in the play: who laid it, and the count after it."""

    seat: int
    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class Go:
    """A go: who said it, at what count, after how many cards of the play."""

    seat: int
    count: int
    after: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A quitted claim whose window is open. ``true`` is None while the cards are not known to the board."""

    seat: int
    what: str
    """hand, crib or card."""
    claimed: int
    true: int | None
    by_call: bool
    """Judged only when called (level call), not flagged already."""
    holes: int = 0
    """Holes to go when it was made: claim and truth are both cut to them."""
    whys: tuple[Why, ...] = ()
    """The true count, told only once a call has been judged."""
    deal: int = 0
    """The number of its deal in the game."""
    plays: int = 0
    """Cards of the play up to this claim, its own card included: a play window is counted from it."""
    owed: tuple[Why, ...] = ()
    """Go or last that this claim's winning kept from being pegged; due if the claim is proved false."""
    called: int = 0
    """Points called and waiting for the cards to be keyed; negative for too many."""
    caller: int | None = None
    won: bool = False
    """It reached the game hole, and was called."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """One deal, from the dealer named to the crib counted."""

    dealer: int
    held: tuple[int, ...]
    """Cards each seat holds when the play begins."""
    crib_held: int | None = None
    """Cards in the crib, where it was told to be odd."""
    starter: Card | None = None
    starter_skipped: bool = False
    played: tuple[Played, ...] = ()
    series: tuple[Card, ...] = ()
    """The cards since the count was last zero."""
    count: int = 0
    turn: int = 0
    gone: tuple[int, ...] = ()
    """Seats that have said go at this count."""
    goes: tuple[Go, ...] = ()
    play_over: bool = False
    audited: bool = False
    claimable: bool = False
    """The last act was a card whose points its player still has to claim."""
    heels_due: bool = False
    """The starter was a jack, at ``off``, and the dealer may still claim for it by the book."""
    turned: tuple[Card, ...] = ()
    """Cards keyed of the hand or crib that is counted next."""
    shown: tuple[tuple[Card, ...] | None, ...] = ()
    """Hands counted so far, eldest first; None where the cards were not told."""
    crib: tuple[Card, ...] | None = None
    crib_done: bool = False
    gained: tuple[int, ...] = ()
    """Points each side pegged in this deal, penalties left out: what a void deal gives back."""

    @property
    def claims_heels(self) -> bool:
        """Whether points claimed now are the dealer's for his heels: nothing has been laid, or nothing that counts (a
        lead alone makes neither fifteen nor a pair)."""
        return self.heels_due and (len(self.played) <= 1 or not self.claimable)

    def left(self, seat: int) -> int:
        """How many cards that seat still holds in the play."""
        return self.held[seat] - sum(1 for play in self.played if play.seat == seat)

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """The cards that seat has laid, in order."""
        return tuple(play.card for play in self.played if play.seat == seat)

    @property
    def eldest(self) -> int:
        """The seat after the dealer: leads and shows first."""
        return (self.dealer + 1) % len(self.held)

    @property
    def shower(self) -> int:
        """The seat whose hand, or crib, is counted next."""
        return (self.dealer + 1 + min(len(self.shown), len(self.held) - 1)) % len(self.held)

    @property
    def by_points(self) -> bool:
        """No card of the play was told to the board."""
        return not self.played and not self.goes


@dataclass(frozen=True, slots=True)
class Award:
    """A peg moved: ``points`` holes (negative: back), and why; reasons stay whole where the game hole cut it."""

    seat: int
    points: int
    whys: tuple[Why, ...]
    count: int | None
    scores: tuple[int, ...]
    """By side, after the move."""
    what: str = ""
    """card, hand, crib or empty."""


@dataclass(frozen=True, slots=True)
class Miscount:
    """A claim that is not the truth, found by the board or proved by a call."""

    seat: int
    claimed: int
    true: int
    what: str

    @property
    def verdict(self) -> str:
        """under or over."""
        return "under" if self.claimed < self.true else "over"


@dataclass(frozen=True, slots=True)
class FalseGo:
    """A go proved false after the last card: the cards that fitted, and the price."""

    seat: int
    count: int
    cards: tuple[Card, ...]
    points: int
    to: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """A called claim was judged from the cards: from now on its true count may be told."""

    seat: int
    what: str
    whys: tuple[Why, ...]
    """The true count."""


Outcome = Award | Miscount | FalseGo | Revealed


@dataclass(frozen=True, slots=True)
class State:
    """A game: its rules and people, the pegs, the deal, and everything that followed from what happened."""

    rules: Rules
    names: tuple[str, ...]
    muggins: bool
    levels: tuple[Level, ...]
    """By side."""
    pegs: tuple[Pegs, ...]
    deal: Dealt | None = None
    deals: int = 0
    under_way: bool = False
    """Opened with holes already pegged: no three for last is added."""
    before: Dealt | None = None
    """The deal before this one, while a claim of it may still be called: until the starter."""
    next_dealer: int | None = None
    first_dealer: int | None = None
    """Who dealt the first deal of this game."""
    cuts: tuple[Card, ...] = ()
    claims: tuple[Claim, ...] = ()
    """Claims whose windows are open; once the game is won, only the winning claim, until it is accepted or called."""
    ledger: tuple[Outcome, ...] = ()
    winner: int | None = None
    """The winning side."""
    stopped: bool = False
    games_won: tuple[int, ...] = ()
    """Match tally by side, in the book's game points, this game included."""

    @property
    def stage(self) -> Stage:
        """Where the table stands."""
        if self.winner is not None or self.stopped:
            return Stage.END
        deal = self.deal
        if deal is None:
            return Stage.CUT if self.next_dealer is None else Stage.DEAL
        if deal.crib_done:
            return Stage.DEAL
        if not deal.play_over:
            return Stage.STARTER if deal.starter is None and not deal.starter_skipped else Stage.PLAY
        return Stage.SHOW if len(deal.shown) < len(deal.held) else Stage.CRIB

    @property
    def scores(self) -> tuple[int, ...]:
        """Front pegs by side."""
        return tuple(peg.front for peg in self.pegs)

    def waiting(self) -> Claim | None:
        """The claim that has been called and waits for its cards to be keyed."""
        return next((claim for claim in self.claims if claim.called), None)

    def deal_of(self, claim: Claim) -> Dealt | None:
        """The deal that a claim was made in."""
        return self.deal if claim.deal == self.deals else self.before

    def side(self, seat: int) -> int:
        """The side that seat plays on."""
        return self.rules.sides[seat]

    def level(self, seat: int) -> Level:
        """The referee level that seat's claims are handled at."""
        return self.levels[self.rules.sides[seat]]

    def side_name(self, side: int) -> str:
        """The name of a side: its players' names joined."""
        return " & ".join(name for seat, name in enumerate(self.names) if self.rules.sides[seat] == side)

    def skunk(self, side: int) -> int:
        """0, 1 or 2: how many of the book's skunk lines that losing side stayed behind (001, Goal & scoring)."""
        return sum(self.pegs[side].front < line for line in self.rules.skunks)
