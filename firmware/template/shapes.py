"""What a drawing is made of: circles, lines, outlines and words, all in millimetres, x to the right and y downwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Ink:
    """How a shape is drawn: its line's colour (#rrggbb) and width, its filling, its dashes; None is not drawn."""

    name: str
    line: str | None
    width: float = 0.2
    fill: str | None = None
    dashes: tuple[float, ...] = ()


CUT: Final = Ink("cut", "#ff0000", 0.1)
"""What a laser cuts, or a drill."""
MARK: Final = Ink("mark", "#000000", 0.25)
HEAVY: Final = Ink("heavy", "#000000", 0.7)
FINE: Final = Ink("fine", "#000000", 0.1)
GUIDE: Final = Ink("guide", "#808080", 0.15, dashes=(2.0, 1.5))
"""What helps to build and is not seen afterwards: strip, joints, edges of the sheets."""
TEXT: Final = Ink("text", None, fill="#000000")
NOTE: Final = Ink("note", None, fill="#707070")
RED: Final = Ink("red", None, fill="#c00000")


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around a point; ``name`` says what it is, once in a drawing."""

    x: float
    y: float
    radius: float
    ink: Ink
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink
    name: str = ""


Step = tuple[float, ...]
"""Two numbers: straight on to that point. Six: there by a curve, its two handles first."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed outline from (``x``, ``y``) by ``steps`` and back."""

    x: float
    y: float
    steps: tuple[Step, ...]
    ink: Ink
    name: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of Helvetica whose capitals stand on ``y``; ``size`` is that of the type, in millimetres."""

    x: float
    y: float
    size: float
    text: str
    anchor: Anchor = "start"
    ink: Ink = TEXT


Shape = Circle | Line | Outline | Words


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet of paper, ``width`` by ``height`` millimetres, and what is drawn on it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape somewhere else."""
    if isinstance(shape, Line):
        return replace(shape, x1=shape.x1 + dx, y1=shape.y1 + dy, x2=shape.x2 + dx, y2=shape.y2 + dy)
    if isinstance(shape, Outline):
        steps = tuple(tuple(n + (dy if i % 2 else dx) for i, n in enumerate(step)) for step in shape.steps)
        return replace(shape, x=shape.x + dx, y=shape.y + dy, steps=steps)
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def box(x: float, y: float, width: float, height: float, ink: Ink, *, round_by: float = 0, name: str = "") -> Outline:
    """A rectangle from its upper left corner, its corners rounded by that radius."""
    r, k = round_by, round_by * (1 - CURVE)
    right, low = x + width, y + height
    if not r:
        return Outline(x, y, ((right, y), (right, low), (x, low)), ink, name)
    steps: tuple[Step, ...] = (
        (right - r, y),
        (right - k, y, right, y + k, right, y + r),
        (right, low - r),
        (right, low - k, right - k, low, right - r, low),
        (x + r, low),
        (x + k, low, x, low - k, x, low - r),
        (x, y + r),
        (x, y + k, x + k, y, x + r, y),
    )
    return Outline(x + r, y, steps, ink, name)


CURVE: Final = 0.5522847498
"""Handles this much of the radius long make a cubic curve a quarter of a circle."""


def cross(x: float, y: float, reach: float, ink: Ink) -> tuple[Line, Line]:
    """A cross on a point."""
    return Line(x - reach, y, x + reach, y, ink), Line(x, y - reach, x, y + reach, ink)


def ruler(x: float, y: float, length: int = 50) -> tuple[Shape, ...]:
    """A ruler of ``length`` millimetres to hold a real one against, from its left end, with what it is for."""
    shapes: list[Shape] = [Line(x, y, x + length, y, MARK, "ruler")]
    for mm in range(0, length + 1, 5):
        reach = 3.0 if mm % 10 == 0 else 1.8
        shapes.append(Line(x + mm, y, x + mm, y - reach, MARK))
    shapes.append(Words(x + length + 2, y, 3, f'{length} mm. Print at 100 %, not "fit to page", and measure this.'))
    return tuple(shapes)
