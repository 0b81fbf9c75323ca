"""A table's own rule book: what may be changed, what it leads to, and how a fault in it is told."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from engine.book_data import BookFaults, book_from_dict
from engine.errors import Illegal, Malformed
from engine.penalties import infractions
from engine.rule_book import CITED, RuleBook
from engine.rules import BOOKS, Rules, rules_for, targets_for

OURS: dict[str, Any] = {"name": "ours", "based_on": "modern"}


def own(**changed: Any) -> RuleBook:
    return book_from_dict({**OURS, **changed})


def faults(data: dict[str, Any], path: str = "book") -> dict[str, str]:
    with pytest.raises(BookFaults) as caught:
        book_from_dict(data, path=path)
    return {fault.path: fault.message for fault in caught.value.faults}


@pytest.mark.parametrize("base", BOOKS.values(), ids=list(BOOKS))
def test_a_book_that_changes_nothing_is_its_base(base: RuleBook) -> None:
    """Without a change every field, and where it stands, is the base book's."""
    book = book_from_dict({"name": "ours", "based_on": base.name})
    assert all(getattr(book, field) == getattr(base, field) for field in CITED)
    assert book.sources == base.sources
    assert (book.name, book.based_on) == ("ours", base.name)


@pytest.mark.parametrize("base", BOOKS.values(), ids=list(BOOKS))
def test_every_field_can_be_written_down(base: RuleBook) -> None:
    """Every value of a book of the sources, written as plain values on another base, is read back as it was."""
    plain: dict[str, Any] = {}
    for field in CITED:
        value = getattr(base, field)
        if field in ("targets", "skunks", "start_bonus", "flush_min"):
            plain[field] = {str(key): list(one) if isinstance(one, tuple) else one for key, one in value}
        else:
            plain[field] = list(value) if isinstance(value, tuple) else value
    book = book_from_dict(json.loads(json.dumps({"name": "ours", "based_on": "onhand", **plain})))
    for field in CITED:
        found, wanted = getattr(book, field), getattr(base, field)
        if field in plain and isinstance(plain[field], dict):
            assert dict(wanted).items() <= dict(found).items()
        else:
            assert found == wanted


def test_a_changed_field_is_the_tables_own() -> None:
    """A changed field says that it is the table's; the others keep their source."""
    book = own(muggins=False)
    assert book.citation("muggins") == "the table's own"
    assert book.citation("mends") == BOOKS["modern"].citation("mends")


def test_a_table_of_games_changes_only_what_it_names() -> None:
    """Of the fields by game, the games not named keep the base book's value."""
    book = own(targets={"six-card": [61, 121]})
    assert targets_for("six-card", book) == (61, 121)
    assert targets_for("seven-card", book) == (121, 181)


def test_one_last_hole_needs_no_list() -> None:
    """A single last hole may be written as a number."""
    assert rules_for("six-card", own(targets={"six-card": 61})).target == 61


def test_own_rules_are_the_games_rules() -> None:
    """A game opened by a table's own book is played by what the table wrote."""
    book = own(
        skunks={"121": [100]},
        skunk_worth=[1, 4],
        flush_min={"six-card": "never"},
        false_go="each-card",
        covers=["hand"],
        play_stops=[],
        start_bonus={"six-card": 5},
    )
    rules = rules_for("six-card", book)
    assert (rules.book, rules.based_on) == ("ours", "modern")
    assert (rules.skunks, rules.skunk_worth, rules.flush_min) == ((100,), (1, 4), None)
    assert (rules.false_go, rules.covers, rules.start_bonus) == ("each-card", ("hand",), 5)
    assert rules_for("five-card", book).play_resumes


def test_a_book_of_its_own_may_have_another_game() -> None:
    """A pairing that the sources do not have is allowed once the table's own book names it."""
    with pytest.raises(Illegal):
        rules_for("seven-card", book_from_dict({"name": "club", "based_on": "acc"}))
    book = book_from_dict({"name": "club", "based_on": "acc", "games": ["six-card", "seven-card"]})
    assert rules_for("seven-card", book).hand == 5


def test_penalties_of_another_book_come_with_their_ruling() -> None:
    """A name taken from another book has that book's ruling; one of the base book has the base book's."""
    book = book_from_dict({"name": "club", "based_on": "acc", "penalties": ["touched-peg", "false-go"]})
    assert [one.amount for one in infractions(book)] == [2, "two a card"]
    assert infractions(rules_for("six-card", book)) == infractions(book)


def test_rules_of_an_own_book_survive_the_journal() -> None:
    """Rules made of a table's own book, written as JSON and read again, are the same rules."""
    rules = rules_for("six-card", own(skunks={"121": [100, 80]}, penalties=["misdeal"], heels=3))
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_a_book_is_written_in_toml() -> None:
    """The plain values are those of a TOML table."""
    text = (
        'name = "ours"\nbased_on = "foster"\nmuggins = false\n[skunks]\n121 = [91]\n[flush_min]\nfive-card = "never"\n'
    )
    book = book_from_dict(tomllib.loads(text))
    assert (book.muggins, dict(book.skunks)[121], dict(book.flush_min)["five-card"]) == (False, (91,), None)


def test_every_fault_is_told_at_once() -> None:
    """All faults of a book come together, each under the path of its key."""
    found = faults(
        {
            "name": "modern",
            "based_on": "modrn",
            "mugins": True,
            "covers": ["hand", "show"],
            "heels": 100,
            "mends": "yes",
            "targets": {"six-crad": 121, "five-card": "61"},
            "skunks": {"121": [91, 0]},
        },
        "books[2]",
    )
    assert set(found) == {
        "books[2].name",
        "books[2].based_on",
        "books[2].mugins",
        "books[2].covers[1]",
        "books[2].heels",
        "books[2].mends",
        "books[2].targets.six-crad",
        "books[2].targets.five-card[0]",
        "books[2].skunks.121[1]",
    }
    assert "did you mean muggins?" in found["books[2].mugins"]
    assert "did you mean modern?" in found["books[2].based_on"]
    assert "did you mean six-card?" in found["books[2].targets.six-crad"]


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"muggins": 1}, "muggins"),
        ({"heels": True}, "heels"),
        ({"heels": 2.0}, "heels"),
        ({"heels": -1}, "heels"),
        ({"window": "accept"}, "window"),
        ({"window": 3}, "window"),
        ({"games": "six-card"}, "games"),
        ({"games": []}, "games"),
        ({"covers": ["hand", "hand"]}, "covers[1]"),
        ({"targets": {"six-card": []}}, "targets.six-card"),
        ({"targets": {"six-card": [121, 1000]}}, "targets.six-card[1]"),
        ({"targets": [121]}, "targets"),
        ({"skunks": {"121": [61, 91]}}, "skunks.121"),
        ({"skunks": {"61": [91]}}, "skunks.61"),
        ({"skunks": {"121": [91, 61, 31]}}, "skunks.121"),
        ({"skunks": {"many": [91]}}, "skunks.many"),
        ({"skunk_worth": []}, "skunk_worth"),
        ({"skunk_worth": 2}, "skunk_worth"),
        ({"skunk_worth": [1, 0]}, "skunk_worth[1]"),
        ({"flush_min": {"six-card": 2}}, "flush_min.six-card"),
        ({"start_bonus": {"five-card": 61}}, "start_bonus.five-card"),
        ({"covers": ["card"]}, "play_window"),
        ({"penalties": ["misdeals"]}, "penalties[0]"),
        ({"name": ""}, "name"),
        ({"name": "two words"}, "name"),
        ({"name": "x" * 21}, "name"),
        ({"name": "ACC"}, "name"),
        ({"based_on": ["modern"]}, "based_on"),
        ({"sources": []}, "sources"),
    ],
    ids=str,
)
def test_a_fault_is_told_by_its_path(changed: dict[str, Any], path: str) -> None:
    """A value of another kind, out of range, not among the choices or at odds with another is told by its path."""
    assert list(faults({**OURS, **changed})) == [f"book.{path}"]


@pytest.mark.parametrize("key", ["name", "based_on"])
def test_what_is_missing_is_told(key: str) -> None:
    """A book without a name, or without the book it changes, is refused."""
    found = faults({word: value for word, value in OURS.items() if word != key})
    assert found[f"book.{key}"].startswith("missing")


def test_faults_are_refusals_of_the_engine() -> None:
    """A faulty book is refused as anything unreadable is, every fault in the message."""
    with pytest.raises(Malformed, match=r"book\.heels: .*; book\.mends: "):
        own(heels=-1, mends=0)
