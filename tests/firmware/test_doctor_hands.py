"""``muggins doctor lights``, ``screen`` and ``keys`` from end to end on simulated parts, some not as configured.

Who answers the questions looks at what the simulated part shows, and at nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli import cli
from firmware.config import Config
from firmware.doctor.keys import all_faults, watch_real
from firmware.doctor.lights import Lights, TwinLights, Walk
from firmware.doctor.screen import Look, TwinGlass, look_of
from firmware.doctor.terminal import Left, Terminal
from hardware.errors import FrameTooLong, PartFailed
from hardware.oled import Chip
from hardware.oled_pattern import border_picture
from hardware.open_devices import JoinedKeys
from hardware.ports import KeyEvent
from hardware.simulated.matrix import SimulatedKeys
from hardware.simulated.strip import WireStrip
from hardware.wiring import Wiring

Answer = Callable[[str], str | None]


def terminal_of(answer: Answer, said: list[str] | None = None) -> Terminal:
    """A terminal at which somebody answers; what is said to them is kept."""
    return Terminal((said if said is not None else []).append, answer, lambda seconds: "")


def walk(config: Config, wire: WireStrip, answer: Answer, said: list[str] | None = None) -> list[str]:
    """All questions about the lights, on a strip that is as it is."""
    lights = TwinLights(config, wire)
    try:
        return Walk(config, terminal_of(answer, said), lights, lambda seconds: None).go()
    finally:
        lights.close()


class Eye:
    """Somebody who looks at a strip. The board is glued on from its light ``first``, counted from 0."""

    def __init__(self, wire: WireStrip, first: int = 0) -> None:
        self.wire, self.first = wire, first
        self.questions = 0

    def __call__(self, prompt: str) -> str:
        self.questions += 1
        colours = self.wire.colours()
        lit = [index for index, colour in enumerate(colours) if any(colour)]
        if "all of one colour" in prompt:
            first = colours[: min(12, len(colours))]
            return "0" if not lit else "y" if len(set(first)) == 1 else "n"
        if "Which colour" in prompt:
            return "rgb"[max(range(3), key=lambda channel: colours[0][channel])]
        if "first of the board" in prompt:
            return "y" if lit == [self.first] else "n"
        if "Where did the dot stop" in prompt:
            return "v" if not lit else "e" if lit[-1] == len(colours) - 1 else "m"
        if "How many lights come after" in prompt:
            return str(len(colours) - 1 - lit[-1])
        if "Is a light lit" in prompt:
            return "y" if lit else "n"
        raise AssertionError(prompt)


# The lights.


def test_a_strip_as_configured_needs_no_line() -> None:
    """On a strip that is what the configuration says there is nothing to write."""
    wire = WireStrip(242)
    assert walk(Config(), wire, Eye(wire)) == []


@pytest.mark.parametrize("order", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
@pytest.mark.parametrize("configured", ["GRB", "BRG"])
def test_the_order_of_the_colours_is_found(configured: str, order: str) -> None:
    """Whatever order is configured, the strip's own is found from the colours that are seen."""
    wire = WireStrip(242, order=order)
    lines = walk(Config(colour_order=configured), wire, Eye(wire))
    assert lines == ([] if order == configured else ["[strip]", f'colour_order = "{order}"'])


@pytest.mark.parametrize(("configured", "order"), [("GRB", "GRBW"), ("RGB", "GRBW"), ("GRBW", "GRB"), ("RGBW", "BGR")])
def test_a_strip_with_or_without_white_is_found(configured: str, order: str) -> None:
    """A strip of four colours set up for three, or the reverse, is found by lights that differ."""
    wire = WireStrip(242, order=order)
    assert walk(Config(colour_order=configured), wire, Eye(wire)) == ["[strip]", f'colour_order = "{order}"']


@pytest.mark.parametrize("length", [1, 2, 60, 120, 200, 241])
def test_a_strip_that_is_too_short_is_measured(length: int) -> None:
    """Where the dot vanishes the last light is found exactly, and the lanes that fit are named."""
    wire, said = WireStrip(length), list[str]()
    eye = Eye(wire)
    lines = walk(Config(), wire, eye, said)
    assert f"the strip carries {length} of them" in " ".join(said)
    assert lines == (["[strip]", f"holes = {length // 2}"] if length >= 2 else [])
    assert eye.questions < 20


def test_a_strip_that_is_longer_is_counted() -> None:
    """Lights after the board's are told; nothing has to be written for them."""
    wire, said = WireStrip(300), list[str]()
    assert walk(Config(), wire, Eye(wire), said) == []
    assert "The strip has 300 lights; the last 58 stay dark." in said


@pytest.mark.parametrize(("configured", "first"), [(0, 1), (0, 3), (1, 0), (2, 1)])
def test_the_light_at_which_the_board_begins_is_found(configured: int, first: int) -> None:
    """Lights before the board that are, or are not, skipped are found by the first of the board."""
    wire = WireStrip(242 + first)
    assert walk(Config(skip_first=configured), wire, Eye(wire, first)) == ["[strip]", f"skip_first = {first}"]


def test_several_faults_at_once_are_found_together() -> None:
    """A wrong order, a sacrificed light and a strip too short are all found in one walk."""
    wire = WireStrip(201, order="RGB")
    lines = walk(Config(), wire, Eye(wire, 1))
    assert lines == ["[strip]", 'colour_order = "RGB"', "skip_first = 1", "holes = 100"]


def test_the_lines_mend_the_configuration(tmp_path: Path) -> None:
    """What is to be written, written, makes a configuration with which the same strip has no fault."""
    from firmware.config import load_config

    wire = WireStrip(201, order="BGR")
    file = tmp_path / "muggins.toml"
    file.write_text("\n".join(walk(Config(), wire, Eye(wire, 1))))
    assert walk(load_config(file, environ={}, root=tmp_path), wire, Eye(wire, 1)) == []


def test_a_layout_of_ones_own_is_told_its_pixels() -> None:
    """Where the lanes are described in [layout] the strip's length is written there."""
    layout = replace(Config().layout, name="own")
    wire = WireStrip(200)
    lines = walk(Config(layout_name="own", own_layout=layout), wire, Eye(wire))
    assert lines == ["[layout]", "pixels = 200"]


def test_a_dark_strip_is_told_where_to_look() -> None:
    """A strip that shows nothing has no wrong setting: its wires are to be looked at."""
    wire, said = WireStrip(242), list[str]()
    wire.power(False)
    assert walk(Config(), wire, Eye(wire), said) == []
    assert "level shifter" in " ".join(said)


def test_colours_that_make_no_order_are_asked_for_again() -> None:
    """Who says red twice is asked once more."""
    wire, said = WireStrip(242), list[str]()
    eye, colours = Eye(wire), iter("rrb")

    def answer(prompt: str) -> str:
        return next(colours, None) or eye(prompt) if "Which colour" in prompt else eye(prompt)

    assert walk(Config(), wire, answer, said) == []
    assert any("once more" in line for line in said)


def test_an_answer_that_makes_no_sense_is_asked_for_again() -> None:
    """A word that is no answer changes nothing; the question comes again."""
    wire, said = WireStrip(260), list[str]()
    eye, asked = Eye(wire), list[str]()

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return eye(prompt) if asked.count(prompt) > 1 else "many"

    assert walk(Config(), wire, answer, said) == []
    assert "The strip has 260 lights; the last 18 stay dark." in said


@pytest.mark.parametrize("leave", ["q", "Q ", None])
def test_who_leaves_leaves_the_strip_dark(leave: str | None) -> None:
    """q, or the end of the input, leaves at any question, and the lights go out."""
    wire = WireStrip(242)
    eye = Eye(wire)

    def answer(prompt: str) -> str | None:
        return leave if "first of the board" in prompt else eye(prompt)

    with pytest.raises(Left):
        walk(Config(), wire, answer)
    assert not any(map(any, wire.colours()))


def test_the_dot_walks_over_every_light_of_the_board() -> None:
    """Between the first light and the last the dot stands once on every light of the board."""
    wire = WireStrip(242)
    lights, seen = TwinLights(Config(), wire), list[int]()

    def pause(seconds: float) -> None:
        seen.extend(index for index, colour in enumerate(wire.colours()) if any(colour))

    Walk(Config(), terminal_of(Eye(wire)), lights, pause).go()
    assert seen == list(range(242))


def test_a_strip_that_cannot_be_opened_is_told() -> None:
    """What the driver says of a frame too long is not swallowed."""
    config = Config(layout_name="three-lanes", spi_bits=3, holes=600)
    lights: Lights = TwinLights(config)
    with pytest.raises(FrameTooLong, match=r"spidev\.bufsiz"):
        Walk(config, terminal_of(lambda prompt: "y"), lights, lambda seconds: None).go()


# The screen.


def looked(config: Config, chip: Chip, upside_down: bool = False, said: list[str] | None = None) -> list[str]:
    """All questions about the screen, on a panel that is as it is, answered by who sees its glass."""
    glass = TwinGlass(config, chip, upside_down)

    def answer(prompt: str) -> str:
        named = re.search(r"as an (\w+), column (\d)", prompt)
        assert named is not None
        return look_of(glass.seen(), border_picture(lines=(named[1], f"column {named[2]}")))

    try:
        return Look(config, terminal_of(answer, said), glass).go()
    finally:
        glass.close()


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106", "ssd1309"])
def test_a_screen_as_configured_needs_no_line(chip: Chip) -> None:
    """A panel with the configured chip shows a whole border, and there is nothing to write."""
    assert looked(Config(chip=chip), chip) == []


@pytest.mark.parametrize(
    ("configured", "fitted"),
    [("ssd1306", "sh1106"), ("ssd1309", "sh1106"), ("sh1106", "ssd1306")],
)
def test_a_wrong_chip_is_found_by_what_is_seen(configured: Chip, fitted: Chip) -> None:
    """From a torn, shifted or dark border the chip that shows it whole is found."""
    assert looked(Config(chip=configured), fitted) == ["[screen]", f'chip = "{fitted}"']


def test_a_wrong_column_is_found() -> None:
    """A column that does not go with the panel is found, and its usual one written."""
    lines = looked(Config(chip="sh1106", column=0), "sh1106")
    assert lines == ["[screen]", 'column = "auto"']


def test_a_panel_mounted_the_other_way_round_is_turned() -> None:
    """A picture upside down is turned by 180 degrees; one that was turned for nothing is turned back."""
    assert looked(Config(), "ssd1309", upside_down=True) == ["[screen]", "rotate = 180"]
    assert looked(Config(rotate=180), "ssd1309") == ["[screen]", "rotate = 0"]


def test_a_panel_that_no_chip_suits_is_told_where_to_look() -> None:
    """Who sees nothing whatever is tried is sent to the wires, after each chip was tried once."""
    said = list[str]()
    prompts = list[str]()

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "d"

    assert Look(Config(), terminal_of(answer, said), TwinGlass(Config())).go() == []
    assert len(prompts) == len(set(prompts)) == 3
    assert "Check the four wires" in " ".join(said)


# The keys.


def told(*lines: str, words: tuple[str, ...] = ()) -> Result:
    """``muggins doctor keys`` with these lines typed."""
    return CliRunner().invoke(cli, ["doctor", "keys", *words], input="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("1", "row 1, column 1 (GPIO5 and GPIO24)"),
        ("6", "row 2, column 3 (GPIO6 and GPIO16)"),
        ("#", "row 4, column 3 (GPIO19 and GPIO16)"),
        ("D", "row 4, column 4 (GPIO19 and GPIO20)"),
        ("@2", "seat 2's button (GPIO27)"),
    ],
)
def test_a_pressed_key_is_shown_with_its_place(key: str, place: str) -> None:
    """Each key is named with its row, its column and their pins, a button with its seat and pin."""
    assert f"{key}  {place}" in told(key, "q").stdout


def test_every_key_of_the_keypad_is_heard() -> None:
    """After all sixteen keys and four buttons nothing is missing."""
    result = told(*"123A456B789C*0#D", "@1", "@2", "@3", "@4", "q")
    assert "Every key and button was heard." in result.stdout


def test_a_stuck_key_is_told() -> None:
    """A key that stays down is named with its place, and so is that it is over."""
    result = told("hold 7", "q")
    assert re.search(r"!  Key 7 \(row 3, column 1\) has been down for more than 10 s.*\n   That is over", result.stdout)


def test_three_corners_of_a_rectangle_are_told() -> None:
    """Three keys at the corners of a rectangle are told as a chord of which one cannot be told; two keys are not."""
    assert "one of them cannot be told" in told("1+2+4", "q").stdout
    assert "cannot be told" not in told("1+2", "q").stdout


def test_keys_that_were_not_heard_are_named() -> None:
    """A whole row or column that was silent is named as a wire, single keys by their place."""
    keys = told(*"123A456B789C", "@1", "@2", "@3", "q").stdout
    assert "Row 4 (GPIO19): none of * 0 # D was heard." in keys
    assert "Not heard: @4  seat 4's button (GPIO23)" in keys
    assert "Column" not in keys
    assert "Column 4 (GPIO20): none of A B C D was heard." in told(*"123456789*0#", "q").stdout
    assert "Not heard: 5  row 2, column 2" in told(*"12346789*0#ABCD", "q").stdout


def test_a_key_that_is_none_is_asked_for_again() -> None:
    """What is no key of this keypad is refused with the way to say it."""
    result = told("Z", "@9", "", "q")
    assert result.exit_code == 0
    assert result.stdout.count("There is no key") == 2


class Clock:
    """A clock for the real loop: each line that is waited for takes a poll's time, until the input ends."""

    def __init__(self, polls: int) -> None:
        self.now, self.left = 0.0, polls

    def wait(self, seconds: float) -> str | None:
        """Let the time pass."""
        self.now, self.left = self.now + seconds, self.left - 1
        return "" if self.left else None


@pytest.fixture
def fingers() -> Iterator[SimulatedKeys]:
    """Keys behind the loop that watches real ones."""
    keys = SimulatedKeys(Wiring())
    yield keys
    keys.close()


def watched(keys: SimulatedKeys, polls: int, poll: Callable[[float], tuple[KeyEvent, ...]] | None = None) -> list[str]:
    """What is said while real keys are watched for so many polls."""
    clock, said = Clock(polls), list[str]()
    terminal = Terminal(said.append, lambda prompt: None, clock.wait)
    reading = poll or keys.poll
    watch_real(lambda: reading(clock.now), keys.faults, keys.wiring, terminal)
    return said


def test_real_keys_are_watched_until_the_input_ends(fingers: SimulatedKeys) -> None:
    """Keys pressed while the loop runs are told with their places, chatter or not, and the end sums up."""
    fingers.press("8", at=0.5, bounce_ms=(2, 3))
    fingers.release("8", at=0.7)
    said = watched(fingers, 100)
    assert [line for line in said if line.startswith("8 ")] == ["8  row 3, column 2 (GPIO13 and GPIO25)"]
    assert any(line.startswith("Row 1 (GPIO5): none of") for line in said)


def test_a_wire_to_ground_is_told(fingers: SimulatedKeys) -> None:
    """A column that touches ground is named with its pin."""
    fingers.circuit.join(25)
    assert any("Column 2 (GPIO25) is low with no row selected" in line for line in watched(fingers, 50))


def test_two_swapped_wires_show_by_the_wrong_name(fingers: SimulatedKeys) -> None:
    """A finger on 1 that reaches the pin of row 2, as with two wires swapped, is told as 4: that is what tells them."""
    fingers.press((1, 0), at=0.5)
    fingers.release((1, 0), at=0.7)
    said = watched(fingers, 100)
    assert "what is said must be what is printed on it, else two wires are swapped" in said[0]
    assert "4  row 2, column 1 (GPIO6 and GPIO24)" in said


def test_keys_that_cannot_be_read_are_told_once(fingers: SimulatedKeys) -> None:
    """A keypad that fails at every poll is told once, and the loop goes on to its end."""

    def failing(now: float) -> tuple[KeyEvent, ...]:
        raise PartFailed("The keypad cannot be read: gone. Look at its plug.")

    said = watched(fingers, 20, failing)
    assert len([line for line in said if "cannot be read" in line]) == 1
    assert said[-1] == "No key was heard."


def test_pins_that_cannot_be_read_are_told_beside_the_keys_that_can(fingers: SimulatedKeys) -> None:
    """Where buttons fail and the keypad does not, the buttons' fault is told once, and the keypad's keys are heard."""
    gone = True

    class Buttons:
        def poll(self, now: float) -> tuple[KeyEvent, ...]:
            if gone:
                raise PartFailed("The buttons cannot be read: gone. Look at their plug.")
            return ()

        def faults(self) -> tuple[str, ...]:
            return ()

    keys = JoinedKeys({"keypad": fingers, "buttons": Buttons()})
    fingers.press("8", at=0.5)
    fingers.release("8", at=0.7)
    clock, said = Clock(100), list[str]()
    terminal = Terminal(said.append, lambda prompt: None, clock.wait)

    def poll() -> tuple[KeyEvent, ...]:
        nonlocal gone
        gone = clock.now < 1.0
        return keys.poll(clock.now)

    watch_real(poll, lambda: all_faults(keys), fingers.wiring, terminal)
    assert said.count("!  The buttons cannot be read: gone. Look at their plug.") == 1
    assert said.count("   That is over.") == 1
    assert "8  row 3, column 2 (GPIO13 and GPIO25)" in said


# The commands.


@pytest.mark.parametrize("part", ["lights", "screen", "keys"])
@pytest.mark.parametrize("typed", ["", "q\n"])
def test_leaving_is_clean(part: str, typed: str) -> None:
    """A closed input and q both leave with exit 0 and without a word on standard error."""
    result = CliRunner().invoke(cli, ["doctor", part], input=typed)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("part", ["lights", "screen", "keys"])
def test_a_program_started_without_an_input_leaves_too(part: str) -> None:
    """With standard input closed before the start the program still ends cleanly."""
    line = f'exec "{sys.executable}" -W error -m firmware doctor {part} <&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=Path(__file__).resolve().parents[2])
    assert (done.returncode, done.stderr) == (0, "")


def test_the_lights_from_end_to_end(tmp_path: Path) -> None:
    """On the simulated strip the command tells what is lit, and ends with nothing to write."""
    file = tmp_path / "muggins.toml"
    file.write_text('[strip]\ncolour_order = "RGB"\n')
    words = ["doctor", "lights", "--config", str(file)]
    result = CliRunner().invoke(cli, words, input="y\nr\ng\nb\ny\ne\n")
    assert result.exit_code == 0
    assert "(simulated: lights 1 to 12 green)" in result.stdout
    assert "(simulated: light 242 white)" in result.stdout
    assert result.stdout.endswith("There is nothing to write into the configuration.\n")


def test_the_lines_to_write_are_printed() -> None:
    """Who says that red looks green and green red is told the order to write."""
    result = CliRunner().invoke(cli, ["doctor", "lights"], input="y\ng\nr\nb\ny\ne\n")
    assert result.stdout.endswith('[strip]\ncolour_order = "RGB"\n')


def test_the_screen_from_end_to_end() -> None:
    """On the simulated panel the command tells that the border is whole, and ends with nothing to write."""
    result = CliRunner().invoke(cli, ["doctor", "screen"], input="w\n")
    assert "(simulated: a whole border, the filled corner at the top left)" in result.stdout
    assert result.stdout.endswith("There is nothing to write into the configuration.\n")


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("lights", 'strip = "none"', "No strip is fitted"),
        ("screen", 'screen = "none"', "No screen is fitted"),
        ("keys", 'keypad = "none"\nbuttons = "none"', "No keypad and no buttons is fitted"),
    ],
)
def test_a_part_that_is_not_fitted_cannot_be_tried(tmp_path: Path, part: str, text: str, said: str) -> None:
    """A part that is none in the configuration is refused with exit 1."""
    (tmp_path / "muggins.toml").write_text(f"[parts]\n{text}\n")
    result = CliRunner().invoke(cli, ["doctor", part, "--config", str(tmp_path / "muggins.toml")])
    assert result.exit_code == 1
    assert said in result.stderr


@pytest.mark.parametrize(
    ("part", "text"), [("screen", 'screen = "oled"'), ("keys", 'keypad = "gpio"\nbuttons = "none"')]
)
def test_a_real_part_that_is_missing_is_told_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, text: str
) -> None:
    """Where a configured part is not there the command says what the part says, with exit 1 and no traceback."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    (tmp_path / "muggins.toml").write_text(f"[parts]\n{text}\n[screen]\nport = 99\n")
    result = CliRunner().invoke(cli, ["doctor", part, "--config", str(tmp_path / "muggins.toml")])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr


def test_a_real_part_in_use_by_the_service_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a muggins holds the state folder its real parts are left alone, and its number is named."""
    from firmware.lock import StateLock

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "muggins.toml").write_text('[parts]\nstrip = "spidev"\n')
    with StateLock(tmp_path):
        result = CliRunner().invoke(cli, ["doctor", "lights", "--config", str(tmp_path / "muggins.toml")])
    assert result.exit_code == 1
    assert re.search(r"running as process \d+ and uses the strip: stop it first", result.stderr)
    assert str(os.getpid()) in result.stderr
