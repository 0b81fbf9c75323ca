"""The part of the message catalogue that is only heard, and how what is written becomes plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

ALOUD: Final = {
    "say-set-up": "Set-up: {game}, rules {book}, to {target}, muggins {muggins}, referee {level}, entry {entry}, "
    "{players}",
    "say-takes": "# takes it all",
    "say-takes-on": "# takes it all, and the match goes on, games {games}. * leaves all as it was",
    "say-takes-anew": "# takes it all and begins a new match, games {games} are over. * leaves all as it was",
    "say-set-up-lists": "C lists the choices by number",
    "say-field": "{field}, {title}: now {now}",
    "say-field-makes": "# makes it {then}",
    "say-field-alone": "There is no other choice",
    "say-field-anew": "That begins a new match",
    "say-changes-field": "Number and # changes one, * leaves",
    "say-cuts": "{name} cut {card}",
    "say-cut": "Cut for deal, low card deals. {name}'s card, or the dealer's seat number and #",
    "say-deals": "{name} deals",
    "say-starter": "Key the starter",
    "say-starter-or-skip": "Key the starter, or # skips it",
    "say-points-play": "The play. 2 and A-key pegs 2 for {name}, and so on. # ends the play",
    "say-count": "Count {count}",
    "say-go": "{name} says go",
    "say-plays": "{name} plays",
    "say-claim": "A number and # claims for that card",
    "say-claims-play": "Points in the play are claimed right after the card, by number and #",
    "say-claim-heels": "A number and # claims his heels",
    "say-last-card": "Last card {card} by {name}",
    "say-starter-is": "Starter {card}",
    "say-cards": "Cards {cards}",
    "say-asks-count": "{whose}: count, then #",
    "say-asks-teach": "{whose}: # counts it",
    "say-asks-card": "{whose}: key card {card} of {needed}",
    "say-take": "A-key takes {points}, # leaves it",
    "say-accept": "# accepts, A-key calls",
    "say-only-call": "A-key calls",
    "say-last-claim": "{card}, {name}'s last card: key its points and #, or # for none",
    "say-last-claim-besides": "{card}, {name}'s last card: key its points besides the last and #, or # for none",
    "say-wins": "{name} wins, {scores}{skunk}. Games {games}. # plays again, B changes the set-up.",
    "say-skunk": ", a skunk",
    "say-double-skunk": ", a double skunk",
    "say-stopped": "The game was stopped. # plays again, B changes the set-up.",
    "say-pegs": "{name} pegs {points}",
    "say-score": "{name} {points}",
    "say-score-to-go": "{name} {points}, {holes} to go",
    "say-referee": "Referee {level}",
    "say-referee-of": "{name} referee {level}",
    "say-unsaved": "Not saved",
    "say-typed": "Typed {typed}",
    "say-whose-crib": "{name}'s crib",
    "say-turn": "{name}'s turn",
    "say-no-game": "{players}: no game yet",
    "say-undo": "{what} # yes, any other key no",
    "say-consent": "{what} # yes, * no",
    "say-claims": "{name}'s {what}: {points}",
    "say-call": "{way} which number? # calls, * drops it",
    "say-flips": "A-key flips",
    "say-older": "B shows an older one",
    "say-disputed": "{name}'s {what}, {points}, is disputed: {cards} to key",
    "say-disputed-starter": "{name}'s {what}, {points}, is disputed. Key the starter",
    "say-wins-claim": "{name} claims the game. # accepts, A-key calls.",
    "say-address": "The page is at {address}. A phone's camera reads it from the screen. * leaves",
    "say-pair": "The code is {code}, for {whose}. Type it on the phone. Number and # chooses a seat, * ends",
    "say-pairing": "A phone is being paired, for {whose}. The code is on the board's own screen",
    "say-pair-void": "The code is void after too many wrong tries. # shows a new one, * leaves",
    "say-tries": "Tries left: {left}",
    "say-unpairs": "Number and # lets a phone go",
    "say-picks": "A number and # picks one",
    "say-more": "# turns the page",
    "say-figures": "The large figures are holes to go",
    "say-changes-level": "Number and # changes one",
    "say-choice": "{number} {what}",
    "say-erased": "erased",
    "say-sealed-card": "a card",
    "say-button": "{name}",
    "say-held": "{name} holds",
    "key-#": "hash",
    "key-*": "star",
    "key-A": "spades",
    "key-B": "hearts",
    "key-C": "clubs",
    "key-D": "diamonds",
}
"""Every message that is spoken and not drawn; ``#`` and ``*`` are said as the keys' names, as everywhere.

The key A is never followed by a bare word: a voice would take it for the article.
"""

_DIGITS: Final = "zero one two three four five six seven eight nine".split()
_NAMED: Final = "ace two three four five six seven eight nine ten jack queen king".split()
_RANKS: Final = dict(zip("A23456789TJQK", _NAMED, strict=True))
_SUITS: Final = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
_CARD: Final = re.compile(r"\b(10|[2-9TJQKA])([SHCD])\b")
_SIGNS: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (re.compile(r"\bA(?= or B\b)"), "A,"),
    (re.compile(r"\bn#"), " number and hash "),
    (re.compile(r"#"), " hash "),
    (re.compile(r"\*"), " star "),
    (re.compile(r"&"), " and "),
    (re.compile(r"(?<=\d)-(?=\d)"), " to "),
    (re.compile(r"(?<![\w.])\+(?=\d)"), "plus "),
    (re.compile(r"(?<![\w.])-(?=\d)"), "minus "),
    (re.compile(r"[\u25bc_]|\.\.\."), " "),
    (re.compile(r"\s+(?=[.,;:?!)])"), ""),
    (re.compile(r"(?<=\()\s+"), ""),
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?:(?<=^)|(?<=[.?!] ))hash"), "Hash"),
    (re.compile(r"(?:(?<=^)|(?<=[.?!] ))star(?= \w)"), "Star"),
)


def digit_word(digit: str) -> str:
    """The name of a digit key.

    >>> digit_word("7")
    'seven'
    """
    return _DIGITS[int(digit)]


def card_words(code: str) -> str:
    """A card by its name; what is no card as it was.

    >>> card_words("TH"), card_words("10H"), card_words("AS")
    ('ten of hearts', 'ten of hearts', 'ace of spades')
    """
    return _CARD.sub(lambda found: f"{_RANKS[found[1].replace('10', 'T')]} of {_SUITS[found[2]]}", code)


@lru_cache(maxsize=256)
def plain(text: str, names: tuple[str, ...] = ()) -> str:
    """The text in words alone: cards and keys by their names, signs as they are said. A player's name stays itself.

    A key changes few sentences of a screen: the others are found again as they were.

    >>> plain("5H is in JD's hand: # more", ("JD",))
    "five of hearts is in JD's hand: hash more"
    >>> plain("Ann & Cal +8, 121-97")
    'Ann and Cal plus 8, 121 to 97'
    """
    known = sorted({name for name in names if name}, key=len, reverse=True)
    pieces = re.split("(" + "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in known) + ")", text)
    if not known:
        pieces = [text]
    said = "".join(piece if place % 2 else card_words(piece) for place, piece in enumerate(pieces))
    for sign, word in _SIGNS:
        said = sign.sub(word, said)
    return said.strip()


def sentences(*parts: str) -> str:
    """The parts as one line of sentences; what is empty is left out.

    >>> sentences("Count 15", "", "Ann: count?")
    'Count 15. Ann: count?'
    """
    ended = (part if part[-1] in ".?!" else f"{part}." for part in (one.strip() for one in parts) if part)
    return " ".join(ended)


def split_sentences(text: str) -> list[str]:
    """A line back in its sentences.

    >>> split_sentences("Count 15. Ann: count? Hash.")
    ['Count 15.', 'Ann: count?', 'Hash.']
    """
    return [one for one in re.split(r"(?<=[.?!])\s+", text) if one]
