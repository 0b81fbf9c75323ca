"""The machine's addresses by number, as they are at this moment: a Pi may get its own late, or another one."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

LOOPBACK: Final = "127.0.0.1"
EVERY: Final = frozenset({"0.0.0.0", "::"})
"""What stands for every address of the machine."""
ELSEWHERE: Final = ("198.51.100.1", 9)
"""An address that is nobody's: the way towards it begins at the interface that leads out. Nothing is sent there."""


def present_address() -> str:
    """The IPv4 address by which others reach this machine now, 127.0.0.1 where it has no network. Never raises.

    Some microseconds where there is a way out, a fraction of a millisecond where there is only a net of its own.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.connect(ELSEWHERE)
            found = str(sock.getsockname()[0])
    except OSError:
        found = ""
    if found and not is_loopback(found):
        return found
    return next(iter(own_addresses()), LOOPBACK)


def own_addresses() -> list[str]:
    """Every IPv4 address of this machine but the loopback's, those given by nobody (169.254.x.x) last. Never raises."""
    import ifaddr

    try:
        found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)]
    except OSError:
        return []
    found = [one for one in found if not is_loopback(one)]
    return sorted(dict.fromkeys(found), key=lambda one: ipaddress.ip_address(one).is_link_local)


def is_loopback(host: str) -> bool:
    """Whether an address by number is the loopback's: packets to it never leave the machine.

    >>> is_loopback("127.0.1.1"), is_loopback("::1"), is_loopback("192.0.2.7"), is_loopback("0.0.0.0")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reached_at(host: str) -> str:
    """The address by number at which a page served at ``host`` is to be asked for now."""
    return present_address() if host in EVERY else host
