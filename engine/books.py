"""The rule books of the sources: each value with the place where it stands.

000 is Foster's six-card chapter and 002 what follows it, so the two are one book; 000 has no start, and 002 says that
the other games go on as at six-card. "Ours" marks what no source says.
"""

from __future__ import annotations

from typing import Any, Final

from engine.rule_book import RuleBook

_ALL: Final = ("six-card", "five-card", "seven-card", "three-handed", "four-handed")
_AS_MODERN: Final = "silent: as modern, ours"


def _book(name: str, source: str, **cited: tuple[Any, str]) -> RuleBook:
    """A book from its values, each with its citation."""
    values = {key: value for key, (value, _) in cited.items()}
    return RuleBook(name, source, **values, sources=tuple((key, where) for key, (_, where) in cited.items()))


_MODERN: Final = _book(
    "modern",
    "001",
    games=(_ALL, "001, Setup and Variants; seven-card is 002's"),
    targets=(
        (("five-card", (61,)), ("seven-card", (121, 181))),
        "001, Goal & scoring (121) and Variants (five-card 61); seven-card 002",
    ),
    skunks=(((121, (91, 61)),), "001, Goal & scoring"),
    skunk_worth=((1, 2, 2), "001, Goal & scoring; no figure for the double skunk: ours"),
    tally=("games", "001, Goal & scoring"),
    muggins=(True, "001, Variants: optional; on at our board"),
    covers=(("hand", "crib"), "001, Variants: Muggins"),
    calls_over=(False, "001, Play: a peg once advanced is not moved back"),
    mends=(True, "001, Play: overlooked points are lost when the next stage starts"),
    window=("next-count", "001, Play: lost when the next stage starts"),
    play_window=("none", "001, Variants: muggins is of a hand or crib"),
    false_go=("none", "001, Play forbids it and names no price"),
    heels=(2, "001, Setup; Goal & scoring"),
    heels_until=("lead", "001, Setup: strict play, else forfeited"),
    game_hole_back=(0, "silent: nothing, ours"),
    start_bonus=((("five-card", 3),), "001, Variants"),
    flush_min=((), "001, Goal & scoring; silent on three-card hands: no flush, ours"),
    play_stops=(("five-card",), "silent: as 002 and 003, ours"),
    penalties=(("under-count", "wrong-call", "heels-late"), "001, Setup and Variants; the wrong call is ours"),
)

_FOSTER: Final = _book(
    "foster",
    "000, 002",
    games=(_ALL, "000; 002, a chapter each"),
    targets=(
        (("five-card", (61,)), ("seven-card", (121, 181))),
        "002, Five-card (61 in its example), Four-handed, Seven-card; 000 has lost its start: 121, ours",
    ),
    skunks=(((121, (91, 61)),), _AS_MODERN),
    skunk_worth=((1, 2, 2), _AS_MODERN),
    tally=("games", _AS_MODERN),
    muggins=(True, "000, Miscounting: a standing rule"),
    covers=(("hand", "crib", "card"), "000, Miscounting"),
    calls_over=(True, "000, Miscounting"),
    mends=(False, "000, Miscounting: the adversary may have them; else lost, ours"),
    window=("accepted", "000, Miscounting: after the peg is quitted; its end as acc, ours"),
    play_window=("claimant-plays", "000, Miscounting: after the caller's own card; its end ours"),
    false_go=("in-all", "000, Go, and Thirty-one"),
    heels=(2, "000, line 44-46"),
    heels_until=("card", "000, line 45-46"),
    game_hole_back=(0, "silent: the surplus alone, ours"),
    start_bonus=((("five-card", 3),), "002, Three for Last"),
    flush_min=((("five-card", 3),), "002, Five-card (the figure from 003); 000, line 47-51"),
    play_stops=(("five-card",), "002, Five-card"),
    penalties=(
        (
            "false-go",
            "false-go-peg",
            "too-many-cards",
            "too-few-cards",
            "crib-over-pone-short",
            "crib-over-dealer-short",
            "crib-over",
            "crib-short",
            "wrong-total",
            "wrong-fifteen",
            "over-count",
            "under-count",
            "wrong-call",
            "touched-peg",
            "removed-peg",
            "own-peg",
            "both-pegs",
            "heels-late",
        ),
        "000, Go to Pegging; 002: all the regulations there are",
    ),
)

_VICTORIAN: Final = _book(
    "victorian",
    "003",
    games=(("five-card", "three-handed", "four-handed"), "003, a chapter each"),
    targets=(
        (("five-card", (61,)), ("three-handed", (61,)), ("four-handed", (61, 121))),
        "003, Cribbage, Three-handed, Four-handed",
    ),
    skunks=((), "silent: none, ours"),
    skunk_worth=((1,), "silent: a game is a game, ours"),
    tally=("games", _AS_MODERN),
    muggins=(False, "silent: off, ours"),
    covers=(("hand", "crib"), _AS_MODERN),
    calls_over=(False, _AS_MODERN),
    mends=(False, "silent: the points are lost, ours"),
    window=("next-count", _AS_MODERN),
    play_window=("none", _AS_MODERN),
    false_go=("none", "silent for two: nothing, ours; Four-handed names a penalty and no amount"),
    heels=(2, "003, The Game and the table"),
    heels_until=("at-once", "003 gives no limit: at once, ours"),
    game_hole_back=(0, "silent: nothing, ours"),
    start_bonus=((("five-card", 3),), "003, The Game"),
    flush_min=((("five-card", 3),), "003, the table; silent on the crib: the starter must agree, ours"),
    play_stops=(("five-card",), "003, The Game (its example); after thirty-one too, ours"),
    penalties=(("misdeal", "wrong-deal", "exposed-card", "held-back"), "003, The Game and Four-handed"),
)

_ONHAND: Final = _book(
    "onhand",
    "004",
    games=(("six-card",), "004"),
    targets=((("six-card", (121, 61)),), "004: 61 or 121 by agreement; 121 first is ours"),
    skunks=(((61, (31,)), (121, (61,))), "004: the lurch"),
    skunk_worth=((1, 2), "004: two games"),
    tally=("games", "004"),
    muggins=(False, "silent: off, ours"),
    covers=(("hand", "crib"), _AS_MODERN),
    calls_over=(False, _AS_MODERN),
    mends=(False, "silent: the points are lost, ours"),
    window=("next-count", _AS_MODERN),
    play_window=("none", _AS_MODERN),
    false_go=("none", "silent: nothing, ours"),
    heels=(2, "004"),
    heels_until=("at-once", "004"),
    game_hole_back=(0, "silent: nothing, ours"),
    start_bonus=((), "004 has none"),
    flush_min=((), "004: four in the hand, five with the starter"),
    play_stops=((), "004: the count starts again at zero"),
    penalties=((), "004 has none"),
)

_ACC: Final = _book(
    "acc",
    "acc",
    games=(("six-card",), "acc"),
    targets=((), "acc: 121"),
    skunks=(((121, (91, 61)),), "acc, skunk"),
    skunk_worth=((2, 3, 3), "acc, game points and skunk"),
    tally=("game-points", "acc, game points"),
    muggins=(False, "acc, muggins: off unless the table turns it on"),
    covers=(("hand", "crib", "card"), "acc, muggins"),
    calls_over=(True, "acc, over-count"),
    mends=(False, "acc, under-count: final"),
    window=("accepted", "acc, windows"),
    play_window=("caller-plays", "acc, window, play"),
    false_go=("each-card", "acc, false go"),
    heels=(2, "acc, heels"),
    heels_until=("dealer-card", "acc, heels"),
    game_hole_back=(15, "acc, game hole claimed without the points"),
    start_bonus=((), "acc has none"),
    flush_min=((), "silent: as modern, ours"),
    play_stops=((), "silent: as modern, ours"),
    penalties=(
        (
            "false-go",
            "over-count",
            "under-count",
            "wrong-call",
            "false-game",
            "early-count",
            "wrong-deal",
            "too-many-cards",
            "too-few-cards",
            "over-31",
            "backward-peg",
            "heels-late",
        ),
        "acc",
    ),
)

BOOKS: Final = {book.name: book for book in (_MODERN, _FOSTER, _VICTORIAN, _ONHAND, _ACC)}
"""The books of the sources by name."""
