"""Words for faults: the nearest name to a wrong one, and holes told in spans."""

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


def how_to_install(library: str, package: str = "", needs: str = "gcc and python3-dev") -> str:
    """Both ways to a library: the system's package, which an installed board sees, and the index's for a checkout.

    >>> how_to_install("spidev", "python3-spidev")
    'sudo apt install python3-spidev, then sudo make install; in a checkout .venv/bin/pip install spidev (needs gcc \
and python3-dev)'
    >>> how_to_install("rpi-ws281x")
    'pip install rpi-ws281x in the environment of muggins, /opt/muggins or .venv (needs gcc and python3-dev)'
    """
    if not package:
        return f"pip install {library} in the environment of muggins, /opt/muggins or .venv (needs {needs})"
    return (
        f"sudo apt install {package}, then sudo make install; in a checkout .venv/bin/pip install {library} "
        f"(needs {needs})"
    )


def in_words(holes: Iterable[int]) -> str:
    """Holes in words, with their verb.

    >>> in_words([7]), in_words([9, 1, 3, 2])
    ('hole 7 is', 'holes 1-3, 9 are')
    """
    spans: list[list[int]] = []
    for hole in sorted(holes):
        if spans and hole == spans[-1][1] + 1:
            spans[-1][1] = hole
        else:
            spans.append([hole, hole])
    words = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
    return f"hole {words} is" if len(spans) == 1 and spans[0][0] == spans[0][1] else f"holes {words} are"
