"""Which windows are sent: every changed byte, and never more than the whole picture costs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.oled_partial import Window, plan, to_pages

ROWS = st.lists(st.binary(min_size=24, max_size=24), min_size=4, max_size=4)


@st.composite
def changes(draw: st.DrawFn) -> tuple[list[bytes], list[bytes]]:
    """A picture and another that differs in a few bytes or in all."""
    old = draw(ROWS)
    if draw(st.booleans()):
        return old, draw(ROWS)
    new = [bytearray(row) for row in old]
    for page, column in draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 23)), max_size=12)):
        new[page][column] ^= 0x10
    return old, [bytes(row) for row in new]


@given(pair=changes(), overhead=st.integers(0, 20), tall=st.booleans())
def test_windows_turn_the_old_into_the_new(pair: tuple[list[bytes], list[bytes]], overhead: int, tall: bool) -> None:
    """Copying the planned windows over the old picture gives the new one."""
    old, new = pair
    memory = [bytearray(row) for row in old]
    for window in plan(old, new, overhead, tall):
        for page in range(window.top, window.bottom):
            memory[page][window.left : window.right] = new[page][window.left : window.right]
    assert [bytes(row) for row in memory] == new


@given(pair=changes(), overhead=st.integers(0, 20), tall=st.booleans())
def test_plan_never_costs_more_than_everything(
    pair: tuple[list[bytes], list[bytes]], overhead: int, tall: bool
) -> None:
    """A plan costs at most a whole picture, nothing when nothing has changed, and spans pages only where allowed."""
    old, new = pair
    windows = plan(old, new, overhead, tall)
    assert sum(window.area + overhead for window in windows) <= 96 + overhead * (1 if tall else 4)
    assert (windows == []) == (old == new)
    assert tall or all(window.bottom == window.top + 1 for window in windows)


def test_near_changes_share_a_window_and_far_ones_do_not() -> None:
    """A gap dearer than a new window splits; a cheaper one is bridged."""
    old, near, far = [bytes(40)], bytearray(40), bytearray(40)
    near[3] = near[9] = far[3] = far[30] = 1
    assert plan(old, [bytes(near)], 10, tall=True) == [Window(0, 1, 3, 10)]
    assert plan(old, [bytes(far)], 10, tall=True) == [Window(0, 1, 3, 4), Window(0, 1, 30, 31)]


def test_ragged_changes_are_sent_as_one_picture() -> None:
    """Where every page would need windows of its own that add up to more than everything, everything is sent."""
    old, even, odd = [bytes(128)] * 8, bytes([1] * 50 + [0] * 12 + [1] * 66), bytes([1] * 20 + [0] * 12 + [1] * 96)
    assert plan(old, [even, odd] * 4, 10, tall=True) == [Window(0, 8, 0, 128)]


def test_page_byte_has_its_top_pixel_lowest() -> None:
    """Each byte is eight pixels under one another, bit 0 on top (SSD1306 data sheet, figure 10-2)."""
    image = Image.new("1", (2, 16))
    for pixel in [(0, 0), (0, 7), (1, 9)]:
        image.putpixel(pixel, 1)
    assert to_pages(image) == [bytes([0x81, 0x00]), bytes([0x00, 0x02])]
