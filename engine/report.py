"""The game report: what each side pegged where, how well it counted, what nobody saw, how it stood deal by deal.

It tells truths that a game under ``call`` keeps to itself, so there is none before the game's end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from engine import events as did
from engine.apply import apply
from engine.awards import Kind
from engine.cards import Card
from engine.errors import Illegal
from engine.match import Match, Tally
from engine.play_points import play_points
from engine.show import show
from engine.state import Award, Claim, Dealt, Stage, State

HOME: Final = {"six-card": 29, "five-card": 17}
"""Holes at which a side is at home once each has dealt (000, Leading; 002, Five-card). No other game has a measure."""
DUE: Final = {"six-card": (17, 12)}
"""What a deal should bring the dealer and the pone (000, Leading); at five-card only the two together are known."""
SAFE: Final = 7
"""Holes ahead, each having dealt as often, that are safe at home (000, Leading; 002, Five-card)."""


@dataclass(frozen=True, slots=True)
class SidePoints:
    """Where one side's holes came from; together they are where its front peg stands."""

    play: int = 0
    """In the play, go and last included; a count put back is taken off."""
    hands: int = 0
    crib: int = 0
    other: int = 0
    """Heels, three for last, muggins, penalties and points by hand."""
    start: int = 0
    """Holes that were pegged when the game was opened."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.play + self.hands + self.crib + self.other + self.start


@dataclass(frozen=True, slots=True)
class Count:
    """One claim: what was claimed, what was true, and what became of it. Both are cut to the holes there were to go."""

    deal: int
    """The number of its deal in the game, from 1."""
    seat: int
    what: str
    """hand, crib or card."""
    claimed: int
    true: int | None
    """None where the board never knew the cards."""
    holes: int
    """Holes to go when it was claimed."""
    plays: int
    """For a card, how many cards of the play had been laid with it."""
    stands: bool
    """It was pegged as claimed: neither mended nor put back by the board."""
    few: int = 0
    """Points called as too few."""
    many: int = 0
    """Points called as too many."""

    @property
    def right(self) -> bool:
        """Whether the claim was the truth; False where that is not known."""
        return self.claimed == self.true

    @property
    def unseen(self) -> int:
        """Points missed (positive) or pegged too many (negative) that nobody called; 0 for a right count."""
        if self.true is None or not self.stands:
            return 0
        wrong = self.true - self.claimed
        return max(0, wrong - self.few) if wrong > 0 else min(0, wrong + self.many)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of a side's claims were right, of those whose cards are known."""

    right: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class BestHand:
    """The best hand or crib whose cards are known, the first of equals."""

    seat: int
    what: str
    cards: tuple[Card, ...]
    starter: Card | None
    points: int
    deal: int


@dataclass(frozen=True, slots=True)
class Home:
    """How the sides stood by the old yardstick when a deal was over, start holes left out (000, Leading)."""

    deal: int
    scores: tuple[int, ...]
    due: tuple[int, ...]
    """What each should have by now; empty where the sources do not say. Past the first round by multiples: ours."""
    at_home: tuple[bool, ...]
    """By side, when each has dealt as often; else empty."""
    safe: int | None
    """The side seven or more ahead when each has dealt as often."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """Everything told about one game after its end. Sides and seats count from 0."""

    side_names: tuple[str, ...]
    names: tuple[str, ...]
    winner: int | None
    skunks: tuple[int, ...]
    """By side: 0, 1 or 2; the winner's is 0."""
    points: tuple[SidePoints, ...]
    accuracy: tuple[Accuracy, ...]
    counts: tuple[Count, ...]
    """Every claim of a hand, a crib, or (but at level off, where go and last are in it) a card."""
    best: BestHand | None
    homes: tuple[Home, ...]
    match: Match

    @property
    def unseen(self) -> tuple[Count, ...]:
        """The wrong counts that stood and that nobody called, in the order they were made."""
        return tuple(count for count in self.counts if count.unseen)


def report(events: Iterable[did.Event]) -> GameReport:
    """The report of the last game of these events. A deal that was void is left out of it, penalties apart.

    Raises Illegal before that game's end, while a winning claim waits to be accepted, and where no game was opened.
    """
    state: State | None = None
    gathered: _Gathered | None = None
    tally = Tally()
    for event in events:
        tally.add(state, event)
        before, state = state, apply(state, event)
        if isinstance(event, did.GameOpened):
            gathered = _Gathered(state.scores)
        elif gathered is not None and before is not None:
            gathered.add(before, event, state)
    if state is None or gathered is None:
        raise Illegal("no game has been opened: there is nothing to report")
    if state.stage is not Stage.END or state.claims:
        raise Illegal("the report comes after the game's end: it tells what is still to be called")
    return gathered.told(state, tally.match(state))


_PARTS: Final = {"card": "play", "hand": "hands", "crib": "crib"}


@dataclass(slots=True)
class _Gathered:
    """What is kept while a game is folded: the points by their part, the claims, the hands, the rounds."""

    start: tuple[int, ...]
    points: list[dict[str, int]] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    hands: list[BestHand] = field(default_factory=list)
    homes: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    """Dealer and scores by the number of each deal that was counted to its end."""
    before_deal: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [dict.fromkeys(_PARTS, 0) for _ in self.start]

    def add(self, before: State, event: did.Event, state: State) -> None:
        """One event, with the state before and after it."""
        if isinstance(event, did.DealVoided):
            self._void(before)
            return
        if isinstance(event, did.DealBegun):
            self.before_deal = [dict(one) for one in self.points]
        new = [one for one in state.ledger[len(before.ledger) :] if isinstance(one, Award)]
        for award in new:
            part = _part(award, event, before)
            if part:
                self.points[state.side(award.seat)][part] += award.points
        self._claims(before, event, state, new)
        deal = state.deal
        if deal is not None and deal.crib_done:
            self.homes[state.deals] = (deal.dealer, state.scores)

    def _void(self, before: State) -> None:
        self.points = self.before_deal
        self.counts = [one for one in self.counts if one.deal != before.deals]
        self.hands = [one for one in self.hands if one.deal != before.deals]
        self.homes.pop(before.deals, None)

    def _claims(self, before: State, event: did.Event, state: State, new: list[Award]) -> None:
        match event:
            case did.CardPlayed(seat=seat, card=card, claim=claim) if before.deal is not None:
                true = sum(why.points for why in play_points((*before.deal.series, card)))
                self._claim(before, state, new, seat, "card", claim, true)
            case did.CardClaimed(seat=seat, points=points) if self.counts and state.deal and state.deal.played:
                # It takes the place of the nothing that its card was laid with.
                last = self.counts[-1]
                if (last.what, last.seat, last.plays) == ("card", seat, len(state.deal.played)):
                    self.counts.pop()
                    self._claim(before, state, new, seat, "card", points, last.true)
            case did.HandShown(seat=seat, claim=claim) if state.deal is not None:
                self._claim(before, state, new, seat, "hand", claim, self._shown(state, seat, state.deal.shown[-1]))
            case did.CribShown(seat=seat, claim=claim, void=False) if state.deal is not None:
                true_crib = self._shown(state, seat, state.deal.crib, crib=True)
                self._claim(before, state, new, seat, "crib", claim, true_crib)
            case did.MugginsCalled():
                self._called(before, event, state)
            case did.CardsKeyed(cards=cards):
                claimed = before.waiting()
                if claimed is not None:
                    crib = claimed.what == "crib"
                    keyed = self._shown(before, claimed.seat, cards, before.deal_of(claimed), claimed.deal, crib=crib)
                    self._change(claimed, true=keyed)

    def _claim(
        self, before: State, state: State, new: list[Award], seat: int, what: str, claim: int | None, true: int | None
    ) -> None:
        if claim is None or (what == "card" and before.level(seat) == "off"):
            return
        kinds = {why.kind for award in new if award.seat == seat for why in award.whys}
        holes = before.rules.target - before.pegs[before.side(seat)].front
        plays = len(state.deal.played) if state.deal is not None and what == "card" else 0
        true = None if true is None else min(true, holes)
        claimed = min(claim, holes)
        stands = claimed == true or (Kind.CLAIMED in kinds and Kind.OVER_CLAIM not in kinds)
        self.counts.append(Count(before.deals, seat, what, claimed, true, holes, plays, stands))

    def _shown(
        self,
        state: State,
        seat: int,
        cards: tuple[Card, ...] | None,
        deal: Dealt | None = None,
        number: int = 0,
        *,
        crib: bool = False,
    ) -> int | None:
        """What cards are worth, None where they are not known; they may be the best of the game."""
        deal = deal or state.deal
        if cards is None or deal is None:
            return None
        points = show(cards, deal.starter, crib=crib, flush_min=state.rules.flush_min).total
        what = "crib" if crib else "hand"
        self.hands.append(BestHand(seat, what, cards, deal.starter, points, number or state.deals))
        return points

    def _called(self, before: State, event: did.MugginsCalled, state: State) -> None:
        for claim in reversed(before.claims):
            if (claim.seat, claim.what) == (event.on_seat, event.on_what) and claim not in state.claims:
                if not event.many:
                    self._change(claim, few=event.points)
                else:
                    # A call that is proved puts the whole surplus back, whatever its number.
                    self._change(claim, many=event.points if event.agreed else claim.claimed)
                return

    def _change(self, claim: Claim, *, true: int | None = None, few: int = 0, many: int = 0) -> None:
        for place, one in enumerate(self.counts):
            if (one.deal, one.seat, one.what) == (claim.deal, claim.seat, claim.what) and (
                one.what != "card" or one.plays == claim.plays
            ):
                true = one.true if true is None else min(true, one.holes)
                self.counts[place] = replace(one, true=true, few=one.few + few, many=one.many + many)

    def told(self, state: State, match: Match) -> GameReport:
        """The report, the game having ended in ``state``."""
        points = []
        for side, parts in enumerate(self.points):
            named = {_PARTS[part]: number for part, number in parts.items()}
            other = state.scores[side] - self.start[side] - sum(parts.values())
            points.append(SidePoints(**named, other=other, start=self.start[side]))
        known = [one for one in self.counts if one.true is not None]
        accuracy = [
            Accuracy(
                sum(one.right for one in known if state.side(one.seat) == side),
                sum(state.side(one.seat) == side for one in known),
            )
            for side in range(len(points))
        ]
        won = state.winner is not None
        return GameReport(
            side_names=tuple(state.side_name(side) for side in range(len(points))),
            names=state.names,
            winner=state.winner,
            skunks=tuple(state.skunk(side) if won and side != state.winner else 0 for side in range(len(points))),
            points=tuple(points),
            accuracy=tuple(accuracy),
            counts=tuple(self.counts),
            best=max(self.hands, key=lambda one: one.points, default=None),
            homes=self._homes(state),
            match=match,
        )

    def _homes(self, state: State) -> tuple[Home, ...]:
        game = state.rules.game
        if game not in HOME:
            return ()
        homes = []
        dealt = [0, 0]
        for number, (dealer, scores) in self.homes.items():
            dealt[dealer] += 1
            pegged = tuple(score - start for score, start in zip(scores, self.start, strict=True))
            even = dealt[0] == dealt[1]
            due: tuple[int, ...] = ()
            if game in DUE:
                dealing, leading = DUE[game]
                due = tuple(dealing * dealt[side] + leading * dealt[1 - side] for side in (0, 1))
            elif even:
                due = (HOME[game] * dealt[0],) * 2
            ahead = pegged[0] - pegged[1]
            homes.append(
                Home(
                    number,
                    pegged,
                    due,
                    tuple(score >= HOME[game] * dealt[0] for score in pegged) if even else (),
                    (0 if ahead > 0 else 1) if even and abs(ahead) >= SAFE else None,
                )
            )
        return tuple(homes)


def _part(award: Award, event: did.Event, before: State) -> str | None:
    """What the holes of an award belong to: card, hand, crib, or nothing of these."""
    kinds = {why.kind for why in award.whys}
    if award.what:
        return award.what
    if kinds & {Kind.GO, Kind.LAST}:
        return "card"
    if Kind.OVER_CLAIM in kinds and isinstance(event, did.MugginsCalled):
        return event.on_what
    if Kind.OVER_CLAIM in kinds:
        waiting = before.waiting()
        return None if waiting is None else waiting.what
    # Where the play is kept by numbers, a number is points of the play.
    by_numbers = before.stage in (Stage.STARTER, Stage.PLAY) and before.deal is not None and before.deal.by_points
    return "card" if by_numbers and isinstance(event, did.PointsPegged) else None
