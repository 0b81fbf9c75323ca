"""What a game and a rule book are: the forms of cribbage by their cards, and one source's rules as values.

Sources are cited by number: 000 and 002 Foster, 001 the modern page, 003 the Victorian page, 004 the help page;
acc is the club rules. Where they are silent the choice is ours and the citation says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final, Literal

Counted = Literal["hand", "crib", "card"]
"""What a claim can be about: a hand, the crib, or one card in the play."""
Window = Literal["next-count", "accepted"]
PlayWindow = Literal["none", "caller-plays", "claimant-plays"]
FalseGoPrice = Literal["none", "in-all", "each-card"]
HeelsUntil = Literal["at-once", "lead", "card", "dealer-card"]
Tally = Literal["games", "game-points"]


@dataclass(frozen=True, slots=True)
class GameKind:
    """A form of cribbage: who sits where, and how many cards there are."""

    name: str
    sides: tuple[int, ...]
    """The side of each seat, clockwise."""
    hand: int
    """Cards kept by each seat after laying out."""
    crib: int
    dealt: int
    """Cards dealt to each seat."""
    pack_to_crib: int = 0
    """Cards that go from the pack to the crib."""

    @property
    def out(self) -> int:
        """Cards each seat lays out for the crib."""
        return self.dealt - self.hand


GAMES: Final = {
    game.name: game
    for game in (
        GameKind("six-card", (0, 1), 4, 4, dealt=6),  # 001, Setup
        GameKind("five-card", (0, 1), 3, 4, dealt=5),  # 001, Variants; 002, Five-card; 003
        GameKind("seven-card", (0, 1), 5, 4, dealt=7),  # 002, Seven-card
        GameKind("three-handed", (0, 1, 2), 4, 4, dealt=5, pack_to_crib=1),  # 001, Variants; 002; 003
        GameKind("four-handed", (0, 1, 0, 1), 4, 4, dealt=5),  # 001, Variants; 002; 003
    )
}

USUAL_TARGET: Final = 121
"""The last hole where a book names none for a game: twice round and the game hole (001, Goal & scoring)."""
USUAL_FLUSH: Final = 4
"""Cards a flush needs in the hand where a book names no other number for a game (001, Goal & scoring)."""


@dataclass(frozen=True, slots=True)
class RuleBook:
    """One source's rules, as values; ``citation`` says where each stands. Nothing else is decided by a book's name."""

    name: str
    source: str
    games: tuple[str, ...]
    targets: tuple[tuple[str, tuple[int, ...]], ...]
    """(game, last holes it is played to): the usual one first; 121 where a game is not named."""
    skunks: tuple[tuple[int, tuple[int, ...]], ...]
    """(last hole, lines): a loser below the first line is skunked (or lurched), below the second doubly."""
    skunk_worth: tuple[int, ...]
    """What a win counts in the match: plain, skunk, double skunk. A loss counts nothing."""
    tally: Tally
    """What the match counts."""
    muggins: bool
    """On or off where the table leaves it to the book."""
    covers: tuple[Counted, ...]
    """Where missed points can be taken by the other side."""
    calls_over: bool
    """Whether an over-count can be called; if so the surplus goes to the caller's side."""
    mends: bool
    """With muggins off, a flagged under-count may be mended before the next stage; else the points are lost."""
    window: Window
    """What closes a show's window: the next count, or (dealer's hand and crib) acceptance or the next starter."""
    play_window: PlayWindow
    """What closes the window of a card: there is none, the caller's next card, or the claimant's next card."""
    false_go: FalseGoPrice
    """What a proved false go costs: nothing, two in all, or two for each card that could have been played."""
    heels: int
    """What a jack turned up brings the dealer."""
    heels_until: HeelsUntil
    """How long heels can be claimed where the players claim them: at once, before the lead, before a card is played,
    or until the dealer plays a card."""
    game_hole_back: int
    """How many holes a game hole claimed without the points costs, on a call, besides the surplus."""
    start_bonus: tuple[tuple[str, int], ...]
    """(game, points) to the pone of the first deal: three for last."""
    flush_min: tuple[tuple[str, int | None], ...]
    """(game, cards a flush needs in the hand) where it is not four, None for no flush at all. A flush counts one a
    card, the starter's too if it agrees; in the crib it counts with the starter only."""
    play_stops: tuple[str, ...]
    """Games whose play stops for good at the first go or thirty-one; in the others it resumes from nothing."""
    penalties: tuple[str, ...]
    """Names of the infractions that the book rules on; penalties.py has each."""
    based_on: str = ""
    """The book whose rules a table's own book changes; empty for the books of the sources."""
    sources: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """(field, citation) for every field above but the name and the source itself."""

    def citation(self, name: str) -> str:
        """Where a field's value stands, or that it is ours. Raises KeyError for no field of a book.

        >>> from engine.rules import BOOKS
        >>> BOOKS["modern"].citation("skunks")
        '001, Goal & scoring'
        """
        return dict(self.sources)[name]

    def targets_of(self, game: str) -> tuple[int, ...]:
        """The last holes a game is played to by this book, the usual one first."""
        return dict(self.targets).get(game, (USUAL_TARGET,))


CITED: Final = tuple(one.name for one in fields(RuleBook) if one.name not in ("name", "source", "based_on", "sources"))
"""The fields of a book that hold rules: each has a citation."""
