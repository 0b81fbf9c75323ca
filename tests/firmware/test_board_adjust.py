"""Adjust: everything that can be put right, from the sixteen keys."""

from __future__ import annotations

from typing import Any

import pytest

from engine.books import BOOKS
from engine.penalties import NAMES, infractions, left_open
from firmware.overlay import ADJUSTMENTS, MENU

PLACE = {task: place for place, (_, task) in enumerate(ADJUSTMENTS, 1)}
BY_HAND = "4# "
"""The line after the two infractions of the book ``modern``: a penalty of the table's own."""


@pytest.fixture
def playing(table: Any) -> Any:
    """Two cards into a play: Bob has two for fifteen."""
    return table.press("# 2#").cards("QS 7C 8D")


def adjust(table: Any, task: str, keys: str) -> Any:
    """Choose an adjustment by its number and answer it."""
    return table.press("B").press(f"{PLACE[task]}#").press(keys)


def test_adjust_lists_every_choice_with_its_number(playing: Any) -> None:
    """``B`` lists the adjustments, three a page over what the keys do; ``#`` turns the page and comes round."""
    first = playing.press("B").lines
    assert [line.split()[0] for line in pages_of(playing)] == [f"{number}" for number in range(1, 11)]
    assert playing.lines == first
    assert first[3] == "n# picks  # more"


def test_points_by_hand(playing: Any) -> None:
    """Points by hand are pegged for the seat named by its letter."""
    assert adjust(playing, "give", "7A").scores == (7, 2)
    assert playing.view.undoable == "7 to Ann by hand"


def test_points_back(playing: Any) -> None:
    """Points can be taken back, but no more than were pegged."""
    assert adjust(playing, "take", "1B").scores == (0, 1)
    assert "has pegged 1" in adjust(playing, "take", "2B").refused


@pytest.mark.parametrize("task", ["give", "take", "wrong-side"])
def test_no_points_and_no_such_seat_are_refused(playing: Any, task: str) -> None:
    """Nothing to move and a seat that is not there are refused; the question stays."""
    before = playing.state
    assert adjust(playing, task, "0A").refused
    assert "1 to 2" in playing.press("5C").refused
    assert playing.state is before
    assert playing.press("1B").state is not before


def test_wrong_card_is_put_right_and_the_play_counted_anew(playing: Any) -> None:
    """A card keyed wrongly is corrected: the history is folded anew and the fifteen is gone."""
    adjust(playing, "wrong-card", "7C")
    assert playing.words == "7C was wrong: key the right card"
    playing.press("6C")
    assert (playing.scores, playing.state.deal.count) == ((0, 0), 14)


def test_correction_that_makes_a_later_act_illegal_is_refused_naming_it(playing: Any) -> None:
    """A correction is refused when a card after it would no longer fit, and nothing has changed."""
    playing.cards("6H KD")
    before = playing.state
    assert before.deal.played[-1].count == 31
    refused = adjust(playing, "wrong-card", "7C 8C").refused
    assert "7C cannot be 8C" in refused
    assert "32" in refused
    assert playing.state is before


def test_card_that_was_not_keyed_cannot_be_corrected(playing: Any) -> None:
    """A card that was not keyed in this deal is refused, and the question is asked anew."""
    assert adjust(playing, "wrong-card", "2C 3C").refused == "2C was not keyed in this deal: nothing to correct"
    assert playing.press("4#").refused == "Number, then suit. * leaves"


def test_starter_can_be_corrected_into_a_jack(playing: Any) -> None:
    """A starter corrected into a jack brings the dealer his heels."""
    assert adjust(playing, "wrong-card", "12A 11A").scores == (0, 4)


def test_void_deal_gives_the_points_back_and_penalties_stand(playing: Any) -> None:
    """A void deal gives its points back, leaves penalties, and the same dealer deals again."""
    adjust(playing, "penalty", BY_HAND + "2A")
    adjust(playing, "void", "#")
    assert (playing.scores, playing.phase, playing.state.next_dealer) == ((2, 0), "deal", 1)


def test_cards_held(table: Any) -> None:
    """A short hand is told before the first card; its seat is passed over when its cards are gone."""
    table.press("# 2#").cards("QS")
    adjust(table, "held", "3A").cards("2C 3D 4S 5D 6H 7H")
    assert table.state.deal.turn == 1
    assert "before the first card" in adjust(table, "held", "3B").refused


def test_penalty(playing: Any) -> None:
    """Penalty points by hand go to the seat named."""
    assert adjust(playing, "penalty", BY_HAND + "2A").scores == (2, 2)
    assert playing.view.undoable == "penalty, 2 to Ann"


def test_void_crib_is_counted_by_nobody(table: Any) -> None:
    """A void crib is passed over; out of its turn it is refused."""
    table.press("# 2#").cards("QS 4S 2D 3D AH 5C 2H 4C 3C")
    assert "after the hands" in adjust(table, "crib-void", "#").refused
    table.press("* 10# 14#")
    assert adjust(table, "crib-void", "#").phase == "deal"
    assert table.scores == (25, 24)


def test_stop_asks_first(playing: Any) -> None:
    """Stopping asks for a yes; ``*`` leaves the game as it was."""
    assert adjust(playing, "stop", "*").phase == "play"
    assert adjust(playing, "stop", "#").phase == "end"
    assert playing.press("* #").phase == "play"


@pytest.mark.parametrize("number", ["0#", f"{len(MENU) + 1}#", "99#"])
def test_choices_that_are_not_there_are_refused(playing: Any, number: str) -> None:
    """A number that adjust or the menu does not offer is refused with the number there are."""
    assert "1 to 10" in playing.press("B").press(number).refused
    assert f"1 to {len(MENU)}" in playing.press("* D D").press(number).refused


@pytest.mark.parametrize("task", list(PLACE))
def test_every_adjustment_can_be_undone(table: Any, task: str) -> None:
    """Whatever adjust did, one undo takes it back."""
    table.press("# 2#").cards("QS")
    answers = {"give": "5A", "take": "5A", "held": "3A", "penalty": BY_HAND + "2B", "wrong-card": "12A 13A"}
    answers |= {"wrong-side": "5A", "claim-game": "1#"}
    if task in ("take", "wrong-side"):
        adjust(table, "give", "9A")
    if task == "crib-void":
        table.cards("4S 2D 3D AH 5C 2H 4C 3C").press("10# 14#")
    before = table.state
    assert adjust(table, task, answers.get(task, "#")).state != before
    assert table.press("* #").state == before


def pages_of(table: Any) -> list[str]:
    """Every line of the list on the glass, page by page."""
    first = table.lines
    found = [line for line in first[:3] if line]
    while table.press("#").lines != first:
        found += [line for line in table.lines[:3] if line]
    return found


def test_every_infraction_stands_in_the_list(new_table: Any) -> None:
    """The list holds every infraction there is by its number: the book's first, with amounts, then the table's own."""
    for book in ("foster", "acc", "modern", "onhand"):
        table = new_table(book=book).press("# 2#").cards("QS").press("B 6#")
        lines = pages_of(table)
        assert [line.split()[0] for line in lines] == [f"{number}" for number in range(1, len(NAMES) + 2)]
        ruled = infractions(BOOKS[book])
        for line, one in zip(lines, ruled, strict=False):
            assert one.name.startswith(line.split()[1])
            assert not isinstance(one.amount, int) or not one.amount or line.endswith(f" {one.amount}")
        assert lines[len(ruled)].endswith("by hand")


@pytest.mark.parametrize(
    ("game", "book", "place"),
    [("six-card", book, place) for book in ("foster", "acc", "modern") for place in range(len(BOOKS[book].penalties))]
    + [("five-card", "victorian", place) for place in range(4)],
)
def test_infraction_by_name_pays_its_amount_to_whom_the_book_says(
    new_table: Any, game: str, book: str, place: int
) -> None:
    """Each infraction: the book's amount and receiver, asked only where they are open; logged by its name."""
    one = infractions(BOOKS[book])[place]
    muggins = BOOKS[book].muggins
    table = new_table(game=game, book=book, target=121 if game == "six-card" else 61, muggins=muggins)
    table.press("# 1#").cards("QS").press(f"B 6# {place + 1}#")
    before = table.scores
    if one.to == "nobody":
        assert table.view.overlay.text.startswith(one.words)
        assert table.press("*").scores == before
        return
    if one.amount == "the game":
        assert table.press("2#").phase == "end"
        return
    if one.to in ("pone", "dealer"):
        assert "Bob #" in table.words
        table.press("#")
    elif isinstance(one.amount, int):
        table.press("2#")
    else:
        table.press("3B")
    points = one.amount if isinstance(one.amount, int) else 3
    assert table.scores == (before[0], before[1] + points)
    given = table.acts()[-1][1][0]
    assert (given.seat, given.points, given.reason) == (1, points, one.name)


def test_what_the_book_leaves_open_is_logged_as_the_table_decided(new_table: Any) -> None:
    """An infraction of no rule in the book in force is the table's decision: amount and seat are asked and logged."""
    table = new_table(book="onhand", muggins=False).press("# 2#").cards("QS").press("B 6# 2#")
    name = left_open(BOOKS["onhand"])[0].name
    assert table.words.startswith(f"{name}: points")
    table.press("4A")
    given = table.acts()[-1][1][0]
    assert (table.scores, given.reason) == ((4, 0), name)


def test_wrong_side(playing: Any) -> None:
    """Points that were pegged for the wrong side move to the other."""
    assert adjust(playing, "wrong-side", "2B").scores == (2, 0)


def test_wrong_side_among_three_is_done_by_hand(new_table: Any) -> None:
    """With three sides the board cannot know whose they were: it says how to do it."""
    table = new_table(sides=3, game="three-handed", book="foster", names=("Ann", "Bob", "Cal")).press("# 3#")
    table.cards("QS").press("B 1# 5A")
    assert "take back, then give" in adjust(table, "wrong-side", "5A").refused


def test_claim_game(playing: Any) -> None:
    """The game claimed by a seat is over, and can be taken back."""
    table = adjust(playing, "claim-game", "1#")
    assert table.lines[0] == "Ann wins"
    assert table.press("* #").phase == "play"


def test_surplus_hand(table: Any) -> None:
    """A surplus hand plays and shows all its cards."""
    table.press("# 2#").cards("QS")
    adjust(table, "held", "5A").cards("2C 3D 4S 5D 6H 7H").press("#")
    assert table.state.deal.left(0) == 2


@pytest.mark.parametrize("cards", [3, 5, 6])
def test_odd_crib(table: Any, cards: int) -> None:
    """A crib of three, five or six cards asks for so many."""
    table.press("# 2#").cards("QS 4S 2D 3D AH 5C 2H 4C 3C").press("10# 14#")
    assert adjust(table, "held", f"{cards}#").lines[3].endswith(f"of {cards}")
