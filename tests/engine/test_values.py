"""Frozen values with some fields changed."""

from __future__ import annotations

import dataclasses

import pytest

from engine import state
from engine.state import Pegs
from engine.values import replace

CLASSES = [cls for cls in vars(state).values() if dataclasses.is_dataclass(cls) and isinstance(cls, type)]


def test_it_is_the_standard_one() -> None:
    """The changed value equals what the standard library gives, and the one it came from stays as it was."""
    pegs = Pegs(12, 4)
    assert replace(pegs, back=12, front=20) == dataclasses.replace(pegs, back=12, front=20)
    assert pegs == Pegs(12, 4)
    assert replace(pegs) == pegs


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_all_values_of_the_state_may_be_changed_so(cls: type) -> None:
    """No value of the state does anything when it is made that a changed copy would miss."""
    assert not hasattr(cls, "__post_init__")
    assert all(field.init for field in dataclasses.fields(cls))
    assert set(cls.__slots__) == {field.name for field in dataclasses.fields(cls)}  # type: ignore[attr-defined]


def test_a_field_there_is_not() -> None:
    """A misspelt field is an error, not a value of its own."""
    with pytest.raises(AttributeError):
        replace(Pegs(12, 4), bakc=3)
