"""Writing a game record (.crib): the events of one game as lines that replay to the same game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch

from engine import events as did
from engine.cards import Card, codes
from engine.errors import CribbageError
from engine.intents import Level
from engine.rules import Rules, rules_for


def write(events: Iterable[did.Event], date: str | None = None) -> str:
    """The record of one game's events, the opening first; ``date`` is written as given (YYYY-MM-DD).

    Muggins and the referee level are always written: a record must not change when a book's defaults do. What only
    the board needs (cuts, a starter skipped, the end of a play kept by numbers, cards keyed one by one) is left out,
    and a claim made after its card stands with the card. Raises TypeError when the first event opens no game.
    """
    first, *rest = events
    if not isinstance(first, did.GameOpened):
        raise TypeError(f"a record begins with an opened game, not with {first!r}")
    levels = list(first.levels)
    while rest and isinstance(rest[0], did.LevelSet | did.CutMade):
        # A level changed before the first deal is the level the game is played at.
        event = rest.pop(0)
        if isinstance(event, did.LevelSet):
            side = None if event.seat is None else first.rules.sides[event.seat]
            levels = [event.level if side in (None, place) else level for place, level in enumerate(levels)]
    lines = _head(first, levels, date)
    place = 0
    claimed: did.CardPlayed | did.StarterTurned | None = None
    starter: tuple[int, did.StarterTurned] | None = None
    for event in rest:
        if isinstance(event, did.CardClaimed) and claimed is not None:
            # Points by hand may stand between a card and its claim: the claim goes to its card's own line. One of a
            # seat that did not lay the card is the dealer's, for his heels.
            if isinstance(claimed, did.CardPlayed) and claimed.seat != event.seat and starter is not None:
                lines[starter[0]] = _line(replace(starter[1], claim=event.points), first.names)
                continue
            lines[place] = _line(replace(claimed, claim=event.points), first.names)
            continue
        if isinstance(event, did.CardPlayed | did.StarterTurned):
            place, claimed = len(lines), event
        if isinstance(event, did.StarterTurned):
            starter = len(lines), event
        line = _line(event, first.names)
        if line:
            lines.append(line)
    return "\n".join(lines) + "\n"


def quoted(word: str) -> str:
    """A name or a reason as one word of a record.

    >>> quoted("Ann"), quoted("Ann Lee")
    ('Ann', '"Ann Lee"')
    """
    plain = "".join(one if one.isprintable() and one != '"' else "'" if one == '"' else " " for one in word)
    bare = plain and not any(one.isspace() for one in plain) and not plain.startswith("#")
    return plain if bare else f'"{plain}"'


def _head(game: did.GameOpened, levels: list[Level], date: str | None) -> list[str]:
    rules = game.rules
    lines = ["crib 1", f"game {rules.game}", f"rules {_book(rules)}", f"to {rules.target}"]
    lines.append("players " + " ".join(quoted(name) for name in game.names))
    lines.append(f"muggins {'on' if game.muggins else 'off'}")
    lines.append(f"referee {levels[0]}")
    for side, level in enumerate(levels):
        if level != levels[0]:
            lines.append(f"referee {quoted(game.names[rules.sides.index(side)])} {level}")
    if date is not None:
        lines.append(f"date {date}")
    if game.start is not None:
        lines.append("start " + " ".join(str(holes) for holes in game.start))
    return lines


def _book(rules: Rules) -> str:
    """The book's name: for a table's own book that of the sources' book it rests on, where the two play this game alike
    but for what the head says itself (the last hole, muggins). Otherwise only one who has the book can replay it."""
    if not rules.based_on:
        return rules.book
    try:
        base = rules_for(rules.game, rules.based_on, rules.target)
    except CribbageError:
        return rules.book
    alike = replace(base, book=rules.book, based_on=rules.based_on, muggins=rules.muggins)
    return base.book if alike == rules else rules.book


def _cards(cards: tuple[Card, ...] | None) -> str:
    return " " + " ".join(codes(cards)) if cards else ""


def _peg(claim: int | None) -> str:
    return "" if claim is None else f" peg {claim}"


@singledispatch
def _line(event: did.Event, names: tuple[str, ...]) -> str:
    """The line of an event; empty for what a record does not tell."""
    return ""


@_line.register
def _(event: did.DealBegun, names: tuple[str, ...]) -> str:
    return f"deal {quoted(names[event.dealer])}"


@_line.register
def _(event: did.StarterTurned, names: tuple[str, ...]) -> str:
    return f"starter {event.card}{_peg(event.claim)}"


@_line.register
def _(event: did.CardPlayed, names: tuple[str, ...]) -> str:
    return f"play {quoted(names[event.seat])} {event.card}{_peg(event.claim)}"


@_line.register
def _(event: did.GoSaid, names: tuple[str, ...]) -> str:
    return f"go {quoted(names[event.seat])}"


@_line.register
def _(event: did.CardsHeld, names: tuple[str, ...]) -> str:
    # A crib's own line tells its cards.
    return "" if event.seat is None else f"hand {quoted(names[event.seat])} {event.cards}"


@_line.register
def _(event: did.HandShown, names: tuple[str, ...]) -> str:
    return f"show {quoted(names[event.seat])}{_cards(event.cards)}{_peg(event.claim)}"


@_line.register
def _(event: did.CribShown, names: tuple[str, ...]) -> str:
    counted = " void" if event.void else _cards(event.cards) + _peg(event.claim)
    return f"crib {quoted(names[event.seat])}{counted}"


@_line.register
def _(event: did.ClaimsAccepted, names: tuple[str, ...]) -> str:
    return "accept" if event.seat is None else f"accept {quoted(names[event.seat])}"


@_line.register
def _(event: did.MugginsCalled, names: tuple[str, ...]) -> str:
    many = " many" if event.many else ""
    agreed = " agreed" if event.agreed else ""
    card = "" if event.on_card is None else f" {event.on_card}"
    on = f"on {quoted(names[event.on_seat])} {event.on_what}{card}"
    return f"muggins {quoted(names[event.caller])} {event.points}{many} {on}{agreed}"


@_line.register
def _(event: did.CardsKeyed, names: tuple[str, ...]) -> str:
    return f"cards {quoted(names[event.seat])}{_cards(event.cards)}"


@_line.register
def _(event: did.PenaltyGiven, names: tuple[str, ...]) -> str:
    return f"penalty {quoted(names[event.seat])} {event.points} {quoted(event.reason)}"


@_line.register
def _(event: did.GameClaimed, names: tuple[str, ...]) -> str:
    return f"claim-game {quoted(names[event.seat])} {quoted(event.reason)}"


@_line.register
def _(event: did.PointsPegged, names: tuple[str, ...]) -> str:
    return f"peg {quoted(names[event.seat])} {event.points}"


@_line.register
def _(event: did.LevelSet, names: tuple[str, ...]) -> str:
    return f"referee {event.level}" if event.seat is None else f"referee {quoted(names[event.seat])} {event.level}"


@_line.register
def _(event: did.DealVoided, names: tuple[str, ...]) -> str:
    return "void"


@_line.register
def _(event: did.GameStopped, names: tuple[str, ...]) -> str:
    return "stop"
