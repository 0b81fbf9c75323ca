"""Writes docs/keys.md by pressing the keys of real deals on a board: `python docs/keys.py` in the environment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any, Final

from engine.cards import PACK, Card
from engine.rule_book import GameKind
from engine.rules import GAMES, rules_for
from engine.show import show
from engine.state import Award, State
from firmware.board import Board
from firmware.entry import split_keys
from firmware.settings import ENTRY_LEVELS, KNOWN_NAMES, Choices, EntryLevel, Settings

PAGE: Final = Path(__file__).parent / "keys.md"
DEALS: Final = 12
BOOK: Final = "modern"
RANKS: Final = {10: "0"}
SUITS: Final = dict(zip("SHCD", "ABCD", strict=True))


class NotKept:
    """A journal that keeps nothing: the deals are pressed to be counted."""

    saved, notes, unsaved, trouble, removed = True, (), 0, "", False

    def __init__(self) -> None:
        self.next_number = 1

    def load(self) -> list[Any]:
        """Nothing was kept."""
        return []

    def load_earlier(self, entry: int) -> list[Any]:
        """Nothing was kept."""
        return []

    def setting(self, name: str) -> Any:
        """No setting was kept."""
        return None

    def set_setting(self, name: str, value: Any) -> None:
        """Keep nothing."""

    def append(self, number: int, what: object) -> None:
        """Keep nothing but the number."""
        self.next_number = number + 1


@dataclass
class Table:
    """A board that counts the keys pressed on it."""

    settings: Settings
    presses: int = 0
    board: Board = field(init=False)

    def __post_init__(self) -> None:
        self.board = Board(NotKept(), self.settings, choices=Choices(sides=3))  # type: ignore[arg-type]

    def press(self, keys: str) -> None:
        """Press these; a refusal is a fault of the path."""
        for key in split_keys(keys):
            self.presses += 1
            self.board.press(key, float(self.presses))
        notice = self.board.view().notice
        if notice is not None:
            raise ValueError(f"{keys}: {notice.text}")

    @property
    def state(self) -> State:
        """The engine's state."""
        assert self.board.state is not None
        return self.board.state

    @property
    def phase(self) -> str:
        """Where the table stands."""
        return self.board.view().phase


@dataclass(frozen=True)
class Cards:
    """One deal: the cards kept by each seat, the crib, and the starter."""

    hands: tuple[tuple[Card, ...], ...]
    crib: tuple[Card, ...]
    starter: Card


def deal(game: GameKind, chance: random.Random) -> Cards:
    """A deal from a shuffled pack; what is laid out is left to chance too."""
    pack = list(PACK)
    chance.shuffle(pack)
    seats = len(game.sides)
    hands = tuple(tuple(pack.pop() for _ in range(game.hand)) for _ in range(seats))
    return Cards(hands, tuple(pack.pop() for _ in range(game.crib)), pack.pop())


def said(card: Card) -> str:
    """The keys that say a card."""
    return RANKS.get(card.rank, str(card.rank)) + SUITS[str(card)[-1]]


def played(table: Table, hands: Sequence[Sequence[Card]]) -> None:
    """Play the hands, each seat its first card that fits."""
    left = [list(hand) for hand in hands]
    while table.phase == "play":
        public = table.board.view().public
        assert public is not None
        assert public.turn is not None
        card = next((one for one in left[public.turn] if one.value + public.count <= 31), None)
        if card is not None:
            left[public.turn].remove(card)
        table.press("#" if card is None else said(card))


def kept_at(entry: EntryLevel, game: GameKind, cards: Cards, awards: list[Award] | None = None) -> Table:
    """One deal pressed from its starter to its crib; ``awards`` are those of the play where it is pegged by number."""
    seats = len(game.sides)
    rules = rules_for(game.name, BOOK)
    names = KNOWN_NAMES[:seats]
    table = Table(Settings(game=game.name, book=BOOK, target=rules.target, entry=entry, names=names))
    table.press(f"# {seats}#")
    table.presses = 0
    table.press("#" if entry == "points" else said(cards.starter))
    if awards is None:
        played(table, cards.hands)
    else:
        heels = f"{rules.heels}{'ABCD'[seats - 1]} " if entry == "points" and cards.starter.rank == 11 else ""
        table.press(heels + " ".join(f"{one.points}{'ABCD'[one.seat]}" for one in awards) + "#")
    for seat, hand in enumerate(cards.hands):
        worth = show(hand, cards.starter, flush_min=rules.flush_min).total
        told = {play.card for play in table.state.deal.played} if table.state.deal is not None else set()
        keys = "" if entry == "points" else " ".join(said(card) for card in hand if card not in told)
        table.press(f"{keys} {worth}#")
        assert table.state.deal is not None
        assert len(table.state.deal.shown) == seat + 1
    worth = show(cards.crib, cards.starter, crib=True, flush_min=rules.flush_min).total
    keys = "" if entry == "points" else " ".join(map(said, cards.crib))
    table.press(f"{keys} {worth}#")
    assert table.phase == "deal"
    return table


def presses(game: GameKind) -> dict[EntryLevel, int]:
    """Key presses a deal at each entry level, on average, the scores being the same at all of them."""
    chance = random.Random(game.name)
    counts: dict[EntryLevel, list[int]] = {entry: [] for entry in ENTRY_LEVELS}
    for _ in range(DEALS):
        cards = deal(game, chance)
        full = kept_at("full", game, cards)
        pegged = (one for one in full.state.ledger if isinstance(one, Award))
        awards = [one for one in pegged if one.points and one.count is not None]
        tables = {"full": full} | {entry: kept_at(entry, game, cards, awards) for entry in ENTRY_LEVELS[1:]}
        if len({table.state.scores for table in tables.values()}) > 1:
            raise ValueError(f"the entry levels disagree on {cards}")
        for entry in ENTRY_LEVELS:
            counts[entry].append(tables[entry].presses)
    return {entry: round(mean(numbers)) for entry, numbers in counts.items()}


HEAD: Final = f"""# Key presses a deal

Pressed on the board and counted, the average of {DEALS} deals a game by the book `{BOOK}` at level `flag`: from the
starter to the crib's count, with right counts. The next deal needs no key of its own. At `shows` and `points` every
award of the play is pegged as it falls (`2A`); one number a seat at its end would be fewer.

| game | {" | ".join(f"`{entry}`" for entry in ENTRY_LEVELS)} |
|{"---|" * 4}
"""


def page() -> str:
    """The whole page."""
    rows = []
    for game in GAMES.values():
        found = presses(game)
        rows.append(f"| {game.name} | " + " | ".join(str(found[entry]) for entry in ENTRY_LEVELS) + " |\n")
    return HEAD + "".join(rows) + "\nWritten by `python docs/keys.py`.\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
