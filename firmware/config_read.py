"""From what TOML gives to a checked Config: all faults are collected, and told together with their near misses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from engine.book_data import BookFaults, book_from_dict
from engine.decide import decide
from engine.errors import CribbageError
from firmware.config_faults import ConfigError, Fault
from firmware.config_kinds import quoted
from firmware.config_schema import BY_PATH, KEYS, LAYOUT_TABLE, PINS, TABLES, Key
from firmware.config_values import BOOK, OWN, Config
from firmware.laps import fits
from firmware.settings import Choices
from hardware import layout_data
from hardware.current import REST_MA
from hardware.errors import LayoutError
from hardware.oled import MEMORY_COLUMNS, SIZE
from hardware.wiring import KEYPAD, Wiring

KEY_NAMES: Final = frozenset("".join(KEYPAD))
OF_THE_STRIP: Final = ("skip_first", "colour_order")
"""What a layout could hold too, but is said once, in [strip]."""
LANES: Final = f"{LAYOUT_TABLE}.lanes"
LONGEST_PATH: Final = 80


def config_from(data: Mapping[str, Any], defaults: Config) -> Config:
    """The configuration that such a dict describes; what it leaves out is as in ``defaults``.

    Raises ConfigError with every fault.
    """
    reader = _Reader(data, defaults)
    config = reader.read()
    if reader.faults:
        raise ConfigError(tuple(reader.faults))
    return config


class _Reader:
    """A value that cannot be read is left at its default, and what depends on it is not judged."""

    def __init__(self, data: Mapping[str, Any], defaults: Config) -> None:
        self.data = data
        self.defaults = defaults
        self.faults: list[Fault] = []
        self._bad: set[str] = set()
        self._own_book: Mapping[str, Any] | None = None
        self._own_name = ""

    def read(self) -> Config:
        values: dict[str, Any] = {}
        self._read_book()
        for table, content in self.data.items():
            if table not in TABLES:
                self._add(table, _unknown_table(table))
            elif not isinstance(content, Mapping):
                self._add(table, f"found {quoted(content)}, expected a table, [{table}]")
            elif table not in (LAYOUT_TABLE, BOOK):
                for name, value in content.items():
                    self._take(f"{table}.{name}", value, values)
        config = replace(self.defaults, own_layout=None, own_book=self._own_book, **values)
        if self._own_name and "table.rules" not in self._given():
            config = replace(config, book=self._own_name)
        config = self._with_layout(config)
        self._judge_strip(config)
        self._judge_screen(config)
        self._judge_wiring(config)
        self._judge_table(config)
        self._judge_page(config)
        return config

    def _take(self, path: str, value: Any, values: dict[str, Any]) -> None:
        key = BY_PATH.get(path)
        if key is None:
            self._add(path, _unknown_key(path))
            return
        if path == "table.rules" and self._own_name and value == self._own_name:
            values[key.field] = value
            return
        try:
            values[key.field] = key.kind.read(value)
        except ValueError as error:
            self._add(path, str(error))

    def _read_book(self) -> None:
        """The table's own rule book, first: [table] may name it."""
        table = self.data.get(BOOK)
        if not isinstance(table, Mapping):
            return
        try:
            self._own_name = book_from_dict(table, path=BOOK).name
        except BookFaults as error:
            for fault in error.faults:
                self._add(fault.path, fault.message)
        else:
            self._own_book = dict(table)

    def _with_layout(self, config: Config) -> Config:
        table = self.data.get(LAYOUT_TABLE)
        named = "strip.layout" in self._given()
        if not isinstance(table, Mapping):
            if config.layout_name == OWN and table is None:
                self._add("strip.layout", 'found "own", but there is no [layout] table: describe the lanes in one')
            return config
        if named and config.layout_name != OWN and "strip.layout" not in self._bad:
            self._add(
                "strip.layout",
                f'found {quoted(config.layout_name)} and a [layout] table: keep one of them, or say "{OWN}"',
            )
        content = dict(table)
        for name in OF_THE_STRIP:
            if name in content:
                del content[name]
                self._add(f"{LAYOUT_TABLE}.{name}", f"this is said in [strip]: move it to strip.{name}")
        if "lanes" not in content:
            self._add(LANES, "is missing: give one [[layout.lanes]] for each lane")
        strip = {"skip_first": config.skip_first, "colour_order": config.colour_order}
        try:
            own = layout_data.from_dict({"lanes": []} | content | strip, path=LAYOUT_TABLE)
        except LayoutError as error:
            for path, message in map(_split, error.faults):
                if path != LANES or LANES not in self._bad:
                    self._add(path, message)
            return config
        return replace(config, layout_name=OWN, own_layout=own)

    def _judge_strip(self, config: Config) -> None:
        if self._any_bad("strip.", "parts.strip", LAYOUT_TABLE) or config.strip == "none":
            return
        rest_ma = config.layout.wire_pixels * REST_MA
        if config.max_ma <= rest_ma:
            self._add(
                "strip.max_ma",
                f"found {config.max_ma}, but {config.layout.wire_pixels} lights draw {rest_ma} mA even when dark: "
                f"give more, or nothing is ever lit",
            )

    def _judge_screen(self, config: Config) -> None:
        most = MEMORY_COLUMNS[config.chip] - SIZE[0]
        if not self._any_bad("screen.") and config.column is not None and config.column > most:
            self._add(
                "screen.column", f'found {config.column}, expected "auto" or 0 to {most} with the chip {config.chip}'
            )

    def _judge_wiring(self, config: Config) -> None:
        for index, row in enumerate(config.keys):
            strange = [name for name in row if name not in KEY_NAMES]
            if strange:
                self._add(
                    f"wiring.keys[{index}]",
                    f"found {quoted(''.join(strange))}, expected only the keys {' '.join(''.join(KEYPAD))}",
                )
        if self._bad & {"wiring.keys", "wiring.rows", "wiring.columns"}:
            config = replace(config, keypad="none")
        unread: dict[str, Any] = {key.field: () for key in KEYS if key.kind is PINS and key.path in self._bad}
        config = replace(config, **unread)
        try:
            Wiring(**config.wiring_values)  # type: ignore[arg-type]
        except LayoutError as error:
            for line in str(error).replace("wiring.strip", "strip.pin").splitlines():
                path, message = _split(line)
                if path not in self._bad:
                    self._add(path, message)

    def _judge_table(self, config: Config) -> None:
        if self._any_bad("table."):
            return
        settings = config.settings()
        books = Choices(books=config.books)
        try:
            decide(None, settings.open_game(books))
        except CribbageError as error:
            self._add("table.names", error.brief)
            return
        if self._any_bad("strip.", LAYOUT_TABLE):
            return
        layout = config.layout
        if not fits(config.target, layout.holes):
            self._add("table.to", f"found {config.target}, but the lanes have {layout.holes} holes: give them more")
        sides = settings.sides
        fault = lane_fault(layout.lane_count, sides)
        if fault:
            self._add("strip.layout", fault)

    def _judge_page(self, config: Config) -> None:
        if self._any_bad("page."):
            return
        if config.certificate and not config.certificate_key:
            self._add("page.key", "is missing: page.certificate needs the file of its key")
        if config.certificate_key and not config.certificate:
            self._add("page.certificate", "is missing: page.key is the key of a certificate")

    def _given(self) -> set[str]:
        return {f"{table}.{name}" for table, one in self.data.items() if isinstance(one, Mapping) for name in one}

    def _any_bad(self, *starts: str) -> bool:
        return any(path.startswith(starts) for path in self._bad)

    def _add(self, path: str, message: str) -> None:
        self._bad.add(path)
        shown = path if path.isprintable() else ascii(path)[1:-1]
        self.faults.append(Fault(shown[:LONGEST_PATH], message))


def lane_fault(lanes: int, sides: int) -> str:
    """What is wrong with so many lanes for so many sides, or nothing: two sides may share one lane.

    >>> lane_fault(1, 2), lane_fault(3, 2)
    ('', '')
    """
    if lanes >= sides or (lanes == 1 and sides == 2):
        return ""
    return f"{lanes} lanes are too few for {sides} sides: one a side, or a single one that two share"


def _unknown_key(path: str) -> str:
    table, _, name = path.partition(".")
    near = _near(name, [key for key in KEYS if key.table == table])
    near = near or next((key.path for key in KEYS if key.name == name), "")
    near = near or _near(name, list(KEYS), cutoff=0.75)
    if near:
        return f"there is no such setting; did you mean {near}?"
    known = ", ".join(key.name for key in KEYS if key.table == table)
    return f"there is no such setting; [{table}] has {known}"


def _near(name: str, keys: list[Key], cutoff: float = 0.6) -> str:
    by_name = {key.name: key.path for key in keys}
    near = get_close_matches(name.casefold(), by_name, n=1, cutoff=cutoff)
    return by_name[near[0]] if near else ""


def _unknown_table(name: str) -> str:
    stray = next((key.path for key in KEYS if key.name == name), "")
    if stray:
        return f"this stands in no table; did you mean {stray}?"
    near = get_close_matches(name.casefold(), TABLES, n=1)
    hint = f"did you mean [{near[0]}]?" if near else f"there are {', '.join(f'[{table}]' for table in TABLES)}"
    return f"there is no such table; {hint}"


def _split(line: str) -> tuple[str, str]:
    """Key path and message of a fault told in one line."""
    path, _, message = line.partition(": ")
    return path, message
