"""A configuration written out again: as plain values, and as TOML that reads back as the same."""

from __future__ import annotations

from typing import Any

from firmware.config_schema import KEYS, LAYOUT_TABLE
from firmware.config_values import BOOK, Config
from hardware.lanes import Layout


def to_plain(config: Config, defaults: Config | None = None) -> dict[str, Any]:
    """Tables of plain values; with ``defaults`` only what differs from them."""
    tables: dict[str, Any] = {}
    for key in KEYS:
        if defaults is None or getattr(config, key.field) != getattr(defaults, key.field):
            tables.setdefault(key.table, {})[key.name] = key.plain(config)
    if config.own_book is not None:
        tables[BOOK] = dict(config.own_book)
    if config.own_layout is not None:
        tables[LAYOUT_TABLE] = _layout(config.own_layout)
    return tables


def to_toml(config: Config, defaults: Config | None = None, *, ascii_only: bool = False) -> str:
    """The same as TOML; ``ascii_only`` escapes every other character."""
    parts = []
    for table, content in to_plain(config, defaults).items():
        lines = [f"[{table}]"]
        lines += [f"{name} = {_toml(value, ascii_only)}" for name, value in content.items() if name != "lanes"]
        for lane in content.get("lanes", ()):
            lines += ["", f"[[{table}.lanes]]"]
            lines += [f"{name} = {_toml(value, ascii_only)}" for name, value in lane.items()]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _layout(layout: Layout) -> dict[str, Any]:
    lanes = []
    for index, run in enumerate(layout.lanes):
        jumps = sorted(jump.hole for jump in layout.jumps if jump.lane == index)
        lanes.append({"segments": _segments(run), "jumps": jumps})
    return {
        "name": layout.name,
        "holes": layout.holes,
        "pixels": layout.pixels,
        "spacing": layout.spacing,
        "lanes": lanes,
    }


def _segments(run: tuple[int, ...]) -> list[dict[str, int]]:
    """The fewest stretches of equal steps, taken from the first hole on."""
    segments: list[dict[str, int]] = []
    for hole, pixel in enumerate(run, 1):
        last = segments[-1] if segments else None
        step = pixel - run[hole - 2]
        if last is not None and "step" not in last:
            last |= {"to": hole, "step": step}
        elif last is not None and last["step"] == step:
            last["to"] = hole
        else:
            segments.append({"from": hole, "to": hole, "first_pixel": pixel})
    return segments


def _toml(value: Any, ascii_only: bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(one, ascii_only)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one, ascii_only) for one in value) + "]"
    return '"' + "".join(_letter(letter, ascii_only) for letter in str(value)) + '"'


def _letter(letter: str, ascii_only: bool) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if not letter.isprintable() or (ascii_only and not letter.isascii()):
        return f"\\U{ord(letter):08X}"
    return letter
