"""Promises that hold at every table: random legal games, by every book and at every referee level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine import events as did
from engine import intents as want
from engine.apply import apply, fold
from engine.cards import PACK, Card
from engine.decide import decide
from engine.errors import CribbageError
from engine.intents import LEVELS, Level
from engine.record_read import steps
from engine.record_write import write
from engine.replay import outcome_values, replay
from engine.rules import BOOKS, Rules, rules_for
from engine.show import show
from engine.state import Award, Revealed, Stage, State

NAMES = ("Ann", "Bob Lee", "#Cal", "Zoë")
PAIRINGS = [(game, book.name) for book in BOOKS.values() for game in book.games]


@dataclass(frozen=True, slots=True)
class Act:
    """One accepted intent, and the table before and after it."""

    before: State | None
    intent: want.Intent
    events: tuple[did.Event, ...]
    after: State


class Table:
    """A table that plays itself at random, within the rules; what is refused must have changed nothing."""

    def __init__(self, random: Random, rules: Rules, levels: tuple[Level, ...], *, plain: bool = False) -> None:
        self.random = random
        self.plain = plain
        self.acts: list[Act] = []
        start = None
        if not plain and random.random() < 0.5:
            start = tuple(random.randrange(rules.target - 20, rules.target) for _ in range(rules.side_count))
        muggins = random.random() < 0.5
        self.state: State = None  # type: ignore[assignment]
        self.act(want.OpenGame(rules, NAMES[: rules.seats], muggins, levels, start))

    def act(self, intent: want.Intent) -> bool:
        before = self.state
        snapshot = hash(before)
        try:
            events = decide(before, intent)
        except CribbageError:
            assert self.state is before
            assert hash(before) == snapshot
            return False
        for event in events:
            self.state = apply(self.state, event)
        self.acts.append(Act(before, intent, events, self.state))
        return True

    @property
    def events(self) -> tuple[did.Event, ...]:
        return tuple(event for act in self.acts for event in act.events)

    def play(self, deals: int) -> Table:
        for _ in range(deals):
            if not self.over:
                self.deal()
        return self

    @property
    def over(self) -> bool:
        return self.state.stage is Stage.END and not self.state.claims

    def chance(self, part: float) -> bool:
        return not self.plain and self.random.random() < part

    def deal(self) -> None:
        random, rules = self.random, self.state.rules
        self.disturb()
        dealer = None if self.state.next_dealer is not None else random.randrange(rules.seats)
        if not self.act(want.Deal(dealer)):
            return
        self.disturb()
        pack = random.sample(PACK, 52)
        sizes = [rules.hand] * rules.seats
        if self.chance(0.1):
            seat = random.randrange(rules.seats)
            sizes[seat] = rules.hand - 1
            self.act(want.HoldCards(seat, sizes[seat]))
        self.hands = [[pack.pop() for _ in range(size)] for size in sizes]
        self.crib = tuple(pack.pop() for _ in range(rules.crib))
        if self.chance(0.2):
            self.by_numbers(pack.pop() if self.chance(0.5) else None)
        else:
            self.turn(pack.pop())
            self.cards()
        while self.state.stage is Stage.SHOW and self.state.deal is not None:
            self.show(self.state.deal.shower)
        while self.state.stage is Stage.CRIB:
            self.count_crib()
        if self.chance(0.05):
            self.act(want.VoidDeal())

    def turn(self, starter: Card) -> None:
        claim = self.random.choice((0, 2)) if starter.rank == 11 and self.chance(0.3) else None
        assert self.act(want.TurnStarter(starter, claim)) or self.over

    def cards(self) -> None:
        while self.state.stage is Stage.PLAY and self.state.deal is not None:
            deal = self.state.deal
            left = [card for card in self.hands[deal.turn] if card not in deal.cards_of(deal.turn)]
            fitting = [card for card in left if deal.count + card.value <= 31]
            if not fitting or (deal.count > 21 and self.chance(0.1)):
                assert self.act(want.SayGo())
            else:
                level = self.state.level(deal.turn)
                claim = self.random.choice((0, 0, 2, 3)) if level != "teach" and self.chance(0.3) else None
                assert self.act(want.PlayCard(self.random.choice(fitting), claim))
            self.disturb()

    def by_numbers(self, starter: Card | None) -> None:
        if starter is not None:
            self.turn(starter)
        for _ in range(self.random.randrange(4)):
            self.act(want.PegByHand(self.random.randrange(len(self.hands)), self.random.randrange(1, 6)))
        for _ in self.hands:
            deal = self.state.deal
            if self.over or deal is None or self.state.stage not in (Stage.STARTER, Stage.PLAY, Stage.SHOW):
                return
            self.show(deal.shower)

    def show(self, seat: int) -> None:
        deal = self.state.deal
        assert deal is not None
        told = deal.starter is not None and (deal.left(seat) or self.chance(0.3))
        cards = tuple(self.hands[seat]) if told else None
        true = None if deal.starter is None else show(tuple(self.hands[seat]), deal.starter).total
        assert self.act(want.ShowHand(None, cards, self.claim(seat, true, cards is None and deal.by_points)))
        self.disturb()

    def count_crib(self) -> None:
        deal = self.state.deal
        assert deal is not None
        if self.chance(0.1):
            assert self.act(want.ShowCrib(void=True))
            return
        bare = deal.starter is None or (deal.by_points and self.chance(0.5))
        true = None if deal.starter is None else show(self.crib, deal.starter, crib=True).total
        assert self.act(want.ShowCrib(None if bare else self.crib, self.claim(deal.dealer, true, bare)))
        self.disturb()

    def claim(self, seat: int, true: int | None, needed: bool) -> int | None:
        if not needed and (self.state.level(seat) == "teach" or not self.chance(0.7)):
            return None
        return max(0, (true or 6) + self.random.choice((0, 0, -2, 1, 3)))

    def disturb(self) -> None:
        """Now and then: a call and what settles it, an acceptance, a penalty, a level, points by hand."""
        seats = self.state.rules.seats
        if self.chance(0.3):
            caller, many = self.random.randrange(seats), self.random.random() < 0.4
            agreed = self.random.random() < 0.2
            self.act(want.CallMuggins(caller, self.random.randrange(1, 4), many, None, None, agreed))
        if self.chance(0.1):
            self.act(want.CallMuggins(self.random.randrange(seats), 2, False, self.random.randrange(seats), "go"))
        waiting = self.state.waiting()
        if waiting is not None:
            deal = self.state.deal_of(waiting)
            assert deal is not None
            if deal.starter is None:
                held = [card for hand in (*self.hands, self.crib) for card in hand]
                free = [card for card in PACK if card not in held]
                self.act(want.TurnStarter(self.random.choice(free)))
            cards = self.crib if waiting.what == "crib" else tuple(self.hands[waiting.seat])
            if not self.act(want.KeyCards(waiting.seat, cards)):
                self.act(want.Accept(None))
        if self.chance(0.1):
            self.act(want.Accept(self.random.choice((None, *range(seats)))))
        if self.chance(0.02):
            self.act(want.GivePenalty(self.random.randrange(seats), 2, "touched pegs"))
        if self.chance(0.02):
            level: Level = self.random.choice(LEVELS)
            self.act(want.SetLevel(level, self.random.choice((None, *range(seats)))))
        if self.chance(0.02):
            self.act(want.PegByHand(self.random.randrange(seats), self.random.randrange(-3, 4)))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any game by any book at any levels, a few deals long."""
    game, book = draw(st.sampled_from(PAIRINGS))
    rules = rules_for(game, book)
    levels = tuple(draw(st.sampled_from(LEVELS)) for _ in range(rules.side_count))
    return Table(Random(draw(st.integers(0, 2**32 - 1))), rules, levels).play(draw(st.integers(1, 3)))


@st.composite
def plain_deals(draw: st.DrawFn) -> Table:
    """One whole six-card deal without a claim or any other disturbance."""
    return Table(Random(draw(st.integers(0, 2**32 - 1))), rules_for(), ("flag", "flag"), plain=True).play(1)


@given(tables())
def test_awards_add_up_to_the_pegs(table: Table) -> None:
    """The awards of each side add up to its front peg, and every award tells the scores after it."""
    state = table.state
    sums = [0] * state.rules.side_count
    for one in state.ledger:
        if isinstance(one, Award):
            sums[state.side(one.seat)] += one.points
            assert one.scores == tuple(sums)
    assert tuple(sums) == state.scores


@given(tables())
def test_nobody_passes_the_game_hole(table: Table) -> None:
    """No front peg passes the last hole or falls below the start, and the back peg is never in front."""
    for act in table.acts:
        for pegs in act.after.pegs:
            assert 0 <= pegs.back <= pegs.front <= table.state.rules.target


@given(tables())
def test_a_side_in_the_game_hole_has_won(table: Table) -> None:
    """A peg in the last hole means a won game, but for a claim that waits for its cards."""
    for act in table.acts:
        there = act.after.rules.target in act.after.scores
        assert there == (act.after.winner is not None) or act.after.waiting() or act.after.stopped


@given(plain_deals())
def test_the_dealer_pegs_in_the_play(table: Table) -> None:
    """In a two-handed six-card deal the dealer pegs at least one in the play."""
    deal = table.state.deal
    assert deal is not None
    assert deal.crib_done
    awards = [one for one in table.state.ledger if isinstance(one, Award) and one.count is not None]
    assert sum(one.points for one in awards if one.seat == deal.dealer) >= 1


@given(tables())
def test_the_fold_of_the_events_is_the_state(table: Table) -> None:
    """Folding all events anew gives the very state."""
    assert fold(table.events) == table.state


@given(tables())
def test_events_survive_as_plain_values(table: Table) -> None:
    """Every event comes back from its plain values."""
    for event in table.events:
        assert did.from_dict(did.kind_of(event), did.to_dict(event)) == event


@given(tables())
def test_the_intent_of_an_event_is_decided_the_same(table: Table) -> None:
    """The intent of an accepted event, decided where it was, gives that event again."""
    for act in table.acts:
        for event in act.events:
            assert decide(act.before, did.intent_of(event)) == (event,)


@given(st.sampled_from(PAIRINGS), st.integers(1, 999))
def test_rules_survive_as_plain_values(pairing: tuple[str, str], target: int) -> None:
    """The rules of every game by every book come back from their plain values."""
    rules = rules_for(*pairing, target)
    assert Rules.from_dict(rules.to_dict()) == rules


@given(tables())
def test_a_record_replays_to_the_same_awards(table: Table) -> None:
    """What a game writes replays line for line to the outcomes it had, and to the same state."""
    text = write(table.events)
    *lines, end = replay(text)
    told = [{key: value for key, value in line.items() if key != "line"} for line in lines]
    ledger = [one for one in table.state.ledger if not isinstance(one, Revealed)]
    assert told == [outcome_values(table.state, one) for one in ledger]
    last = list(steps(text))[-1].after
    assert replace(last, levels=table.state.levels) == replace(table.state, under_way=last.under_way)
    assert list(end["scores"].values()) == list(table.state.scores)


@given(tables())
def test_a_record_written_again_is_the_same_text(table: Table) -> None:
    """Record, replay, record: the same text, to the letter."""
    text = write(table.events, "2026-11-30")
    assert write((step.event for step in steps(text)), "2026-11-30") == text
