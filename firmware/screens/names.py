"""Names where there is little room: cut so that no two at a table look alike."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from engine.public import Public
from firmware.screens.model import COLUMNS

JOINED = " & "
_TOO_SHORT: Final = 3
"""Below so many characters a cut name is an initial or two."""
_KEYS: Final = "ABCD"
"""The key of each seat, for a name that has no letter of its own left."""


def labels(names: Sequence[str], room: int) -> tuple[str, ...]:
    """Each name in at most ``room`` characters, no two alike.

    A name that is too long is cut at its end; where that would make two alike, its last letter is one by which they
    differ. In a single character a name is a capital, its own where it can be.

    >>> labels(("Ann", "Maximilianus"), 6), labels(("Ann-Marie", "Ann-Maud"), 5), labels(("Bea", "Ben", "Bo"), 1)
    (('Ann', 'Maximi'), ('Ann-r', 'Ann-u'), ('B', 'N', 'O'))
    """
    if room <= 1:
        names = [name.upper() for name in names]
    cut = [_cut(name, max(room, 1)) for name in names]
    whole = [len(name) <= room and (room > 1 or name.isalpha()) for name in names]
    folded = [one.casefold() for one in cut]
    alone = [folded.count(one) == 1 and (room > 1 or one.isalpha()) for one in folded]
    found = {place: cut[place] for place in range(len(names)) if whole[place] or alone[place]}
    for place in range(len(names)):
        if place not in found:
            taken = {one.casefold() for one in found.values()}
            head = names[place][: max(room, 1) - 1]
            ends = _letters(names, place, room)
            tries = [head + letter for letter in (*ends, *_KEYS[place:], *ascii_uppercase)]
            if room < _TOO_SHORT and cut[place][-1:].isalpha():
                tries.insert(0, cut[place])
            found[place] = next(one for one in tries if one.casefold() not in taken)
    return tuple(found[place] for place in range(len(names)))


def _cut(name: str, room: int) -> str:
    return name if len(name) <= room else name[:room].rstrip(" -") or name[:room]


def _letters(names: Sequence[str], place: int, room: int) -> str:
    """The letters that may end a cut name: those by which it differs from the names that begin alike come first."""
    mine = names[place].casefold()
    rivals = [one.casefold() for at, one in enumerate(names) if at != place and one[:room].casefold() == mine[:room]]
    rest = range(max(room, 1) - 1, len(names[place]))
    ours = [at for at in rest if all(one[at : at + 1] != mine[at : at + 1] for one in rivals)]
    return "".join(names[place][at] for at in (*ours, *rest) if names[place][at].isalpha())


def seat_label(public: Public, seat: int, room: int) -> str:
    """A player's name in at most ``room`` characters, unlike any other's at the table."""
    return labels(public.names, room)[seat]


def possessive(public: Public, seat: int, what: str, room: int = COLUMNS) -> tuple[str, bool]:
    """Whose it is, and whether ``what`` is still named: other words go before the name is cut.

    "Wilhelmina's hand", then "Wilhelmina hand", then "Wilhelmina".
    """
    name = public.names[seat]
    for text in (f"{name}'s {what}", f"{name} {what}"):
        if len(text) <= room:
            return text, True
    return seat_label(public, seat, room), False


def side_labels(public: Public, room: int) -> tuple[str, ...]:
    """Each side's name in at most ``room`` characters: partners by their initials where their names are too long."""
    if all(len(name) <= room for name in public.side_names) or not any(JOINED in name for name in public.side_names):
        return labels(public.side_names, room)
    initials = labels(public.names, 1)
    together = [
        [initials[seat] for seat, at in enumerate(public.sides) if at == side] for side in range(len(public.side_names))
    ]
    joint = "&" if room > max(map(len, together)) else ""
    return labels([joint.join(letters) for letters in together], room)
