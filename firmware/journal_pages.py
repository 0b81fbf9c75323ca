"""Reading rows out of the pages of a damaged SQLite file, whatever its tree of pages and its schema have become.

Every leaf page is looked at by itself; a row counts only if its own sum is right. The formats are those of
https://www.sqlite.org/fileformat2.html: b-tree pages (1.6), records (2.1), the write-ahead log (4).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.journal_rows import Line, record_sum, setting_sum

PAGE: Final = 4096
_TABLE_LEAF: Final = 0x0D
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Serial type of an integer -> its bytes."""

Value = int | str | None


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Everything sound in a file: its rows in order, its settings, and its imported records (when, and the text)."""

    lines: list[Line]
    settings: dict[str, str]
    records: dict[int, tuple[str, str]]


def salvage(main: bytes, wal: bytes) -> Salvaged:
    """Every sound row of a journal file and of the log beside it."""
    pages = {place // PAGE + 1: main[place : place + PAGE] for place in range(0, len(main), PAGE)}
    pages.update(committed(wal))
    lines: dict[int, Line] = {}
    settings: dict[str, str] = {}
    records: dict[int, tuple[str, str]] = {}
    for number, page in pages.items():
        for seq, values in _records(page, 100 if number == 1 else 0, pages):
            match values:
                case [None, int(game), int(entry), str(kind), int(version), str(data), str(at), int(more), int(crc)]:
                    line = Line(seq, game, entry, kind, version, data, at, more, crc)
                    if line.sound:
                        lines[seq] = line
                case [str(name), str(value), int(crc)] if crc == setting_sum(name, value):
                    settings[name] = value
                case [None, str(at), str(text), int(crc)] if crc == record_sum(seq, at, text):
                    records[seq] = at, text
    return Salvaged([lines[seq] for seq in sorted(lines)], settings, records)


def committed(wal: bytes) -> dict[int, bytes]:
    """The newest version of each page in a write-ahead log, up to its last whole transaction."""
    if len(wal) < 32:
        return {}
    magic, _, size = struct.unpack(">3I", wal[:12])
    if magic & ~1 != 0x377F0682 or size != PAGE:
        return {}
    order = ">" if magic & 1 else "<"
    total = _checksum(order, wal[:24], (0, 0))
    if total != struct.unpack(">2I", wal[24:32]):
        return {}
    pages: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for start in range(32, len(wal) - PAGE - 23, PAGE + 24):
        head, page = wal[start : start + 24], wal[start + 24 : start + 24 + PAGE]
        total = _checksum(order, page, _checksum(order, head[:8], total))
        if head[8:16] != wal[16:24] or total != struct.unpack(">2I", head[16:]):
            break
        number, commits = struct.unpack(">2I", head[:8])
        waiting[number] = page
        if commits:
            pages.update(waiting)
            waiting = {}
    return pages


def _checksum(order: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        one = (one + words[place] + two) & 0xFFFFFFFF
        two = (two + words[place + 1] + one) & 0xFFFFFFFF
    return one, two


def _records(page: bytes, head: int, pages: dict[int, bytes]) -> Iterator[tuple[int, list[Value]]]:
    """Row number and values of each cell of a leaf that can be made out at all."""
    if len(page) < head + 8 or page[head] != _TABLE_LEAF:
        return
    cells = int.from_bytes(page[head + 3 : head + 5], "big")
    for place in range(head + 8, min(head + 8 + 2 * cells, len(page) - 1), 2):
        cell = int.from_bytes(page[place : place + 2], "big")
        try:
            size, cell = _varint(page, cell)
            seq, cell = _varint(page, cell)
            yield seq, _values(_payload(page, cell, size, pages))
        except (IndexError, UnicodeDecodeError, KeyError):
            continue  # this cell is lost; its neighbours need not be


def _payload(page: bytes, cell: int, size: int, pages: dict[int, bytes]) -> bytes:
    most, least = PAGE - 35, (PAGE - 12) * 32 // 255 - 23
    if size <= most:
        return page[cell : cell + size]
    local = least + (size - least) % (PAGE - 4)
    local = local if local <= most else least
    data = page[cell : cell + local]
    following = int.from_bytes(page[cell + local : cell + local + 4], "big")
    while len(data) < size:
        more = pages[following]
        data, following = data + more[4 : 4 + size - len(data)], int.from_bytes(more[:4], "big")
        if len(more) < 5:
            raise IndexError(following)
    return data


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for step in range(8):
        byte = data[place + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + step + 1
    return value << 8 | data[place + 8], place + 9


def _values(record: bytes) -> list[Value]:
    end, place = _varint(record, 0)
    values: list[Value] = []
    body = end
    while place < end:
        kind, place = _varint(record, place)
        if kind == 0:
            values.append(None)
        elif kind in _INTEGERS:
            values.append(int.from_bytes(record[body : body + _INTEGERS[kind]], "big", signed=True))
            body += _INTEGERS[kind]
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind >= 13 and kind % 2:
            size = (kind - 13) // 2
            values.append(record[body : body + size].decode("utf-8"))
            body += size
        else:
            raise IndexError(kind)
    return values
