"""A USB numpad: what its keys say, what is not heard, and what happens when it is pulled out."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.errors import PartFailed, PartMissing
from hardware.numpad import KEYPAD, KEYS, LETTERS, Numpad
from hardware.ports import Edge, KeyEvent
from hardware.simulated.numpad import NUMLOCK, Pad, SimulatedNumpad, installed, underneath

Open = Callable[..., Numpad]


@pytest.fixture
def pad() -> Iterator[Pad]:
    """A pad in its socket."""
    one = Pad()
    yield one
    one.close()


@pytest.fixture(params=["double", pytest.param("real", marks=pytest.mark.wire("evdev"))])
def opened(request: pytest.FixtureRequest, pad: Pad) -> Iterator[Open]:
    """Opens the pad, by the double of evdev and by the real package, and sees to it that it is closed."""
    made: list[Numpad] = []

    def open_one(**changes: object) -> Numpad:
        made.append(Numpad(**{"by_id": pad.by_id} | changes))  # type: ignore[arg-type]
        return made[-1]

    with installed(pad) if request.param == "double" else underneath(pad):
        yield open_one
        for numpad in made:
            numpad.close()


def keys(events: tuple[KeyEvent, ...]) -> str:
    """The keys that went down."""
    return "".join(event.key for event in events if event.edge is Edge.DOWN)


@pytest.mark.parametrize(
    ("label", "code", "key"),
    [
        *(
            (digit, code, digit)
            for digit, code in zip("7894561230", (71, 72, 73, 75, 76, 77, 79, 80, 81, 82), strict=True)
        ),
        ("Enter", 96, "#"),
        (".", 83, "*"),
        ("Del", 111, "*"),
        ("Backspace", 14, "*"),
        ("/", 98, "A"),
        ("*", 55, "B"),
        ("-", 74, "C"),
        ("+", 78, "D"),
    ],
)
def test_every_key_says_what_the_keypads_key_says(opened: Open, pad: Pad, label: str, code: int, key: str) -> None:
    """Digits are digits, Enter is #, the point and Backspace are *, and / * - + are the four suits, by their codes."""
    numpad = opened()
    pad.tap(code)
    assert numpad.poll(0.0) == (KeyEvent(key, Edge.DOWN), KeyEvent(key, Edge.UP))


def test_a_card_is_entered_as_on_the_keypad(opened: Open, pad: Pad) -> None:
    """The strokes for the queen of spades, ten points and a go come in their order, however many lie between polls."""
    numpad = opened()
    pad.tap("1", "2", "A", "1", "0", "#", "#")
    assert keys(numpad.poll(0.0)) == "12A10##"
    assert numpad.poll(0.02) == ()


def test_more_events_than_one_read_takes_all_come(opened: Open, pad: Pad) -> None:
    """A hundred strokes waiting at once are read to the last in one poll."""
    numpad = opened()
    for _ in range(10):
        pad.tap(*"0123456789")
    assert keys(numpad.poll(0.0)) == "0123456789" * 10


def test_a_key_held_down_repeats_nothing(opened: Open, pad: Pad) -> None:
    """The kernel's repeats of a held key are no new presses, and letting go is one UP."""
    numpad = opened()
    pad.press("7")
    pad.repeat("7", 40)
    assert numpad.poll(0.0) == (KeyEvent("7", Edge.DOWN),)
    pad.release("7")
    assert numpad.poll(0.5) == (KeyEvent("7", Edge.UP),)


def test_numlock_is_no_key_and_changes_none(opened: Open, pad: Pad) -> None:
    """NumLock says nothing, also where a pad sends it round every digit; a pad's own arrows are its digits."""
    numpad = opened()
    pad.tap(NUMLOCK, "4", NUMLOCK, NUMLOCK, 105, 110, NUMLOCK)
    assert keys(numpad.poll(0.0)) == "440"


def test_other_keys_and_other_devices_events_say_nothing(opened: Open, pad: Pad) -> None:
    """Letters, a calculator's keys and events that are no keys pass unheard."""
    numpad = opened()
    pad.tap(16, 30, 140)
    pad.send((2, 0, 5), (17, 0, 1), (0, 0, 0))
    assert numpad.poll(0.0) == ()


def test_it_is_grabbed(opened: Open, pad: Pad) -> None:
    """While it is open no other program hears it; closed it is free again."""
    numpad = opened()
    assert pad.grabbed_by is not None
    numpad.close()
    numpad.close()
    assert pad.grabbed_by is None


def test_a_pulled_out_pad_lets_its_keys_go_and_comes_back(opened: Open, pad: Pad) -> None:
    """Pulled out in mid-chord: the UPs first, then PartFailed with the cure; put back it is grabbed and heard again."""
    numpad = opened()
    pad.press("1")
    pad.press("2")
    assert keys(numpad.poll(0.0)) == "12"
    pad.pull_out()
    assert {event.edge for event in numpad.poll(0.02)} == {Edge.UP}
    with pytest.raises(PartFailed, match="Plug it in"):
        numpad.poll(0.04)
    pad.put_back()
    with pytest.raises(PartFailed):
        numpad.poll(0.5)  # it is looked for once a second only
    assert numpad.poll(1.1) == ()
    assert pad.grabbed_by is not None
    pad.tap("9")
    assert keys(numpad.poll(1.12)) == "9"


def test_replugging_between_two_polls_is_noticed(opened: Open, pad: Pad) -> None:
    """Out and in again between two polls: the old node is given up, the new one is read."""
    numpad = opened()
    numpad.poll(0.0)
    pad.pull_out()
    pad.put_back()
    with pytest.raises(PartFailed, match="unplugged"):
        numpad.poll(0.02)
    assert numpad.poll(0.04) == ()
    pad.tap("5")
    assert keys(numpad.poll(0.06)) == "5"


def test_what_was_lost_in_an_overrun_leaves_no_key_down(opened: Open, pad: Pad) -> None:
    """After the kernel says that events were dropped, a key no longer down is let go, one still down is not."""
    numpad = opened()
    pad.press("1")
    pad.press("2")
    numpad.poll(0.0)
    pad.down.discard(79)  # its release is among what was lost
    pad.overrun()
    assert numpad.poll(0.1) == (KeyEvent("1", Edge.UP),)
    pad.release("2")
    assert numpad.poll(0.2) == (KeyEvent("2", Edge.UP),)


def test_what_comes_inside_an_overrun_is_not_believed(opened: Open, pad: Pad) -> None:
    """Events between the kernel's word of a loss and its next report are dropped."""
    numpad = opened()
    pad.send((0, 3, 0), (1, 71, 1), (0, 0, 0))
    assert numpad.poll(0.0) == ()


def test_a_stuck_key_is_told_and_the_others_go_on(opened: Open, pad: Pad) -> None:
    """A key down past the limit counts as up and is named; the rest types on; let go it is well again."""
    numpad = opened(stuck_s=10.0)
    pad.press("B")
    numpad.poll(0.0)
    assert numpad.poll(9.9) == ()
    assert numpad.faults() == ()
    assert numpad.poll(10.1) == (KeyEvent("B", Edge.UP),)
    assert "Key B of the numpad" in numpad.faults()[0]
    pad.tap("3")
    assert keys(numpad.poll(11.0)) == "3"
    pad.release("B")
    assert numpad.poll(12.0) == ()
    assert numpad.faults() == ()


def test_a_key_down_at_the_opening_is_no_press(opened: Open, pad: Pad) -> None:
    """Repeats and the release of a key that was down before the pad was opened say nothing."""
    numpad = opened()
    pad.repeat("#")
    pad.release("#")
    assert numpad.poll(0.0) == ()


@pytest.mark.parametrize(
    ("fault", "cure"),
    [(errno.EACCES, "group input"), (errno.ENODEV, "Plug it in"), (errno.ENOTTY, "numpad.device")],
)
def test_a_pad_that_cannot_be_opened_is_told_with_its_cure(opened: Open, pad: Pad, fault: int, cure: str) -> None:
    """Right, presence and kind: each has a line of its own, whether the node is named or sought."""
    pad.fault = fault
    for device in (None, pad.link):
        with pytest.raises(PartMissing, match=cure):
            opened(device=device)


def test_a_pad_that_another_program_has_is_told(opened: Open, pad: Pad) -> None:
    """Grabbed by another program: PartFailed naming the node, and nothing stays open."""
    pad.grabbed_by = "another"
    with pytest.raises(PartFailed, match="another program"):
        opened()
    pad.grabbed_by = None
    opened()


def test_no_pad_is_told_with_where_it_was_sought(opened: Open, pad: Pad) -> None:
    """Without a pad the folder that was looked through is named."""
    pad.pull_out()
    with pytest.raises(PartMissing, match=str(pad.by_id)):
        opened()
    with pytest.raises(PartMissing, match="is not there"):
        opened(device=Path("/dev/input/by-id/none"))


def test_a_keyboard_without_keypad_keys_is_not_taken(opened: Open, pad: Pad) -> None:
    """Sought for, a device must have the ten digits and Enter of a keypad; one that is named is taken at the word."""
    pad.codes = tuple(LETTERS)
    with pytest.raises(PartMissing, match="No numpad"):
        opened()
    assert opened(device=pad.link).name == pad.name


def test_a_pad_is_preferred_to_a_keyboard(opened: Open, pad: Pad) -> None:
    """Where a whole keyboard has the earlier name, the device without letters is taken all the same."""
    (pad.by_id / "a-keyboard-event-kbd").symlink_to("event7")
    asked: list[int] = []
    whole, plain = (*KEYPAD, *LETTERS), tuple(KEYPAD)
    real_opened = pad.opened

    def first_is_a_keyboard(handle: int) -> None:
        real_opened(handle)
        asked.append(handle)
        pad.codes = whole if len(asked) == 1 else plain

    pad.opened = first_is_a_keyboard  # type: ignore[method-assign]
    numpad = opened()
    assert numpad._device.path == str(pad.link)


def test_without_the_driver_the_cure_is_told() -> None:
    """Where evdev is not installed the line says how to have it."""
    with installed(None), pytest.raises(PartMissing, match="python3-evdev"):
        Numpad()


def test_a_closed_pad_says_so(opened: Open) -> None:
    """Reading a closed pad raises PartFailed, and never opens it again."""
    numpad = opened()
    numpad.close()
    with pytest.raises(PartFailed, match="closed"):
        numpad.poll(5.0)


def test_every_key_of_the_board_is_on_the_pad() -> None:
    """All sixteen keys can be said, each by at least one key of the pad's own."""
    assert set(KEYS.values()) == set("0123456789*#ABCD")


def test_simulated_pads_share_nothing() -> None:
    """Two simulated pads at once: each hears its own fingers only."""
    one, other = SimulatedNumpad(), SimulatedNumpad()
    one.pad.tap("1")
    assert (keys(one.poll(0.0)), keys(other.poll(0.0))) == ("1", "")
    one.close()
    other.close()
    assert not one.pad.by_id.exists()
