"""What the table refuses: each refusal names the thing and the position, and changes nothing."""

from __future__ import annotations

import pytest

from engine import intents as want
from engine.apply import apply
from engine.cards import card, parse_card, parse_cards
from engine.decide import decide
from engine.errors import CribbageError, Illegal, Malformed
from engine.rules import rules_for
from engine.state import State


def opened(game: str = "six-card", book: str = "modern", level: want.Level = "flag") -> State:
    rules = rules_for(game, book)
    names = ("Ann", "Bob", "Cal", "Dee")[: rules.seats]
    return apply(None, decide(None, want.OpenGame(rules, names, True, (level,) * rules.side_count))[0])


def after(state: State, *intents: want.Intent) -> State:
    for intent in intents:
        for event in decide(state, intent):
            state = apply(state, event)
    return state


def in_play(*codes: str) -> State:
    """Bob deals, the deuce of hearts is turned, and these cards have been laid; ``go`` is a go."""
    played = [want.SayGo() if code == "go" else want.PlayCard(parse_card(code, suit_optional=True)) for code in codes]
    return after(opened(), want.Deal(1), want.TurnStarter(parse_card("2H")), *played)


def refused(state: State | None, intent: want.Intent, kind: type[CribbageError] = Illegal) -> CribbageError:
    with pytest.raises(kind) as caught:
        decide(state, intent)
    return caught.value


PLAY = [
    (("TC",), want.PlayCard(parse_card("TC")), "TC is in Ann's hand: already played", "count 10, Bob's turn"),
    ((), want.PlayCard(parse_card("2H")), "2H is the starter", "count 0, Ann's turn"),
    (("TC",), want.PlayCard(parse_card("5D"), seat=0), "5D is out of turn for Ann: it is Bob's turn", "count 10"),
    (("TC", "QD", "8H"), want.PlayCard(parse_card("4C")), "4C makes 32: past 31", "count 28, Bob's turn"),
    (("TC", "JD"), want.SayGo(), "no go at 20", "count 20, Ann's turn"),
    (("TC", "JD", "AD"), want.SayGo(), "no go at 21", "count 21, Bob's turn"),
    (("TC", "JD", "2D"), want.SayGo(seat=0), "go is out of turn for Ann: it is Bob's turn", "count 22"),
    (("2", "2", "2"), want.PlayCard(parse_card("2S")), "2S would be a fifth 2", "count 6, Bob's turn"),
    (("2", "2", "2"), want.PlayCard(card(2, None)), "2 would be a fifth 2", "count 6, Bob's turn"),
    (("4S",), want.ShowHand(0, parse_cards("4S 3D 4C 5C".split())), "the play is not over", "count 4, Bob's turn"),
    ((), want.Deal(0), "this one is not counted to its end", "Bob deals"),
    ((), want.ClaimCard(2), "no card waits for a claim", "count 0"),
    (("4S",), want.HoldCards(0, 3), "told before the first card is played", "count 4"),
    (("4S",), want.EndPlay(), "the play goes on", "count 4"),
]


@pytest.mark.parametrize(("laid", "intent", "words", "position"), PLAY)
def test_the_play_refuses(laid: tuple[str, ...], intent: want.Intent, words: str, position: str) -> None:
    """A card or act that the play forbids is refused, naming it, with dealer, count and whose turn it is."""
    state = in_play(*laid)
    error = refused(state, intent)
    assert words in error.brief
    assert f"({state.names[1]} deals" in str(error)
    assert position in str(error)


def test_a_card_before_the_starter() -> None:
    """No card can be laid before the starter is known."""
    error = refused(after(opened(), want.Deal(1)), want.PlayCard(parse_card("4S")))
    assert "starter first" in error.brief
    assert "the starter is next" in str(error)


SHOWN = ("4S", "2D", "3D", "AH", "5C", "2C", "4C", "3C")


def test_a_hand_must_hold_what_was_played() -> None:
    """A hand told at the show must be the cards its player laid, no more, no fewer, no others."""
    state = in_play(*SHOWN)
    assert "Ann played 5C" in refused(state, want.ShowHand(0, parse_cards("4S 3D 4C 6C".split()))).brief
    assert "4 are held" in refused(state, want.ShowHand(0, parse_cards("4S 3D 4C".split())), Malformed).brief
    assert "in Bob's hand" in refused(state, want.ShowHand(0, parse_cards("4S 3D 4C 2D".split()))).brief
    assert "Ann's hand is counted before Bob's" in refused(state, want.ShowHand(1)).brief


def test_a_crib_is_new_cards_three_to_six() -> None:
    """The crib is three to six cards that nobody has shown, and the dealer's."""
    state = after(in_play(*SHOWN), want.ShowHand(), want.ShowHand())
    assert "in Ann's hand" in refused(state, want.ShowCrib(parse_cards("4S JD JS TD".split()))).brief
    assert "three to six" in refused(state, want.ShowCrib(parse_cards("JD JS".split())), Malformed).brief
    assert "not known" in refused(state, want.ShowCrib()).brief
    assert "the crib is Bob's, not Ann's" in refused(state, want.ShowCrib(void=True, seat=0)).brief
    assert "the crib is next" in str(refused(state, want.ShowHand(0)))


def test_the_deal_passes_to_the_pone() -> None:
    """The same player cannot deal twice; the refusal says whose deal it is."""
    state = after(in_play(*SHOWN), want.ShowHand(), want.ShowHand(), want.ShowCrib(parse_cards("JD JS TD AS".split())))
    error = refused(state, want.Deal(1))
    assert error.brief == "Bob cannot deal: it is Ann's deal"
    assert "between deals" in str(error)


@pytest.mark.parametrize(
    "intent",
    [
        want.Deal(2),
        want.PlayCard(parse_card("4S"), seat=2),
        want.GivePenalty(-1, 2, "x"),
        want.PegByHand(4, 1),
        want.ClaimGame(2, "x"),
        want.SetLevel("call", 2),
        want.Accept(9),
        want.HoldCards(2, 3),
        want.KeyCards(2, ()),
        want.CallMuggins(2, 1),
        want.CallMuggins(0, 1, False, 5, "hand"),
    ],
)
def test_a_seat_that_is_not_at_this_table(intent: want.Intent) -> None:
    """Whatever is asked of a seat that nobody sits in is malformed."""
    assert "not at this table" in refused(in_play(), intent, Malformed).brief


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("Ann",), "for 2 players"),
        (("Ann", "ann"), "no two alike"),
        (("Ann", " "), "no name"),
        (("Ann", 'B"b'), "quotation marks"),
        (("Ann", "B\nb"), "invisible"),
    ],
)
def test_names_that_cannot_be(names: tuple[str, ...], words: str) -> None:
    """A game opens only with a name for each seat, no two alike, and each fit to be written down."""
    intent = want.OpenGame(rules_for(), names, True, ("flag", "flag"))
    assert words in refused(None, intent, Malformed).brief


def test_too_many_cannot_be_called_on_a_go() -> None:
    """A go is no count: too many cannot be called on it."""
    state = after(opened(book="acc"), want.Deal(1))
    assert "on a go" in refused(state, want.CallMuggins(0, 2, True, 1, "go")).brief


def test_nothing_but_an_opening_before_the_first_game() -> None:
    """Without a game nothing can be asked but to open one, and an open game is not opened over."""
    assert "no game" in refused(None, want.Deal(0)).brief
    state = opened()
    assert "under way" in refused(state, want.OpenGame(rules_for(), ("A", "B"), True, ("flag", "flag"))).brief


def test_a_claim_made_after_its_card_takes_the_place_of_nothing_claimed() -> None:
    """Under call a card is laid with nothing claimed; the claim that follows replaces that one, and can be called."""
    state = after(
        opened(book="foster", level="call"),
        want.Deal(1),
        want.TurnStarter(parse_card("KS")),
        want.PlayCard(parse_card("7C"), 0),
        want.PlayCard(parse_card("8D"), 0),
    )
    assert state.deal is not None
    assert state.deal.claimable
    state = after(state, want.ClaimCard(1))
    assert [(claim.seat, claim.claimed) for claim in state.claims if claim.seat == 1] == [(1, 1)]
    state = after(state, want.PlayCard(parse_card("QD"), 0), want.CallMuggins(0, 1))
    assert state.scores == (1, 1)
