"""The phones that may press keys: a register of those paired, and the signed cookie that each keeps.

The register is the truth: a cookie whose phone is no longer in it says nothing, however well it is signed.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from itsdangerous import BadData, URLSafeSerializer

from firmware.hands import Presser
from firmware.lock import FolderInUse
from firmware.odd_files import read_plain, set_aside, sync_folder
from firmware.words import say

NAME: Final = "phones.json"
LASTS_S: Final = 30 * 24 * 3600
"""So long after it was paired a phone has to be paired anew."""
REMEMBERED_S: Final = 400 * 24 * 3600
"""So long a phone keeps its cookie: by one that holds no more it is told that its pairing is over."""
MOST: Final = 20
SEATS: Final = 4
LONGEST: Final = 1 << 16
"""Bytes of a register; a full one has about three thousand."""


@dataclass(frozen=True, slots=True)
class Phone:
    """One paired phone. ``number`` is what people call it by; ``seat`` is None for the whole table's keys."""

    id: str
    number: int
    seat: int | None
    at: int
    """When it was paired, in seconds of the wall clock."""

    @property
    def presser(self) -> Presser:
        """The hand that it is."""
        return Presser(self.id, self.seat, say("by-phone", number=self.number))


class PhonesFull(Exception):
    """As many phones are paired as there may be."""


class Phones:
    """The register, kept in one file that nobody else may read, together with the key that signs the cookies.

    Without a folder it is kept in memory. ``wall`` gives the seconds of the wall clock, ``digits`` six random digits.
    A file that cannot be understood, or that others could read, is replaced, and everybody is unpaired. ``take`` holds
    the folder for us before anything is written: it raises FolderInUse or OSError where that cannot be.

    Where the register cannot be written and a phone was let go, the file is removed if that can be done: it is better
    to pair all of them anew than to have that one back.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        wall: Callable[[], float] = time.time,
        digits: Callable[[], str] = lambda: f"{secrets.randbelow(1_000_000):06}",
        take: Callable[[], None] = lambda: None,
    ) -> None:
        self._path = None if folder is None else folder / NAME
        self._wall = wall
        self._take = take
        self._unsaved = self._outdated = False
        """Whether the file lacks something, and whether it may hold somebody who was let go."""
        self.digits = digits
        self.revision = 0
        """Grows with every phone that comes or goes."""
        self.trouble = ""
        """Why the register could not be kept or understood, for the person; empty while all is well."""
        self._phones: tuple[Phone, ...] = ()
        self._key = ""
        try:
            self._read()
        except FileNotFoundError:
            self._begin()
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            self._outdated = True
            self._begin()
            self.trouble = self.trouble or say("phones-unreadable")

    @property
    def paired(self) -> tuple[Phone, ...]:
        """The phones that are paired now, by number."""
        now = self._wall()
        return tuple(phone for phone in self._phones if phone.at + LASTS_S > now)

    def add(self, seat: int | None) -> Phone:
        """Pair one more phone, under the lowest number that is free. Raises PhonesFull."""
        paired = self.paired
        if len(paired) >= MOST:
            raise PhonesFull
        taken = {phone.number for phone in paired}
        number = next(one for one in range(1, MOST + 1) if one not in taken)
        phone = Phone(secrets.token_hex(16), number, seat, int(self._wall()))
        self._keep((*paired, phone))
        return phone

    def remove(self, id: str) -> Phone | None:
        """Let that phone press no more, and give it back; None where it is not paired."""
        gone = next((phone for phone in self.paired if phone.id == id), None)
        if gone is not None:
            self._outdated = True
            self._keep(tuple(phone for phone in self.paired if phone != gone))
        return gone

    @property
    def saved(self) -> bool:
        """Whether the file says what is so."""
        return not self._unsaved

    def retry(self) -> bool:
        """Try again to write what could not be written; gives whether that was so and has worked now."""
        if self._unsaved:
            self._save()
            return not self._unsaved
        return False

    def cookie(self, phone: Phone) -> str:
        """What the phone is to keep and to show with each key: its name here and its seat, signed."""
        return str(self._signer.dumps([phone.id, phone.seat, phone.at]))

    def of(self, cookie: str) -> Presser | None:
        """The hand of the phone whose cookie this is; None for one forged or expired, or of a phone let go."""
        try:
            told = self._signer.loads(cookie)
        except BadData:
            return None
        return next((phone.presser for phone in self.paired if [phone.id, phone.seat, phone.at] == told), None)

    @property
    def _signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._key, salt="muggins phone")

    def _begin(self) -> None:
        """Nobody is paired, and no cookie of before holds."""
        self._key = secrets.token_hex(32)
        self._keep(())
        self.revision = 0  # nobody has come or gone since the start

    def _keep(self, phones: tuple[Phone, ...]) -> None:
        self._phones = tuple(sorted(phones, key=lambda phone: phone.number))
        self.revision += 1
        self._save()

    def _save(self) -> None:
        try:
            self._write()
        except (OSError, FolderInUse) as error:
            self._unsaved = True
            safe = not self._outdated or self._forget()
            why = error.strerror or error if isinstance(error, OSError) else error
            self.trouble = say("phones-not-kept" if safe else "phones-come-back", why=why)
        else:
            self._unsaved = self._outdated = False
            self.trouble = ""

    def _forget(self) -> bool:
        """Have nobody paired in the file; whether that is so."""
        assert self._path is not None
        try:
            self._take()
            self._path.unlink(missing_ok=True)
            sync_folder(self._path.parent)
        except (FileNotFoundError, NotADirectoryError):
            pass  # there is no folder, and so no file
        except (OSError, FolderInUse):
            return False
        self._outdated = False
        return True

    def _read(self) -> None:
        if self._path is None:
            raise FileNotFoundError
        text, mode = read_plain(self._path, LONGEST)
        if mode & 0o077:
            raise ValueError("others could read the key")
        data = json.loads(text)
        key = bytes.fromhex(data["key"])
        if len(key) != 32:
            raise ValueError("no key of ours")
        self._phones = tuple(_phone(**one) for one in data["phones"])
        self._key = key.hex()

    def _write(self) -> None:
        """Have the register on the disk, whole or not at all."""
        if self._path is None:
            return
        text = json.dumps({"key": self._key, "phones": [asdict(phone) for phone in self._phones]})
        self._take()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        for name in (fresh, self._path):
            set_aside(name)
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        fresh.replace(self._path)
        sync_folder(self._path.parent)  # or a power cut could bring the old one back, and whoever was let go


def _phone(id: Any, number: Any, seat: Any, at: Any) -> Phone:
    """A phone of the file. Raises ValueError for what is none."""
    seated = seat is None or (type(seat) is int and 0 <= seat < SEATS)
    whole = type(number) is int and 0 < number <= MOST and type(at) is int
    if not (isinstance(id, str) and seated and whole):
        raise ValueError("no phone of ours")
    return Phone(id, number, seat, at)
