"""``muggins doctor`` on made trees of five computers: every check in each of its states, the answer, the exit code."""

from __future__ import annotations

import fcntl
import json
import os
import re
import runpy
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware.cli import cli
from firmware.doctor import CHECKS, Check, Machine, check_up, examine
from firmware.doctor.check import Finding
from firmware.doctor.system import DRIVERS, NEEDED, TOO_NEW
from hardware.errors import PartMissing
from hardware.oled_faults import Answer

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "golden" / "doctor"
PIS = ("zero-2-w", "3b-plus", "4b", "5")
BOARDS = (*PIS, "pc")
EVENING = datetime(2027, 1, 8, 19, 30, tzinfo=UTC)
WS281X = '[parts]\nstrip = "ws281x"\n'
UNIT = """[Service]
User=muggins
SupplementaryGroups=gpio i2c spi input
StateDirectory=muggins
"""


class Tree:
    """The files of one computer below a folder; ``pi`` is in all groups, whose number is that of the nodes."""

    def __init__(self, root: Path, board: str) -> None:
        self.root = root
        data = tomllib.loads((DATA / f"{board}.toml").read_text(encoding="utf-8"))
        # The user must not be the files' owner, and the groups must be the files' group, whoever runs the tests.
        self.uid = 1000 if os.getuid() != 1000 else 1001
        for folder in data["folders"]:
            self.folder(folder)
        for path, text in data["text"].items():
            self.write(path, text)
        for path, digits in data["hex"].items():
            self.write(path, bytes.fromhex(digits))
        for path, mode in data["nodes"].items():
            self.write(path, "", mode)
        for path, target in data["links"].items():
            self.link(path, target)
        for name, version in data["packages"].items():
            self.package(name, version)

    def folder(self, path: str, mode: int = 0o775) -> Path:
        """Make a folder."""
        place = self.root / path
        place.mkdir(parents=True, exist_ok=True)
        place.chmod(mode)
        return place

    def write(self, path: str, content: str | bytes, mode: int = 0o644) -> None:
        """Write a file; in its text {uid} and {gid} are the numbers of the user and of the groups."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.replace("{uid}", str(self.uid)).replace("{gid}", str(os.getegid())).encode()
        place.write_bytes(content)
        place.chmod(mode)

    def edit(self, path: str, old: str, new: str) -> None:
        """Change the text of a file that has ``old``."""
        text = (self.root / path).read_text()
        assert old in text
        (self.root / path).write_text(text.replace(old, new))

    def link(self, path: str, target: str) -> None:
        """Make a link."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def package(self, name: str, version: str) -> None:
        """Install a Python package, of which nothing but its name and version is there."""
        folder = f"opt/muggins/lib/python3.11/site-packages/{name.replace('-', '_')}-0.dist-info"
        self.write(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")

    def unpackage(self, name: str) -> None:
        """Take a package away."""
        folder = self.root / f"opt/muggins/lib/python3.11/site-packages/{name.replace('-', '_')}-0.dist-info"
        (folder / "METADATA").unlink()
        folder.rmdir()

    def config(self, text: str) -> None:
        """Write the configuration."""
        self.write("etc/muggins.toml", text)

    def boot(self, *lines: str) -> None:
        """Write a config.txt of these lines."""
        self.write("boot/firmware/config.txt", "".join(f"{line}\n" for line in lines))

    def unit(self) -> None:
        """Install the service, with its user."""
        self.write("etc/systemd/system/muggins.service", UNIT)
        self.edit("etc/passwd", "root:x:0:0", "muggins:x:990:54322::/:/bin/false\nroot:x:0:0")

    def machine(self, **fields: Any) -> Machine:
        """The computer, on an evening, with room on its card."""
        usual: dict[str, Any] = {"now": lambda: EVENING, "free_bytes": lambda path: 20_000_000_000}
        return Machine(self.root, **(usual | fields))

    def checks(self, **fields: Any) -> dict[str, Check]:
        """All checks by name."""
        return {check.name: check for check in check_up(self.machine(**fields))}

    def check(self, name: str, **fields: Any) -> Check:
        """One check."""
        return self.checks(**fields)[name]


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Tree]:
    """Makes a computer's tree: ``tree("4b")``."""
    return lambda board: Tree(tmp_path / board, board)


MakeTree = Callable[..., Tree]


def assert_is(check: Check, state: str, found: str, cure: str = "") -> None:
    """The check has this state, and its words hold these; a cure is there exactly where something is to be done."""
    assert (check.state, bool(check.cure)) == (state, state in ("warn", "fail")), check
    assert re.search(found, check.found), check
    assert re.search(cure, check.cure), check


# Whole computers.


@pytest.mark.parametrize("board", BOARDS)
def test_a_sound_computer_has_no_failing_check(tree: MakeTree, board: str) -> None:
    """On a tree of a computer that is set up as the guide says, nothing fails."""
    assert {name: check.found for name, check in tree(board).checks().items() if check.state == "fail"} == {}


@pytest.mark.parametrize("board", PIS)
def test_a_pi_without_a_file_has_real_parts_that_are_examined(tree: MakeTree, board: str) -> None:
    """On a Pi the defaults are real parts, and their lines, buses, nodes, groups and frames are all found sound."""
    checks = tree(board).checks()
    names = ("model", "packages", "groups", "i2c line", "i2c speed", "spi line", "core clock", "pins at boot")
    names += (
        "strip driver",
        "spi buffer",
        "spi device",
        "i2c device",
        "gpio device",
        "lights",
        "light power",
        "supply",
    )
    names += ("lasting storage", "free space", "state folder", "clock", "copies", "other owners")
    assert {name: checks[name].state for name in names} == dict.fromkeys(names, "ok")


def test_on_a_pc_all_parts_are_simulated_and_so_is_said(tree: MakeTree) -> None:
    """Checks for parts that are simulated are skipped, each with a plain word why."""
    checks = tree("pc").checks()
    assert_is(checks["model"], "ok", "OptiPlex 7050, no Raspberry Pi")
    for name in ("spi device", "spi buffer", "lights", "light power", "spi line", "core clock", "strip driver"):
        assert_is(checks[name], "skipped", "^the strip is simulated$")
    for name in ("screen", "i2c device", "i2c line", "i2c speed"):
        assert_is(checks[name], "skipped", "^the screen is simulated$")
    for name in ("keys", "ghost keys"):
        assert_is(checks[name], "skipped", "^the keypad is simulated$")


def test_a_part_that_is_not_fitted_is_skipped_with_that_word(tree: MakeTree) -> None:
    """A part that is none in the configuration is not called simulated."""
    pi = tree("4b")
    pi.config('[parts]\nscreen = "none"\nstrip = "none"\n')
    assert_is(pi.check("screen"), "skipped", "no screen is fitted")
    assert_is(pi.check("lights"), "skipped", "no strip is fitted")


def test_what_wants_hands_is_named_and_left_to_doctor_keys(tree: MakeTree) -> None:
    """The keys of a real keypad, stuck keys and ghosts are skipped with the command that does them."""
    checks = tree("4b").checks()
    assert_is(checks["keys"], "skipped", "rows GPIO5, GPIO6.*columns GPIO24.*muggins doctor keys")
    assert_is(checks["stuck keys"], "skipped", "muggins doctor keys")
    assert_is(checks["ghost keys"], "skipped", "muggins doctor keys")


def test_nothing_but_the_files_below_the_root_is_asked(tree: MakeTree) -> None:
    """Below another root no bus is asked and no pin opened; the two checks say so."""
    checks = tree("4b").checks()
    assert_is(checks["screen"], "skipped", "running machine")
    assert_is(checks["pin factory"], "skipped", "running machine")


def test_an_empty_root_breaks_no_check(tmp_path: Path) -> None:
    """A folder with nothing in it gets an answer from every check, and none of them breaks."""
    checks = check_up(Machine(tmp_path))
    assert [check.name for check in checks] == ["configuration", *CHECKS]
    assert [check for check in checks if "broke" in check.found] == []


def test_a_check_that_breaks_is_a_failure_that_says_what_happened() -> None:
    """An exception inside a check is told as a fail, with its kind and words, and goes no further."""

    def look(machine: Machine, config: object) -> Finding:
        raise ZeroDivisionError("by nought")

    from firmware.config import Config

    assert_is(examine("sums", look, Machine(), Config()), "fail", "ZeroDivisionError: by nought", "report")


# The computer.


@pytest.mark.parametrize(
    ("board", "model"),
    [
        ("zero-2-w", "Raspberry Pi Zero 2 W Rev 1.0"),
        ("3b-plus", "Raspberry Pi 3 Model B Plus Rev 1.3"),
        ("4b", "Raspberry Pi 4 Model B Rev 1.4"),
        ("5", "Raspberry Pi 5 Model B Rev 1.0"),
    ],
)
def test_the_model_is_what_the_board_says(tree: MakeTree, board: str, model: str) -> None:
    """A Pi's model is told in its own words, without the zero byte at their end."""
    assert tree(board).check("model").found == model


def test_an_old_model_is_a_warning(tree: MakeTree) -> None:
    """A Zero W was never tried."""
    pi = tree("zero-2-w")
    pi.write("proc/device-tree/model", "Raspberry Pi Zero W Rev 1.1\0")
    assert_is(pi.check("model"), "warn", "Zero W Rev 1.1", "Zero 2 W")


def test_real_parts_on_a_pc_are_a_fault(tree: MakeTree) -> None:
    """A configuration with a real strip cannot be on a computer that is no Pi."""
    pc = tree("pc")
    pc.config('[parts]\nstrip = "spidev"\n')
    assert_is(pc.check("model"), "fail", "OptiPlex 7050 is no Raspberry Pi, yet the strip", "simulated")


def test_bits(tree: MakeTree) -> None:
    """64 bits are well, 32 are told with the way round them, and bits that cannot be seen are a warning."""
    assert_is(tree("4b").check("bits"), "ok", "^64 bits, Debian GNU/Linux 12.*6.6.47")
    assert_is(tree("3b-plus").check("bits"), "warn", "^32 bits", "--system-site-packages")
    pi = tree("5")
    pi.write("usr/bin/env", "#!/bin/sh\n")
    assert_is(pi.check("bits"), "warn", "cannot be seen", "64-bit")


@pytest.mark.parametrize(
    ("version", "state", "found"),
    [("3.9", "fail", "needs 3.11"), ("3.12", "ok", "Python 3.12"), ("3.14", "warn", "never tried")],
)
def test_python(tree: MakeTree, version: str, state: str, found: str) -> None:
    """Python 3.11 to 3.13 does, an older one cannot, a newer one was never tried."""
    pc = tree("pc")
    (pc.root / "usr/bin/python3.11").rename(pc.root / f"usr/bin/python{version}")
    assert_is(pc.check("python"), state, found)


def test_no_python(tree: MakeTree) -> None:
    """A system without Python 3 is told how to get it."""
    pc = tree("pc")
    (pc.root / "usr/bin/python3.11").unlink()
    assert_is(pc.check("python"), "fail", "no Python 3", "apt install python3")


def test_a_missing_driver_of_a_real_part_is_a_fault(tree: MakeTree) -> None:
    """spidev and lgpio are needed where strip and keys are real, and their system packages are named."""
    pi = tree("4b")
    pi.unpackage("spidev")
    pi.unpackage("lgpio")
    assert_is(pi.check("packages"), "fail", "missing: spidev, lgpio", "apt install python3-spidev python3-lgpio")


def test_a_usb_numpad_needs_its_driver(tree: MakeTree) -> None:
    """evdev is needed where a USB numpad is configured, and nowhere else; Debian 12's own does."""
    pi = tree("4b")
    assert_is(pi.check("packages"), "ok", "gpiozero")
    pi.write("etc/muggins.toml", '[parts]\nnumpad = "usb"\n')
    assert_is(pi.check("packages"), "fail", "missing: evdev", "apt install python3-evdev")
    pi.package("evdev", "1.6.1")
    assert_is(pi.check("packages"), "ok", "evdev 1.6.1")


@pytest.mark.parametrize("version", ["9.3.9", "14.0.0"])
def test_a_package_too_old_or_too_new_is_a_fault(tree: MakeTree, version: str) -> None:
    """Pillow must be at least 9.4 and under 14."""
    pi = tree("4b")
    pi.package("pillow", version)
    assert_is(pi.check("packages"), "fail", f"too old or too new: pillow {version}", "pip install --upgrade")


def test_packages_of_an_empty_root_are_not_judged(tree: MakeTree) -> None:
    """Where no Python package is installed below the root at all, that is said and nothing is missed."""
    pc = tree("pc")
    for name in ("gpiozero", "luma.oled", "pillow", "smbus2"):
        pc.unpackage(name)
    assert_is(pc.check("packages"), "skipped", "no Python package")


def test_the_versions_asked_for_are_those_of_the_project() -> None:
    """The oldest and newest versions in the doctor's tables are those that pyproject.toml has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["drivers"], *extras["pi"]]
    said = {}
    for line in lines:
        if found := re.match(r"([\w.-]+)>=([\d.]+)(?:,<([\d.]+))?", line):
            said[found[1]] = (found[2], found[3])
    assert {name: said[name] for name in {**NEEDED, **DRIVERS}} == {
        name: (least, TOO_NEW.get(name)) for name, least in {**NEEDED, **DRIVERS}.items()
    }


# Groups and rights.


def test_a_group_that_is_lacking_is_a_fault(tree: MakeTree) -> None:
    """A user who is not in a group that a part needs is told the line that puts it there."""
    pi = tree("4b")
    pi.edit("etc/group", f"spi:x:{os.getegid()}:pi", "spi:x:7777:")
    (pi.root / "dev/spidev0.0").chmod(0o600)
    assert_is(pi.check("groups"), "fail", "pi is not in spi", "usermod -aG spi pi.*log in again")


def test_a_group_that_does_not_exist_is_made_first(tree: MakeTree) -> None:
    """On a system without the group gpio the cure begins with making it."""
    pi = tree("4b")
    pi.edit("etc/group", f"gpio:x:{os.getegid()}:pi\n", "")
    (pi.root / "dev/gpiochip0").chmod(0o600)
    assert_is(pi.check("groups"), "fail", "not in gpio", "groupadd -r gpio.*usermod -aG gpio pi")


def test_a_group_that_is_not_needed_for_the_device_is_a_warning(tree: MakeTree) -> None:
    """Who may use the devices without the group has nothing to do today."""
    pi = tree("4b")
    pi.edit("etc/group", f"i2c:x:{os.getegid()}:pi", "i2c:x:7777:")
    assert_is(pi.check("groups"), "warn", "not in i2c, but may use", "Nothing is wrong today")


def test_a_group_joined_after_logging_in_is_told_so(tree: MakeTree) -> None:
    """Who is in a group by /etc/group but not in this session has to log in again."""
    pi = tree("4b")
    pi.write("etc/group", "pi:x:54321:\ngpio:x:7001:pi\ni2c:x:7002:pi\nspi:x:7003:pi\n")
    for node in pi.root.glob("dev/*"):
        node.chmod(0o600)
    gids = frozenset({54321, 7001, 7002})
    assert_is(pi.check("groups", uid=pi.uid, gids=gids), "fail", "spi after logging in", "Log out and in again")


def test_the_services_user_is_the_one_who_counts(tree: MakeTree) -> None:
    """With the unit installed its user is examined, with the groups that the unit grants."""
    pi = tree("4b")
    pi.unit()
    assert_is(pi.check("groups"), "ok", "the service's user muggins is in gpio, i2c, spi")
    pi.edit("etc/systemd/system/muggins.service", "SupplementaryGroups=gpio i2c spi input", "SupplementaryGroups=")
    for node in pi.root.glob("dev/*"):
        node.chmod(0o600)
    assert_is(pi.check("groups"), "fail", "the service's user muggins is not in", "systemctl restart muggins")


def test_groups_of_a_system_without_users_are_skipped(tree: MakeTree) -> None:
    """Where no ordinary user is known there is nobody to examine."""
    pi = tree("4b")
    pi.write("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
    assert_is(pi.check("groups"), "skipped", "no user is known")


@pytest.mark.parametrize(
    ("name", "node", "absent"),
    [
        ("i2c device", "dev/i2c-1", "raspi-config"),
        ("spi device", "dev/spidev0.0", "dtparam=spi=on"),
    ],
)
def test_a_device_node(tree: MakeTree, name: str, node: str, absent: str) -> None:
    """A node must be there and open to the board's user; each fault has its own cure."""
    pi = tree("5")
    (pi.root / node).chmod(0o600)
    assert_is(pi.check(name), "fail", f"/{node} is there, but pi may not", "usermod -aG")
    (pi.root / node).unlink()
    assert_is(pi.check(name), "fail", f"/{node} is not there", absent)


def test_the_node_that_is_there_instead_is_named(tree: MakeTree) -> None:
    """Where the bus asked for is missing, the buses that are there are told."""
    pi = tree("4b")
    pi.config("[screen]\nport = 3\n")
    assert_is(pi.check("i2c device"), "fail", "/dev/i2c-3 is not there; there is i2c-1")


def test_the_pins_of_a_pi_5_before_and_after_their_number_changed(tree: MakeTree) -> None:
    """The header of a Pi 5 is gpiochip4 on Linux before 6.6.45, and since then gpiochip0, to which a link leads."""
    pi = tree("5")
    assert_is(pi.check("gpio device"), "ok", "/dev/gpiochip4")
    (pi.root / "dev/gpiochip4").unlink()
    assert_is(pi.check("gpio device"), "ok", "/dev/gpiochip0")
    pi.package("gpiozero", "2.0.1")
    assert_is(pi.check("gpio device"), "fail", "gpiozero .2.0.1. looks for .*gpiochip4", "upgrade gpiozero")
    (pi.root / "dev/gpiochip0").unlink()
    assert_is(pi.check("gpio device"), "fail", "only gpiochip10", "full-upgrade")


def test_pins_that_are_not_there_or_closed(tree: MakeTree) -> None:
    """A system without a gpiochip has no pins; one that is closed to the user is told with its group."""
    pi = tree("4b")
    (pi.root / "dev/gpiochip0").chmod(0o600)
    assert_is(pi.check("gpio device"), "fail", "pi may not use it", "usermod -aG gpio pi")
    for chip in pi.root.glob("dev/gpiochip*"):
        chip.unlink()
    assert_is(pi.check("gpio device"), "fail", "no /dev/gpiochip", "simulate keypad, buttons, buzzer")


def test_the_pin_factory_is_tried_on_the_running_machine(tree: MakeTree) -> None:
    """What opening the pins said is told: its line where it worked, its words and cure where it did not."""

    def closed() -> str:
        raise PartMissing(
            "The pins cannot be used: the Python package lgpio is not there (x). Install the system's one."
        )

    pi = tree("4b")
    assert_is(pi.check("pin factory", open_pins=lambda: "Pins: lgpio on a Raspberry Pi 4B."), "ok", "Pins: lgpio")
    assert_is(pi.check("pin factory", open_pins=closed), "fail", r"not there \(x\)$", "^Install the system's one")


def test_the_numpad(tree: MakeTree) -> None:
    """A USB numpad may be away, must be open to the user where it is in, and one that is named must be there."""
    pi = tree("4b")
    assert_is(pi.check("numpad"), "skipped", "no numpad is fitted")
    pi.config('[parts]\nnumpad = "usb"\n')
    assert_is(pi.check("numpad"), "warn", "no USB keyboard", "Plug it in")
    pi.write("dev/input/by-id/usb-Pad-event-kbd", "", 0o660)
    assert_is(pi.check("numpad"), "ok", "by-id/usb-Pad-event-kbd")
    (pi.root / "dev/input/by-id/usb-Pad-event-kbd").chmod(0o600)
    assert_is(pi.check("numpad"), "fail", "may not use it", "usermod -aG input")
    pi.config('[parts]\nnumpad = "usb"\n[numpad]\ndevice = "/dev/input/by-id/usb-Other-event-kbd"\n')
    assert_is(pi.check("numpad"), "fail", "usb-Other-event-kbd is not there", "numpad.device")


def test_the_voice(tree: MakeTree) -> None:
    """A board that is to speak: the program, a sound card, and the right to it, each with its cure; else skipped."""
    pi = tree("4b")
    assert_is(pi.check("voice"), "skipped", "board.speech is false")
    pi.config("[board]\nspeech = true\n")
    assert_is(pi.check("voice"), "fail", "espeak-ng is not installed", "apt install espeak-ng")
    pi.write("usr/bin/espeak-ng", "")
    assert_is(pi.check("voice"), "fail", "no sound card", "dtparam=audio=on")
    pc = tree("pc")
    pc.config("[board]\nspeech = true\n")
    pc.write("usr/bin/espeak-ng", "")
    assert_is(pc.check("voice"), "fail", "no sound card", "Plug in a USB sound card or speaker.")
    assert "config.txt" not in pc.check("voice").cure
    pi.write("dev/snd/controlC0", "", 0o600)
    assert_is(pi.check("voice"), "fail", "may not use the sound card", "usermod -aG audio")
    pi.write("dev/snd/controlC0", "", 0o660)
    assert_is(pi.check("voice"), "ok", "1 sound card, 170 words a minute")
    pi.config('[parts]\nspeaker = "none"\n[board]\nspeech = true\n')
    assert_is(pi.check("voice"), "skipped", "no speaker is fitted")


# config.txt.


def test_i2c_and_spi_that_are_not_switched_on(tree: MakeTree) -> None:
    """Without its line in config.txt and without its node a bus is off, and the line is the cure."""
    pi = tree("4b")
    pi.boot("#dtparam=i2c_arm=on", "dtparam=spi=off")
    for node in ("i2c-1", "spidev0.0", "spidev0.1"):
        (pi.root / "dev" / node).unlink()
    assert_is(pi.check("i2c line"), "fail", "does not switch I2C on", "dtparam=i2c_arm=on,i2c_arm_baudrate=400000")
    assert_is(pi.check("spi line"), "fail", "does not switch SPI bus 0 on", "dtparam=spi=on")


def test_a_bus_that_is_there_all_the_same_is_no_fault(tree: MakeTree) -> None:
    """A bus that something else has switched on needs no line."""
    pi = tree("4b")
    pi.boot("")
    assert_is(pi.check("i2c line"), "ok", "but bus 1 is there")
    assert_is(pi.check("spi line"), "ok", "but it is there")


def test_a_second_spi_bus_wants_its_own_line(tree: MakeTree) -> None:
    """SPI bus 1 is switched on by an overlay, not by dtparam=spi."""
    pi = tree("4b")
    pi.config("[strip]\nspi_bus = 1\n")
    assert_is(pi.check("spi line"), "fail", "SPI bus 1", "dtoverlay=spi1-1cs")
    pi.boot("dtoverlay=spi1-1cs")
    assert_is(pi.check("spi line"), "ok", "SPI bus 1 is on")


def test_another_i2c_bus_is_not_judged_by_config_txt(tree: MakeTree) -> None:
    """Only bus 1 is switched on by dtparam=i2c_arm."""
    pi = tree("4b")
    pi.config("[screen]\nport = 3\n")
    assert_is(pi.check("i2c line"), "skipped", "bus 3")


def test_without_a_config_txt_its_lines_are_not_judged(tree: MakeTree) -> None:
    """A Pi whose system has no config.txt is told so, line by line."""
    pi = tree("4b")
    (pi.root / "boot/firmware/config.txt").unlink()
    for name in ("i2c line", "i2c speed", "spi line", "core clock", "pins at boot"):
        assert_is(pi.check(name), "skipped", "no config.txt")


def test_the_file_of_older_systems_is_read_too(tree: MakeTree) -> None:
    """Before Bookworm the file lay in /boot."""
    pi = tree("4b")
    (pi.root / "boot/firmware/config.txt").rename(pi.root / "boot/config.txt")
    assert_is(pi.check("i2c line"), "ok", "I2C is on in /boot/config.txt")


def test_only_the_sections_of_the_board_count(tree: MakeTree) -> None:
    """A line under another model's section is not heeded, one under [all] or the board's own is; included files too."""
    pi = tree("zero-2-w")
    (pi.root / "dev/i2c-1").unlink()
    pi.boot("[pi4]", "dtparam=i2c_arm=on")
    assert pi.check("i2c line").state == "fail"
    for section in ("[pi02]", "[pi0]", "[all]"):
        pi.boot("[pi4]", "gpu_mem=16", section, "dtparam=i2c_arm=on")
        assert pi.check("i2c line").state == "ok", section
    pi.boot("[pi02]", "dtparam=i2c_arm=on", "[none]", "dtparam=i2c_arm=off")
    assert pi.check("i2c line").state == "ok"
    pi.boot("include mine.txt")
    pi.write("boot/firmware/mine.txt", "dtparam=i2c_arm\n")
    assert pi.check("i2c line").state == "ok"


def test_the_last_word_of_config_txt_counts(tree: MakeTree) -> None:
    """A bus that a later line switches off is off."""
    pi = tree("4b")
    (pi.root / "dev/i2c-1").unlink()
    pi.boot("dtparam=i2c_arm=on", "dtparam=i2c_arm=off")
    assert pi.check("i2c line").state == "fail"


@pytest.mark.parametrize(
    ("line", "state", "found"),
    [
        ("dtparam=i2c_arm=on", "warn", "100 kHz .*takes 93 ms"),
        ("dtparam=i2c_arm_baudrate=400000", "ok", "400 kHz .*takes 23 ms"),
        ("dtparam=i2c_baudrate=1000000", "ok", "1000 kHz .*takes 9 ms"),
        ("dtparam=i2c_arm_baudrate=3400000", "warn", "no panel is made for"),
    ],
)
def test_the_speed_of_i2c(tree: MakeTree, line: str, state: str, found: str) -> None:
    """A slow bus draws to be seen, one past 1 MHz is none that a panel is made for."""
    pi = tree("4b")
    pi.boot(line)
    assert_is(pi.check("i2c speed"), state, found)


def test_the_speed_in_force_counts_before_the_line(tree: MakeTree) -> None:
    """What the running kernel says of the bus is believed before config.txt, which may have changed since."""
    pi = tree("4b")
    pi.write("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", (100_000).to_bytes(4, "big"))
    assert_is(pi.check("i2c speed"), "warn", "100 kHz in force")


@pytest.mark.parametrize(
    ("board", "lines", "state", "cure"),
    [
        ("zero-2-w", (), "warn", "core_freq=250"),
        ("3b-plus", ("core_freq=250",), "ok", ""),
        ("4b", (), "warn", "core_freq=500 and core_freq_min=500"),
        ("4b", ("core_freq=500",), "warn", "core_freq_min=500"),
        ("4b", ("core_freq=500", "core_freq_min=500"), "ok", ""),
        ("4b", ("force_turbo=1",), "ok", ""),
        ("4b", ("core_freq_fixed=1",), "ok", ""),
        ("5", (), "ok", ""),
    ],
)
def test_the_core_clock(tree: MakeTree, board: str, lines: tuple[str, ...], state: str, cure: str) -> None:
    """On a Pi 3, Zero 2 W and 4 the SPI bus wants a fixed core clock; a Pi 5 does not."""
    pi = tree(board)
    pi.boot(*lines)
    assert_is(pi.check("core clock"), state, "clock", cure)


def test_sound_and_a_strip_on_pwm_want_the_same_thing(tree: MakeTree) -> None:
    """A strip on GPIO18 clashes with analogue sound, by its line or by its module."""
    pi = tree("4b")
    assert_is(pi.check("audio"), "skipped", "no strip is driven by PWM")
    pi.config(f"{WS281X}[strip]\npin = 18\n")
    assert_is(pi.check("audio"), "fail", "dtparam=audio=on", "dtparam=audio=off")
    pi.boot("dtparam=audio=off")
    assert_is(pi.check("audio"), "fail", "snd_bcm2835 is loaded", "dtparam=audio=off")
    pi.write("proc/modules", "")
    assert_is(pi.check("audio"), "ok", "GPIO18 is not used for sound")


def test_a_sound_card_and_a_strip_on_pcm_want_the_same_thing(tree: MakeTree) -> None:
    """A strip on GPIO21 clashes with a sound card on I2S, not with the headphone socket."""
    pi = tree("4b")
    pi.config(f"{WS281X}[strip]\npin = 21\n")
    assert_is(pi.check("audio"), "ok", "PCM of GPIO21")
    pi.boot("dtoverlay=hifiberry-dac")
    assert_is(pi.check("audio"), "fail", "hifiberry-dac", "GPIO10")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("dtoverlay=gpio-poweroff", "dtoverlay=gpio-poweroff takes GPIO26, the buzzer"),
        ("dtoverlay=w1-gpio,gpiopin=17", "dtoverlay=w1-gpio takes GPIO17, seat 1's button"),
        ("dtoverlay=hifiberry-dac", "GPIO19, row 4"),
        ("dtparam=i2s=on", "dtparam=i2s=on takes GPIO19, row 4"),
        ("dtoverlay=spi1-3cs", "GPIO16, column 3"),
        ("dtoverlay=ssd1306", "dtoverlay=ssd1306 takes the screen"),
    ],
)
def test_a_line_that_takes_a_pin_of_the_board(tree: MakeTree, line: str, found: str) -> None:
    """An overlay that owns a pin of the keypad, a button or the buzzer, or the panel, is named with that pin."""
    pi = tree("4b")
    pi.boot(line)
    assert_is(pi.check("pins at boot"), "fail", found, "Take that line out")


def test_a_line_that_takes_a_free_pin_is_no_fault(tree: MakeTree) -> None:
    """A thermometer on GPIO4, and a serial console on 14 and 15, are in nobody's way."""
    pi = tree("4b")
    pi.boot("dtoverlay=w1-gpio", "enable_uart=1")
    assert_is(pi.check("pins at boot"), "ok", "no line")


# Strip and screen.


def test_the_driver_of_the_strip(tree: MakeTree) -> None:
    """rpi-ws281x is refused on a Pi 5, and on a PWM pin without root; spidev goes everywhere."""
    five, four = tree("5"), tree("4b")
    five.config(WS281X)
    assert_is(five.check("strip driver"), "fail", "does not work on a Pi 5", 'parts.strip = "spidev"')
    four.config(WS281X)
    assert_is(four.check("strip driver"), "ok", "rpi-ws281x on GPIO10")
    four.config(f"{WS281X}[strip]\npin = 18\n")
    assert_is(four.check("strip driver"), "fail", "needs root, and the board runs as pi", "GPIO10")
    assert_is(four.check("strip driver", uid=0), "ok", "rpi-ws281x on GPIO18")


def test_a_frame_must_fit_the_spi_buffer(tree: MakeTree) -> None:
    """Three lanes fit by spidev's own three bits; by four bits, or by rpi-ws281x, 363 lights do not fit 4096 bytes."""
    pi = tree("4b")
    pi.config('[strip]\nlayout = "three-lanes"\n')
    assert_is(pi.check("spi buffer"), "ok", "363 lights is 3358 bytes")
    pi.config('[strip]\nlayout = "three-lanes"\nspi_bits = 4\n')
    assert_is(pi.check("spi buffer"), "fail", "363 pixels", r"spidev\.bufsiz=8192")
    pi.config(f'{WS281X}[strip]\nlayout = "three-lanes"\n')
    assert_is(pi.check("spi buffer"), "fail", "363 pixels", r"spidev\.bufsiz=8192")
    pi.write("sys/module/spidev/parameters/bufsiz", "65536\n")
    assert_is(pi.check("spi buffer"), "ok", "holds 65536")


def test_an_spi_buffer_that_is_not_known_is_taken_for_the_usual_one(tree: MakeTree) -> None:
    """Before the module is loaded the buffer is 4096 bytes."""
    pi = tree("4b")
    (pi.root / "sys/module/spidev/parameters/bufsiz").unlink()
    assert_is(pi.check("spi buffer"), "ok", "not loaded yet; it usually holds 4096")


SILENT = {0x3C: Answer.ABSENT, 0x3D: Answer.ABSENT}


@pytest.mark.parametrize(
    ("address", "answers", "state", "found", "cure"),
    [
        ("", {0x3D: Answer.PRESENT}, "ok", "something answers at 0x3d", ""),
        ("0x3c", {0x3C: Answer.PRESENT}, "ok", "something answers at 0x3c", ""),
        ("", {}, "fail", "no screen answers at 0x3c or 0x3d", "SDA"),
        ("0x3d", {}, "fail", "no screen answers at 0x3d", "SDA"),
        ("0x3d", {0x3C: Answer.PRESENT}, "fail", "nothing answers at 0x3d .* at 0x3c", "screen.address = 0x3c"),
        ("", {0x3C: Answer.OWNED}, "fail", "driver of the system holds the screen at 0x3c", "dtoverlay"),
        ("", {0x3C: Answer.FORBIDDEN, 0x3D: Answer.FORBIDDEN}, "fail", "may not use I2C bus 1", "usermod -aG i2c"),
        ("", {0x3C: Answer.NO_BUS, 0x3D: Answer.NO_BUS}, "fail", "no I2C bus 1", "i2c_arm=on"),
        ("", {0x3C: Answer.STUCK, 0x3D: Answer.STUCK}, "fail", "bus 1 is stuck", "short"),
        ("", {0x3C: Answer.FAILED}, "fail", "asking 0x3c", "wires"),
    ],
)
def test_the_screen_is_asked_at_its_addresses(
    tree: MakeTree, address: str, answers: Mapping[int, Answer], state: str, found: str, cure: str
) -> None:
    """A panel at 0x3c or 0x3d is found, one elsewhere than set is named, and each fault of the bus has its cure."""
    pi = tree("4b")
    pi.config(f"[screen]\naddress = {address}\n" if address else "")
    check = pi.check("screen", probe=lambda port, asked: {at: answers.get(at, Answer.ABSENT) for at in asked})
    assert_is(check, state, found, cure)


def test_the_lights_are_counted(tree: MakeTree) -> None:
    """How many lights, lanes and holes the configuration has is told, the ones that stay dark too."""
    pi = tree("4b")
    pi.config('[strip]\nlayout = "three-lanes"\nskip_first = 1\ncolour_order = "RGB"\n')
    assert_is(pi.check("lights"), "ok", "363 lights, after 1 that stay dark, for 3 lanes of 121 holes.*RGB")


@pytest.mark.parametrize(
    ("max_ma", "state", "found"),
    [
        # 242 lights: 242 mA dark, 242 x 61 mA = 14.8 A white; six white pegs 6 x 60 + 242 = 602 mA.
        (1500, "ok", r"at most 1500 mA .* 14\.8 A, 6 white pegs 0\.60 A, all dark 0\.24 A"),
        (602, "ok", "602 mA"),
        (500, "warn", "has to be dimmed"),
        (2500, "ok", "2500 mA"),
        (6000, "warn", "too much for the Pi's 5 V pins"),
    ],
)
def test_the_power_of_the_lights(tree: MakeTree, max_ma: int, state: str, found: str) -> None:
    """The current limit is set against what the lights would draw, and against what the Pi's pins can carry."""
    pi = tree("4b")
    pi.config(f"[strip]\nmax_ma = {max_ma}\n")
    assert_is(pi.check("light power"), state, found)


# Supply.


@pytest.mark.parametrize("board", PIS)
@pytest.mark.parametrize(
    ("flags", "state", "found", "cure"),
    [
        ("0", "ok", "no under-voltage", ""),
        ("50005", "fail", "now: under-voltage, throttled$", "official supply"),
        ("50000", "warn", "^since the start: under-voltage, throttled$", "official supply"),
        ("80008", "warn", "^now: too hot$", "heat sink"),
        ("20000", "warn", "^since the start: the clock is held down$", "air"),
    ],
)
def test_under_voltage_and_throttling(
    tree: MakeTree, board: str, flags: str, state: str, found: str, cure: str
) -> None:
    """The firmware's flags are told in words: under-voltage now is a fault, what is past or only hot a warning."""
    pi = tree(board)
    (file,) = pi.root.glob("sys/devices/platform/soc*/*/get_throttled")
    file.write_text(f"{flags}\n")
    assert_is(pi.check("supply"), state, found, cure)


def test_vcgencmd_is_asked_where_the_kernel_does_not_tell(tree: MakeTree) -> None:
    """Without the kernel's file vcgencmd is asked, then the alarm of rpi_volt; without all it is skipped."""
    pi = tree("4b")
    (pi.root / "sys/devices/platform/soc/soc:firmware/get_throttled").unlink()
    asked = {("vcgencmd", "get_throttled"): "throttled=0x50005"}
    assert_is(pi.check("supply", ask=lambda words: asked.get(tuple(words))), "fail", "under-voltage")
    assert_is(pi.check("supply", ask=lambda words: None), "skipped", "no get_throttled, no vcgencmd")
    pi.write("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    pi.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert_is(pi.check("supply"), "fail", "under-voltage")


def test_what_the_supply_of_a_pi_5_has_promised(tree: MakeTree) -> None:
    """A Pi 5 knows what its supply can give: 5 A is well, 3 A is told; other boards do not know."""
    pi = tree("5")
    assert_is(pi.check("supply current"), "ok", "5.0 A")
    pi.write("proc/device-tree/chosen/power/max_current", (3000).to_bytes(4, "big"))
    assert_is(pi.check("supply current"), "warn", "3.0 A", "27 W")
    assert_is(tree("4b").check("supply current"), "skipped", "only a Pi 5")


# Storage and clock.


def test_an_overlay_root_loses_the_games(tree: MakeTree) -> None:
    """With an overlay in memory as root all games are lost, unless the state folder is on a disk of its own."""
    pi = tree("4b")
    pi.unit()
    pi.edit("proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime", "overlay / overlay rw,lowerdir=/lower,upperdir=/upper")
    assert_is(pi.check("lasting storage"), "warn", "as in a container", "Mount")
    pi.edit("proc/cmdline", "rootwait", "rootwait overlayroot=tmpfs")
    assert_is(pi.check("lasting storage"), "fail", "overlay in memory: .*/var/lib/muggins is lost", "recurse=0")
    pi.edit("proc/mounts", "devtmpfs", "/dev/sda1 /var/lib/muggins ext4 rw 0 0\ndevtmpfs")
    assert_is(pi.check("lasting storage"), "ok", "on /var/lib/muggins .ext4.")


def test_a_state_folder_in_memory_loses_the_games(tree: MakeTree) -> None:
    """A tmpfs under the state folder is a fault; without a list of mounts nothing is judged."""
    pi = tree("4b")
    pi.unit()
    pi.edit("proc/mounts", "tmpfs /run", "tmpfs /var tmpfs rw 0 0\ntmpfs /run")
    assert_is(pi.check("lasting storage"), "fail", "in memory .tmpfs on /var.", "fstab")
    (pi.root / "proc/mounts").unlink()
    assert_is(pi.check("lasting storage"), "skipped", "mounted")


@pytest.mark.parametrize(("megabytes", "state"), [(5, "fail"), (50, "warn"), (500, "ok")])
def test_room_for_the_games(tree: MakeTree, megabytes: int, state: str) -> None:
    """Little room is a warning, none a fault."""
    check = tree("4b").check("free space", free_bytes=lambda path: megabytes * 1_000_000)
    assert_is(check, state, f"^{megabytes} MB are free")


def test_the_state_folder_must_be_writable(tree: MakeTree) -> None:
    """The board's user must be able to write its games: by the folder's mode, and by how it is mounted."""
    pi = tree("4b")
    pi.unit()
    assert_is(pi.check("state folder"), "ok", "the service makes it")
    pi.folder("var/lib/muggins", 0o755)
    assert_is(pi.check("state folder"), "fail", "muggins may not write /var/lib/muggins", "chown -R muggins")
    pi.folder("var/lib/muggins", 0o777)
    assert_is(pi.check("state folder"), "ok", "muggins may write /var/lib/muggins")
    pi.edit("proc/mounts", "ext4 rw,noatime", "ext4 ro,noatime")
    assert_is(pi.check("state folder"), "fail", "may only be read", "remount")


def test_a_file_in_the_place_of_the_state_folder(tree: MakeTree) -> None:
    """A file where the folder should be is told."""
    pi = tree("4b")
    pi.unit()
    pi.write("var/lib/muggins", "")
    assert_is(pi.check("state folder"), "fail", "is a file where a folder is needed", "Move it")


@pytest.mark.parametrize(
    ("now", "gone", "there", "state", "found"),
    [
        (EVENING, "", "", "ok", "2027-01-08 19:30 UTC, from the network's time"),
        (EVENING, "run/systemd/timesync/synchronized", "", "warn", "not yet compared"),
        (EVENING, "run/systemd/timesync/synchronized", "dev/rtc0", "ok", "the machine's own clock"),
        (datetime(1970, 1, 1, tzinfo=UTC), "", "", "warn", "1970-01-01 00:00 UTC: it was not set"),
    ],
)
def test_the_clock(tree: MakeTree, now: datetime, gone: str, there: str, state: str, found: str) -> None:
    """A clock that was never set, or not compared with the network, is a warning: only dates depend on it."""
    pi = tree("4b")
    if gone:
        (pi.root / gone).unlink()
    if there:
        pi.write(there, "")
    assert_is(pi.check("clock", now=lambda: now), state, found)


# The service and its rivals.


def test_the_service(tree: MakeTree) -> None:
    """Not installed, not running, not started with the machine, and well: each is told apart."""
    pi = tree("4b")
    assert_is(pi.check("service"), "warn", "not installed as a service", "make install")
    assert_is(tree("pc").check("service"), "skipped", "not installed")
    pi.unit()
    assert_is(pi.check("service"), "fail", "not active", "systemctl start muggins")
    assert_is(pi.check("service", ask=lambda words: "failed"), "fail", "is failed", "journalctl")
    pi.write("sys/fs/cgroup/system.slice/muggins.service/cgroup.procs", "812\n")
    assert_is(pi.check("service"), "warn", "runs as process 812, but does not start", "systemctl enable")
    pi.link("etc/systemd/system/multi-user.target.wants/muggins.service", "/usr/lib/systemd/system/muggins.service")
    assert_is(pi.check("service"), "ok", "runs as process 812 and starts with the machine")


def run_process(pi: Tree, pid: int, *words: str) -> None:
    """A process with this command line."""
    pi.write(f"proc/{pid}/cmdline", "".join(f"{word}\0" for word in words))
    pi.write(f"proc/{pid}/comm", f"{Path(words[0]).name}\n")


def test_two_copies_of_the_program_are_a_fault(tree: MakeTree) -> None:
    """One running copy is well, a second one is named by its number; other programs do not count."""
    pi = tree("4b")
    run_process(pi, 700, "/usr/bin/vim", "muggins", "run.txt")
    run_process(pi, 701, "/usr/bin/python3", "/opt/muggins/bin/muggins", "doctor")
    assert_is(pi.check("copies"), "ok", "no other copy")
    run_process(pi, 812, "/opt/muggins/bin/python", "/opt/muggins/bin/muggins", "run")
    assert_is(pi.check("copies"), "ok", "one copy runs, as process 812")
    run_process(pi, 1400, "python3", "-m", "firmware", "run", "--state", "/tmp/x")
    assert_is(pi.check("copies"), "fail", "2 copies .* processes 812 and 1400", "kill 1400")


def test_a_copy_on_parts_of_its_own_is_told_and_no_fault(tree: MakeTree) -> None:
    """A copy that somebody runs on simulated parts, beside the board or on a PC, is in nobody's way."""
    pi = tree("4b")
    run_process(pi, 812, "/opt/muggins/bin/python", "/opt/muggins/bin/muggins", "run")
    (pi.root / "sim.toml").write_text(
        '[parts]\nstrip = "simulated"\nscreen = "none"\nkeypad = "none"\nbuttons = "none"\nbuzzer = "none"\n'
    )
    run_process(pi, 1400, "python3", "-m", "firmware", "run", "--config", str(pi.root / "sim.toml"))
    pi.config('[parts]\nstrip = "spidev"\n')
    assert_is(pi.check("copies"), "ok", "2 copies run, as processes 812 and 1400, and no two")
    pc = tree("pc")
    for pid in (812, 1400):
        run_process(pc, pid, "python3", "/home/ann/muggins/.venv/bin/muggins", "run", "--state", f"/tmp/{pid}")
    assert_is(pc.check("copies"), "ok", "no two of them on the same real parts")


def test_the_holder_of_the_state_folder_is_named(tree: MakeTree) -> None:
    """Who holds the lock is told by the number in it; one that cannot be read is a warning, a free lock nothing."""
    pi = tree("4b")
    pi.unit()
    folder = pi.folder("var/lib/muggins")
    (folder / "lock").write_text("4711\n")
    assert_is(pi.check("copies"), "ok", "no other copy")
    with (folder / "lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert_is(pi.check("copies"), "ok", "process 4711, and holds /var/lib/muggins")
        run_process(pi, 812, "python3", "/opt/muggins/bin/muggins", "run")
        assert_is(pi.check("copies"), "fail", "812 and 4711")
        (pi.root / "proc/812/cmdline").unlink()
        (folder / "lock").write_text("")
        assert_is(pi.check("copies"), "warn", "its number is not known", "fuser")


def test_asking_for_the_holder_leaves_the_lock_as_it_is(tree: MakeTree) -> None:
    """After the doctor has looked, the folder can be locked and the number in the lock is unchanged."""
    pi = tree("4b")
    pi.unit()
    folder = pi.folder("var/lib/muggins")
    (folder / "lock").write_text("4711\n")
    pi.check("copies")
    with (folder / "lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert held.read() == "4711\n"


def test_another_program_on_the_strip_is_named(tree: MakeTree) -> None:
    """A process that has the strip's device open is named; our own service is none."""
    pi = tree("4b")
    run_process(pi, 900, "/usr/bin/disco")
    pi.link("proc/900/fd/5", "/dev/spidev0.0")
    run_process(pi, 812, "python3", "/opt/muggins/bin/muggins", "run")
    pi.link("proc/812/fd/7", "/dev/spidev0.0")
    check = pi.check("other owners")
    assert_is(check, "fail", r"process 900 \(disco\) has /dev/spidev0.0 open", "Stop that program")
    assert "812" not in check.found


def test_a_driver_of_the_system_on_a_part_is_named(tree: MakeTree) -> None:
    """A kernel driver bound to the strip's device or to the panel's address is named; spidev itself is none."""
    pi = tree("4b")
    pi.link("sys/bus/spi/devices/spi0.0/driver", "../../../bus/spi/drivers/spidev")
    assert_is(pi.check("other owners"), "ok", "nobody else")
    (pi.root / "sys/bus/spi/devices/spi0.0/driver").unlink()
    pi.link("sys/bus/spi/devices/spi0.0/driver", "../../../bus/spi/drivers/fb_ili9341")
    pi.link("sys/bus/i2c/devices/1-003c/driver", "../../../bus/i2c/drivers/ssd130x-i2c")
    assert_is(pi.check("other owners"), "fail", "fb_ili9341 holds SPI device 0.0.*ssd130x-i2c holds the screen at 0x3c")


def test_the_user_of_a_pin_is_named(tree: MakeTree) -> None:
    """A pin that the kernel says is in use is named with its user and its purpose; not while our own service runs."""
    pi = tree("5")
    users = {17: "fan"}
    asked: list[Path] = []

    def line_user(chip: Path, pin: int) -> str | None:
        asked.append(chip)
        return users.get(pin)

    assert_is(pi.check("other owners", line_user=line_user), "fail", "fan holds GPIO17, seat 1's button", "Stop")
    assert set(asked) == {pi.root / "dev/gpiochip4"}
    pi.write("sys/fs/cgroup/system.slice/muggins.service/cgroup.procs", "812\n")
    assert pi.check("other owners", line_user=line_user).state == "ok"


# The command.


def call(*words: str) -> Result:
    """Call the program."""
    return CliRunner().invoke(cli, ["doctor", *words])


def test_json_is_one_object_on_one_line(tree: MakeTree) -> None:
    """``--json`` prints one line: every check with exactly its name, state, what was found and the cure, in strings."""
    pi = tree("4b")
    result = call("--json", "--root", str(pi.root))
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert list(answer) == ["checks"]
    assert [check["name"] for check in answer["checks"]] == ["configuration", *CHECKS]
    for check in answer["checks"]:
        assert list(check) == ["name", "state", "found", "cure"]
        assert check["state"] in ("ok", "warn", "fail", "skipped")
        assert all(isinstance(value, str) for value in check.values())
        assert check["found"]
    assert result.stderr == ""


def test_the_exit_code_tells_whether_anything_fails(tree: MakeTree) -> None:
    """Exit 0 without a failing check, 1 with one; warnings change nothing."""
    pi = tree("4b")
    assert "warn" in call("--root", str(pi.root)).stdout
    assert call("--root", str(pi.root)).exit_code == 0
    assert call("--root", str(pi.root), "--json").exit_code == 0
    (pi.root / "dev/spidev0.0").unlink()
    assert call("--root", str(pi.root)).exit_code == 1
    assert call("--root", str(pi.root), "--json").exit_code == 1


def test_in_words_it_is_a_line_a_check_with_the_cure_below(tree: MakeTree) -> None:
    """Without ``--json`` each check is a line, its cure an indented line below, and the last line counts them."""
    pi = tree("4b")
    (pi.root / "dev/spidev0.0").unlink()
    lines = call("--root", str(pi.root)).stdout.splitlines()
    at = next(index for index, line in enumerate(lines) if "/dev/spidev0.0 is not there" in line)
    assert lines[at].split()[:3] == ["fail", "spi", "device"]
    assert re.match(r" {10,}-> .*dtparam=spi=on", lines[at + 1])
    told = [line for line in lines[:-1] if not line.startswith(" ")]
    assert len(told) == len(CHECKS) + 1
    counts = {state: int(number) for number, state in re.findall(r"(\d+) (\w+)", lines[-1])}
    assert counts["fail"] == 1
    assert sum(counts.values()) == len(told)


def test_a_configuration_with_faults_is_a_failing_check(tree: MakeTree) -> None:
    """Every fault of the file is told in the first check, and the rest is examined by the defaults."""
    pi = tree("4b")
    pi.config("[strip]\nmax_ma = 0\ncolour_order = 7\n")
    result = call("--json", "--root", str(pi.root))
    first, *rest = json.loads(result.stdout)["checks"]
    assert result.exit_code == 1
    assert (first["name"], first["state"]) == ("configuration", "fail")
    assert re.search("strip.max_ma.*strip.colour_order", first["found"])
    assert "242 lights" in next(check for check in rest if check["name"] == "lights")["found"]


def test_a_named_configuration_is_the_one_examined(tree: MakeTree, tmp_path: Path) -> None:
    """``--config`` names the file, whatever lies below the root."""
    pi = tree("4b")
    (tmp_path / "mine.toml").write_text('[strip]\nlayout = "one-lane"\n')
    answer = json.loads(call("--json", "--root", str(pi.root), "--config", str(tmp_path / "mine.toml")).stdout)
    assert "121 lights" in next(check for check in answer["checks"] if check["name"] == "lights")["found"]


def test_the_user_s_own_file_does_not_count_below_another_root(
    tree: MakeTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below another root the variable that names a file here is not heeded."""
    (tmp_path / "mine.toml").write_text('[parts]\nstrip = "none"\n')
    monkeypatch.setenv("MUGGINS_CONFIG", str(tmp_path / "mine.toml"))
    assert tree("4b").check("lights").state == "ok"


def test_this_machine_gets_an_answer_from_every_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the machine that runs the tests nothing breaks, and all of the packages here are found."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "simulated.toml").write_text('[parts]\nstrip = "simulated"\n')
    result = call("--json", "--config", str(tmp_path / "simulated.toml"))
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert [check for check in checks.values() if "broke" in check["found"]] == []
    assert checks["packages"]["state"] == "ok"
    assert str(tmp_path) in checks["state folder"]["found"]


@pytest.mark.parametrize("words", [("--root", "/nowhere/at/all"), ("--wrong",), ("hands",)])
def test_words_that_are_not_understood_are_refused(words: tuple[str, ...]) -> None:
    """A root that is not there, an unknown option and an unknown command are malformed: exit 2, one object as JSON."""
    result = call("--json", *words)
    assert result.exit_code == 2
    assert "error" in json.loads(result.stdout)


def test_the_page_of_checks_is_up_to_date() -> None:
    """docs/doctor.md has every check with its cures; `python docs/doctor.py` writes it anew."""
    page = ROOT / "docs" / "doctor.md"
    assert runpy.run_path(str(page.with_suffix(".py")))["page"]() == page.read_text(encoding="utf-8")
    assert [name for name in CHECKS if f"| `{name}` |" not in page.read_text(encoding="utf-8")] == []
