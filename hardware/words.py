"""How a wrong name is answered: what it is not, the nearest that is meant, and what there is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: object, known: Iterable[str], kind: str) -> str:
    """One line for an unknown name.

    >>> did_you_mean("two-lane", ["one-lane", "two-lanes"], "built-in board")
    "'two-lane' is no built-in board; did you mean 'two-lanes'? There are: one-lane, two-lanes"
    """
    names = list(known)
    by_fold = {name.casefold(): name for name in names}
    near = get_close_matches(str(word).casefold(), by_fold, n=1)
    hint = f"; did you mean {by_fold[near[0]]!r}?" if near else "."
    return f"{word!r} is no {kind}{hint} There are: {', '.join(names)}"
