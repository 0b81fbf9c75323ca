"""What the [page] table takes to serve the page to others: an address, names, files of a certificate."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Any, Final

from firmware.config_kinds import wrong

NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
LONGEST_NAME: Final = 253


@dataclass(frozen=True, slots=True)
class Host:
    """The IPv4 address by number at which the page is served; "localhost" is 127.0.0.1, and kept as that."""

    @property
    def expected(self) -> str:
        """The two usual ones, and any other."""
        return (
            '"127.0.0.1" (this machine only), "0.0.0.0" (its network too) or the number of one of this machine\'s '
            "addresses, such as 192.168.1.20"
        )

    def read(self, value: Any) -> str:
        """The address."""
        if value == "localhost":
            return "127.0.0.1"
        if isinstance(value, str):
            try:
                address = ipaddress.IPv4Address(value)
            except ValueError:
                raise wrong(value, self) from None
            if not address.is_multicast and value != "255.255.255.255":
                return value
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """As it is."""
        return value


@dataclass(frozen=True, slots=True)
class HostNames:
    """Names of machines, kept in small letters."""

    @property
    def expected(self) -> str:
        """What is listed."""
        return 'a list of names of this machine without port, such as ["board.club.example"]'

    def read(self, value: Any) -> tuple[str, ...]:
        """The names."""
        if isinstance(value, list) and all(isinstance(one, str) and _is_name(one.lower()) for one in value):
            return tuple(one.lower() for one in value)
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """A list."""
        return list(value)


@dataclass(frozen=True, slots=True)
class PemFile:
    """The whole path of a PEM file, or "" for none."""

    @property
    def expected(self) -> str:
        """Both."""
        return 'the whole path of a PEM file, /..., or ""'

    def read(self, value: Any) -> str:
        """The path."""
        if isinstance(value, str) and (not value or (value.startswith("/") and value.isprintable())):
            return value
        raise wrong(value, self)

    def plain(self, value: Any) -> Any:
        """As it is."""
        return value


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None
