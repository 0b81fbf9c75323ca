"""Counts in words, in the cadence of the table: "fifteen two, and a double run of three makes ten"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.awards import Kind, Why
from engine.cards import Card
from engine.show import FLUSH_MIN, Show

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS: Final = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()

_JACK: Final = 11
_ROUND_THE_CORNER: Final = ({12, 13, 1}, {13, 1, 2})

_SAID: Final = {
    Kind.FIFTEEN: "fifteen",
    Kind.THIRTY_ONE: "thirty-one",
    Kind.PAIR: "a pair",
    Kind.PAIR_ROYAL: "a pair royal",
    Kind.DOUBLE_PAIR_ROYAL: "a double pair royal",
    Kind.NOBS: "his nobs",
    Kind.HEELS: "his heels",
    Kind.GO: "the go",
    Kind.LAST: "last card",
    Kind.THREE_FOR_LAST: "not dealing first",
    Kind.MUGGINS: "muggins",
    Kind.PENALTY: "a penalty",
    Kind.OVER_CLAIM: "an over-count",
    Kind.HAND_PEGGED: "points by hand",
    Kind.START: "the start",
}


def number_word(number: int) -> str:
    """A whole number below a thousand in words, hyphenated; "minus" before one below nothing.

    >>> number_word(31), number_word(100), number_word(-2)
    ('thirty-one', 'one hundred', 'minus two')
    """
    if number < 0:
        return "minus " + number_word(-number)
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{_ONES[hundreds]} hundred" + (f" and {number_word(rest)}" if rest else "")


def spoken(show: Show, crib_word: str = "crib") -> str:
    """A show counted aloud, ending in its total; what a person might have missed or hoped for follows a semicolon.

    Fifteens are counted up by twos; a pair that doubles a run is named with the run (double, triple, double double);
    every other piece says what it makes so far. A show worth nothing says so and why.

    >>> from engine.cards import parse_card, parse_cards
    >>> from engine.show import show
    >>> spoken(show(parse_cards("4S 3D 4C 5C".split()), parse_card("QS")))
    'fifteen two, and a double run of three makes ten'
    >>> spoken(show(parse_cards("2H 4H 6H 8H".split()), parse_card("KS"), crib=True))
    "nothing: no fifteen, no pair, no run; no flush: a crib needs the starter's suit too"
    """
    misses = list(_near_misses(show, crib_word))
    pieces, reached = [], 0
    for why in show.whys:
        if why.kind is Kind.FIFTEEN:
            reached += why.points
            pieces.append(f"fifteen {number_word(reached)}")
    said: set[str] = set()
    for name, points in (*_pairs_and_runs(show), *_flush_and_nobs(show)):
        reached += points
        verb = "make" if " runs of " in name else "makes"
        pieces.append(f"{_another(name) if name in said else name} {verb} {number_word(reached)}")
        said.add(name)
    if len(pieces) > 1:
        pieces[-1] = "and " + pieces[-1]
    return "; ".join([", ".join(pieces) if pieces else "nothing: no fifteen, no pair, no run", *misses])


def spoken_play(whys: Sequence[Why], count: int | None = None) -> str:
    """A card in the play as its player says it: the count (None: say none), then what it earns.

    One award is "for" its points; of several the last one says what they make together. Points that are only claimed
    are "claimed".

    >>> from engine.cards import parse_cards
    >>> from engine.play_points import play_points
    >>> spoken_play(play_points(parse_cards("4C 2D 3H".split())), 9)
    'nine, a run of three for three'
    >>> spoken_play(play_points(parse_cards("4C 6D 5H".split())), 15)
    'fifteen for two, and a run of three makes five'
    >>> spoken_play((), 24)
    'twenty-four'
    >>> spoken_play((Why(Kind.CLAIMED, 0),))
    'nothing claimed'
    """
    pieces, reached = [], 0
    for place, why in enumerate(whys):
        reached += why.points
        if why.kind is Kind.CLAIMED:
            pieces.append(f"{number_word(why.points) if why.points else 'nothing'} claimed")
        else:
            pieces.append(f"{_name(why)} {'makes' if place else 'for'} {number_word(reached)}")
    if len(pieces) > 1:
        pieces[-1] = "and " + pieces[-1]
    if count is not None and not (whys and whys[0].kind in (Kind.FIFTEEN, Kind.THIRTY_ONE)):
        pieces.insert(0, number_word(count))
    return ", ".join(pieces) or "nothing"


def _name(why: Why) -> str:
    if why.kind in (Kind.RUN, Kind.FLUSH):
        return f"a {why.kind} of {number_word(why.points)}"
    return _SAID[why.kind]


def _another(name: str) -> str:
    return "another " + name.removeprefix("a ")


def _cards(show: Show) -> tuple[Card, ...]:
    return show.hand if show.starter is None else (*show.hand, show.starter)


def _pairs_and_runs(show: Show) -> Iterator[tuple[str, int]]:
    """Pairs that stand alone, then each stretch of runs by its name."""
    counts = Counter(card.rank for card in _cards(show))
    in_named_run: set[int] = set()
    stretches = []
    for stretch in _stretches(show):
        repeats = tuple(sorted((counts[rank] for rank in stretch if counts[rank] > 1), reverse=True))
        named = {(): "a run", (2,): "a double run", (3,): "a triple run", (2, 2): "a double double run"}.get(repeats)
        runs = sum(why.points for why in show.whys if why.kind is Kind.RUN and why.cards[0].rank in stretch)
        if named:
            in_named_run.update(stretch)
            pairs = sum(count * (count - 1) for count in repeats)
            stretches.append((f"{named} of {number_word(len(stretch))}", runs + pairs))
        else:
            many = number_word(runs // len(stretch))
            stretches.append((f"{many} runs of {number_word(len(stretch))}", runs))
    for why in show.whys:
        if why.kind in (Kind.PAIR, Kind.PAIR_ROYAL, Kind.DOUBLE_PAIR_ROYAL) and why.cards[0].rank not in in_named_run:
            yield _name(why), why.points
    yield from stretches


def _stretches(show: Show) -> list[set[int]]:
    """The ranks of each set of runs that differ only in which card of a rank they take."""
    stretches: list[set[int]] = []
    for why in show.whys:
        ranks = {card.rank for card in why.cards}
        if why.kind is Kind.RUN and ranks not in stretches:
            stretches.append(ranks)
    return stretches


def _flush_and_nobs(show: Show) -> Iterator[tuple[str, int]]:
    for why in show.whys:
        if why.kind in (Kind.FLUSH, Kind.NOBS):
            yield _name(why), why.points


def _near_misses(show: Show, crib_word: str) -> Iterator[str]:
    """What looks like points and is none, where a person would think otherwise."""
    ranks = {card.rank for card in _cards(show)}
    if any(corner <= ranks for corner in _ROUND_THE_CORNER):
        yield "no run round the corner: the ace is low"
    no_flush = "" if show.flush else _why_no_flush(show, crib_word)
    if no_flush:
        yield f"no flush: {no_flush}"
    if show.starter is not None and show.starter.rank == _JACK:
        yield "the jack turned up is his heels, not nobs"


def _why_no_flush(show: Show, crib_word: str) -> str:
    suits = Counter(card.suit for card in show.hand if card.suit is not None)
    if not suits:
        return ""
    suit, alike = suits.most_common(1)[0]
    size = len(show.hand)
    needed = show.flush_min
    if alike == size >= 3:
        if needed is None:
            return "this game counts none"
        if size < needed:
            return f"it takes {number_word(needed)} cards of one suit in the hand"
        return f"a {crib_word} needs the starter's suit too"
    with_starter = show.starter is not None and show.starter.suit is suit
    if needed is not None and with_starter and alike == size - 1 and size >= max(needed, FLUSH_MIN):
        return (
            f"a {crib_word} needs all {number_word(size + 1)} of one suit"
            if show.crib
            else "the starter cannot fill it"
        )
    return ""
