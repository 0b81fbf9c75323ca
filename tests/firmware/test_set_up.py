"""The set-up: its choices by number, one of them before it changes, and the match that goes on or begins anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from firmware.hands import KEYPAD, Presser
from firmware.seating import keep_name
from firmware.settings import Choices, Settings

PAGE = Presser("here", None, "The page")
WON = "# 2# B 1# 99B B 1# 22B"
"""Bob wins a game by points pegged by hand."""


def test_every_choice_stands_behind_its_number(table: Any) -> None:
    """``C`` lists all choices of the agreement by number, three a page; ``#`` turns the page and comes round."""
    table.press("C")
    shown = [table.lines, *(table.press("#").lines for _ in range(4))]
    assert [page[:3] for page in shown] == [
        ["1 six-card", "2 modern", "3 to 121"],
        ["4 muggins on", "5 referee flag", "6 entry full"],
        ["7 deal: loser", "8 Ann", "9 Bob"],
        ["10 level 1 flag", "11 level 2 flag", "12 club off"],
        ["1 six-card", "2 modern", "3 to 121"],
    ]
    assert {page[3] for page in shown} == {"n# picks  # more", "n# picks"}
    assert table.press("*").view.overlay is None
    assert table.phase == "set-up"


def test_a_choice_is_changed_in_the_list(table: Any) -> None:
    """A number and ``#`` changes that choice and shows the page on which it stands; ``#`` there opens no game."""
    assert table.press("C 6#").lines[2] == "6 entry shows"
    assert table.press("3#").lines[2] == "3 to 61"
    assert table.press("#").phase == "set-up"
    assert (table.view.settings.entry, table.view.settings.target) == ("shows", 61)


@pytest.mark.parametrize("page", ["", "C"])
def test_a_number_shows_the_choice_before_it_changes(new_table: Callable[..., Any], page: str) -> None:
    """While the number of a choice is typed its name, what it is and what ``#`` makes of it stand on the glass."""
    shown = {number: new_table().press(f"{page} {number}").lines[:3] for number in (1, 2, 3, 8, 12)}
    assert shown == {
        1: ["1 game", "now six-card", "#: five-card"],
        2: ["2 rule book", "now modern", "#: foster"],
        3: ["3 game hole", "now 121", "#: 61"],
        8: ["8 seat 1's name", "now Ann", "#: Blue"],
        12: ["12 club night", "now off", "#: on"],
    }


@pytest.mark.parametrize("number", range(1, 13))
def test_a_choice_becomes_what_was_shown(table: Any, number: int) -> None:
    """What the glass says before ``#`` is what stands after it."""
    _, now, then, _ = table.press(str(number)).lines
    assert now == f"now {table.view.settings.value(number)}"
    table.press("#")
    assert then == f"#: {table.view.settings.value(number)}"


def test_a_name_that_is_typed_is_never_lost(table: Any) -> None:
    """Stepping a seat's name goes round all that are known and comes back to the one that was typed."""
    keep_name(table.board, "Wilhelmina", PAGE, 0)
    seen = [table.press("8#").view.settings.names[0] for _ in range(12)]
    assert "Wilhelmina" in seen
    assert seen.index("Wilhelmina") == len(set(seen)) - 1


def test_whoever_sits_at_the_table_is_offered(new_table: Callable[..., Any]) -> None:
    """A name that the configuration no longer has, and a later start, is still in the ring while it sits here."""
    folder = new_table(names=("Wilhelmina", "Jo")).press("3#").folder
    table = new_table(folder, names=("Ann", "Bob"))
    assert table.view.settings.names == ("Wilhelmina", "Jo")
    assert "Wilhelmina" in [table.press("8#").view.settings.names[0] for _ in range(12)]


def test_a_name_that_nobody_offers_is_in_the_ring() -> None:
    """The present name of a seat comes before those that are offered."""
    choices = Choices(names=("Blue", "Amber"))
    assert Settings(names=("Ann", "Bob")).step(8, choices).names == ("Blue", "Bob")


@pytest.mark.parametrize("keys", ["B 3# 8# 5# C 6# * *", "B 3# C *  *"])
def test_star_takes_the_changes_back(table: Any, keys: str) -> None:
    """``*`` leaves the set-up of the next game with everything as it was: the rematch is by the old agreement."""
    before = table.press(WON).view.settings
    table.press(keys)
    assert (table.phase, table.view.settings) == ("end", before)
    table.press("#")
    assert (table.state.names, table.state.rules.target, table.state.games_won) == (("Ann", "Bob"), 121, (0, 2))
    assert table.reopen().view.settings == before


def test_a_start_in_the_midst_of_the_set_up_takes_the_changes_back(table: Any) -> None:
    """After a power cut at the set-up of the next game the game that is over stands there, by its own agreement."""
    before = table.press(WON).view.settings
    keep_name(table.press("B 3# 5#").board, "Cal", PAGE, 1)
    assert table.reopen().phase == "end"
    assert table.view.settings == before


@pytest.mark.parametrize("keys", ["", "4#", "5#", "6#", "7#", "10#", "3# 3#"])
def test_the_match_goes_on_where_only_the_manner_changes(table: Any, keys: str) -> None:
    """Muggins, who counts, what is keyed and who deals may change from game to game of one match."""
    table.press(f"{WON} B {keys}")
    assert "the match goes on, games 0 to 2" in table.screen.spoken
    table.press("#")
    assert (table.phase, table.state.games_won) == ("deal", (0, 2))


def test_the_new_manner_is_that_of_the_next_game(table: Any) -> None:
    """What was changed at the set-up holds in the next game of the match, and who deals it was chosen there too."""
    table.press(f"{WON} B 4# 5# 6# 7# #")
    assert (table.state.muggins, table.state.levels, table.view.settings.entry) == (False, ("teach",) * 2, "shows")
    assert table.state.next_dealer == 1


@pytest.mark.parametrize("keys", ["1#", "2#", "3#", "8#"])
def test_a_new_match_is_told_before_it_begins(table: Any, keys: str) -> None:
    """Another game, book, game hole or player makes a new match: said while it is typed, and until it is accepted."""
    table.press(f"{WON} B {keys[:-1]}")
    assert table.lines[3] == "a new match"
    assert "begins a new match" in table.screen.spoken
    table.press("#")
    assert table.lines[3].endswith("#new")
    assert "begins a new match, games 0 to 2 are over" in table.screen.spoken
    table.press("#")
    assert (table.phase, table.state.games_won) == ("cut", (0, 0))


def test_the_first_match_is_no_new_one(table: Any) -> None:
    """Before the first game nothing is said of a match."""
    table.press("3#")
    assert table.lines[3] == "flag full #ok"
    assert "match" not in table.screen.spoken
    assert "match" not in table.press("3").screen.spoken


def test_the_page_is_told_the_names_of_the_set_up(new_cabinet: Callable[..., Any]) -> None:
    """The page's form has the names that the set-up has, also while the game before it stands on the board."""
    from firmware.screens import screen_of
    from firmware.snapshot import snapshot

    board = new_cabinet().board
    for key in (key for key in WON if key != " "):
        board.press(key, 0.0)
    for agreed, change in (([], ""), (["Ann", "Bob"], "B"), (["Cal", "Bob"], "")):
        if change:
            board.press(change, 0.0)
        elif agreed:
            board.take_names(board.roster, replace(board.view().settings, names=("Cal", "Bob")), KEYPAD)
        told = snapshot(board.view(), screen_of(board.view()), [], [], shared_lane=False)
        assert told["agreed"] == agreed
        assert [seat["name"] for seat in told["seats"]] == ["Ann", "Bob"]
