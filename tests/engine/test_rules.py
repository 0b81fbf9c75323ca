"""Rule books as data: what each says, where it says it, and what a game takes from it."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from engine import intents as want
from engine.apply import apply
from engine.book_data import book_from_dict
from engine.cards import parse_card, parse_cards
from engine.decide import decide
from engine.errors import Illegal, Malformed
from engine.replay import replay
from engine.rule_book import CITED, RuleBook
from engine.rules import BOOKS, GAMES, Rules, rules_for, targets_for
from engine.show import show
from engine.state import State

PAIRINGS = [(game, book.name) for book in BOOKS.values() for game in book.games]
each_book = pytest.mark.parametrize("book", BOOKS.values(), ids=list(BOOKS))


@each_book
def test_every_field_cites_its_source(book: RuleBook) -> None:
    """Every rule of every book says where it stands: a source by its number, or that it is ours."""
    assert [name for name, _ in book.sources] == list(CITED)
    for field in CITED:
        where = book.citation(field)
        assert any(word in where for word in ("000", "001", "002", "003", "004", "acc", "ours")), field


def test_a_field_without_rules_is_none_of_the_cited() -> None:
    """Only the name, the source, the base and the citations themselves need no citation."""
    apart = {"name", "source", "based_on", "sources"}
    assert {field.name for field in fields(RuleBook)} - apart == set(CITED)


@each_book
def test_a_book_of_a_source_cites_that_source(book: RuleBook) -> None:
    """What a book does not call ours or another's stands in its own source."""
    for field in CITED:
        where = book.citation(field)
        own = any(number in where for number in book.source.split(", "))
        assert own or "ours" in where or "00" in where, field


@pytest.mark.parametrize(
    ("book", "games"),
    [
        ("modern", "six-card five-card seven-card three-handed four-handed"),
        ("foster", "six-card five-card seven-card three-handed four-handed"),
        ("victorian", "five-card three-handed four-handed"),
        ("onhand", "six-card"),
        ("acc", "six-card"),
    ],
)
def test_games_by_book(book: str, games: str) -> None:
    """A book has its own games; another pairing is refused by name."""
    assert BOOKS[book].games == tuple(games.split())
    for game in set(GAMES) - set(games.split()):
        with pytest.raises(Illegal, match=f"{book} has no {game}"):
            rules_for(game, book)


@pytest.mark.parametrize(
    ("game", "book", "targets"),
    [
        ("six-card", "modern", (121,)),
        ("five-card", "modern", (61,)),
        ("seven-card", "modern", (121, 181)),
        ("six-card", "foster", (121,)),
        ("five-card", "foster", (61,)),
        ("seven-card", "foster", (121, 181)),
        ("three-handed", "foster", (121,)),
        ("five-card", "victorian", (61,)),
        ("three-handed", "victorian", (61,)),
        ("four-handed", "victorian", (61, 121)),
        ("six-card", "onhand", (121, 61)),
        ("six-card", "acc", (121,)),
    ],
)
def test_last_holes(game: str, book: str, targets: tuple[int, ...]) -> None:
    """The usual last hole comes first; the table may choose another."""
    assert targets_for(game, book) == targets
    assert rules_for(game, book).target == targets[0]
    assert [rules_for(game, book, hole).target for hole in targets] == list(targets)


@pytest.mark.parametrize(
    ("book", "target", "lines", "worth", "tally"),
    [
        ("modern", 121, (91, 61), (1, 2, 2), "games"),
        ("modern", 61, (), (1, 2, 2), "games"),
        ("foster", 121, (91, 61), (1, 2, 2), "games"),
        ("onhand", 121, (61,), (1, 2), "games"),
        ("onhand", 61, (31,), (1, 2), "games"),
        ("acc", 121, (91, 61), (2, 3, 3), "game-points"),
    ],
)
def test_skunk_lines_and_their_worth(
    book: str, target: int, lines: tuple[int, ...], worth: tuple[int, ...], tally: str
) -> None:
    """A skunk or lurch line belongs to a last hole; what a win counts is the book's."""
    rules = rules_for("six-card", book, target)
    assert (rules.skunks, rules.skunk_worth, rules.tally) == (lines, worth, tally)


def test_victorian_knows_no_skunk() -> None:
    """003 has no lurch: every win is one game."""
    rules = rules_for("four-handed", "victorian", 121)
    assert (rules.skunks, rules.skunk_worth) == ((), (1,))


@pytest.mark.parametrize(
    ("book", "muggins", "covers", "over", "mends", "window", "play_window", "false_go", "heels_until", "back"),
    [
        ("modern", True, "hand crib", False, True, "next-count", "none", "none", "lead", 0),
        ("foster", True, "hand crib card", True, False, "accepted", "claimant-plays", "in-all", "card", 0),
        ("victorian", False, "hand crib", False, False, "next-count", "none", "none", "at-once", 0),
        ("onhand", False, "hand crib", False, False, "next-count", "none", "none", "at-once", 0),
        ("acc", False, "hand crib card", True, False, "accepted", "caller-plays", "each-card", "dealer-card", 15),
    ],
)
def test_how_a_book_judges(
    book: str,
    muggins: bool,
    covers: str,
    over: bool,
    mends: bool,
    window: str,
    play_window: str,
    false_go: str,
    heels_until: str,
    back: int,
) -> None:
    """Muggins, what it covers, over-counts, windows, the false go, the heels and a false game by book."""
    found = BOOKS[book]
    assert (found.muggins, found.covers, found.calls_over, found.mends) == (muggins, tuple(covers.split()), over, mends)
    assert (found.window, found.play_window, found.false_go) == (window, play_window, false_go)
    assert (found.heels, found.heels_until, found.game_hole_back) == (2, heels_until, back)


@pytest.mark.parametrize(("game", "book"), PAIRINGS)
def test_three_for_last_and_the_stop_are_five_cards(game: str, book: str) -> None:
    """Only five-card has three for last and a play that stops at the first go or thirty-one, in every book."""
    rules = rules_for(game, book)
    five = game == "five-card"
    assert (rules.start_bonus, rules.play_resumes) == (3 if five else 0, not five)


def shown(game: str, book: str, cards: str, starter: str, *, crib: bool = False) -> int:
    """What a flush without anything else brings at that table."""
    rules = rules_for(game, book)
    return show(parse_cards(cards.split()), parse_card(starter), crib=crib, flush_min=rules.flush_min).flush


@pytest.mark.parametrize(
    ("game", "book", "cards", "starter", "crib", "points"),
    [
        ("five-card", "modern", "2D 8D KD", "4S", False, 0),
        ("five-card", "modern", "2D 8D KD", "4D", False, 0),
        ("five-card", "modern", "2D 4D 8D KD", "QD", True, 5),
        ("five-card", "modern", "2D 4D 8D KD", "QS", True, 0),
        ("five-card", "foster", "2D 8D KD", "4S", False, 3),
        ("five-card", "foster", "2D 8D KD", "4D", False, 4),
        ("five-card", "foster", "2D 4D 8D KD", "QD", True, 5),
        ("five-card", "foster", "2D 4D 8D KD", "QS", True, 0),
        ("five-card", "victorian", "2D 8D KD", "4S", False, 3),
        ("five-card", "victorian", "2D 8D KD", "4D", False, 4),
        ("five-card", "victorian", "2D 4D 8D KD", "QD", True, 5),
        ("five-card", "victorian", "2D 4D 8D KD", "QS", True, 0),
        ("six-card", "modern", "2D 4D 8D KD", "QS", False, 4),
        ("six-card", "modern", "2D 4D 8D KD", "QD", False, 5),
        ("seven-card", "foster", "2D 4D 6D 8D KD", "QS", False, 5),
        ("seven-card", "foster", "2D 4D 6D 8D KD", "QD", False, 6),
        ("seven-card", "modern", "2D 4D 8D KD", "QD", True, 5),
        ("seven-card", "modern", "2D 4D 8D KD", "QS", True, 0),
    ],
)
def test_what_a_flush_is_worth(game: str, book: str, cards: str, starter: str, crib: bool, points: int) -> None:
    """A flush by game and book: a hand of three has none under modern; a crib of five counts in every book."""
    assert shown(game, book, cards, starter, crib=crib) == points


def test_a_crib_flush_at_a_modern_five_card_table() -> None:
    """At the table too: modern five-card scores no flush of three in hand, and five for a crib with its starter."""
    record = (
        "crib 1\ngame five-card\nrules modern\nplayers Ann Bob\nstart 1 1\ndeal Bob\nstarter QD\n"
        "show Ann 2D 6D 8D\nshow Bob 2C 6C TC\ncrib Bob 3D 5D 7D 9D\n"
    )
    lines = [line for line in replay(record) if line["event"] == "award"]
    assert all(why["kind"] != "flush" for line in lines[:-1] for why in line["why"])
    assert [why["points"] for why in lines[-1]["why"] if why["kind"] == "flush"] == [5]


def opened(rules: Rules, *intents: want.Intent) -> State:
    level: tuple[want.Level, ...] = ("off",) * rules.side_count
    state: State | None = None
    for intent in (want.OpenGame(rules, ("Ann", "Bob"), True, level), want.Deal(1), *intents):
        for event in decide(state, intent):
            state = apply(state, event)
    assert state is not None
    return state


def test_heels_are_what_the_book_says() -> None:
    """A table whose book gives three for his heels pegs three, and takes no claim of two."""
    book = book_from_dict({"name": "ours", "based_on": "modern", "heels": 3})
    jack = parse_card("JC")
    state = opened(rules_for("six-card", book), want.TurnStarter(jack), want.ClaimCard(3))
    assert state.scores == (0, 3)
    with pytest.raises(Illegal, match="his heels are three"):
        opened(rules_for("six-card", book), want.TurnStarter(jack), want.ClaimCard(2))
    with pytest.raises(Illegal, match="his heels are three"):
        opened(rules_for("six-card", book), want.TurnStarter(jack, 2))
    teach = replace(opened(rules_for("six-card", book)), levels=("teach", "teach"))
    for event in decide(teach, want.TurnStarter(jack)):
        teach = apply(teach, event)
    assert teach.scores == (0, 3)


@pytest.mark.parametrize(("game", "book"), PAIRINGS)
def test_rules_survive_the_journal(game: str, book: str) -> None:
    """Rules written as JSON and read again are the same rules."""
    rules = rules_for(game, book)
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_rules_written_before_a_field_was_added_are_read() -> None:
    """Rules from a journal without heels, tally or penalties are read all the same."""
    older: dict[str, Any] = rules_for().to_dict()
    for added in ("heels", "heels_until", "tally", "penalties", "based_on"):
        del older[added]
    rules = Rules.from_dict(older)
    assert (rules.heels, rules.tally) == (2, "games")


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        ("six-card", (6, 2, 4, 4)),
        ("five-card", (5, 2, 3, 4)),
        ("seven-card", (7, 2, 5, 4)),
        ("three-handed", (5, 1, 4, 4)),
        ("four-handed", (5, 1, 4, 4)),
    ],
)
def test_cards_by_game(game: str, cards: tuple[int, ...]) -> None:
    """Cards dealt, laid out and kept by each, and in the crib, which the pack makes up at three-handed."""
    kind = GAMES[game]
    assert (kind.dealt, kind.out, kind.hand, kind.crib) == cards
    assert kind.out * len(kind.sides) + kind.pack_to_crib == kind.crib


@pytest.mark.parametrize("hole", [0, -1, 1000])
def test_no_such_last_hole(hole: int) -> None:
    """A last hole is one to 999."""
    with pytest.raises(Malformed, match="no last hole"):
        rules_for("six-card", "modern", hole)


def test_unknown_names_are_refused_with_the_nearest() -> None:
    """A game or book that does not exist is refused, the nearest named."""
    with pytest.raises(Malformed, match="did you mean six-card"):
        rules_for("sixcard", "modern")
    with pytest.raises(Malformed, match="did you mean foster"):
        targets_for("six-card", "forster")
