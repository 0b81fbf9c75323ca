"""Pages as a PDF: circles, lines, outlines and Helvetica are all that a template needs, and all that is here.

Nothing is compressed and nothing depends on the time, so the same pages are the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from firmware.template.shapes import CURVE, Circle, Ink, Line, Outline, Page, Shape, Words

POINT: Final = 72 / 25.4
"""Points a millimetre."""

# Widths of Helvetica's characters from the blank to the tilde, in thousandths of the type's size (Adobe's AFM).
_WIDTHS: Final = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
).split()


def width_of(text: str, size: float) -> float:
    """How wide Helvetica sets that text, in the unit of ``size``; a letter that is not ASCII counts as an o."""
    known = (int(_WIDTHS[ord(letter) - 32]) if " " <= letter <= "~" else 556 for letter in text)
    return sum(known) * size / 1000


def to_pdf(pages: Sequence[Page]) -> bytes:
    """The pages as the bytes of one PDF file at true scale, which asks the printer not to scale."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, page in enumerate(pages):
        content = b"\n".join(_draw(shape, page.height) for shape in page.shapes)
        size = f"{_n(page.width * POINT)} {_n(page.height * POINT)}"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {5 + 2 * index} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects, numbered from 1, with the table of where each begins."""
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for index, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (index, body)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        data += b"%010d 00000 n \n" % place
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(data)


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _draw(shape: Shape, height: float) -> bytes:
    """One shape in PDF's words, whose y counts upwards from the page's foot."""

    def at(*numbers: float) -> str:
        return " ".join(_n((height - n if i % 2 else n) * POINT) for i, n in enumerate(numbers))

    look = _look(shape.ink)
    match shape:
        case Circle(x, y, r):
            k = r * CURVE
            way = (
                f"{at(x + r, y)} m {at(x + r, y + k, x + k, y + r, x, y + r)} c "
                f"{at(x - k, y + r, x - r, y + k, x - r, y)} c {at(x - r, y - k, x - k, y - r, x, y - r)} c "
                f"{at(x + k, y - r, x + r, y - k, x + r, y)} c h"
            )
        case Line(x1, y1, x2, y2):
            way = f"{at(x1, y1)} m {at(x2, y2)} l"
        case Outline(x, y, steps):
            parts = (f"{at(*step)} {'l' if len(step) == 2 else 'c'}" for step in steps)
            way = f"{at(x, y)} m {' '.join(parts)} h"
        case Words(x, y, size, text, anchor):
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width_of(text, size)
            letters = text.encode("cp1252", "replace")
            for special in (b"\\", b"(", b")"):
                letters = letters.replace(special, b"\\" + special)
            head = f"q {look} BT /F {_n(size * POINT)} Tf {at(x - back, y)} Td (".encode()
            return head + letters + b") Tj ET Q"
    paint = {(True, True): "B", (True, False): "S", (False, True): "f", (False, False): "n"}
    return f"q {look} {way} {paint[shape.ink.line is not None, shape.ink.fill is not None]} Q".encode()


def _look(ink: Ink) -> str:
    words = []
    if ink.line is not None:
        words.append(f"{_n(ink.width * POINT)} w {_colour(ink.line)} RG")
    if ink.fill is not None:
        words.append(f"{_colour(ink.fill)} rg")
    if ink.dashes:
        words.append(f"[{' '.join(_n(dash * POINT) for dash in ink.dashes)}] 0 d")
    return " ".join(words)


def _colour(name: str) -> str:
    return " ".join(_n(int(name[i : i + 2], 16) / 255) for i in (1, 3, 5))
