"""Writes docs/rules.md from the rule books themselves: `python docs/rules.py` in the checkout's environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from engine.penalties import INFRACTIONS, Infraction
from engine.rule_book import CITED, RuleBook
from engine.rules import BOOKS, GAMES, targets_for

PAGE: Final = Path(__file__).parent / "rules.md"

LABELS: Final = {
    "games": "games",
    "targets": "last hole, the usual one first",
    "skunks": "skunk below, double below (last hole)",
    "skunk_worth": "a win counts: plain, skunk, double",
    "tally": "the match counts",
    "muggins": "muggins, where the table leaves it to the book",
    "covers": "missed points are taken in",
    "calls_over": "too many can be called",
    "mends": "muggins off: a flagged count is mended",
    "window": "a show's count is open until",
    "play_window": "a card's count is open until",
    "false_go": "a false go costs",
    "heels": "his heels",
    "heels_until": "his heels, claimed",
    "game_hole_back": "a false game, besides the surplus",
    "start_bonus": "three for last",
    "flush_min": "cards that make a flush in hand",
    "play_stops": "play stops at the first go or 31",
    "penalties": "infractions ruled on",
}

WORDS: Final = {
    "next-count": "the next count",
    "accepted": "accepted, or the next starter (the pone's hand: the dealer's count)",
    "none": "none",
    "caller-plays": "the caller plays, or the first show",
    "claimant-plays": "the claimant plays again, or the first show",
    "in-all": "2 in all",
    "each-card": "2 for each card that fitted",
    "at-once": "at once",
    "lead": "before the lead",
    "card": "before a card is played",
    "dealer-card": "until the dealer plays",
    "game-points": "game points",
    "games": "games",
}

HEAD: Final = """# The rule books

A table plays by one of five books, or by one of its own. `modern`, `foster`, `victorian` and `onhand` are made from old
and new accounts of the game, `acc` from public accounts of club play. **\\*** marks what the book's source does not say
and is our choice. `engine/books.py` says for each value where it stands; this page is written from it
(`python docs/rules.py`).

A number as a source is one of the accounts, and after it stands the heading there: **000** Foster's chapter on six-card
cribbage, whose beginning is lost, and **002** what follows it (five-card, three- and four-handed, seven-card); **001**
an account of the game as it is played today; **003** a Victorian page on five cards, three and four hands; **004** the
help page of a card program; **acc** public accounts of American club play. *Ours*: none of them says it.

"""

CALLS: Final = """
## A call that misses

Under `call`, when the cards are turned up:

- Too few called, and the count is right: the number called goes to the other side. `acc` and `foster` say so; for the
  other books it is ours.
- Too few called, and the count is too high: where the book lets over-counts be called the peg goes back to the true
  hole and the surplus to the caller, as on any call, and the caller pays nothing: there was a miscount. `acc` puts an
  over-count back "on a call" without saying which; for `foster` it is ours. Elsewhere no peg goes back: the over-count
  stands, and the number called goes to the other side.
- Too many called, and the count is right or too low: the number called goes to the other side. What was missed stays
  lost: nobody called it. Ours.
- A game claimed without the points does not win by being called the wrong way.
- Of several counts that are open any can be called, the newest first, `B` for an older one; the others stay open.
- His heels, where the players claim them (`off`), are the dealer's by `acc` until the dealer plays: a number keyed
  after the pone's lead is his, since a lead counts nothing.
"""

OWN: Final = """
## A book of the table's own

It changes fields of one of the five, by the names in the first column; tables by game or by last hole change only what
they name. Every fault in it is told at once, by the path of its key.

```toml
name = "thursdays"
based_on = "modern"
muggins = false
false_go = "each-card"
skunk_worth = [1, 2, 3]
penalties = ["misdeal", "touched-peg"]

[targets]
six-card = [61, 121]

[skunks]
61 = [31]

[flush_min]
five-card = 3
```

A word stands for each choice: `window` is `next-count` or `accepted`; `play_window` is `none`, `caller-plays` or
`claimant-plays`; `false_go` is `none`, `in-all` or `each-card`; `heels_until` is `at-once`, `lead`, `card` or
`dealer-card`; `tally` is `games` or `game-points`; `flush_min` may be `"never"`.
"""


def cell(book: RuleBook, name: str) -> str:
    """One field of one book in a few words, marked where it is ours."""
    mark = " \\*" if "ours" in book.citation(name) else ""
    return (_value(book, name) or "–") + mark


def _value(book: RuleBook, name: str) -> str:
    value: Any = getattr(book, name)
    match name:
        case "targets":
            holes = {game: " or ".join(map(str, targets_for(game, book))) for game in book.games}
            usual = max(holes.values(), key=list(holes.values()).count)
            return "; ".join([usual, *(f"{game} {hole}" for game, hole in holes.items() if hole != usual)])
        case "skunks":
            return "; ".join(f"{', '.join(map(str, lines))} ({hole})" for hole, lines in value)
        case "skunk_worth":
            return ", ".join(map(str, value))
        case "start_bonus":
            return ", ".join(f"{points} ({game})" for game, points in value)
        case "flush_min":
            return ", ".join(["4", *(f"{cards} ({game})" for game, cards in value)])
        case "penalties":
            return str(len(value))
        case "games" if value == tuple(GAMES):
            return "all"
    if isinstance(value, bool):
        return ("on" if value else "off") if name == "muggins" else ("yes" if value else "no")
    if isinstance(value, tuple):
        return ", ".join(value)
    return WORDS.get(value, str(value))


def ruling(infraction: Infraction) -> str:
    """Amount, receiver and remedy in a few words."""
    amount = "the table decides" if infraction.amount is None else str(infraction.amount)
    to = "" if infraction.to in (None, "nobody") else f" to the {infraction.to}"
    remedy = f"; {infraction.remedy}" if infraction.remedy not in ("", "the table decides") else ""
    return f"{amount}{to}{remedy}"


def page() -> str:
    """The whole page."""
    rows = ["| field | matter | " + " | ".join(f"`{name}`" for name in BOOKS) + " |", "|---" * (len(BOOKS) + 2) + "|"]
    rows += [
        f"| `{name}` | {LABELS[name]} | " + " | ".join(cell(book, name) for book in BOOKS.values()) + " |"
        for name in CITED
    ]
    wrong = ["", "## What goes wrong, and what it costs", ""]
    wrong += ["Where a book says nothing, the table decides and its decision is logged.", ""]
    wrong += ["| name | what | book | ruling | source |", "|---|---|---|---|---|"]
    wrong += [
        f"| `{one.name}` | {one.words} | `{'`, `'.join(one.books)}` | {ruling(one)} | {one.source} |"
        for one in INFRACTIONS
    ]
    return HEAD + "\n".join([*rows, *wrong]) + "\n" + CALLS + OWN


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
