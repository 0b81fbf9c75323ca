"""The names of the people who play here: which can be one, and those that this board knows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.letters import fold, unseen

LONGEST: Final = 24
"""Characters of a name: four of them and their counts must fit a line of a game record."""
MOST: Final = 100
"""So many names a board keeps."""
_MARKS: Final = 2
"""Accents on one letter: more would climb into the lines above."""
_LOOKS: Final = {0xFE0E: None, 0xFE0F: None}
"""Ask for a sign in letters or in colours: a sign typed on a phone brings one, and is the same sign without it."""
_NOT_TAKEN: Final = {'"': "quotation marks", "&": "an & (it joins partners' names)"}
WANTED: Final = f"1 to {LONGEST} letters, figures, signs or single blanks"


def proper_name(text: str) -> str:
    """The name as it is kept: accents composed, blanks around it and runs of blanks taken out.

    Raises ValueError, saying what is wrong, for one that is empty or too long, or that holds what cannot be seen
    (control and formatting characters, such as turn the writing round) or cannot stand in a game record.

    >>> proper_name("  Ann   Lee "), proper_name("Zoe\\u0308")
    ('Ann Lee', 'Zoë')
    """
    text = text[: 20 * LONGEST].translate(_LOOKS)
    name = " ".join(word for word in unicodedata.normalize("NFC", text).split(" ") if word)
    if not name:
        raise ValueError(f"a name is empty: {WANTED}")
    for one in name:
        if one != " " and (unicodedata.category(one)[0] in "CZ" or unseen(one)):
            raise ValueError(f"{shown(name)} has a character that cannot be seen ({ord(one):04X}): {WANTED}")
        if one in _NOT_TAKEN:
            raise ValueError(f"{shown(name)} has {_NOT_TAKEN[one]}: {WANTED}")
    if piled(name):
        raise ValueError(f"{shown(name)} has accents that stand on no letter: {WANTED}")
    if len(name) > LONGEST:
        raise ValueError(f"{shown(name)} has {len(name)} characters: {WANTED}")
    return name


def piled(name: str) -> bool:
    """Whether there are more accents on one letter than fit above it, or some on none.

    >>> piled("a\u0301"), piled("a" + 4 * "\u0301"), piled("\u0301")
    (False, True, True)
    """
    marks = _MARKS
    for one in unicodedata.normalize("NFC", name):
        marks = marks + 1 if unicodedata.category(one)[0] == "M" else _MARKS * one.isspace()
        if marks > _MARKS:
            return True
    return False


def shown(name: str) -> str:
    """A name that cannot be one, fit for a message: one line, plain, not long."""
    text = ascii(name)
    return text if len(text) <= LONGEST + 6 else f"{text[: LONGEST + 3]}..."


def alike(one: str, other: str) -> bool:
    """Whether two names are the same to the eye but for case, however their letters and accents were typed.

    >>> alike("ANN", "ann"), alike("Ann", "Anne")
    (True, False)
    """
    return fold(one) == fold(other)


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """The names in their order, of those alike the first."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(fold(name), name)
    return tuple(found.values())


def kept_names(value: Any) -> tuple[str, ...]:
    """The names of a journal's setting; what is none is left out."""
    names = []
    for one in value if isinstance(value, list) else ():
        try:
            names.append(proper_name(one))
        except (TypeError, ValueError):
            continue
    return unique(names)


@dataclass(frozen=True, slots=True)
class Roster:
    """The names that a board offers: those typed at it, newest first, then its configuration's and the colours."""

    kept: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()

    @property
    def offered(self) -> tuple[str, ...]:
        """All of them, no two alike."""
        return unique((*self.kept, *self.usual))

    def spelled(self, text: str) -> str:
        """That name as this board knows it already, or as it would be kept. Raises ValueError as ``proper_name``."""
        name = proper_name(text)
        return next((one for one in self.offered if alike(one, name)), name)

    def keep(self, name: str) -> Roster:
        """With that name. Raises ValueError where no more can be kept."""
        if any(alike(one, name) for one in self.offered):
            return self
        if len(self.kept) >= MOST:
            raise ValueError(f"{MOST} names are kept here: remove one that nobody plays under any more")
        return replace(self, kept=(name, *self.kept))

    def drop(self, text: str, seated: Iterable[str]) -> Roster:
        """Without that name. Raises LookupError where it is not kept, ValueError while it is one of those seated."""
        name = next((one for one in self.kept if alike(one, text)), None)
        if name is None:
            raise LookupError("no such name is kept here")
        if any(alike(one, name) for one in seated):
            raise ValueError(f"{name} sits at the table: give that seat another name first")
        return replace(self, kept=tuple(one for one in self.kept if one != name))
