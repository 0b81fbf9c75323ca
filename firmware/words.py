"""The message catalogue: every word the board says, in en-US, and the words that en-GB has others for.

What is only heard stands in words_aloud.py.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from firmware.words_aloud import ALOUD

Language = Literal["en-US", "en-GB"]
LANGUAGES: Final[tuple[Language, ...]] = ("en-US", "en-GB")

_BRITISH: Final = {"crib": "box", "Crib": "Box", "cribs": "boxes"}
_SWAP: Final = re.compile(r"\b(" + "|".join(_BRITISH) + r")\b")

CATALOGUE: Final = {
    "nothing-to-undo": "Nothing is left to undo",
    "told-won": "{name} won",
    "told-skunked": "{name} was skunked",
    "told-skunked-twice": "{name} was skunked twice over",
    "told-stopped": "The game was given up",
    "told-side": "{name} pegged {total}: {parts}",
    "told-nothing": "nothing",
    "told-play": "play {points}",
    "told-hands": "hands {points}",
    "told-cribs": "cribs {points}",
    "told-other": "other {points}",
    "told-start": "at the start {points}",
    "told-right": "{name} counted right {right} times of {known}",
    "told-missed": "Nobody saw: {name}'s {what} in deal {deal} was {points} too few",
    "told-over": "Nobody saw: {name}'s {what} in deal {deal} was {points} too many",
    "told-best": "Best of the game: {name}'s {what} in deal {deal}, {points}: {cards}",
    "told-starter": ", starter {card}",
    "told-match": "Games won: {games}. Spread: {spread}",
    "undo-removed": "The games before were deleted: nothing is left to undo",
    "no-field": "{field} is no line of the set-up: 1 to {most}",
    "set-up-help": "# accepts all. 1# the game, 2# rules, 3# to ...",
    "nothing-to-explain": "Nothing has been pegged yet",
    "nothing-to-call": "No miscount is open: nothing to take",
    "nothing-callable": "Muggins is off; {book} calls no over-counts",
    "not-covered": "A {what} is not called by the book {book}",
    "no-call-many": "Too many is not called by the book {book}",
    "no-call-heels": "His heels cannot be called",
    "no-call-muggins": "A muggins cannot be called",
    "no-call-penalty": "A penalty cannot be called",
    "no-call-hand": "Points by hand cannot be called",
    "claim-late": "A claim comes right after its card",
    "not-yours-to-call": "{name}'s own count: the other side takes it",
    "no-seat": "No seat {seat} here: 1 to {most}",
    "cut-help": "Key the cut card, or the dealer's seat and #",
    "deal-help": "{name} deals: key the starter, or #",
    "starter-help": "Key the starter: number, then suit",
    "board-counts-play": "The board counts the play: key a card",
    "not-your-claim": "{name} did not play that card",
    "points-help": "Points, then A or B for whose; # ends the play",
    "cards-known": "{name}'s cards are known: type the count, then #",
    "hand-cards-first": "Key {name}'s cards first: {cards} to go",
    "crib-cards-first": "Key the crib's cards first: {cards} to go",
    "type-count": "Type {name}'s count, then # (0# for nothing)",
    "end-help": "# plays again, B changes the set-up",
    "no-such-number": "{number} is not offered: 1 to {most}",
    "about": "Muggins. Page: {address}",
    "no-page": "not served",
    "adjust-give": "points by hand",
    "adjust-take": "points back",
    "adjust-wrong-card": "wrong card",
    "adjust-void": "void deal",
    "adjust-held": "cards held",
    "adjust-penalty": "penalty",
    "adjust-wrong-side": "wrong side",
    "adjust-claim-game": "claim game",
    "adjust-crib-void": "void crib",
    "adjust-stop": "stop the game",
    "menu-theme": "theme",
    "menu-blink": "blink",
    "menu-sound": "sound",
    "menu-levels": "levels",
    "menu-report": "game report",
    "menu-about": "about, page",
    "menu-speech": "speech",
    "menu-rate": "words/min",
    "no-game": "No game is under way",
    "no-report": "The report comes at the end of the game",
    "level-change": "{name}: referee {level}",
    "consent": "{what}. {name} agrees?",
    "consent-undo": "Undo {what}",
    "consent-help": "{name} agrees with #; * drops it",
    "call-help": "A number, then #. A few or many, B older, * drops",
    "call-who": "Who calls? Seat number, then #",
    "call-who-help": "The caller's seat number, then #. * drops it",
    "call-few": "too few by",
    "call-many": "too many by",
    "call-takes": "takes {points}: #",
    "answer": "{name}: {caller} says too {way} by {points}. # agree * dispute",
    "answer-help": "{name} agrees with #, disputes with *",
    "settle-help": "Key the cards of {name}'s {what}",
    "wrong-side-three": "With three sides: take back, then give",
    "by-hand": "by hand",
    "ask-give": "Points, then A or B for whose",
    "ask-take": "Points to take back, then A or B",
    "ask-held": "Cards, then A or B for a hand, # for the crib",
    "ask-penalty": "{reason}: points, then A or B",
    "ask-penalty-set": "{reason}: {amount}, to which seat?",
    "ask-penalty-set-help": "{amount} by the book: the seat's number, then #. * leaves",
    "ask-penalty-to": "{reason}: {amount} {name} #",
    "no-penalty": "no penalty",
    "ask-claim-game": "Who claims the game? Seat number and #",
    "ask-claim-game-help": "Seat number and #. * leaves",
    "ask-wrong-side": "Points that went wrong, then A or B who has them",
    "ask-wrong-side-help": "A number, then A or B. * leaves",
    "ask-wrong-card": "Key the card that was wrong",
    "ask-right-card": "{was} was wrong: key the right card",
    "ask-void": "Void this deal? # yes, * no",
    "ask-crib-void": "Crib void? # yes, * no",
    "ask-stop": "Stop this game? # yes, * no",
    "ask-give-help": "A number, then A or B. * leaves",
    "ask-take-help": "A number, then A or B. * leaves",
    "ask-held-help": "A number, then A or B. * leaves",
    "ask-penalty-help": "A number, then A or B who gets it. * leaves",
    "ask-wrong-card-help": "Number, then suit. * leaves",
    "ask-void-help": "# voids the deal, * leaves",
    "ask-crib-void-help": "# voids the crib, * leaves",
    "ask-stop-help": "# stops the game, * leaves",
    "impossible": "No {kind} can count {points}: * # takes it back",
    "undo": "Undo: {what}?",
    "not-saved": "NOT SAVED, key it again. {why}",
    "would-be-lost": "NOT SAVED: {number} acts would be lost. {why}",
    "part-back": "The {part} is back",
    "saved-again": "Saved again: nothing was lost",
    "miscount": "{name} {claimed}, true {true}",
    "cut-again": "Equal lowest cut: cut again",
    "miscount-line": " {claimed}, true {true}",
    "false-go-line": " false go {count}",
    "false-go": "{name}'s go at {count}: {cards} fitted",
    "did-cut": "{name} cut {card}",
    "did-deal": "{name} deals",
    "did-starter": "starter {card}",
    "did-skip": "starter skipped",
    "did-held": "{name} holds {cards}",
    "did-play": "{name} played {card}",
    "did-go": "{name} said go",
    "did-claim": "{name} claimed {points}",
    "did-end-play": "end of the play",
    "did-turn": "{card} of the count",
    "did-turn-sealed": "the card keyed",
    "did-correct-sealed": "the card put right",
    "did-show": "{name}'s hand",
    "did-show-claim": "{name}'s hand, {points}",
    "did-crib": "{name}'s crib",
    "did-crib-claim": "{name}'s crib, {points}",
    "did-crib-void": "crib void",
    "did-accept": "claims accepted",
    "did-muggins": "{name}'s muggins, {points}",
    "did-key": "{name}'s cards keyed",
    "did-penalty": "penalty, {points} to {name}",
    "did-claim-game": "{name}'s game claim",
    "did-peg": "{points} to {name} by hand",
    "did-level": "referee {level}",
    "did-void": "void deal",
    "did-stop": "game stopped",
    "did-open": "the set-up",
    "did-rematch": "the new game",
    "did-correct": "{was} read as {card}",
}


def say(key: str, **values: object) -> str:
    """A message of the catalogue with its values filled in.

    >>> say("no-seat", seat=3, most=2)
    'No seat 3 here: 1 to 2'
    """
    return (CATALOGUE.get(key) or ALOUD[key]).format(**values)


def localise(text: str, language: Language) -> str:
    """The text as that language says it.

    >>> localise("Bob's crib, 9", "en-GB")
    "Bob's box, 9"
    """
    return text if language == "en-US" else _SWAP.sub(lambda match: _BRITISH[match[0]], text)
