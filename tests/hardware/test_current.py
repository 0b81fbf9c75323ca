"""The current limit, below every drawing path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.current import LimitedStrip, estimate_ma, limit
from hardware.ports import OFF, Colour, Frame

WHITE: Colour = (255, 255, 255)
channel = st.integers(0, 255)
frames = st.lists(st.tuples(channel, channel, channel), min_size=1, max_size=40)


class Recorder:
    """A strip that remembers the frames that reach it."""

    pixels = 5

    def __init__(self) -> None:
        self.shown: list[Frame] = []
        self.closed = 0

    def show(self, frame: Frame) -> None:
        self.shown.append(frame)

    def close(self) -> None:
        self.closed += 1


def test_the_estimate_counts_20_ma_a_channel_and_1_ma_a_chip() -> None:
    """Six white pegs on a strip of 363 draw six times 60 mA and 363 times 1 mA."""
    assert estimate_ma([WHITE] * 6 + [OFF] * 357) == 6 * 60 + 363


def test_the_estimate_counts_pixels_outside_the_frame() -> None:
    """Skipped pixels draw their rest too."""
    assert estimate_ma([OFF], dark_pixels=2) == 3


@given(frames, st.integers(0, 3000), st.integers(0, 5))
def test_no_frame_draws_more_than_the_limit(frame: list[Colour], max_ma: int, dark: int) -> None:
    """Whatever the frame, what comes out draws at most max_ma, or is black."""
    shown = limit(frame, max_ma, dark_pixels=dark)
    assert len(shown) == len(frame)
    assert estimate_ma(shown, dark_pixels=dark) <= max_ma or set(shown) == {OFF}


@given(frames, st.integers(0, 3000))
def test_all_channels_shrink_by_one_factor(frame: list[Colour], max_ma: int) -> None:
    """Every channel is the one factor times what it was, but for rounding down: the hue stays."""
    room = max(0, max_ma - len(frame))
    lit = estimate_ma(frame) - len(frame)
    factor = min(1.0, room / lit) if lit else 1.0
    for before, after in zip(frame, limit(frame, max_ma), strict=True):
        for old, new in zip(before, after, strict=True):
            assert old * factor - 1 - 1e-9 < new <= old * factor + 1e-9


@given(frames)
def test_a_frame_within_the_limit_is_left_alone(frame: list[Colour]) -> None:
    """A frame that draws just the limit passes unchanged."""
    assert limit(frame, int(estimate_ma(frame)) + 1) == frame


@pytest.mark.parametrize("max_ma", [-5, 0, 2])
def test_black_where_the_dark_rest_alone_is_too_much(max_ma: int) -> None:
    """Where the dark chips alone draw more than the limit, nothing is lit."""
    assert limit([WHITE, OFF, (1, 0, 0)], max_ma) == [OFF] * 3


def test_nothing_reaches_a_limited_strip_unlimited() -> None:
    """What is shown through a LimitedStrip reaches the strip below already dimmed."""
    below = Recorder()
    strip = LimitedStrip(below, 100, dark_pixels=5)
    strip.show([WHITE] * 5)
    assert [estimate_ma(frame, dark_pixels=5) <= 100 for frame in below.shown] == [True]
    assert below.shown[0][0] != OFF


def test_a_limited_strip_is_a_strip() -> None:
    """Length and close are those of the strip below."""
    below = Recorder()
    strip = LimitedStrip(below, 100)
    strip.close()
    assert (strip.pixels, below.closed) == (5, 1)
