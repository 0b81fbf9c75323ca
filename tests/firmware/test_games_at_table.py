"""Whole deals by keys: every game by every book that has it, on the lanes read back, and what a deal costs in keys."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cards import Card, parse_card
from engine.rules import BOOKS, GAMES, rules_for
from engine.show import show
from firmware.entry import split_keys
from firmware.settings import choices_of
from hardware.lanes import three_lanes
from hardware.parts_spec import PartsSpec

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("Ann", "Bob", "Cal", "Dan")
HANDS = {
    "six-card": ("4S 3D 5C 4C", "2D AH 2H 3C"),
    "five-card": ("TH 3D 5C", "9D 8H 2H"),
    "seven-card": ("4S 3D 5C 4C 6H", "2D AH 2H 3C 9H"),
    "three-handed": ("4S 3D 5C 4C", "2D AH 2H 3C", "9H 8C 7D TC"),
    "four-handed": ("4S 3D 5C 4C", "2D AH 2H 3C", "9H 8C 7D TC", "KC 6S 6D 8H"),
}
CRIB, STARTER = "JD JS TD AS", "QS"
PAIRS = [(game, book) for book in BOOKS for game in BOOKS[book].games]


def cards(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


class Keys:
    """A whole board down to the wires, with three lanes."""

    def __init__(self, cabinet: Any) -> None:
        self.cabinet = cabinet

    def press(self, keys: str) -> Keys:
        self.cabinet.tap_all(split_keys(keys))
        return self

    def key(self, codes: str) -> Keys:
        ranks = {"J": "11", "Q": "12", "K": "13", "A": "1", "T": "0"}
        suits = dict(zip("SHCD", "ABCD", strict=True))
        return self.press(" ".join(ranks.get(code[0], code[0]) + suits[code[1]] for code in codes.split()))

    @property
    def state(self) -> Any:
        return self.cabinet.board.state

    @property
    def phase(self) -> str:
        return str(self.cabinet.board.view().phase)

    @property
    def lanes(self) -> tuple[int, ...]:
        """The front pegs as the lights show them."""
        self.cabinet.settle()
        return tuple(pegs.front for pegs in self.cabinet.shown().pegs)

    @property
    def lines(self) -> list[str]:
        self.cabinet.settle()
        return list(self.cabinet.shown().screen.text)

    def play(self, hands: tuple[str, ...]) -> Keys:
        """Each seat its first card that fits, go where none does."""
        left = [hand.split() for hand in hands]
        while self.phase == "play":
            seat, count = self.state.deal.turn, self.state.deal.count
            fits = next((code for code in left[seat] if parse_card(code).value + count <= 31), "")
            if fits:
                left[seat].remove(fits)
                self.key(fits)
            else:
                self.press("#")
        return self


@pytest.fixture
def table(new_cabinet: Callable[..., Any]) -> Callable[..., Keys]:
    """Makes boards of three lanes with a game opened and dealt by its last seat."""

    def make(game: str, book: str, **choices: object) -> Keys:
        seats = len(GAMES[game].sides)
        target = choices.pop("target", rules_for(game, book).target)
        spec = PartsSpec(layout=three_lanes())
        cabinet = new_cabinet(spec, game=game, book=book, target=target, names=NAMES[:seats], **choices)
        return Keys(cabinet).press(f"# {seats}#")

    return make


@pytest.mark.parametrize(("game", "book"), PAIRS)
def test_whole_deal_by_keys(table: Callable[..., Keys], game: str, book: str) -> None:
    """Every game by every book that has it: starter, play, hands eldest first, crib; pegs on the lanes; deal passes."""
    board = table(game, book).key(STARTER).play(HANDS[game])
    rules, seats = rules_for(game, book), len(HANDS[game])
    assert board.phase == "show"
    for seat, hand in enumerate(HANDS[game]):
        before = board.state.scores
        told = {str(play.card) for play in board.state.deal.played}
        board.key(" ".join(code for code in hand.split() if code not in told))
        worth = show(cards(hand), parse_card(STARTER), flush_min=rules.flush_min).total
        board.press(f"{worth}#")
        side = rules.sides[seat]
        assert board.state.scores[side] - before[side] == worth
    worth = show(cards(CRIB), parse_card(STARTER), crib=True, flush_min=rules.flush_min).total
    before = board.state.scores
    board.key(CRIB).press(f"{worth}#")
    assert board.state.scores[rules.sides[seats - 1]] - before[rules.sides[seats - 1]] == worth == 9
    assert (board.phase, board.state.next_dealer) == ("deal", 0)
    assert board.lanes == board.state.scores
    assert not any(getattr(one, "verdict", "") for one in board.state.ledger)
    board.key("5D")
    assert board.state.deal.dealer == 0


def test_game_that_the_book_has_not_is_not_offered(table: Callable[..., Keys]) -> None:
    """Changing the game at set-up chooses a book that has it; changing the book offers those only."""
    choices = choices_of(three_lanes())
    settings = table("six-card", "acc").cabinet.board.view().settings
    for _ in range(2 * len(GAMES)):
        settings = settings.step(1, choices)
        for _ in BOOKS:
            settings = settings.step(2, choices)
            assert settings.game in BOOKS[settings.book].games


@pytest.mark.parametrize("book", ["modern", "foster", "victorian"])
def test_three_for_last_at_five_card(table: Callable[..., Keys], book: str) -> None:
    """Five-card begins with three for last to the pone of the first deal, and of no other."""
    board = table("five-card", book)
    assert board.lanes == (3, 0)
    board.key("QS").play(HANDS["five-card"])
    board.press("B 4# #").key("QS")
    assert board.state.scores == (3, 0)


def test_play_of_five_card_stops(table: Callable[..., Keys]) -> None:
    """Five-card play stops at the first go or 31; the cards not played are keyed before the count."""
    board = table("five-card", "foster").key(STARTER).play(HANDS["five-card"])
    assert (board.phase, board.state.deal.left(0)) == ("show", 1)
    board.press("5#")
    assert "1 to go" in " ".join(board.lines)
    assert board.press("D *").lines[3] == "key card 1 of 1"
    board.key("5C")
    assert board.lines[3] == "count? n#"


def test_one_hundred_and_eighty_one(table: Callable[..., Keys]) -> None:
    """Seven-card to 181: the pegs go round again, the lap's lamp is lit, and the game ends on hole 181."""
    board = table("seven-card", "foster", target=181).press("B 1# 99A B 1# 20A B 1# 99B")
    assert board.lanes == (119, 99)
    board.press("B 1# 5A")
    assert board.lanes == (124, 99)
    shown = board.cabinet.shown()
    assert shown.colours[board.cabinet._layout.pixel(0, 121)] != (0, 0, 0)
    assert shown.pegs[0].back == 119
    board.press("B 1# 56A")
    assert (board.state.scores, board.phase) == ((180, 99), "starter")
    board.press("B 1# 1A")
    assert (board.phase, board.lanes[0]) == ("end", 181)


def test_three_lanes(table: Callable[..., Keys]) -> None:
    """Three-handed: a lane each, three scores on the glass, the deal passes left."""
    board = table("three-handed", "modern").press("B 1# 5A B 1# 6B B 1# 7C")
    assert board.lanes == (5, 6, 7)
    assert board.lines[0] == "An5f Bo6f Ca7f"
    board.key(STARTER).play(HANDS["three-handed"])
    turns = [play.seat for play in board.state.deal.played]
    assert turns[:3] == [0, 1, 2]


def test_partners_peg_on_one_lane(table: Callable[..., Keys]) -> None:
    """Four-handed: partners peg on one lane, whichever of them it is."""
    board = table("four-handed", "modern").press("B 1# 5A B 1# 6B B 1# 7C B 1# 8D")
    assert board.lanes == (12, 14)
    assert board.lines[0].split() == ["A&C", "12f", "B&D", "14f"]


def test_go_is_passed_round(table: Callable[..., Keys]) -> None:
    """Four-handed: a go passes to the left, and the last who can play pegs it."""
    board = table("four-handed", "modern").key("QS TC KH JC")
    board.press("# # # #")
    assert board.state.scores == (1, 0)
    assert board.state.deal.turn == 3


def test_the_page_of_key_presses_is_up_to_date() -> None:
    """docs/keys.md is what pressing the keys of a deal gives now; `python docs/keys.py` writes it anew."""
    assert runpy.run_path(str(DOCS / "keys.py"))["page"]() == (DOCS / "keys.md").read_text(encoding="utf-8")


def test_a_deal_of_six_card_is_about_forty_presses() -> None:
    """A six-card deal at ``full`` costs about forty key presses, and a deal at ``points`` far fewer."""
    page = (DOCS / "keys.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| six-card"))
    full, shows, points = (int(cell) for cell in row.split("|")[2:5])
    assert full <= 40
    assert points < full <= shows


def test_the_readmes_table_of_key_presses_is_the_counted_one() -> None:
    """README.md shows the same rows as docs/keys.md."""
    rows = [line for line in (DOCS / "keys.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 7
    assert [row for row in rows if row not in readme] == []
