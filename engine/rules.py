"""The games and the rule books as frozen data; a game is opened with one resolved ``Rules`` value.

Sources are cited by number: 000 and 002 Foster, 001 the modern page, 003 the Victorian page, 004 the help page;
acc is the club rules.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from engine.errors import Illegal, Malformed

RULES_VERSION: Final = 1
"""Raised whenever the same events would give other awards; written into every opened game."""

Counted = Literal["hand", "crib", "card"]
"""What a claim can be about: a hand, the crib, or one card in the play."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """A form of cribbage: who sits where, and how many cards there are."""

    name: str
    sides: tuple[int, ...]
    """The side of each seat, clockwise."""
    hand: int
    """Cards kept by each seat after laying out."""
    crib: int
    play_resumes: bool = True
    """False: the play stops for good at the first go or thirty-one (002, five-card)."""


GAMES: Final = {
    game.name: game
    for game in (
        GameKind("six-card", (0, 1), 4, 4),
        GameKind("five-card", (0, 1), 3, 4, play_resumes=False),
        GameKind("seven-card", (0, 1), 5, 4),
        GameKind("three-handed", (0, 1, 2), 4, 4),
        GameKind("four-handed", (0, 1, 0, 1), 4, 4),
    )
}


@dataclass(frozen=True, slots=True)
class RuleBook:
    """One source's rules, as values. Fields a source is silent on are ours and say so."""

    name: str
    source: str
    games: tuple[str, ...]
    targets: tuple[tuple[str, int], ...]
    """(game, last hole) where it is not 121."""
    skunks: tuple[tuple[int, tuple[int, ...]], ...]
    """(last hole, lines): a loser below the first line is skunked, below the second doubly."""
    skunk_worth: tuple[int, ...]
    """Games a win counts: plain, skunk, double skunk."""
    muggins: bool
    covers: tuple[Counted, ...]
    """Where missed points can be taken by the other side."""
    calls_over: bool
    """Whether an over-count can be called; if so the surplus goes to the caller's side."""
    mends: bool
    """With muggins off, a flagged under-count may be mended before the next stage; else the points are lost."""
    window: Literal["next-count", "accepted"]
    """What closes a show's window: the next count, or (dealer's hand and crib) acceptance or the next starter."""
    play_window: Literal["none", "caller-plays", "claimant-plays"]
    false_go: Literal["none", "in-all", "each-card"]
    """What a proved false go costs: nothing, two in all, or two for each card that could have been played."""
    game_hole_back: int = 0
    """How many holes a game hole claimed without the points costs, on a call, besides the surplus."""
    start_bonus: tuple[tuple[str, int], ...] = ()
    """(game, points) to the pone of the first deal: three for last."""
    flush_min: tuple[tuple[str, int | None], ...] = ()
    """(game, shortest flush in hand) where it is not four."""


_ALL = ("six-card", "five-card", "seven-card", "three-handed", "four-handed")

BOOKS: Final = {
    book.name: book
    for book in (
        RuleBook(
            name="modern",
            source="001",
            games=_ALL,
            targets=(("five-card", 61),),
            skunks=((121, (91, 61)),),  # 001, Goal & scoring
            skunk_worth=(1, 2, 2),  # 001 gives no figure for the double skunk: ours
            muggins=True,  # optional in 001; on at our board
            covers=("hand", "crib"),  # 001, Variants: Muggins
            calls_over=False,
            mends=True,  # 001, The show: lost only once the next stage starts
            window="next-count",
            play_window="none",
            false_go="none",
            start_bonus=(("five-card", 3),),
            flush_min=(("five-card", None),),
        ),
        RuleBook(
            name="foster",
            source="000, 002",
            games=_ALL,
            targets=(("five-card", 61),),
            skunks=((121, (91, 61)),),  # silent: as modern, ours
            skunk_worth=(1, 2, 2),
            muggins=True,
            covers=("hand", "crib", "card"),
            calls_over=True,
            mends=False,
            window="accepted",
            play_window="claimant-plays",
            false_go="in-all",
            start_bonus=(("five-card", 3),),
            flush_min=(("five-card", 3),),  # 002 gives no figure; 003's three
        ),
        RuleBook(
            name="victorian",
            source="003",
            games=("five-card", "three-handed", "four-handed"),
            targets=(("five-card", 61), ("three-handed", 61), ("four-handed", 61)),
            skunks=(),
            skunk_worth=(1,),
            muggins=False,  # silent; judged as modern when turned on: ours
            covers=("hand", "crib"),
            calls_over=False,
            mends=False,
            window="next-count",
            play_window="none",
            false_go="none",
            start_bonus=(("five-card", 3),),
            flush_min=(("five-card", 3),),
        ),
        RuleBook(
            name="onhand",
            source="004",
            games=("six-card",),
            targets=(),
            skunks=((61, (31,)), (121, (61,))),
            skunk_worth=(1, 2),
            muggins=False,
            covers=("hand", "crib"),
            calls_over=False,
            mends=False,
            window="next-count",
            play_window="none",
            false_go="none",
        ),
        RuleBook(
            name="acc",
            source="acc",
            games=("six-card",),
            targets=(),
            skunks=((121, (91, 61)),),
            skunk_worth=(2, 3, 3),
            muggins=False,
            covers=("hand", "crib", "card"),
            calls_over=True,
            mends=False,
            window="accepted",
            play_window="caller-plays",
            false_go="each-card",
            game_hole_back=15,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything one game is played by: a book and a game resolved, with the target the table chose."""

    book: str
    game: str
    sides: tuple[int, ...]
    hand: int
    crib: int
    play_resumes: bool
    target: int
    skunks: tuple[int, ...]
    skunk_worth: tuple[int, ...]
    muggins: bool
    covers: tuple[str, ...]
    calls_over: bool
    mends: bool
    window: str
    play_window: str
    false_go: str
    game_hole_back: int
    start_bonus: int
    flush_min: int | None
    version: int = RULES_VERSION

    @property
    def seats(self) -> int:
        """How many people play."""
        return len(self.sides)

    @property
    def side_count(self) -> int:
        """How many sides peg: one a lane."""
        return max(self.sides) + 1

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the journal."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Rules:
        """The same rules back from plain values."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        return cls(**values)


def near(word: str, known: Iterable[str]) -> str:
    """A did-you-mean for a name that is not known, listing the names that are."""
    names = list(known)
    close = difflib.get_close_matches(word.lower(), names, 1)
    return (f"did you mean {close[0]}? " if close else "") + "known: " + ", ".join(names)


def rules_for(game: str = "six-card", book: str = "modern", target: int | None = None) -> Rules:
    """The rules of a game by a book. Raises Malformed for an unknown name, Illegal for another pairing.

    >>> rules_for("six-card", "modern").target
    121
    """
    if game not in GAMES:
        raise Malformed(f"{game!r} is no game: {near(game, GAMES)}")
    if book not in BOOKS:
        raise Malformed(f"{book!r} is no rule book: {near(book, BOOKS)}")
    kind, rules = GAMES[game], BOOKS[book]
    if game not in rules.games:
        raise Illegal(f"the rule book {book} has no {game} game; it has {', '.join(rules.games)}")
    last_hole = dict(rules.targets).get(game, 121) if target is None else target
    if not 1 <= last_hole <= 999:
        raise Malformed(f"{last_hole} is no last hole: 61 and 121 are usual")
    return Rules(
        book=book,
        game=game,
        sides=kind.sides,
        hand=kind.hand,
        crib=kind.crib,
        play_resumes=kind.play_resumes,
        target=last_hole,
        skunks=dict(rules.skunks).get(last_hole, ()),
        skunk_worth=rules.skunk_worth,
        muggins=rules.muggins,
        covers=tuple(rules.covers),
        calls_over=rules.calls_over,
        mends=rules.mends,
        window=rules.window,
        play_window=rules.play_window,
        false_go=rules.false_go,
        game_hole_back=rules.game_hole_back,
        start_bonus=dict(rules.start_bonus).get(game, 0),
        flush_min=dict(rules.flush_min).get(game, 4),
    )
