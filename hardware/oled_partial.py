"""What of a picture must be sent: the bytes a panel keeps, and the fewest windows that cover what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

PAGE: Final = 8
"""Rows in a page: each byte of a panel's memory is eight pixels under one another, the lowest bit on top."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a panel's memory: pages ``top`` to ``bottom``, columns ``left`` to ``right``, ends excluded."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """How many bytes fill it."""
        return (self.bottom - self.top) * (self.right - self.left)


def to_pages(image: Image.Image) -> list[bytes]:
    """A mode "1" picture as its pages from the top, one byte a column; the height is a multiple of eight.

    >>> picture = Image.new("1", (3, 16))
    >>> picture.putpixel((1, 0), 1); picture.putpixel((2, 15), 1)
    >>> [page.hex() for page in to_pages(picture)]
    ['000100', '000080']
    """
    pages = image.height // PAGE
    # A quarter turn clockwise makes each row a column read from the bottom up, eight pixels a byte, top pixel lowest.
    turned = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return [turned[pages - 1 - page :: pages] for page in range(pages)]


def whole(pages: list[bytes]) -> Window:
    """The window of everything."""
    return Window(0, len(pages), 0, len(pages[0]))


def plan(old: list[bytes], new: list[bytes], overhead: int, tall: bool) -> list[Window]:
    """Windows that cover every byte in which ``new`` differs from ``old``, in the order to send them.

    ``overhead`` is what opening one window costs in bytes: unchanged bytes are sent along where that is cheaper than a
    second window. ``tall`` says whether a window may span several pages (SSD1306) or one only (SH1106). Empty when
    nothing has changed; never dearer than the whole picture.
    """
    done: list[Window] = []
    growing: list[Window] = []
    for page, (before, after) in enumerate(zip(old, new, strict=True)):
        reached: list[Window] = []
        for left, right in _spans(before, after, overhead):
            span = Window(page, page + 1, left, right)
            mate = _cheapest(growing, span, overhead) if tall else None
            if mate is None:
                reached.append(span)
            else:
                growing.remove(mate)
                reached.append(_joined(mate, span))
        done += growing
        growing = reached
    done += growing
    everything = whole(new)
    openings = 1 if tall else everything.bottom
    if sum(window.area + overhead for window in done) >= everything.area + overhead * openings:
        return [everything] if tall else [Window(page, page + 1, 0, everything.right) for page in range(openings)]
    return done


def _spans(before: bytes, after: bytes, overhead: int) -> list[tuple[int, int]]:
    """Changed stretches of one page; a gap too short to pay for a new window is bridged."""
    spans: list[tuple[int, int]] = []
    if before == after:
        return spans
    for column, (was, now) in enumerate(zip(before, after, strict=True)):
        if was == now:
            continue
        if spans and column - spans[-1][1] <= overhead:
            spans[-1] = (spans[-1][0], column + 1)
        else:
            spans.append((column, column + 1))
    return spans


def _joined(one: Window, other: Window) -> Window:
    """The smallest window round both."""
    return Window(one.top, other.bottom, min(one.left, other.left), max(one.right, other.right))


def _cheapest(growing: list[Window], span: Window, overhead: int) -> Window | None:
    """The window ending on the page above that takes this span in for less than a window of its own would cost."""
    extra = {window: _joined(window, span).area - window.area for window in growing}
    best = min(extra, key=lambda window: extra[window], default=None)
    return best if best is not None and extra[best] <= span.area + overhead else None
