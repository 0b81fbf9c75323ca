"""The page: where it is served, whether others can reach it, its certificate, its name on the network."""

from __future__ import annotations

import ipaddress
from typing import Final

from firmware.addresses import EVERY, is_loopback
from firmware.certificate import CertificateFault, secured
from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped, warn
from firmware.doctor.machine import Machine
from firmware.doctor.service import running_copies

NO_PAGE: Final = "no page is served"
OWN_ONLY: Final = "the page is served to this machine only"


def check_page(machine: Machine, config: Config) -> Finding:
    """Where the page is to be reached, and whether it is there."""
    if not config.page:
        return skipped(NO_PAGE)
    if is_loopback(config.host):
        return ok(f'{OWN_ONLY}, {_url(config, config.host)}; page.host = "0.0.0.0" serves it to its network')
    if machine.addresses is None:
        return skipped("its addresses are known on the running machine only")
    there = machine.addresses()
    shown = ", ".join(there) or "none"
    if config.host not in EVERY and config.host not in there:
        return fail(
            f"page.host is {config.host}, and this machine's addresses are: {shown}",
            'Set page.host to one of them, or to "0.0.0.0" for whichever it has; until then nothing is served.',
        )
    given = [one for one in there if not ipaddress.ip_address(one).is_link_local]
    if not given:
        return warn(
            f"this machine is on no network (its addresses: {shown}): the page is reached from itself only",
            "Join a network (sudo raspi-config, or nmcli device wifi); the page needs no restart.",
        )
    address = config.host if config.host not in EVERY else given[0]
    if machine.answers is not None and running_copies(machine) and not machine.answers(address, config.page_port):
        return warn(
            f"muggins runs, but nothing answers at {_url(config, address)}",
            "See which address it printed (systemctl status muggins); restart it if page.host is newer than that.",
        )
    return ok(f"served to the network at {_url(config, address)}; this machine's addresses: {shown}")


def check_certificate(machine: Machine, config: Config) -> Finding:
    """Whether the files of the certificate can be used."""
    if not config.page or not config.certificate:
        return skipped("no certificate is set: the page is plain http" if config.page else NO_PAGE)
    files = [str(machine.at(name.lstrip("/"))) for name in (config.certificate, config.certificate_key)]
    try:
        secured(*files)
    except CertificateFault as error:
        what, _, cure = str(error).rpartition(": ")
        return fail(what, f"{cure[:1].upper()}{cure[1:]}; until then muggins does not start.")
    return ok(f"{config.certificate} and its key fit: the page is https")


def check_name(machine: Machine, config: Config) -> Finding:
    """Whether the page can be found as muggins.local."""
    if not config.page or is_loopback(config.host):
        return skipped(OWN_ONLY if config.page else NO_PAGE)
    if not config.mdns:
        return skipped("page.mdns is off")
    if "zeroconf" not in machine.packages():
        return warn(
            "the package zeroconf is missing: the page is not found as muggins.local",
            "sudo make install brings it; or open the page by its number, which the screen shows.",
        )
    return ok("found as muggins.local, or muggins-2.local where another board has that name")


def _url(config: Config, address: str) -> str:
    return f"{'https' if config.certificate else 'http'}://{address}:{config.page_port}/"
