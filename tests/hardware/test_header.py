"""The numbers along the header, and the wires that go there."""

from __future__ import annotations

import pytest
from gpiozero import pi_info

from hardware.header import HEADER, header_pin, kept_free, wires
from hardware.wiring import Wiring

REVISIONS = ("902120", "a02082", "c03111", "c04170")
"""A Zero 2 W, a 3, a 4 and a 5."""


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_header_is_the_pis(revision: str) -> None:
    """Each of the forty pins is what gpiozero's table of that board says it is."""
    table = pi_info(revision).headers["J8"].pins
    ours = {pin: f"GPIO{what}" if isinstance(what, int) else what for pin, what in enumerate(HEADER, 1)}
    assert ours == {pin: table[pin].name for pin in table}


def test_every_pin_that_wiring_takes_is_on_the_header() -> None:
    """GPIO0 to GPIO27 have a number along the header each, all different."""
    assert len({header_pin(bcm) for bcm in range(28)}) == 28


def test_a_pin_that_is_not_there_is_refused() -> None:
    """There is no GPIO28 on the header."""
    with pytest.raises(ValueError, match="28"):
        header_pin(28)


def test_every_pin_of_the_wiring_is_a_wire_or_kept_free() -> None:
    """No pin that the wiring takes is forgotten, and none is told twice."""
    wiring = Wiring()
    taken = [*wiring.rows, *wiring.columns, *wiring.seats, 26, *wiring.i2c, *wiring.spi]
    assert sorted([wire.bcm for wire in wires(wiring)] + list(kept_free(wiring))) == sorted(taken)


def test_the_keypads_wires_name_their_keys() -> None:
    """The wire on the second row's pin is that of 4 5 6 B, the one on the fourth column's that of A B C D."""
    named = {wire.bcm: wire.signal for wire in wires(Wiring())}
    assert (named[6], named[20]) == ("row 2 (4 5 6 B)", "column 4 (A B C D)")


def test_a_strip_on_pwm_has_its_own_pin() -> None:
    """A strip on GPIO18 is wired there, and nothing is kept for SPI."""
    wiring = Wiring(spi=(), strip=18)
    assert next(wires(wiring)).bcm == 18
    assert kept_free(wiring) == ()


def test_parts_that_are_not_there_have_no_wires() -> None:
    """Without keypad, buttons and buzzer only strip and screen are wired."""
    assert {wire.part for wire in wires(Wiring(rows=(), columns=(), seats=(), buzzer=None))} == {"strip", "screen"}
