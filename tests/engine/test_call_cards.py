"""A call on one of several cards of the play: the card is named, and judged by what it was worth when it was laid."""

from __future__ import annotations

import pytest

from engine.record_words import RecordError
from engine.replay import replay

OPEN = (
    "crib 1\ngame six-card\nrules acc\nplayers Ann Bob\nmuggins on\nreferee call\ndeal Bob\nstarter QS\n"
    "play Ann TC peg 0\nplay Bob KD peg 0\nplay Ann KH peg 0\ngo Bob\nplay Ann AS peg 0\n"
)
"""Two cards of Ann's are open to Bob: the king missed a pair, the ace thirty-one. The ten's is closed."""


def scores(*lines: str) -> list[int]:
    """Ann's and Bob's holes after these lines."""
    *_, end = replay(OPEN + "".join(f"{line}\n" for line in lines))
    return list(end["scores"].values())


@pytest.mark.parametrize(
    "on", ["", " on Ann card", " on Ann card AS", " on Ann card A", " on Ann card KH", " on Ann card K"]
)
def test_each_open_card_can_be_called(on: str) -> None:
    """Unnamed the newest is meant; named, by its card with or without the suit, that one."""
    assert scores(f"muggins Bob 2{on}") == [0, 2]


def test_both_are_called_in_either_order() -> None:
    """A call on one leaves the other open, and closes its own."""
    older, newer = "muggins Bob 2 on Ann card KH", "muggins Bob 2 on Ann card AS agreed"
    assert scores(older, newer) == scores(newer, older) == [0, 4]
    with pytest.raises(RecordError) as refused:
        scores(older, older)
    assert refused.value.exit_code == 1


@pytest.mark.parametrize(("card", "code"), [("TC", 1), ("KD", 1), ("5H", 1), ("KX", 2), ("hand", 2)])
def test_a_card_that_is_not_open_is_refused(card: str, code: int) -> None:
    """A card whose window is closed, one's own, one not laid: forbidden; what is no card: not understood."""
    with pytest.raises(RecordError) as refused:
        scores(f"muggins Bob 2 on Ann card {card}")
    assert refused.value.exit_code == code
    assert refused.value.line == 14
