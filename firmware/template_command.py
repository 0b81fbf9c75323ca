"""``muggins template``: the board to be drilled or cut, or what is laid over the keypad, at true scale."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from firmware.complaints import FORBIDDEN, MALFORMED, Command, Complaint
from firmware.config import Config, ConfigError, load_config, to_plain, to_toml
from firmware.config_command import unread
from firmware.template.board import Board, draw_board
from firmware.template.keypad import KEY_PITCH, keypad_overlay
from firmware.template.pdf import to_pdf
from firmware.template.places import folded, pieces
from firmware.template.shapes import Page
from firmware.template.sheets import PAPERS, Paper, TooWide, on_sheets
from firmware.template.svg import to_svg
from firmware.template.wiring import wiring_picture
from hardware.header import header_pin, wires
from hardware.lanes import Layout

PITCH: Final = 1000 / 60
"""The usual strip has 60 lights a metre."""
LEAST, MOST = 4.0, 100.0
"""The shortest and the longest way from light to light, or from key to key, in millimetres."""
LARGEST_HOLE: Final = 6.0
LONG_MM: Final = 1000
"""A longer board is told how to be folded."""


class _Pitch(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic only in some versions of click
    """A length in millimetres, or so many a metre: ``16.67`` or ``60/m``."""

    name = "mm"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip().lower()
        try:
            pitch = 1000 / float(text.removesuffix("/m")) if text.endswith("/m") else float(text)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{text[:20]!r} is no distance: give millimetres, such as 16.67, or lights a metre: 60/m")
        if not LEAST <= pitch <= MOST:
            self.fail(f"{text[:20]!r} is {pitch:.4g} mm: give {LEAST:.0f} to {MOST:.0f} mm")
        return pitch


@click.command("template", cls=Command)
@click.argument("what", type=click.Choice(["board", "keypad", "wiring"]), default="board")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this configuration.")
@click.option(
    "--pitch", type=_Pitch(), help=f"From light to light in mm, or 60/m (usual) or 144/m; from key to key: {KEY_PITCH}."
)
@click.option("--row", type=click.IntRange(5, 1000), help="Fold the track into rows of so many holes; the usual is 30.")
@click.option("--hole", "hole_mm", type=click.FloatRange(0.5, 20), help="Diameter of a hole in mm.")
@click.option("--paper", type=click.Choice([*PAPERS, "none"]), default="a4", show_default=True, help="none: one sheet.")
@click.option("--out", type=click.Path(path_type=Path), help="An .svg or .pdf file; else muggins-board.pdf is written.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
def template(
    what: str,
    config_file: Path | None,
    pitch: float | None,
    row: int | None,
    hole_mm: float | None,
    paper: Paper,
    out: Path | None,
    as_json: bool,
) -> None:
    """Draw the board's holes or the keypad's overlay at true scale, for a drill, a laser or a printer; or the wiring.

    The holes lie where the lights of the configured strip are. A board larger than the paper is parted over several
    sheets with marks to join them: pages of a PDF, or numbered SVG files.
    """
    out = Path(f"muggins-{what}.pdf") if out is None else out
    if out.suffix.lower() not in (".svg", ".pdf"):
        raise Complaint(f"{out.name!r} is neither a .pdf nor an .svg file: give --out one of these endings", MALFORMED)
    try:
        config = load_config(config_file)
    except ConfigError as error:
        raise unread(error) from error
    if what == "wiring":
        if row is not None or hole_mm is not None or pitch is not None:
            raise Complaint("the picture of the wiring has no scale: it takes --paper alone", MALFORMED)
        pages, answer = wiring_pages(config, paper)
    elif what == "keypad":
        if row is not None or hole_mm is not None:
            raise Complaint("--row and --hole are for the board; the keypad takes --pitch and --paper", MALFORMED)
        pages, answer = keypad_pages(config, KEY_PITCH if pitch is None else pitch, paper)
    else:
        pages, answer = board_pages(config, PITCH if pitch is None else pitch, row, hole_mm, paper)
    try:
        files = _write(pages, out)
    except OSError as error:
        raise Complaint(f"{out} cannot be written: {error.strerror or error}", FORBIDDEN) from error
    answer |= {"files": [str(file) for file in files], "sheets": len(pages)}
    click.echo(json.dumps(answer) if as_json else in_words(answer))


def board_pages(
    config: Config, pitch: float, row: int | None, hole_mm: float | None, paper: Paper
) -> tuple[tuple[Page, ...], dict[str, Any]]:
    """The sheets of the board, and what is to be said of it. Raises Complaint where it cannot be drawn."""
    if row is not None and config.own_layout is not None:
        raise Complaint(
            "--row folds a built-in layout; yours lies as its table [layout] says: leave --row out", FORBIDDEN
        )
    layout = config.layout if row is None else folded(config.layout, row)
    hole = min(LARGEST_HOLE, int(pitch * 1.2) / 2) if hole_mm is None else hole_mm
    if hole >= pitch * layout.spacing:
        raise Complaint(f"holes of {hole:g} mm that are {pitch * layout.spacing:.4g} mm apart run together", FORBIDDEN)
    board = drawn(config, layout, pitch, row, hole)
    title = f"Muggins: {layout.name}, {pitch:.4g} mm from light to light"
    try:
        pages = on_sheets(board, paper, title)
    except TooWide as error:
        raise Complaint(f"{error}; take --paper none", FORBIDDEN) from error
    strip = pieces(layout, pitch, row)
    answer: dict[str, Any] = {
        "what": "board",
        "holes": layout.holes * layout.lane_count,
        "pitch_mm": round(pitch, 3),
        "hole_mm": hole,
        "width_mm": round(board.width, 1),
        "height_mm": round(board.height, 1),
        "paper": paper,
        "pieces": [abs(piece.last.pixel - piece.first.pixel) + 1 for piece in strip],
    }
    if layout.lanes != config.layout.lanes:
        own = replace(config, layout_name="own", own_layout=layout)
        tables = to_plain(own, config)
        answer["config"] = tables
        answer["toml"] = to_toml(own, config, ascii_only=True)
    return pages, answer


def drawn(config: Config, layout: Layout, pitch: float, row: int | None, hole: float) -> Board:
    """The drawing of a layout, with the skunk lines of the table's rule book."""
    book = config.books[config.book]
    lines = dict(book.skunks).get(layout.holes, ())
    lanes = f"{layout.lane_count} lane" + "s" * (layout.lane_count > 1)
    words = (
        f"Muggins: {lanes} of {layout.holes} holes of {hole:g} mm, {pitch:.4g} mm from light to light, from the front"
    )
    return draw_board(
        pieces(layout, pitch, row), pitch=pitch, hole=hole, skunks=lines, skip_first=layout.skip_first, title=words
    )


def keypad_pages(config: Config, pitch: float, paper: Paper) -> tuple[tuple[Page, ...], dict[str, Any]]:
    """The sheet of the keypad's overlay, and what is to be said of it. Raises Complaint where it does not fit."""
    page = keypad_overlay(config.keys, pitch, None if paper == "none" else PAPERS[paper])
    if page is None:
        raise Complaint(f"keys {pitch:.4g} mm apart do not fit the paper; take --paper none", FORBIDDEN)
    keys = sum(map(len, config.keys))
    return (page,), {"what": "keypad", "keys": keys, "pitch_mm": round(pitch, 3), "paper": paper}


def wiring_pages(config: Config, paper: Paper) -> tuple[tuple[Page, ...], dict[str, Any]]:
    """The picture of the configured pins, and what is to be said of it."""
    page = wiring_picture(config.wiring, None if paper == "none" else PAPERS[paper])
    named = [
        {"part": wire.part, "signal": wire.signal, "gpio": wire.bcm, "pin": header_pin(wire.bcm)}
        for wire in wires(config.wiring)
    ]
    return (page,), {"what": "wiring", "wires": named, "paper": paper}


def in_words(answer: dict[str, Any]) -> str:
    """The answer for a person: the files, the board's measures, how to cut the strip, and the configuration for it."""
    sheets = f"{answer['sheets']} sheet" + "s" * (answer["sheets"] > 1)
    files = answer["files"]
    named = files[0] if len(files) == 1 else f"{files[0]} to {Path(files[-1]).name}"
    lines = [f"{named}: {sheets}; print at 100 % and measure the ruler"]
    if answer["what"] == "wiring":
        told = (f"pin {one['pin']:2}  GPIO{one['gpio']:<2}  {one['part']}: {one['signal']}" for one in answer["wires"])
        return "\n".join([named, *told])
    if answer["what"] == "keypad":
        return f"{lines[0]}\n{answer['keys']} keys, {answer['pitch_mm']:g} mm from middle to middle"
    lines.append(
        f"{answer['holes']} holes of {answer['hole_mm']:g} mm, {answer['pitch_mm']:g} mm from light to light, "
        f"on a board of {answer['width_mm']:g} x {answer['height_mm']:g} mm"
    )
    lengths = answer["pieces"]
    if len(lengths) > 1:
        lines.append(f"the strip in {len(lengths)} pieces of {_counted(lengths)} lights")
    if "toml" in answer:
        lines += ["put this into the configuration:", "", answer["toml"].rstrip("\n")]
    elif answer["width_mm"] > LONG_MM:
        lines.append("--row 30 folds it into rows of thirty holes")
    return "\n".join(lines)


def _counted(lengths: Sequence[int]) -> str:
    """Lengths in their order, runs of equal ones told once.

    >>> _counted([30, 30, 31])
    '2 x 30, 31'
    """
    runs: list[list[int]] = []
    for length in lengths:
        if runs and runs[-1][1] == length:
            runs[-1][0] += 1
        else:
            runs.append([1, length])
    return ", ".join(str(length) if times == 1 else f"{times} x {length}" for times, length in runs)


def _write(pages: Sequence[Page], out: Path) -> list[Path]:
    if out.suffix.lower() == ".pdf":
        out.write_bytes(to_pdf(pages))
        return [out]
    files = []
    for index, page in enumerate(pages, 1):
        file = out if len(pages) == 1 else out.with_name(f"{out.stem}-{index}{out.suffix}")
        file.write_text(to_svg(page), encoding="utf-8")
        files.append(file)
    return files
