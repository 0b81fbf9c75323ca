"""Keys that are bound to a seat speak for that seat's side alone, on every screen that lies over the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest

from firmware import effects
from firmware.entry import Command, Enter, Number, Star, Suited, Token
from firmware.hands import Presser
from firmware.meaning import meaning
from firmware.over import over
from firmware.overlay import (
    ADJUSTMENTS,
    Address,
    Adjust,
    Answering,
    Asking,
    Calling,
    Consent,
    Fields,
    Levels,
    Menu,
    Overlay,
    Pairing,
    Penalties,
    PhoneList,
    Report,
    Says,
    UndoOffer,
    Why,
)
from firmware.phones import Phone
from firmware.view import View

TABLES: dict[str, dict[str, Any]] = {
    "two": {"level": "call", "entry": "points", "muggins": True},
    "three": {
        "game": "three-handed", "names": ("Ann", "Bob", "Cal"), "sides": 3, "book": "foster", "entry": "shows",
        "muggins": True,
    },
    "four": {
        "game": "four-handed", "names": ("Ann", "Bob", "Cal", "Dee"), "level": "call", "entry": "points",
        "book": "foster", "muggins": True,
    },
}  # fmt: skip


@pytest.fixture(params=TABLES)
def view(request: Any, new_table: Callable[..., Any]) -> View:
    """A count of seat 2's, open to be called."""
    table = new_table(**TABLES[request.param]).press("# 1#")
    if request.param == "three":
        table.press("9A #").cards("4S 5S 6S 7H")
    else:
        table.press("# #")
    found: View = table.press("2#").view
    assert found.public is not None
    assert [claim.seat for claim in found.public.claims] == [1]
    return replace(found, address="http://192.0.2.7:8121/", phones=(Phone("a", 1, 0, 0), Phone("b", 2, 1, 0)))


def screens(view: View) -> list[Overlay]:
    """Each screen that can lie over the game, as it can be."""
    assert view.public is not None
    sides, seats = range(len(view.public.side_names)), range(len(view.names))
    found: list[Overlay] = [UndoOffer("a"), UndoOffer("a", asks_all=True), Why("a"), Says(), Menu(), Menu(1), Levels()]
    found += [Report(("a",)), Adjust(), Fields(), Penalties(), Penalties(1), Address(), PhoneList()]
    found += [Pairing("482913"), Pairing("482913", 1), Pairing("", 1, 5), Pairing("")]
    found += [Asking(task) for _, task in ADJUSTMENTS] + [Asking("claim-game", reason="claimed")]
    found += [Asking("penalty", reason="by-hand", amount=2, to=to) for to in (None, *seats)]
    found += [Consent("a", side, level, 0) for side in sides for level in (None, "off")]
    callers = [seat for seat in seats if view.public.sides[seat] != view.public.sides[1]]
    found += [Calling(caller) for caller in (None, *callers)]
    found += [Answering(caller, 0, False, 1) for caller in callers]
    assert {type(one) for one in found} == set(get_args(Overlay))
    return found


def tokens(seat: int | None) -> Iterator[Token]:
    """All that the keys of a seat can say."""
    yield from (Enter(seat), Star(seat))
    yield from (Command(key, seat) for key in range(4))
    yield from (Number(number, seat) for number in range(30))
    yield from (Suited("5", key, seat) for key in range(4))


def answers(view: View, seat: int | None) -> Iterator[tuple[Overlay, Token, effects.Effect]]:
    """Every screen, every token of that seat, and what it does."""
    for overlay in screens(view):
        for token in tokens(seat):
            effect = over(view, overlay, token)
            if isinstance(effect, effects.Pass):
                effect = meaning(replace(view, overlay=None), token)
            yield overlay, token, effect


def spoken_for(effect: effects.Effect) -> list[int]:
    """The seats that an effect speaks for: who calls, and to whom points or a game go by hand."""
    found: list[int | None] = []
    match effect:
        case effects.Open(overlay=Calling(caller=seat)):
            found = [seat]
        case effects.Try(overlay=Answering(caller=seat)):
            found = [seat]
        case effects.Act(intents=intents):
            for intent in intents[:1]:
                kind = type(intent).__name__
                if kind in ("PegByHand", "GivePenalty", "ClaimGame", "HoldCards", "ShowHand", "CutForDeal"):
                    found.append(intent.seat)  # type: ignore[union-attr]
    return [seat for seat in found if seat is not None]


def test_no_screen_lets_a_seats_keys_answer_for_another_side(view: View) -> None:
    """Whoever calls, pegs by hand, takes a penalty or claims the game with a seat's own keys does so for its side."""
    assert view.public is not None
    sides = view.public.sides
    for seat in range(len(view.names)):
        for overlay, token, effect in answers(view, seat):
            for spoken in spoken_for(effect):
                assert sides[spoken] == sides[seat], (overlay, token, effect)


def test_what_each_side_is_asked_only_its_own_keys_agree_to(view: View) -> None:
    """A side's consent, and the answer to a call, come from the table's keys or from that side's own."""
    assert view.public is not None
    sides = view.public.sides
    for seat in range(len(view.names)):
        for overlay, token, effect in answers(view, seat):
            if isinstance(overlay, Consent) and sides[seat] != overlay.side:
                assert effect == effects.Open(None) or isinstance(effect, effects.Refuse), (overlay, token)
            if isinstance(overlay, Answering) and sides[seat] != sides[1]:
                assert isinstance(effect, effects.Refuse), (overlay, token)


def test_a_call_is_not_withdrawn_by_the_other_side(view: View) -> None:
    """The claimant's own keys do not end a call on its count; the caller's do."""
    for seat, over_with in ((1, False), (0, True), (None, True)):
        for overlay in (Calling(0), Calling(None)):
            assert (over(view, overlay, Star(seat)) == effects.Open(None)) is over_with


def test_only_the_tables_keys_pair_phones_and_let_them_go(view: View) -> None:
    """With a seat's own keys no code is shown, nobody's keys are chosen, and no phone is unpaired or listed."""
    for seat in range(len(view.names)):
        for overlay, token, effect in answers(view, seat):
            assert not isinstance(effect, effects.Pair | effects.Unpair), (overlay, token)
            opened = effect.overlay if isinstance(effect, effects.Open) else None
            if isinstance(opened, PhoneList | Pairing):
                assert (type(opened), overlay.__class__) == (PhoneList, PhoneList), (overlay, token)
    table = [effect for _, _, effect in answers(view, None)]
    assert {effects.Pair, effects.Unpair} <= {type(effect) for effect in table}


def test_a_seats_phone_takes_no_other_seat(new_table: Callable[..., Any]) -> None:
    """The phone of seat 1 is told in words why it cannot show a code, and finds none that it could choose for."""
    table = new_table().press("# 2# 12A")
    table.board.address = "http://192.0.2.7:8121/"
    ann = Presser("a", 0)
    table.press("D D 10#", ann)
    assert table.refused == "Only the table's keys pair phones or let them go"
    table.press("* D D 10#").press("2#", ann)
    assert table.refused == "Only the table's keys pair phones or let them go"
    assert table.view.overlay.seat is None


def test_who_calls_is_not_answered_for_another(new_table: Callable[..., Any]) -> None:
    """The claimant's phone does not give its own missed points to one of the others; the caller's takes them."""
    table = new_table(**TABLES["three"]).press("# 1# 9A #").cards("4S 5S 6S 7H").press("2# A")
    before = table.scores
    table.press("1#", Presser("b", 1))
    assert table.refused == "These keys are seat 2's alone"
    assert table.scores == before
    table.press("1#", Presser("a", 0))
    assert table.scores[0] > before[0]


@pytest.mark.parametrize("entry", ["points", "shows", "full"])
def test_heels_are_the_dealers_at_every_entry_level(new_table: Callable[..., Any], entry: str) -> None:
    """Whatever is keyed in, the pone's phone does not claim the dealer's heels; the dealer's does."""
    table = new_table(level="off", book="acc", entry=entry).press("# 2#").cards("JS")
    table.press("2#", Presser("a", 0))
    assert table.refused == "His heels are Bob's to claim"
    assert table.scores == (0, 0)
    assert table.press("2#", Presser("b", 1)).scores == (0, 2)
