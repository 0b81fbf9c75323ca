"""The page of the rule books: written from the books, and its example a book that works."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

from engine.book_data import book_from_dict
from engine.penalties import NAMES
from engine.rule_book import CITED
from engine.rules import targets_for

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "rules.md").read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    """docs/rules.md is what the books give now; `python docs/rules.py` writes it anew."""
    assert runpy.run_path(str(DOCS / "rules.py"))["page"]() == PAGE


def test_the_page_leaves_nothing_out() -> None:
    """Every field of a book and every infraction stands on the page."""
    assert [name for name in (*CITED, *NAMES) if f"`{name}`" not in PAGE] == []


def test_the_example_is_a_book() -> None:
    """The book shown as an example is read as it stands."""
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    book = book_from_dict(tomllib.loads(example[1]))
    assert (book.name, book.muggins, targets_for("six-card", book)) == ("thursdays", False, (61, 121))
