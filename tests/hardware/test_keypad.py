"""The keypad's real driver over pins that behave like copper: wiring, shorts, ghosts, stuck keys, chatter, faults."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.errors import LayoutError, PartFailed
from hardware.keypad import Keypad
from hardware.ports import Edge, KeyEvent
from hardware.simulated.matrix import SimulatedKeys
from hardware.wiring import Wiring

NAMES = "123A456B789C*0#D"
DOWN, UP, HOLD = Edge.DOWN, Edge.UP, Edge.HOLD


class Table:
    """A simulated keypad and a hand: the clock moves in polls of 20 ms."""

    def __init__(self, **options: Any) -> None:
        self.keys = SimulatedKeys(**options)
        self.now = 0.0
        self.step()

    def step(self, polls: int = 1) -> list[tuple[str, Edge]]:
        """Poll so many times and return what came."""
        heard = []
        for _ in range(polls):
            heard += [(event.key, event.edge) for event in self.keys.poll(self.now)]
            self.now += 0.02
        return heard

    def press(self, *names: str) -> list[tuple[str, Edge]]:
        """Put fingers down all at once and wait 100 ms."""
        for name in names:
            self.keys.press(name)
        return self.step(5)

    def release(self, *names: str) -> list[tuple[str, Edge]]:
        """Take fingers off all at once and wait 100 ms."""
        for name in names:
            self.keys.release(name)
        return self.step(5)


@pytest.fixture
def table() -> Iterator[Table]:
    one = Table()
    yield one
    one.keys.close()


@pytest.mark.parametrize("index", range(16))
def test_each_key_is_found_by_its_row_and_column(table: Table, index: int) -> None:
    """Closing the contact of a row and a column is heard as the key printed there, and as no other."""
    place = divmod(index, 4)
    table.keys.press(place)
    assert table.step(5) == [(NAMES[index], DOWN)]
    table.keys.release(place)
    assert table.step(5) == [(NAMES[index], UP)]


def test_other_pins_and_names_are_obeyed() -> None:
    """The map and the pins come from the wiring: a 2x2 keypad on other pins has its own four keys."""
    table = Table(wiring=Wiring(rows=(20, 21), columns=(12, 4), keys=("xy", "zw"), seats=()))
    assert table.press("w") == [("w", DOWN)]
    assert table.release("w") + table.press("y") == [("w", UP), ("y", DOWN)]
    table.keys.close()


def test_press_is_heard_in_the_first_poll_that_sees_it(table: Table) -> None:
    """A press waits for no debouncing: it is reported by the very next poll."""
    table.keys.press("5")
    assert table.step() == [("5", DOWN)]


def test_held_key_says_so_once(table: Table) -> None:
    """A key kept down is DOWN, one HOLD, and UP when it is let go."""
    assert table.press("A") == [("A", DOWN)]
    assert table.step(100) == [("A", HOLD)]
    assert table.release("A") == [("A", UP)]


def test_hold_time_is_a_setting() -> None:
    """HOLD comes in the first poll past the hold time that was asked for."""
    table = Table(hold_ms=1000)
    table.keys.press("A")
    assert table.step(50) == [("A", DOWN)]
    assert table.step() == [("A", HOLD)]
    table.keys.close()


@pytest.mark.parametrize("pair", [("1", "2"), ("1", "4"), ("1", "5"), ("A", "D"), ("0", "C")])
def test_two_keys_are_both_heard(table: Table, pair: tuple[str, str]) -> None:
    """Any two keys down together are told apart, whether they share a row, a column or neither."""
    assert sorted(table.press(*pair)) == sorted((key, DOWN) for key in pair)
    assert sorted(table.release(*pair)) == sorted((key, UP) for key in pair)


@pytest.mark.parametrize("column", range(4))
def test_keys_of_one_column_never_short_two_outputs(table: Table, column: int) -> None:
    """All four keys of a column down at once: no output is ever driven against another."""
    for row in range(4):
        table.keys.press((row, column))
    assert len(table.step(10)) == 4
    assert table.keys.circuit.shorts == 0


def test_pushed_rows_would_be_caught() -> None:
    """The short counter counts: rows driven high while one is low are a short once a column's keys join them."""
    keys = SimulatedKeys()
    wiring = keys.wiring
    keys.close()
    rows = [keys.pins.factory.pin(pin) for pin in wiring.rows]
    for row in rows:
        row.output_with_state(1)
    keys.press("1")
    rows[0].output_with_state(0)
    rows[0].output_with_state(1)
    assert keys.circuit.shorts == 0
    keys.press("4")
    rows[0].output_with_state(0)
    assert keys.circuit.shorts == 1


@pytest.mark.parametrize("corners", [("1", "2", "4"), ("2", "1", "5"), ("1", "D", "A"), ("#", "8", "0")])
def test_three_corners_ghost_on_the_copper(table: Table, corners: tuple[str, str, str]) -> None:
    """Three corners of a rectangle pressed at once look like four; none is accepted, and the driver says why."""
    assert table.press(*corners) == []
    assert "let all keys go" in table.keys.faults()[0]
    assert table.release(*corners) == []
    assert table.keys.faults() == ()


def test_ghost_is_really_on_the_wire(table: Table) -> None:
    """With three corners closed the fourth key's column does read low when its row is selected."""
    table.press("1", "2", "4")
    factory, wiring = table.keys.pins.factory, table.keys.wiring
    for pin in wiring.rows:
        factory.pin(pin).input_with_pull("floating")
    assert factory.pin(wiring.columns[1]).state
    factory.pin(wiring.rows[1]).output_with_state(0)
    assert not factory.pin(wiring.columns[1]).state
    assert factory.pin(wiring.columns[2]).state


def test_third_corner_adds_nothing_to_two_accepted_keys(table: Table) -> None:
    """Two keys accepted before the third corner keep their UP; the third and the ghost are never heard."""
    assert sorted(table.press("1", "2")) == [("1", DOWN), ("2", DOWN)]
    assert table.press("4") == []
    assert sorted(table.release("1", "2", "4")) == [("1", UP), ("2", UP)]


def test_nothing_is_accepted_after_a_ghost_until_all_keys_are_up(table: Table) -> None:
    """With the rectangle broken but a key still down, a new key is ignored; after all are up it counts again."""
    table.press("1", "2", "4")
    assert table.release("2", "4") == []
    assert table.press("9") == []
    assert table.release("9") == []
    assert table.release("1") == []
    assert table.press("9") == [("9", DOWN)]


def test_no_hold_is_told_while_a_ghost_blocks(table: Table) -> None:
    """Under a ghost an accepted key may be up already without the board knowing, so it does not become a hold."""
    table.press("1", "2")
    table.press("4")
    assert table.step(60) == []


def test_corner_that_closes_in_mid_scan_is_a_ghost_too(table: Table) -> None:
    """When the third corner closes between two rows of one scan only three corners show, one of them false."""
    table.press("2", "4")
    circuit, reads = table.keys.circuit, 0
    honest = circuit.check_reading

    def close_after_first_row() -> None:
        nonlocal reads
        reads += 1
        if reads == 5:
            table.keys.press("1")
        honest()

    circuit.check_reading = close_after_first_row  # type: ignore[method-assign]
    assert table.step(5) == []
    assert table.keys.faults() != ()


def test_four_keys_of_a_row_are_no_ghost(table: Table) -> None:
    """Keys that lie along one line are told apart however many they are."""
    assert sorted(table.press("1", "2", "3", "A")) == [("1", DOWN), ("2", DOWN), ("3", DOWN), ("A", DOWN)]
    assert table.keys.faults() == ()


def test_stuck_key_is_reported_and_let_go(table: Table) -> None:
    """A key down for more than ten seconds is named with its place, and its UP comes then."""
    table.press("5")
    assert table.step(480) == [("5", HOLD)]
    assert table.keys.faults() == ()
    assert table.step(20) == [("5", UP)]
    (fault,) = table.keys.faults()
    assert fault.startswith("Key 5 (row 2, column 2) has been down for more than 10 s")


def test_other_keys_go_on_beside_a_stuck_one(table: Table) -> None:
    """With a key stuck, each other key is still heard, in its row and column as well."""
    table.press("5")
    table.step(520)
    for name in NAMES.replace("5", ""):
        assert table.press(name) + table.release(name) == [(name, DOWN), (name, UP)]


def test_stuck_key_counts_again_once_freed(table: Table) -> None:
    """Freeing a stuck key is silent, even with chatter, and its next press is heard."""
    table.press("5")
    table.step(520)
    table.keys.release("5", bounce_ms=(3, 6, 11, 14))
    assert table.step(10) == []
    assert table.keys.faults() == ()
    assert table.press("5") == [("5", DOWN)]


def test_ghost_beside_a_stuck_key_ends_when_the_others_are_up(table: Table) -> None:
    """A stuck key does not keep a ghost's lock for ever: the lock ends when every other key is up."""
    table.press("5")
    table.step(520)
    assert table.press("6", "8") == []
    table.release("6", "8")
    assert table.press("6") == [("6", DOWN)]


def test_rectangle_of_stuck_keys_does_not_silence_the_rest(table: Table) -> None:
    """Three keys stuck in a corner are given up on, with the ghost they make; a key on other lines is still heard."""
    table.press("1", "2", "4")
    table.step(520)
    assert table.press("D") == [("D", DOWN)]
    assert table.release("D") == [("D", UP)]


def test_key_down_at_the_start_is_no_press() -> None:
    """A key that is down when the board starts is ignored until it is let go."""
    keys = SimulatedKeys()
    keys.press("7")
    heard = [event for step in range(50) for event in keys.poll(step * 0.02)]
    keys.release("7")
    heard += [event for step in range(50, 60) for event in keys.poll(step * 0.02)]
    assert heard == []
    keys.press("7")
    assert keys.poll(1.3) == (KeyEvent("7", DOWN),)
    keys.close()


def test_pulled_out_column_is_silent_and_comes_back(table: Table) -> None:
    """With a column's wire off, its keys are not heard and the others are; put back, they are."""
    column = table.keys.wiring.columns[1]
    table.keys.circuit.pull_out(column)
    assert table.press("5") + table.release("5") == []
    assert table.press("6") + table.release("6") == [("6", DOWN), ("6", UP)]
    table.keys.circuit.put_back(column)
    assert table.press("5") == [("5", DOWN)]


def test_wire_pulled_out_under_a_finger_is_a_release(table: Table) -> None:
    """Pulling the row's wire while a key is down ends the press."""
    table.press("5")
    table.keys.circuit.pull_out(table.keys.wiring.rows[1])
    assert table.step(5) == [("5", UP)]


def test_grounded_column_is_no_key_and_is_named(table: Table) -> None:
    """A column that touches ground presses nothing, is named, leaves the others working, and heals."""
    column = table.keys.wiring.columns[1]
    table.keys.circuit.join(column)
    assert table.step(5) == []
    assert table.keys.faults()[0].startswith(f"Column 2 (GPIO{column}) is low with no row selected")
    assert table.press("6") + table.release("6") == [("6", DOWN), ("6", UP)]
    table.keys.circuit.part(column)
    assert table.press("5") == [("5", DOWN)]
    assert table.keys.faults() == ()


def test_failing_pins_are_a_failed_part_that_recovers(table: Table) -> None:
    """A read that fails is PartFailed with a cure; when the pins answer again, so does the keypad."""
    table.keys.circuit.break_off("Input/output error")
    with pytest.raises(PartFailed, match=r"Input/output error.*plug"):
        table.step()
    table.keys.circuit.mend()
    assert table.press("5") == [("5", DOWN)]


def test_pin_taken_by_another_part_fails_to_open() -> None:
    """A pin that another device holds is refused with the cure, and the pins already taken are let go."""
    from gpiozero import LED

    keys = SimulatedKeys()
    keys.close()
    factory = keys.pins.factory
    with LED(keys.wiring.columns[2], pin_factory=factory), pytest.raises(PartFailed) as caught:
        Keypad(factory, keys.wiring)
    Keypad(factory, keys.wiring).close()
    assert "Close the other program" in str(caught.value)


def test_no_rows_is_no_keypad() -> None:
    """Wiring without a keypad is refused by the driver and fine for a board with buttons alone."""
    wiring = Wiring(rows=(), columns=())
    keys = SimulatedKeys(wiring)
    with pytest.raises(LayoutError, match="no keypad is wired"):
        Keypad(keys.pins.factory, wiring)
    assert keys.poll(0.0) == ()
    keys.close()


def test_closing_twice_is_harmless_and_reading_after_is_refused(table: Table) -> None:
    """close() may be called again; a poll afterwards says what to do."""
    table.keys.close()
    table.keys.close()
    with pytest.raises(PartFailed, match="open it again"):
        table.step()


def test_two_boards_in_one_process_share_nothing() -> None:
    """A key pressed on one simulated board is not heard on another with the same pins."""
    one, other = Table(), Table()
    assert one.press("5") == [("5", DOWN)]
    assert other.step(5) == []
    other.keys.close()
    assert one.release("5") == [("5", UP)]
    one.keys.close()


@pytest.mark.parametrize("bounce_ms", [(1,), (2, 1), (0, 3), (3, 3)])
def test_impossible_bounce_is_refused(table: Table, bounce_ms: tuple[float, ...]) -> None:
    """A bounce train that would not settle as told, or runs backwards, is refused."""
    with pytest.raises(ValueError, match="bounce train"):
        table.keys.press("1", bounce_ms=bounce_ms)


def test_stroke_gives_the_key_and_the_next_start(table: Table) -> None:
    """A stroke polls until the key has settled, so that strokes can follow each other without a gap."""
    at, heard, keys = table.now, [], "11" + NAMES + "DD"
    for key in keys:
        polls = list(table.keys.stroke(key, at))
        heard += [(event.key, event.edge) for _, events in polls for event in events]
        at = polls[-1][0]
    assert heard == [(key, edge) for key in keys for edge in (DOWN, UP)]


def trains() -> st.SearchStrategy[list[float]]:
    """Bounce trains that last at most 15 ms."""
    times = st.sets(st.integers(1, 150), max_size=10)
    return times.map(lambda ticks: [tick / 10 for tick in sorted(ticks)][: len(ticks) // 2 * 2])


@settings(max_examples=60, deadline=None)
@given(
    taps=st.lists(
        st.tuples(st.sampled_from(NAMES), trains(), trains(), st.integers(50, 200), st.integers(50, 200)), max_size=12
    ),
    phase=st.integers(0, 19),
)
def test_any_taps_with_chatter_are_those_keys_in_that_order(
    taps: list[tuple[str, list[float], list[float], int, int]], phase: int
) -> None:
    """However contacts bounce within 15 ms and wherever the polls fall, the keys tapped are the keys heard."""
    keys, at = SimulatedKeys(), 0.02 + phase / 1000
    keys.poll(0.0)
    for key, press, release, down_ms, gap_ms in taps:
        keys.press(key, at=at, bounce_ms=press)
        keys.release(key, at=at + down_ms / 1000, bounce_ms=release)
        at += (down_ms + gap_ms) / 1000
    heard = [(event.key, event.edge) for step in range(1, int(at / 0.02) + 10) for event in keys.poll(step * 0.02)]
    assert heard == [(key, edge) for key, *_ in taps for edge in (DOWN, UP)]
    assert keys.circuit.shorts == 0
    assert keys.faults() == ()
    keys.close()


@settings(max_examples=60, deadline=None)
@given(fingers=st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 6)), max_size=40))
def test_any_chord_shorts_nothing_and_leaves_no_key_hanging(fingers: list[tuple[str, int]]) -> None:
    """Fingers anywhere, many at once: no output shorted, each DOWN has one UP, nothing heard that was not pressed."""
    table, down = Table(), set()
    heard: list[tuple[str, Edge]] = []
    for name, polls in fingers:
        (table.keys.release if name in down else table.keys.press)(name)
        down ^= {name}
        heard += table.step(polls)
    for name in down:
        table.keys.release(name)
    heard += table.step(10)
    pressed = {name for name, _ in fingers}
    for key in NAMES:
        edges = [edge for name, edge in heard if name == key and edge is not HOLD]
        assert edges == [DOWN, UP] * (len(edges) // 2)
        assert key in pressed or not edges
    assert table.keys.circuit.shorts == 0
    assert table.press("5") == [("5", DOWN)]
    table.keys.close()


def test_lgpio_is_asked_for_no_high_output_and_little_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through gpiozero's own lgpio pins no row is ever driven high, and a poll without a key is four reads."""
    calls: list[tuple[str, int, int]] = []
    modes: dict[int, int] = {}
    down: set[tuple[int, int]] = set()
    wiring = Wiring()

    def claim(flag: int, word: str) -> Any:
        def one(handle: int, gpio: int, level: int = 0) -> None:
            modes[gpio] = flag
            calls.append((word, gpio, level if flag else 0))

        return one

    def read(handle: int, gpio: int) -> int:
        calls.append(("read", gpio, 0))
        pulled = any(modes.get(row) == 2 for row, column in down if column == gpio)
        return int(not pulled)

    fake = types.ModuleType("lgpio")
    fake.__dict__.update(
        SET_PULL_NONE=0, SET_PULL_UP=32, SET_PULL_DOWN=64, BOTH_EDGES=3, RISING_EDGE=1, FALLING_EDGE=2,
        error=RuntimeError, gpiochip_open=lambda chip: 1, gpiochip_close=lambda handle: None,
        gpio_claim_input=claim(0, "input"), gpio_claim_output=claim(2, "output"), gpio_read=read,
        gpio_free=lambda handle, gpio: None, gpio_get_mode=lambda handle, gpio: modes.get(gpio, 0),
        gpio_write=lambda handle, gpio, level: calls.append(("write", gpio, level)),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    del sys.modules["gpiozero.pins.lgpio"]  # imported anew over the double, and taken out again afterwards
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)
    from hardware.pin_factory import open_factory

    pins = open_factory("lgpio")
    assert pins.line == "Pins: lgpio on a Raspberry Pi 3B."
    keypad = Keypad(pins.factory, wiring)
    keypad.poll(0.0)
    calls.clear()
    assert keypad.poll(0.02) == ()
    assert calls == [("read", pin, 0) for pin in wiring.columns]
    down.add((wiring.rows[3], wiring.columns[2]))
    assert keypad.poll(0.04) == (KeyEvent("#", DOWN),)
    down.clear()
    assert keypad.poll(0.08) == (KeyEvent("#", UP),)
    assert [call for call in calls if call[0] in ("write", "output") and call[2]] == []
    keypad.close()
    assert all(modes[row] == 0 for row in wiring.rows)
    pins.close()
