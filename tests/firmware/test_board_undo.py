"""Undo: named, done, dropped; without bottom, across games, matches and power cuts. Why?, the score, the menu."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.overlay import UndoOffer


def offer(table: Any) -> str:
    """What ``*`` offers to take back."""
    overlay = table.press("*").view.overlay
    return overlay.what if isinstance(overlay, UndoOffer) else ""


def test_star_names_what_it_would_take_back(table: Any) -> None:
    """``*`` with nothing typed names the last thing done; nothing has changed yet."""
    table.press("# 2#").cards("QS 7C")
    assert table.press("*").words == "Undo: Ann played 7C? # yes"
    assert table.state.deal.count == 7


def test_hash_takes_it_back(table: Any) -> None:
    """``#`` on the offer takes the last act back, to the very state before it."""
    before = table.press("# 2#").cards("QS").state
    table.cards("JC").press("* #")
    assert table.state == before
    assert table.view.overlay is None


@pytest.mark.parametrize(("keys", "count"), [("8D", 15), ("8 D", 15)])
def test_card_keyed_on_the_offer_drops_it_and_is_played(table: Any, keys: str, count: int) -> None:
    """Any other key drops the offer and means what it always means."""
    table.press("# 2#").cards("QS 7C").press("*").press(keys)
    assert (table.state.deal.count, table.view.overlay) == (count, None)


def test_digit_on_the_offer_drops_it_for_good(table: Any) -> None:
    """A digit drops the offer: erased again, ``#`` is no longer a yes to it."""
    table.press("# 2#").cards("QS 7C").press("* 5")
    assert "Undo" not in table.words
    assert table.press("* #").refused.startswith("no go at 7")
    assert table.state.deal.count == 7


def test_letter_on_the_offer_drops_it_and_means_what_it_always_means(table: Any) -> None:
    """``D`` on the offer drops it and says the score."""
    table.press("# 2#").cards("QS 7C").press("* D")
    assert table.lines[0] == "Ann 0"


def test_undo_has_no_bottom(table: Any) -> None:
    """Undo after undo leads back through the deal, the cut and the set-up to an empty table, and then says so."""
    table.press("#").cards("9S 8H QS 7C")
    names = []
    while table.press("*").view.overlay is not None:
        names.append(table.view.overlay.what)
        table.press("#")
    assert names == ["Ann played 7C", "starter QS", "Bob deals", "Ann cut 9S", "the set-up"]
    assert table.phase == "set-up"
    assert table.refused == "Nothing is left to undo"


def test_undo_crosses_the_end_of_a_game(table: Any) -> None:
    """The award that ended the game can be taken back, and play goes on."""
    table.press("# 2# B 1# 99B B 1# 21B").cards("QS 7C 8D")
    assert table.phase == "end"
    table.press("* #")
    assert (table.phase, table.scores, table.state.games_won) == ("play", (0, 120), (0, 0))


def test_undo_crosses_a_rematch(table: Any) -> None:
    """A rematch taken back shows the end of the game before it, and the next undo reopens that game."""
    table.press("# 2# B 1# 99B B 1# 21B").cards("QS 7C 8D").press("#")
    assert offer(table) == "the new game"
    assert table.press("#").phase == "end"
    assert offer(table) == "Bob played 8D"


@pytest.mark.parametrize("restart", [False, True])
def test_undo_crosses_into_the_match_before(table: Any, restart: bool) -> None:
    """A new match taken back shows the end of the match before it, after a power cut too."""
    table.press("# 2# B 1# 99B B 1# 21B").cards("QS 7C 8D").press("B 3# #")
    assert table.state.rules.target == 61
    if restart:
        table.reopen()
    assert offer(table) == "the set-up"
    table.press("#")
    assert (table.phase, table.scores) == ("end", (0, 121))
    assert table.state == table.folded()
    assert table.view.settings.target == 121
    assert offer(table) == "Bob played 8D"
    assert table.press("#").phase == "play"
    assert table.state == table.folded()


def test_undo_into_a_game_of_another_entry_level_plays_on_by_its_own(table: Any) -> None:
    """A game reached by undo is played at the entry level it was opened with, whatever was agreed on since."""
    table.press("# 2# B 8# #").press("B 6# 6# #")
    assert table.view.settings.entry == "points"
    for _ in range(3):
        table.press("* #")
    assert table.phase == "cut"
    table.press("2#").cards("QS 7C")
    assert table.state.deal.count == 7
    assert table.reopen().view.settings.entry == "full"


def test_undo_of_an_undo_is_the_act_before(table: Any) -> None:
    """Two undos take back two acts, oldest last."""
    table.press("# 2#").cards("QS 7C 8D").press("* # * #")
    assert (table.state.deal.count, len(table.state.deal.played)) == (0, 0)


def test_miscount_taken_is_given_back_by_undo(table: Any) -> None:
    """A muggins taken can be undone, and the offer to take it is there again."""
    table.press("# 2#").cards("QS 4S 2D 3D AH 5C 2H 4C 3C").press("8# A")
    assert offer(table) == "Bob's muggins, 2"
    assert table.press("#").lines[2] == "A takes 2 #leave"


def test_undo_label_outlives_a_power_cut(table: Any) -> None:
    """After a restart ``*`` offers the same as before it, a correction too."""
    table.press("# 2#").cards("QS 7C").press("B 3#").cards("7C 7D")
    assert table.view.undoable == table.reopen().view.undoable == "7C read as 7D"


# why?, the score and the menu


def test_why_explains_the_last_award_in_words(table: Any) -> None:
    """``C`` tells the last award in the words of the table, page by page, and ``*`` leaves it."""
    table.press("# 2#").cards("QS 4S 2D 3D AH 5C 2H 4C 3C").press("10#")
    said = table.press("C").words
    while table.press("#").view.overlay is not None:
        said += " " + table.words
    assert said == "Ann's hand: fifteen two, and a double run of three makes ten"
    assert table.press("C *").view.overlay is None


def test_why_before_anything_was_pegged_is_refused(table: Any) -> None:
    """``C`` before the first award says that nothing was pegged."""
    assert table.press("# 2# C").refused == "Nothing has been pegged yet"


def test_score_says_scores_holes_to_go_count_and_turn(table: Any) -> None:
    """``D`` says both scores and holes to go, then crib, starter, count and turn; again: the menu."""
    table.press("# 2#").cards("QS 7C 8D").press("D")
    assert table.lines == ["Ann 0", "121 to go", "Bob 2", "119 to go # more"]
    assert table.press("#").lines == ["Bob's crib", "starter QS", "count 15", "turn: Ann"]
    assert table.press("D").lines[0].startswith("1 theme")


def test_menu_sets_what_the_board_itself_is_told(table: Any) -> None:
    """The menu changes theme, blink and sound, and a restart keeps them."""
    table.press("# 2# D D 1# 2# 3#")
    likes = table.reopen().board.preferences
    assert (likes.theme, likes.blink, likes.sound) == ("big", False, False)


def test_card_keyed_over_a_screen_is_played(table: Any) -> None:
    """A card keyed while why? or the score is on the glass is played, and the screen makes way."""
    table.press("# 2#").cards("QS 7C").press("D 8D")
    assert (table.view.overlay, table.state.deal.count) == (None, 15)


@pytest.mark.parametrize("opening", ["B", "C", "D", "D D", "B 1#", "B 3#"])
def test_star_leaves_any_screen_opened_by_a_letter(table: Any, opening: str) -> None:
    """``*`` leaves any screen opened by a bare letter, and nothing has changed."""
    before = table.press("# 2#").cards("QS 7C 8D").state
    table.press(opening).press("*")
    assert table.view.overlay is None
    assert table.state is before


@pytest.mark.parametrize("keys", ["", "#", "# 2#", "# 2# 12A", "# 2# 12A 7C", "# 2# 12A 7C B", "# 2# 12A 7C B 1#", "D"])
@pytest.mark.parametrize("theme", ["", "D D 1#", "D D 1# *"])
def test_typed_number_is_shown_everywhere(table: Any, keys: str, theme: str) -> None:
    """What is typed stands on the glass at every stage, over every screen, in both themes."""
    assert table.press(theme).press(keys).press("47").lines[-1].endswith("47_")
