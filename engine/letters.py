"""Letters of names: which are the same to the eye, and which the eye does not see at all."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSEEN: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
    (0x2800, 0x2800),
    (0x1D159, 0x1D159),
)
"""What draws nothing though its category is that of a letter, a mark or a sign.

All but the last two: Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 15 (the others of that list
are format characters and code points without a character, which ``str.isprintable`` knows). The last two: the braille
pattern and the note head that are blank.
"""


def unseen(letter: str) -> bool:
    """Whether a character draws nothing, a plain blank apart.

    >>> unseen("a"), unseen("\\u3164"), unseen("\\u200b"), unseen(" ")
    (False, True, True, False)
    """
    code = ord(letter)
    return not letter.isprintable() or any(first <= code <= last for first, last in _UNSEEN)


def fold(name: str) -> str:
    """A name as it is compared: without case, and however its letters were typed; names alike to the eye are alike.

    >>> fold("ANN") == fold("ann"), fold("Zoe\\u0308") == fold("Zoë"), fold("\\uff21nn") == fold("Ann")
    (True, True, True)
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", text)
