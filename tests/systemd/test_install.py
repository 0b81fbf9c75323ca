"""Installing on made trees of machines: each thing that may be there already, or lacking."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = "etc/systemd/system/muggins.service"
WANTED = "etc/systemd/system/multi-user.target.wants/muggins.service"
RULES = "etc/udev/rules.d/60-muggins.rules"
CONFIG = "boot/firmware/config.txt"
INSTALLS = "-m pip"
MODEL = "proc/device-tree/model"
GROUPS = ("gpio", "i2c", "spi", "input", "audio")
PI_RULES = (
    'SUBSYSTEM=="input", GROUP="input", MODE="0660"\n'
    'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"\n'
    'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"\n'
    'SUBSYSTEM=="*gpiomem*", GROUP="gpio", MODE="0660"\n'
    'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n'
)
"""As Raspberry Pi OS has them."""


def test_a_plain_debian_gets_everything(tree: Any) -> None:
    """On plain Debian: user, groups, program, command, rules and unit are put in place, and nothing is started."""
    said = tree()
    assert "muggins:x:" in tree.text("etc/passwd")
    assert tree.text("etc/group").count(":muggins") == len(GROUPS)
    for path in (UNIT, RULES, "opt/muggins/bin/muggins"):
        assert tree.has(path), path
    assert str((tree.root / WANTED).readlink()) == f"/{UNIT}"
    assert str((tree.root / "usr/local/bin/muggins").readlink()) == "/opt/muggins/bin/muggins"
    assert "simulated" in said
    assert "nothing was started" in said
    assert not [line for line in tree.ran if "systemctl" in line or "reboot" in line]


def test_a_second_run_changes_nothing(tree: Any) -> None:
    """Installing again changes no file, installs no package, and says that all is there."""
    tree.put(CONFIG, "")
    tree.answer = True
    tree()
    before = tree.files()
    said = tree()
    assert tree.files() == before
    assert not [line for line in tree.ran if INSTALLS in line or "venv" in line or "add" in line]
    assert "has it already" in said
    assert "The groups" not in said
    assert "every line" in said


def test_every_step_is_one_plain_line(tree: Any) -> None:
    """What is said is a line a step, none of them empty or broken."""
    tree()
    assert len(tree.said) >= 8
    assert [line for line in tree.said if "\n" in line or not line.strip()] == []


def test_an_upgrade_puts_the_new_program_in_and_leaves_the_games(
    tree: Any, installer: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With other sources the program is installed anew, over the same environment; the state folder is not touched."""
    tree()
    tree.put("opt/muggins/installed", "an older one\n")
    tree.put("var/lib/muggins/journal.sqlite", "games")
    tree()
    assert [line for line in tree.ran if INSTALLS in line]
    assert not [line for line in tree.ran if "venv" in line]
    assert tree.text("var/lib/muggins/journal.sqlite") == "games"
    tree()
    assert not [line for line in tree.ran if INSTALLS in line]


def test_groups_that_exist_are_joined_and_those_that_do_not_are_made(tree: Any) -> None:
    """Only groups that are lacking are made, and the user is in all of them."""
    tree.put("etc/group", "root:x:0:\ninput:x:101:\ngpio:x:993:pi\nspi:x:999:pi\n")
    assert "The groups i2c, audio: made" in tree()
    assert [line for line in tree.ran if "groupadd" in line] == [
        f"groupadd --system {group}" for group in ("i2c", "audio")
    ]
    assert "gpio:x:993:pi,muggins" in tree.text("etc/group")


def test_a_user_that_lacks_a_group_is_put_into_it(tree: Any) -> None:
    """A user from before is kept and put into the groups it lacks."""
    tree()
    tree.put("etc/group", tree.text("etc/group").replace("spi:x:900:muggins", "spi:x:900:"))
    assert "put into spi" in tree()
    assert "spi:x:900:muggins" in tree.text("etc/group")


def test_without_useradd_the_user_is_made_at_the_next_start(tree: Any) -> None:
    """In a tree without useradd systemd is told to make user and groups when the machine starts."""
    (tree.root / "usr/sbin/useradd").unlink()
    assert "when the machine next starts" in tree()
    lines = tree.text("etc/sysusers.d/muggins.conf").splitlines()
    assert [line for line in lines if line.startswith("u muggins ")]
    assert {line for line in lines if line.startswith("m ")} == {f"m muggins {group}" for group in GROUPS}


def test_a_group_that_cannot_be_made_stops_it_with_a_cure(tree: Any, installer: ModuleType) -> None:
    """Where a group cannot be made it ends there, saying what to try."""
    tree.fails = {"groupadd": 9}
    with pytest.raises(installer.Stop, match="groupadd --system gpio"):
        tree()


@pytest.mark.parametrize(
    ("status", "cure"),
    [(9, "Debian 12 or newer"), (1, "apt install python3-venv"), (127, "apt install python3 python3-venv")],
    ids=["old", "no venv", "none"],
)
def test_a_python_that_cannot_do_it_stops_it_before_anything(
    tree: Any, installer: ModuleType, status: int, cure: str
) -> None:
    """A system Python too old, without venv, or not there ends it before anything was changed."""
    before = tree.files()
    tree.fails = {"ensurepip": status}
    with pytest.raises(installer.Stop, match=cure):
        tree()
    assert tree.files() == before


def test_a_driver_of_the_system_is_used(tree: Any) -> None:
    """A driver that the system has is left to it."""
    assert "The driver lgpio: there." in tree()
    assert not [line for line in tree.ran if line.endswith(" lgpio")]
    assert [line for line in tree.ran if "--system-site-packages" in line]


def test_a_driver_that_can_be_had_is_installed(tree: Any) -> None:
    """A driver that the system lacks comes from the index."""
    tree.drivers.clear()
    tree.put("usr/bin/gcc", "")
    tree()
    assert tree.drivers == {"lgpio", "spidev", "evdev"}


def test_a_driver_not_to_be_had_is_told_with_its_cure_and_tried_again(tree: Any) -> None:
    """A driver that cannot be had is told with Debian's package and keeps nothing else away; next time it is tried."""
    tree.drivers.clear()
    tree.fails = {":all: lgpio": 1}
    said = tree()
    for name in ("lgpio", "spidev", "evdev"):
        assert f"apt install python3-{name}" in said
    assert tree.has(UNIT)
    assert not [line for line in tree.ran if line.endswith(" spidev")]  # no compiler: not even tried
    tree.fails = {}
    assert "The driver lgpio: installed." in tree()


def test_packages_that_cannot_be_had_stop_it_and_the_next_run_goes_on(tree: Any, installer: ModuleType) -> None:
    """Without a network it ends with a word about it and leaves nothing half staged; the next run does it all."""
    tree.fails = {INSTALLS: 1}
    with pytest.raises(installer.Stop, match=r"on the network\?.*apt install python3-pil\b"):
        tree()
    assert list((tree.root / "var/tmp").iterdir()) == []
    assert not tree.has("opt/muggins/installed")
    tree.fails = {}
    tree()
    assert tree.has(UNIT)


def test_another_program_of_that_name_is_left_alone(tree: Any) -> None:
    """A command muggins that is not ours stays, and that is said; uninstalling leaves it too."""
    tree.put("usr/local/bin/muggins", "another")
    assert "is another program" in tree()
    tree(uninstall=True)
    assert tree.text("usr/local/bin/muggins") == "another"


def test_rules_come_only_where_they_are_lacking(tree: Any) -> None:
    """Where the system's rules give the nodes their groups, ours give none; systemd is still told of the nodes."""
    tree.put("usr/lib/udev/rules.d/99-com.rules", PI_RULES)
    tree()
    assert "GROUP=" not in tree.text(RULES)
    assert tree.text(RULES).count('TAG+="systemd"') == 3


def test_one_lacking_rule_is_the_only_one_that_comes(tree: Any) -> None:
    """With a rule for two of the three kinds of node, or one in a comment, only what lacks is added."""
    tree.put("usr/lib/udev/rules.d/60-i2c-tools.rules", 'KERNEL=="i2c-[0-9]*", GROUP="i2c", MODE="0660"\n')
    tree.put(
        "etc/udev/rules.d/50-spi.rules", 'SUBSYSTEM=="spidev", \\\n  GROUP="spi"\n#SUBSYSTEM=="gpio", GROUP="gpio"\n'
    )
    tree()
    assert [line.split('GROUP="')[1].split('"')[0] for line in tree.text(RULES).splitlines() if "GROUP=" in line] == [
        "gpio"
    ]


def test_no_rule_lacking_no_file(tree: Any) -> None:
    """Where every rule is there already no file is made, and one of ours from before goes."""
    tree()
    assert tree.has(RULES)
    tree.put("etc/udev/rules.d/50-all.rules", tree.text(RULES))
    assert "the system has all the rules" in tree()
    assert not tree.has(RULES)


def test_a_link_that_leads_nowhere_is_passed_over(tree: Any) -> None:
    """Rules or module lists that are links to nothing, as a rule switched off is, count as not there."""
    for path in ("etc/modules-load.d/modules.conf", "etc/udev/rules.d/99-com.rules"):
        (tree.root / path).parent.mkdir(parents=True, exist_ok=True)
        (tree.root / path).symlink_to("/nowhere/at/all")
    tree.put(CONFIG, "")
    tree()
    assert tree.text(RULES).count("GROUP=") == 3
    assert tree.has("etc/modules-load.d/muggins.conf")


@pytest.mark.parametrize("model", ["3 Model B Plus Rev 1.3", "4 Model B Rev 1.4", "5 Model B Rev 1.0"])
@pytest.mark.parametrize(
    "text", ["", "#dtparam=spi=on\n#dtparam=i2c_arm=on", "[cm4]\ndtparam=spi=on\ndtparam=i2c=on\n"]
)
def test_lines_that_lack_are_said_and_added_on_a_yes(tree: Any, text: str, model: str) -> None:
    """Lines absent, commented out or for another model are named; on a yes they are added and the old file is kept."""
    tree.put(CONFIG, text)
    tree.put(MODEL, f"Raspberry Pi {model}\0")
    tree.answer = False
    said = tree()
    assert "lacks these lines: dtparam=spi=on; dtparam=i2c_arm=on,i2c_arm_baudrate=400000" in said
    assert ("core_freq=250" in said, "core_freq=500" in said) == (model[0] == "3", model[0] == "4")
    assert tree.text(CONFIG) == text
    tree.answer = True
    assert "sudo reboot" in tree()
    assert tree.text(CONFIG).startswith(text)
    assert tree.text(f"{CONFIG}.before-muggins") == text
    assert "every line" in tree()
    assert not [line for line in tree.ran if "reboot" in line]


@pytest.mark.parametrize(
    "text",
    [
        "dtparam=spi=on\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",
        "dtparam=i2c=on,spi\n[all]\ndtparam=i2c_baudrate=1000000\n",
        "[pi5]\ndtparam=spi=off\n[all]\n[pi5]\ndtparam=spi=on,i2c_arm=on\ndtparam=i2c_arm_baudrate=100000\n[pi4]\ndtparam=spi=off\n",
    ],
    ids=["plain", "other names", "sections"],
)
def test_lines_that_are_there_are_left(tree: Any, text: str) -> None:
    """Lines that are there under any of their names, and where this model heeds them, bring no question."""
    tree.put(CONFIG, text)
    tree.put(MODEL, "Raspberry Pi 5 Model B Rev 1.0\0")
    assert "every line" in tree()
    assert tree.asked == []
    assert tree.text(CONFIG) == text


def test_a_line_switched_off_again_is_lacking(tree: Any) -> None:
    """The last word on a bus counts; a bus without its speed lacks only the speed."""
    tree.put(CONFIG, "dtparam=spi=on,i2c_arm=on\ndtparam=spi=off\n")
    said = tree()
    assert "lacks these lines: dtparam=spi=on; dtparam=i2c_arm_baudrate=400000" in said


def test_without_a_terminal_nothing_is_added(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nobody to ask, config.txt stays as it is and the lines are told."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    tree.put(CONFIG, "dtparam=audio=on\n")
    assert "nothing was changed" in tree()
    assert tree.text(CONFIG) == "dtparam=audio=on\n"


def test_an_earlier_copy_is_not_written_over(tree: Any) -> None:
    """A copy of config.txt from an earlier time stays; the new one has a number."""
    tree.put(CONFIG, "second\n")
    tree.put(f"{CONFIG}.before-muggins", "first\n")
    tree.answer = True
    tree()
    assert tree.text(f"{CONFIG}.before-muggins") == "first\n"
    assert tree.text(f"{CONFIG}.before-muggins.1") == "second\n"


def test_the_older_place_of_config_txt_is_known(tree: Any) -> None:
    """A system from before Bookworm has the file in /boot."""
    tree.put("boot/config.txt", "")
    assert "/boot/config.txt lacks" in tree()


def test_a_pi_loads_the_module_of_the_screens_bus(tree: Any) -> None:
    """On a Pi i2c-dev is loaded at start, unless the system says so already."""
    tree.put(CONFIG, "")
    tree()
    assert tree.text("etc/modules-load.d/muggins.conf") == "i2c-dev\n"
    tree(uninstall=True)
    tree.put("etc/modules", "# at boot\ni2c-dev\n")
    tree()
    assert not tree.has("etc/modules-load.d/muggins.conf")


def test_a_running_machine_starts_the_service_and_restarts_an_upgraded_one(tree: Any) -> None:
    """Where systemd runs, the service is started anew after a change, and only started where nothing changed."""
    tree.systemd = True
    assert "the board is running" in tree()
    assert tree.ran[-1] == "systemctl restart muggins.service"
    tree()
    assert tree.ran[-1] == "systemctl start muggins.service"
    assert "udevadm control --reload" not in tree.ran


def test_a_service_that_does_not_start_says_where_to_look(tree: Any, installer: ModuleType) -> None:
    """A service that does not start ends the installation with the command that shows why."""
    tree.systemd = True
    tree.fails = {"systemctl restart": 1}
    with pytest.raises(installer.Stop, match="journalctl -u muggins"):
        tree()


def test_uninstalling_leaves_the_games_and_says_so(tree: Any) -> None:
    """Uninstalling takes away all that installing put there but the user, and the games with a word about them."""
    tree.put(CONFIG, "")
    before = tree.files()
    tree()
    tree.put("var/lib/muggins/journal.sqlite", "games")
    said = tree(uninstall=True)
    after = tree.files()
    assert after.pop("var/lib/muggins/journal.sqlite") == "games"
    assert "kept in /var/lib/muggins" in said
    assert {path for path in after if after[path] != before.get(path)} == {"etc/passwd", "etc/group"}
    assert not (tree.root / "opt/muggins").exists()


def test_uninstalling_twice_harms_nothing(tree: Any) -> None:
    """Uninstalling where nothing is installed says so and succeeds."""
    assert "there was none" in tree(uninstall=True)


def test_uninstalling_stops_the_service_first(tree: Any) -> None:
    """On a running machine the service is stopped before its program goes."""
    tree.systemd = True
    tree()
    tree(uninstall=True)
    assert tree.ran[0] == "systemctl disable --now muggins.service"


def run(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """The installer as the Makefile calls it."""
    line = [sys.executable, "-B", str(ROOT / "systemd" / "install.py"), *words]
    return subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, **how)


def test_a_tree_that_is_none_is_refused(tmp_path: Path) -> None:
    """A tree that is not there is refused with one line on standard error."""
    done = run("--root", str(tmp_path / "none"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "is no folder" in done.stderr


def test_an_empty_tree_is_left_empty(tmp_path: Path) -> None:
    """A tree without Python is refused, and nothing is put into it."""
    done = run("--root", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_installer_needs_nothing_but_python(tmp_path: Path) -> None:
    """The installer runs on Python's own library alone, as on a fresh machine."""
    line = [sys.executable, "-I", "-S", "-B", str(ROOT / "systemd" / "install.py"), "--help"]
    program = f"import sys, runpy; sys.path.insert(0, {str(ROOT / 'systemd')!r}); sys.argv[1:] = ['--help']; "
    line = [sys.executable, "-I", "-S", "-B", "-c", f"{program}runpy.run_path({line[4]!r}, run_name='__main__')"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--uninstall" in done.stdout
