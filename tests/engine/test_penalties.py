"""Infractions by name: what each book makes of them, what it leaves open, and who receives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Malformed
from engine.penalties import INFRACTIONS, NAMES, find, infractions, left_open, receivers
from engine.replay import replay
from engine.rules import BOOKS, rules_for

RULINGS = json.loads((Path(__file__).parents[1] / "golden" / "seed" / "penalties.json").read_text())
"""Book, name, amount and receiver as the sources have them."""


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda one: f"{one['book']}-{one['name']}")
def test_a_book_rules_as_its_source_does(ruling: dict[str, Any]) -> None:
    """An infraction has the amount and the receiver that its source states, None where it states none."""
    found = find(BOOKS[ruling["book"]], ruling["name"])
    assert (found.amount, found.to, found.books) == (ruling["amount"], ruling["to"], (ruling["book"],))


def test_no_ruling_is_left_out() -> None:
    """The table of the sources and the data name the same infractions in the same books, but for our own."""
    assert {(one["book"], one["name"]) for one in RULINGS} == {
        (book, one.name) for one in INFRACTIONS for book in one.books if not one.source.endswith("ours")
    }
    assert [one.name for one in INFRACTIONS if one.source.endswith("ours")] == ["wrong-call"]


@pytest.mark.parametrize("book", BOOKS.values(), ids=list(BOOKS))
def test_every_ruling_belongs_to_its_book(book: Any) -> None:
    """A book lists exactly the infractions that have a ruling in it, each with a source."""
    ruled = infractions(book)
    assert sorted(one.name for one in ruled) == sorted(one.name for one in INFRACTIONS if book.name in one.books)
    assert all(one.books == (book.name,) and one.source and one.words for one in ruled)


def test_names_are_one_word() -> None:
    """A name is one word, as a record writes it, and no book has it twice."""
    pairs = [(book, one.name) for one in INFRACTIONS for book in one.books]
    assert len(set(pairs)) == len(pairs)
    assert all(name == name.lower() and not any(one.isspace() for one in name) for name in NAMES)


@pytest.mark.parametrize("book", BOOKS.values(), ids=list(BOOKS))
def test_what_a_book_is_silent_on_is_open(book: Any) -> None:
    """An infraction a book says nothing about can still be named; its amount and receiver are the table's."""
    ruled = {one.name for one in infractions(book)}
    silent = left_open(book)
    assert ruled | {one.name for one in silent} == set(NAMES)
    assert ruled.isdisjoint(one.name for one in silent)
    assert all(one.is_open and one.to is None for one in silent)
    assert find(book, silent[0].name) == silent[0]


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """A name that is none is refused and the nearest is named."""
    with pytest.raises(Malformed, match="did you mean touched-peg"):
        find(BOOKS["foster"], "touched-pegs")


def test_rules_and_their_book_rule_alike() -> None:
    """The rules of an opened game name the same infractions as their book."""
    assert infractions(rules_for("six-card", "foster")) == infractions(BOOKS["foster"])


@pytest.mark.parametrize(
    ("name", "offender", "dealer", "sides", "seats"),
    [
        ("touched-peg", 0, 1, (0, 1), (1,)),
        ("false-go", 2, 0, (0, 1, 2), (0, 1)),
        ("false-go", 2, 0, (0, 1, 0, 1), (1, 3)),
        ("crib-over", 1, 1, (0, 1), (0,)),
        ("crib-over", 0, 2, (0, 1, 2), (0,)),
        ("wrong-total", 0, 1, (0, 1), ()),
        ("misdeal", 0, 1, (0, 1), (1,)),
    ],
)
def test_who_may_receive(name: str, offender: int, dealer: int, sides: tuple[int, ...], seats: tuple[int, ...]) -> None:
    """An adversary is any seat of another side; the pone is the seat after the dealer; nobody is nobody."""
    assert receivers(find(BOOKS["foster"], name), offender, dealer, sides) == seats


@pytest.mark.parametrize("name", NAMES)
def test_a_penalty_is_written_under_its_name(name: str) -> None:
    """Each name stands as one word in a record, and its points reach the seat named."""
    head = "crib 1\ngame six-card\nrules foster\nplayers Ann Bob\ndeal Bob\n"
    lines = list(replay(f"{head}penalty Ann 2 {name}\n"))
    assert [line["scores"] for line in lines] == [{"Ann": 2, "Bob": 0}] * 2
