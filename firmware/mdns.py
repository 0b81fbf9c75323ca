"""Having the page found by name: ``muggins.local`` and a web page called Muggins, by multicast DNS.

All of it is in a thread of its own, the library's import too: nothing of it delays a key, and without it the page is
found by number as ever.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hardware.errors import foreign

if TYPE_CHECKING:
    from zeroconf import Zeroconf

NAME: Final = "muggins"
KIND: Final = "_http._tcp.local."
MOST: Final = 20
"""So many boards on one network have a name of their own."""
ASK_MS: Final = 1500
"""How long another machine has to say that a name is its own."""
GOODBYE_S: Final = 3.0


class Unannounced(Exception):
    """The page cannot be found by name, and why."""


class Announcer:
    """Announces a page on ``port`` wherever the machine is: ``at`` says where that is, as often as one likes.

    ``found`` is called, in another thread, with the name that the page has, ``muggins.local`` or, where that is
    another board's, ``muggins-2.local``; ``log`` with a line for people when it has another name or none. Nothing
    happens, and nothing is imported, before the first ``at``.
    """

    def __init__(
        self,
        port: int,
        found: Callable[[str], None],
        log: Callable[[str], None],
        *,
        name: str = NAME,
        scheme: str = "http",
        ask_ms: int = ASK_MS,
    ) -> None:
        self._port = port
        self._found = found
        self._log = log
        self._name = name
        self._scheme = scheme
        self._ask_ms = ask_ms
        self._address = ""
        self._moves: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def at(self, address: str) -> None:
        """The machine has this IPv4 address now, or with "" none; returns at once."""
        if address == self._address:
            return
        self._address = address
        self._moves.put(address)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="mdns", daemon=True)
            self._thread.start()

    def leave(self) -> None:
        """Begin to say goodbye; returns at once. Harmless twice."""
        self._moves.put(None)

    def join(self) -> None:
        """Wait until everybody was told, for a few seconds at most."""
        self.leave()
        if self._thread is not None:
            self._thread.join(GOODBYE_S)

    def _run(self) -> None:
        address = self._moves.get()
        while address is not None:
            try:
                address = self._stay(address) if address else self._moves.get()
            except Exception as error:  # a network has more ways to fail than a library has errors
                why = str(error) if isinstance(error, Unannounced) else foreign(f"{type(error).__name__}: {error}")
                self._log(
                    f"The page cannot be found by name ({why}); open it by its number, "
                    f"{self._scheme}://{address}:{self._port}/"
                )
                address = self._moves.get()

    def _stay(self, address: str) -> str | None:
        """Be found at that address until there is another one, which is returned."""
        try:
            from zeroconf import IPVersion, ServiceInfo, Zeroconf
        except ImportError:
            raise Unannounced("zeroconf is not installed") from None
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # one line of ours is enough
        _check(address)
        with contextlib.closing(Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)) as network:
            name = self._free_name(network, address)
            service = ServiceInfo(
                KIND,
                f"{name.capitalize()}.{KIND}",
                port=self._port,
                properties={"path": "/"},
                server=f"{name}.local.",
                addresses=[socket.inet_aton(address)],
            )
            network.register_service(service, allow_name_change=True)
            self._found(f"{name}.local")
            if name != self._name:
                self._log(
                    f"Another board on this network is {self._name}.local: the page of this one is "
                    f"{self._scheme}://{name}.local:{self._port}/"
                )
            return self._moves.get()  # and closing says goodbye

    def _free_name(self, network: Zeroconf, address: str) -> str:
        """The first name that no other machine has."""
        from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined]

        for number in range(1, MOST + 1):
            name = self._name if number == 1 else f"{self._name}-{number}"
            asked = AddressResolverIPv4(f"{name}.local.")
            if not asked.request(network, self._ask_ms) or set(asked.parsed_addresses()) == {address}:
                return name
        raise Unannounced(f"{MOST} boards have taken every name")


def _check(address: str) -> None:
    """Raise Unannounced where the machine does not have that address."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.bind((address, 0))
    except OSError:
        raise Unannounced(f"this machine is not at {address} any more") from None
