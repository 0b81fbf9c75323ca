"""Undo without bottom, corrections of cards keyed wrongly, and the fold of a log."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import intents as want
from engine.apply import fold
from engine.cards import PACK, parse_card, parse_cards
from engine.errors import CribbageError, Illegal
from engine.events import CardPlayed, StarterTurned
from engine.history import Corrected, History, Undone, fold_rows
from engine.rules import rules_for
from engine.state import Award, Outcome, Stage

OPEN = want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), first_dealer=1)


class Table:
    """A history with the log of what was accepted, and the history after each act."""

    def __init__(self) -> None:
        self.history = History()
        self.rows: list[tuple[int, object]] = []
        self.stack = [self.history]

    @property
    def number(self) -> int:
        """The number of the next act."""
        return len(self.rows) + 1

    def do(self, *intents: want.Intent) -> None:
        """One entry of these intents."""
        history = self.history.enter(self.number, *intents)
        assert history.entry is not None
        self._accept(history.entry.events, history)

    def correct(self, was: str, card: str) -> None:
        """A card read as another one."""
        one, other = parse_card(was), parse_card(card)
        self._accept(Corrected(one, other), self.history.correct(self.number, one, other))

    def undo(self) -> None:
        """The newest act is taken back."""
        undone = Undone(self.history.act)
        self.history = self.history.undo()
        self.rows.append((self.number, undone))
        self.stack.pop()

    def keys(self, words: str) -> None:
        """Cards of the play, one an entry; ``go`` for a go."""
        for word in words.split():
            self.do(want.SayGo() if word == "go" else want.PlayCard(parse_card(word)))

    def _accept(self, act: object, history: History) -> None:
        self.rows.append((self.number, act))
        self.history = history
        self.stack.append(history)


@pytest.fixture
def table() -> Table:
    """A game opened by Ann and Bob; Bob deals, and the starter is the king of spades."""
    table = Table()
    table.do(OPEN)
    table.do(want.Deal())
    table.do(want.TurnStarter(parse_card("KS")))
    return table


def past(history: History) -> list[tuple[object, ...]]:
    """All that an undo, and another, and another would find."""
    found: list[tuple[object, ...]] = []
    node: History | None = history
    while node is not None:
        found.append((node.act, node.correction, node.entry, node.state))
        node = node.before
    return found


def random_act(table: Table, rng: Random) -> None:
    """Some legal act, whatever the stage: mostly play, sometimes an undo, a correction or an act of the menu."""
    while True:
        try:
            state = table.history.state
            if state is None or state.stage is Stage.END:
                return _one_of_few(table, rng)
            roll = rng.random()
            if roll < 0.2:
                return table.undo()
            if roll < 0.3:
                known = [card for event in table.history.events() for card in _keyed(event)] or list(PACK)
                return table.correct(str(rng.choice(known)), str(rng.choice(PACK)))
            return table.do(_intent(state.stage, rng))
        except CribbageError:
            continue


def _keyed(event: object) -> tuple[object, ...]:
    return (event.card,) if isinstance(event, CardPlayed | StarterTurned) else ()


def _one_of_few(table: Table, rng: Random) -> None:
    if table.history.state is not None and rng.random() < 0.4:
        return table.undo()
    rules = rules_for(target=31)
    levels = (rng.choice(want.LEVELS), rng.choice(want.LEVELS))
    return table.do(want.OpenGame(rules, ("Ann", "Bob"), True, levels, rematch=rng.random() < 0.5))


def _intent(stage: Stage, rng: Random) -> want.Intent:
    card, four = rng.choice(PACK), tuple(rng.sample(PACK, 4))
    if rng.random() < 0.05:
        rare = (
            want.PegByHand(0, 3),
            want.GivePenalty(1, 2, "x"),
            want.VoidDeal(),
            want.StopGame(),
            want.SetLevel("call"),
        )
        return rng.choice((*rare, want.Accept()))
    match stage:
        case Stage.CUT:
            return want.CutForDeal(card)
        case Stage.DEAL:
            return rng.choice((want.Deal(), want.Accept()))
        case Stage.STARTER:
            return want.TurnStarter(card)
        case Stage.PLAY:
            return rng.choice((want.PlayCard(card), want.PlayCard(card), want.SayGo(), want.ClaimCard(2)))
        case Stage.SHOW:
            return rng.choice((want.ShowHand(claim=rng.randrange(12)), want.ShowHand()))
        case _:
            return want.ShowCrib(four, claim=rng.randrange(12))


@given(st.integers(0, 10**9), st.integers(1, 120))
def test_a_log_folds_to_the_live_history(seed: int, acts: int) -> None:
    """Whatever was played, undone and corrected, the fold of the log is the live history, and its events the state."""
    table, rng = Table(), Random(seed)
    for _ in range(acts):
        random_act(table, rng)
    assert past(fold_rows(table.rows)) == past(table.history)
    assert fold_rows(table.rows).entries() == table.history.entries()
    assert fold(table.history.events()) == table.history.state


@given(st.integers(0, 10**9), st.integers(1, 60))
def test_entering_is_deciding_and_then_recording(seed: int, acts: int) -> None:
    """An entry made at once has the events that were decided, and leaves the history that recording them gives."""
    table, rng = Table(), Random(seed)
    table.do(OPEN)
    for _ in range(acts):
        random_act(table, rng)
    intents = (want.PegByHand(0, 3), want.PegByHand(1, 2))
    try:
        events = table.history.decide(*intents)
    except CribbageError:
        with pytest.raises(CribbageError):
            table.history.enter(table.number, *intents)
    else:
        recorded = table.history.record(table.number, events)
        assert past(table.history.enter(table.number, *intents)) == past(recorded)


@given(st.integers(0, 10**9), st.integers(1, 80))
def test_every_undo_gives_what_was_before(seed: int, acts: int) -> None:
    """Undo to the bottom passes every history there was, newest first, and refuses only when nothing is left."""
    table, rng = Table(), Random(seed)
    for _ in range(acts):
        random_act(table, rng)
    for expected in reversed(table.stack[:-1]):
        table.undo()
        assert table.history is expected
    with pytest.raises(Illegal, match="nothing is left to undo"):
        table.history.undo()


def test_undo_crosses_the_end_of_a_game_and_the_next_opening(table: Table) -> None:
    """A game opened after one that ended is undone, and the game before it goes on from its last card."""
    table.keys("5H")
    before = table.history
    table.do(want.StopGame())
    table.do(want.OpenGame(rules_for(), ("Cy", "Dee"), True, ("flag", "flag")))
    table.undo()
    table.undo()
    assert table.history is before
    table.keys("TD")
    assert table.history.state is not None
    assert table.history.state.scores == (0, 2)


def test_an_entry_of_several_intents_is_taken_back_whole(table: Table) -> None:
    """One undo takes back one entry with all its events."""
    before = table.history
    table.do(want.PlayCard(parse_card("5H")), want.PlayCard(parse_card("TD")))
    table.undo()
    assert table.history is before


def test_a_correction_decides_later_cards_anew(table: Table) -> None:
    """A five corrected to a four in the play takes back the fifteen that came of it, and the count is another one."""
    table.keys("5H TD")
    assert table.history.state is not None
    assert table.history.state.scores == (0, 2)
    table.correct("5H", "4H")
    state = table.history.state
    assert state is not None
    assert state.scores == (0, 0)
    assert state.deal is not None
    assert state.deal.count == 14


def test_a_correction_of_the_starter_gives_his_heels(table: Table) -> None:
    """A starter corrected to a jack pegs two for the dealer, from before the cards that were played since."""
    table.keys("5H")
    table.correct("KS", "JS")
    assert table.history.state is not None
    assert table.history.state.scores == (0, 2)


def test_a_correction_that_makes_a_later_act_illegal_is_refused_by_name(table: Table) -> None:
    """When a corrected card puts a later one past 31, the refusal names that card, and nothing has changed."""
    table.keys("2H TD 9C TS")
    before = table.history
    with pytest.raises(Illegal, match="2H cannot be 3H: TS makes 32"):
        table.correct("2H", "3H")
    assert table.history is before


def test_a_go_that_a_correction_makes_impossible_is_refused_by_name(table: Table) -> None:
    """A go that would have been said at 21 or less stands in the way of a correction."""
    table.keys("TH 9D 7C go")
    with pytest.raises(Illegal, match="TH cannot be 4H: no go at 20"):
        table.correct("TH", "4H")


def test_a_card_seen_already_cannot_be_the_right_one(table: Table) -> None:
    """A correction to a card that another hand laid in this deal is refused."""
    table.keys("5H TD")
    with pytest.raises(Illegal, match="5H cannot be KS: KS is the starter"):
        table.correct("5H", "KS")


def test_a_card_of_an_earlier_deal_is_not_corrected(table: Table) -> None:
    """Only cards of the present deal are corrected: a void deal's are not."""
    table.keys("5H")
    table.do(want.VoidDeal())
    table.do(want.Deal())
    with pytest.raises(Illegal, match="5H was not keyed in this deal"):
        table.correct("5H", "6H")


def test_a_card_never_keyed_cannot_be_corrected(table: Table) -> None:
    """A card that nobody keyed is named as such."""
    with pytest.raises(Illegal, match="9C was not keyed in this deal"):
        table.correct("9C", "8C")


def test_undo_of_a_correction_gives_the_card_back(table: Table) -> None:
    """A correction is one act: its undo gives the history before it, with the card as it was keyed."""
    table.keys("5H TD")
    before = table.history
    table.correct("5H", "4H")
    table.undo()
    assert table.history is before


def test_acts_after_a_correction_are_undone_one_by_one(table: Table) -> None:
    """After a correction and a further card, undo takes back the card, then the correction, then the card before it."""
    table.keys("5H TD")
    table.correct("5H", "4H")
    corrected = table.history
    table.keys("AC")
    table.undo()
    assert table.history is corrected
    table.undo()
    table.undo()
    assert table.history is table.stack[-1]
    assert table.history.events()[-1] == CardPlayed(0, parse_card("5H"), None)


def test_a_corrected_card_can_be_corrected_again(table: Table) -> None:
    """Two corrections of one card leave the second, and each is undone by itself."""
    table.keys("5H TD")
    table.correct("5H", "4H")
    once = table.history
    table.correct("4H", "6H")
    assert table.history.events()[-2] == CardPlayed(0, parse_card("6H"), None)
    table.undo()
    assert table.history is once


def test_a_correction_reaches_the_card_where_it_was_first_keyed() -> None:
    """A card turned up and then counted in its hand is corrected in both places."""
    table = Table()
    table.do(OPEN)
    table.do(want.Deal())
    table.do(want.TurnStarter(parse_card("KS")))
    table.do(want.EndPlay())
    for card in parse_cards("5H 5D 4C 6S".split()):
        table.do(want.TurnCard(card))
    table.do(want.ShowHand(claim=12))
    table.correct("5D", "9D")
    cards = [event for event in table.history.events() if hasattr(event, "card") or hasattr(event, "cards")]
    assert not any("5D" in repr(event) for event in cards)
    assert sum("9D" in repr(event) for event in cards) == 2


def test_a_log_whose_undo_names_another_act_is_refused() -> None:
    """An undo that does not name the newest act was not written by this program."""
    table = Table()
    table.do(OPEN)
    table.do(want.Deal())
    with pytest.raises(Illegal, match="act 3 undoes 1, but 2 was the newest"):
        fold_rows([*table.rows, (3, Undone(1))])


def test_what_is_new_is_counted_from_the_entry_before(table: Table) -> None:
    """The ledger's length before the newest entry tells which awards are news; an opening starts a new one."""
    table.keys("5H TD")
    state = table.history.state
    assert state is not None
    assert _points(state.ledger[table.history.news :]) == [2]
    table.undo()  # one award stands, as many as the opening below gives
    table.do(want.StopGame())
    table.do(want.OpenGame(rules_for(), ("Ann", "Bob"), True, ("flag", "flag"), start=(5, 0)))
    state = table.history.state
    assert state is not None
    assert _points(state.ledger[table.history.news :]) == [5]


def _points(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [outcome.points for outcome in outcomes if isinstance(outcome, Award)]
