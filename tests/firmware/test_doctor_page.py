"""``muggins doctor`` on the page: where it is served, its certificate, its name, each in each of its states."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.doctor import Check, Machine, check_up

TLS = Path(__file__).resolve().parents[1] / "golden" / "tls"
NETWORK = 'host = "0.0.0.0"'

Look = Callable[..., Check]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """One check of a machine with such a [page] table, and such addresses."""

    def check(name: str, table: str, *there: str, **more: Any) -> Check:
        (tmp_path / "etc").mkdir(exist_ok=True)
        (tmp_path / "etc/muggins.toml").write_text(f"[page]\n{table}\n")
        machine = Machine(tmp_path, **({"addresses": lambda: there} | more))
        return {one.name: one for one in check_up(machine)}[name]

    return check


def assert_is(check: Check, state: str, found: str, cure: str = "") -> None:
    """The check has this state, and its words hold these; a cure is there exactly where something is to be done."""
    assert (check.state, bool(check.cure)) == (state, state in ("warn", "fail")), check
    assert re.search(found, check.found), check
    assert re.search(cure, check.cure), check


def test_a_page_for_this_machine_is_sound_and_says_how_to_share_it(look: Look) -> None:
    """By default the page is served to this machine only; the check says so, and with which setting others see it."""
    assert_is(look("page", ""), "ok", r'this machine only, http://127\.0\.0\.1:8121/; page\.host = "0\.0\.0\.0"')
    assert_is(look("page", "enabled = false"), "skipped", "no page")


def test_a_page_on_the_network_is_told_by_its_number(look: Look) -> None:
    """Served to the network, the page is told by the address that others ask for, one that was given before one that
    nobody gave."""
    check = look("page", NETWORK, "192.0.2.20", "169.254.1.1")
    assert_is(check, "ok", r"http://192\.0\.2\.20:8121/.*192\.0\.2\.20, 169\.254\.1\.1")
    assert_is(look("page", 'host = "192.0.2.20"\nport = 80', "192.0.2.20"), "ok", r"http://192\.0\.2\.20:80/")


def test_a_machine_without_a_network_is_told_how_to_join_one(look: Look) -> None:
    """No address, and one that nobody gave, is a warning with the commands that join a network."""
    assert_is(look("page", NETWORK), "warn", "no network", "raspi-config")
    assert_is(look("page", NETWORK, "169.254.1.1"), "warn", r"169\.254\.1\.1", "nmcli")


def test_an_address_of_another_machine_is_a_fault(look: Look) -> None:
    """An address in page.host that is not this machine's fails, with those there are."""
    check = look("page", 'host = "192.0.2.20"', "192.0.2.33")
    assert_is(check, "fail", r"page\.host is 192\.0\.2\.20.*192\.0\.2\.33", r"0\.0\.0\.0")


def test_a_service_whose_page_does_not_answer_is_told(look: Look, tmp_path: Path) -> None:
    """Where a copy runs and nothing listens at the page's address the check warns; where none runs it asks nobody."""
    asked: list[tuple[str, int]] = []

    def nobody(address: str, port: int) -> bool:
        asked.append((address, port))
        return False

    assert look("page", NETWORK, "192.0.2.20", answers=nobody).state == "ok"
    assert asked == []
    (tmp_path / "proc/812").mkdir(parents=True)
    (tmp_path / "proc/812/cmdline").write_bytes(b"/opt/muggins/bin/muggins\0run\0")
    check = look("page", NETWORK, "192.0.2.20", answers=nobody)
    assert_is(check, "warn", r"nothing answers at http://192\.0\.2\.20:8121/", "restart")
    assert asked == [("192.0.2.20", 8121)]
    assert look("page", NETWORK, "192.0.2.20", answers=lambda address, port: True).state == "ok"


def test_below_another_root_no_address_is_known(look: Look) -> None:
    """A tree of files has no addresses: the check says that it did not look."""
    assert_is(look("page", NETWORK, addresses=None), "skipped", "running machine")


def test_the_certificate_is_tried(look: Look, tmp_path: Path) -> None:
    """A certificate with its key is sound; one that is not there fails, with what to do; none is skipped."""
    assert_is(look("certificate", ""), "skipped", "plain http")
    for name in ("certificate.pem", "key.pem"):
        (tmp_path / name).write_bytes((TLS / name).read_bytes())
    table = 'certificate = "/certificate.pem"\nkey = "/key.pem"'
    assert_is(look("certificate", table), "ok", "https")
    (tmp_path / "key.pem").write_bytes((TLS / "other-key.pem").read_bytes())
    assert_is(look("certificate", table), "fail", "page.key: .*key.pem is not the key of", "Name the one.*not start")
    (tmp_path / "key.pem").unlink()
    assert_is(look("certificate", table), "fail", "page.key: there is no file .*key.pem", "Name one that is there")


def test_the_name_needs_its_package(look: Look, tmp_path: Path) -> None:
    """On the network the page is found as muggins.local where zeroconf is there; without it the check warns."""
    assert_is(look("page name", ""), "skipped", "this machine only")
    assert_is(look("page name", f"{NETWORK}\nmdns = false"), "skipped", "page.mdns")
    assert_is(look("page name", NETWORK), "warn", "zeroconf is missing", "number")
    folder = tmp_path / "opt/muggins/lib/python3.11/site-packages/zeroconf-1.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: zeroconf\nVersion: 1\n")
    assert_is(look("page name", NETWORK), "ok", "muggins.local")
