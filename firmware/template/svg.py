"""A page as SVG, one unit a millimetre."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as Xml

from firmware.template.shapes import Circle, Ink, Line, Outline, Page, Shape, Words

SPACE = "http://www.w3.org/2000/svg"


def to_svg(page: Page, *, paper: str | None = None) -> str:
    """The page as the text of an SVG file at true scale; ``paper`` is the colour behind, None for none.

    Shapes of one ink that follow each other are one group, of the class of the ink's name.
    """
    width, height = number(page.width), number(page.height)
    root = Xml.Element("svg", xmlns=SPACE, width=f"{width}mm", height=f"{height}mm", viewBox=f"0 0 {width} {height}")
    if page.title:
        Xml.SubElement(root, "title").text = page.title
    if paper is not None:
        Xml.SubElement(root, "rect", width=width, height=height, fill=paper)
    for ink, shapes in groupby(page.shapes, key=lambda shape: shape.ink):
        group = Xml.SubElement(root, "g", _look(ink))
        for shape in shapes:
            group.append(_element(shape))
    Xml.indent(root, " ")
    return Xml.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """A length with as many decimals as a machine can follow: thousandths of a millimetre.

    >>> number(16.66667), number(3.0), number(-0.00001)
    ('16.667', '3', '0')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _look(ink: Ink) -> dict[str, str]:
    look = {"class": ink.name, "fill": ink.fill or "none"}
    if ink.line is not None:
        look |= {"stroke": ink.line, "stroke-width": number(ink.width)}
    if ink.dashes:
        look["stroke-dasharray"] = " ".join(map(number, ink.dashes))
    return look


def _element(shape: Shape) -> Xml.Element:
    named = {"id": shape.name} if not isinstance(shape, Words) and shape.name else {}
    match shape:
        case Circle(x, y, radius):
            return Xml.Element("circle", named, cx=number(x), cy=number(y), r=number(radius))
        case Line(x1, y1, x2, y2):
            return Xml.Element("line", named, x1=number(x1), y1=number(y1), x2=number(x2), y2=number(y2))
        case Outline(x, y, steps):
            parts = [f"M{number(x)} {number(y)}"]
            parts += [("L" if len(step) == 2 else "C") + " ".join(map(number, step)) for step in steps]
            return Xml.Element("path", named, d="".join(parts) + "Z")
        case Words(x, y, size, text, anchor):
            element = Xml.Element(
                "text",
                {"x": number(x), "y": number(y), "font-size": number(size), "text-anchor": anchor},
                **{"font-family": "Helvetica, Arial, Liberation Sans, sans-serif"},
            )
            element.text = text
            return element
