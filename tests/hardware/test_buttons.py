"""The seats' buttons: a tap and a hold are two acts, told apart by their first event."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.buttons import SeatButtons
from hardware.errors import PartFailed
from hardware.ports import Edge
from hardware.simulated.matrix import SimulatedKeys
from hardware.wiring import Wiring

DOWN, UP, HOLD = Edge.DOWN, Edge.UP, Edge.HOLD


@pytest.fixture
def keys() -> Iterator[SimulatedKeys]:
    one = SimulatedKeys()
    one.poll(0.0)
    yield one
    one.close()


def heard(keys: SimulatedKeys, until: float) -> list[tuple[float, str, Edge]]:
    """Poll at 50 Hz from the poll after now to ``until``; what came, and in which poll."""
    steps = range(round(keys.circuit.now / 0.02) + 1, round(until / 0.02) + 1)
    return [(step / 50, event.key, event.edge) for step in steps for event in keys.poll(step * 0.02)]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_tap_is_down_and_up_when_the_button_is_let_go(keys: SimulatedKeys, seat: int) -> None:
    """A tap says nothing while the finger is down and both edges in the poll that finds it off."""
    keys.press(f"@{seat}", at=0.1)
    keys.release(f"@{seat}", at=0.31)
    assert heard(keys, 1.5) == [(0.32, f"@{seat}", DOWN), (0.32, f"@{seat}", UP)]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_hold_is_one_hold_and_nothing_else(keys: SimulatedKeys, seat: int) -> None:
    """A hold is told when the hold time is over, once; no DOWN comes before it and no UP after it."""
    keys.press(f"@{seat}", at=0.1)
    keys.release(f"@{seat}", at=2.0)
    assert heard(keys, 3.0) == [(0.7, f"@{seat}", HOLD)]


def test_tap_follows_a_hold(keys: SimulatedKeys) -> None:
    """After a hold the next tap is a tap."""
    keys.press("@2", at=0.1)
    keys.release("@2", at=1.0)
    keys.tap("@2", at=1.5)
    assert [edge for _, _, edge in heard(keys, 3.0)] == [HOLD, DOWN, UP]


def test_chatter_makes_no_second_tap(keys: SimulatedKeys) -> None:
    """Bouncing on the way down and on the way up still is one tap."""
    keys.press("@1", at=0.101, bounce_ms=(1, 2, 7, 14))
    keys.release("@1", at=0.199, bounce_ms=(2, 3, 9, 15))
    assert [edge for _, _, edge in heard(keys, 1.0)] == [DOWN, UP]


def test_two_seats_at_once_are_both_heard(keys: SimulatedKeys) -> None:
    """One seat may hold while another taps."""
    keys.press("@1", at=0.1)
    keys.tap("@3", at=0.2)
    keys.release("@1", at=1.0)
    assert [(key, edge) for _, key, edge in heard(keys, 1.5)] == [("@3", DOWN), ("@3", UP), ("@1", HOLD)]


def test_button_down_at_the_start_is_no_act() -> None:
    """A button that is down when the board starts neither taps nor holds; its next tap counts."""
    keys = SimulatedKeys()
    keys.press("@1")
    keys.poll(0.0)
    keys.release("@1", at=1.0)
    keys.tap("@1", at=2.0)
    assert [(at > 2, edge) for at, _, edge in heard(keys, 3.0)] == [(True, DOWN), (True, UP)]
    keys.close()


def test_stuck_button_is_named_and_heals(keys: SimulatedKeys) -> None:
    """A button down for more than ten seconds is named by its seat; it was one hold, and freeing it is silent."""
    keys.press("@2")
    assert [edge for _, _, edge in heard(keys, 10.0)] == [HOLD]
    assert keys.faults() == ()
    assert heard(keys, 10.5) == []
    assert keys.faults()[0].startswith("Seat 2's button (GPIO27) has been down for more than 10 s")
    keys.release("@2")
    assert heard(keys, 11.0) == []
    assert keys.faults() == ()


def test_failing_pins_are_a_failed_part(keys: SimulatedKeys) -> None:
    """A read that fails is PartFailed with what to look at."""
    buttons = keys.buttons
    keys.circuit.break_off("Input/output error")
    with pytest.raises(PartFailed, match=r"seat buttons cannot be read.*plug"):
        buttons.poll(1.0)


def test_pin_taken_by_another_part_fails_to_open(keys: SimulatedKeys) -> None:
    """A seat button on a pin already in use is refused with the cure, and the pins already taken are let go."""
    with pytest.raises(PartFailed) as caught:
        SeatButtons(keys.pins.factory, [4, keys.wiring.rows[0]])
    assert "Close the other program" in str(caught.value)
    SeatButtons(keys.pins.factory, [4]).close()


def test_closing_twice_is_harmless_and_reading_after_is_refused(keys: SimulatedKeys) -> None:
    """close() may be called again; a poll afterwards says what to do."""
    keys.buttons.close()
    keys.buttons.close()
    with pytest.raises(PartFailed, match="open them again"):
        keys.buttons.poll(1.0)


def test_board_without_seat_buttons_hears_none() -> None:
    """No seats wired is a sound board."""
    keys = SimulatedKeys(Wiring(seats=()))
    assert heard(keys, 0.2) == []
    with pytest.raises(KeyError, match="no switch '@1'"):
        keys.press("@1")
    keys.close()


def test_stroke_and_hold_drive_the_buttons(keys: SimulatedKeys) -> None:
    """The helpers that move simulated time make a tap and a hold of the named button."""
    taps = [(now, event.edge) for now, events in keys.stroke("@2", 0.1) for event in events]
    assert [edge for _, edge in taps] == [DOWN, UP]
    held = [event.edge for _, events in keys.hold("@2", taps[-1][0] + 0.1) for event in events]
    assert held == [HOLD]
