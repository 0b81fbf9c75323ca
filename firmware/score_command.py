"""The command `muggins score`: what a hand is worth, counted aloud or as JSON, one hand or a stream of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from engine.cards import parse_cards
from engine.errors import CribbageError, Illegal, Malformed
from engine.rules import Rules, rules_for
from engine.show import show
from engine.spoken import number_word, spoken
from firmware.complaints import FORBIDDEN, MALFORMED, Command, Complaint, plain, standard_input

LONGEST_WORD = 20
"""Longer words are not quoted back in full."""

ENDLESS = 1_000_000
"""A line of so many bytes is no list of hands any more."""
LONGEST_LINE = 200
"""Bytes of a line that `score -` reads; the longest hand needs under fifty."""


@click.command("score", cls=Command)
@click.argument("cards", nargs=-1, metavar="CARD... | -")
@click.option("--starter", metavar="CARD", help="The card turned up, such as QS.")
@click.option("--crib", is_flag=True, help="Count a crib: a flush needs the starter's suit too.")
@click.option("--game", default="six-card", show_default=True, help="The game, which says how many cards are held.")
@click.option("--rules", "book", default="modern", show_default=True, help="The rule book.")
@click.option("--claim", metavar="N", help="The points claimed; answers right, over or under.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object on one line.")
def score(
    cards: tuple[str, ...], starter: str | None, crib: bool, game: str, book: str, claim: str | None, as_json: bool
) -> None:
    """Count a hand or a crib with its starter.

    With - one hand a line is read from standard input, "4S 3D 4C 5C | QS" (and "| crib" for a crib); each is answered
    by one line, a bad one by an error in its place. Blank lines are passed over.
    """
    try:
        rules = rules_for(game, book)
        if cards == ("-",):
            if starter is not None or crib or claim is not None:
                raise Malformed("with - the starter and the crib stand on each line, and there are no claims")
            raise SystemExit(_score_lines(rules, as_json))
        words = [word for part in cards for word in part.split()]
        answer = count(words, starter, crib=crib, rules=rules, claim=claim)
    except CribbageError as error:
        raise Complaint(str(error), MALFORMED if isinstance(error, Malformed) else FORBIDDEN) from error
    click.echo(json.dumps(answer) if as_json else in_words(answer))


def count(
    words: Sequence[str], starter: str | None, *, crib: bool, rules: Rules, claim: str | None = None
) -> dict[str, Any]:
    """Count the cards named by those words: the answer as `--json` prints it.

    Raises Malformed for a word that is no card, a card twice, a wrong number of cards, no starter, or a claim that is
    no whole number.
    """
    claimed = None if claim is None else _points(claim)
    wanted = rules.crib if crib else rules.hand
    what = f"{rules.game} {'crib' if crib else 'hand'}"
    for word in (*words, starter or ""):
        if len(word) > LONGEST_WORD:
            raise Malformed(f"{word[:LONGEST_WORD]!r} and {len(word) - LONGEST_WORD} characters more are no card")
    if not words:
        raise Malformed(f"no cards: a {what} has {wanted}, for example 4S 3D 4C 5C --starter QS")
    if starter is None:
        # A bad card is named first: the starter may be missing only because a word was mistyped.
        parse_cards(words[: wanted + 1])
        raise Malformed("no starter: every hand is counted with the card turned up")
    cards = parse_cards([*words[: wanted + 1], starter])
    if len(words) != wanted:
        raise Malformed(f"a {what} has {wanted} cards and the starter, not {len(words)}: {' '.join(words)[:60]}")
    shown = show(cards[:-1], cards[-1], crib=crib, flush_min=rules.flush_min)
    answer: dict[str, Any] = {**shown.to_dict(), "spoken": spoken(shown)}
    if claimed is not None:
        answer["claim"] = claimed
        answer["verdict"] = "right" if claimed == shown.total else "over" if claimed > shown.total else "under"
    return answer


def in_words(answer: dict[str, Any]) -> str:
    """An answer as one spoken line, with the verdict on a claim.

    >>> in_words({"total": 10, "spoken": "a run", "claim": 8, "verdict": "under"})
    'a run; claimed eight, under by two'
    """
    if "claim" not in answer:
        return str(answer["spoken"])
    off = abs(answer["claim"] - answer["total"])
    by = f" by {_in_words_or_figures(off)}" if off else ""
    return f"{answer['spoken']}; claimed {_in_words_or_figures(answer['claim'])}, {answer['verdict']}{by}"


def _in_words_or_figures(number: int) -> str:
    return number_word(number) if number < 1000 else str(number)


def _points(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise Malformed(f"{word[:LONGEST_WORD]!r} is no number of points: a claim is a whole number, 0 or more")
    return int(word)


def _score_lines(rules: Rules, as_json: bool) -> int:
    """Answer every line of the standard input; returns the exit code."""
    code = 0
    for number, line in _standard_input():
        try:
            answer = _count_line(line, rules)
        except Malformed as error:
            code = MALFORMED
            message = plain(str(error))
            click.echo(
                json.dumps({"error": message, "line": number}) if as_json else f"error: line {number}: {message}"
            )
        else:
            click.echo(json.dumps(answer) if as_json else in_words(answer))
    return code


def _standard_input() -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1, without a byte order mark.

    Raises Illegal if it cannot be read, Malformed where a line has no end: never more than that much is kept.
    """
    try:
        stream = standard_input()
        for number, line in enumerate(iter(lambda: stream.readline(ENDLESS), b""), 1):
            if len(line) == ENDLESS:
                raise Malformed(f"line {number} has more than {ENDLESS} bytes: give the hands one a line")
            bare = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
            if bare:
                yield number, bare
    except OSError as error:
        raise Illegal(f"standard input cannot be read: {error.strerror}. Give the hands on it, one a line") from error


def _count_line(line: bytes, rules: Rules) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise Malformed(f"{len(line)} bytes in one line: a hand reads like 4S 3D 4C 5C | QS")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"byte {line[error.start]:#04x} at {error.start + 1} is not UTF-8 text") from None
    hand, *rest = (part.split() for part in text.split("|"))
    if not rest or len(rest) > 2 or len(rest[0]) != 1:
        raise Malformed(f"{text!r} is no hand and starter: write 4S 3D 4C 5C | QS, or | QS | crib")
    if len(rest) == 2 and [word.lower() for word in rest[1]] != ["crib"]:
        raise Malformed(f"{' '.join(rest[1])!r} after the starter: only crib can stand there")
    return count(hand, rest[0][0], crib=len(rest) == 2, rules=rules)
