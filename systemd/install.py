"""Put Muggins on a machine as a service, or take it off: `sudo make install`, `sudo make uninstall`.

    python3 systemd/install.py [--root DIR] [--yes] [--uninstall]

Doing it twice changes nothing the second time; doing it with a newer Muggins is an upgrade. Games are never touched.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from boot_lines import missing_lines, with_lines
from machine import Machine, Stop
from program import PREFIX, check_python, put_link, put_program, take_program

HERE = Path(__file__).resolve().parent
USER = "muggins"
GROUPS = ("gpio", "i2c", "spi", "input", "audio")
STATE = "var/lib/muggins"
UNIT = "etc/systemd/system/muggins.service"
WANTED = "etc/systemd/system/multi-user.target.wants/muggins.service"
PARTS = (r"dev-i2c\x2d1.device", "dev-spidev0.0.device", "dev-gpiochip0.device")
"""The device units that the service wants, and waits for no longer than device.conf says."""
RULES = "etc/udev/rules.d/60-muggins.rules"
RULE_PLACES = ("etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d")
KINDS = (("gpio", "gpiochip*", "gpio"), ("i2c-dev", "i2c-*", "i2c"), ("spidev", "spidev*", "spi"))
"""Subsystem, name and group of the nodes that the board's wires are reached by."""
MODULES = "etc/modules-load.d/muggins.conf"
CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")
SYSUSERS = "etc/sysusers.d/muggins.conf"


def install(machine: Machine) -> None:
    """Put everything in place, each step with one line. Raises Stop where it cannot go on."""
    check_python(machine)
    _put_user(machine)
    changed = put_program(machine)
    put_link(machine)
    _put_rules(machine)
    _put_modules(machine)
    changed = _put_unit(machine) or changed
    _put_boot_lines(machine)
    _begin(machine, changed)


def uninstall(machine: Machine) -> None:
    """Take everything away but the games, their user, and the lines of config.txt."""
    if machine.boots_systemd:
        machine.run("systemctl", "disable", "--now", "muggins.service")
    there = [machine.remove(path) for path in (WANTED, UNIT, *map(_waits, PARTS))]
    machine.say("The service: stopped and taken away." if any(there) else "The service: there was none.")
    if machine.remove(RULES) | machine.remove(MODULES):
        machine.say("The rights to the parts: our rules are gone; the system's own stay.")
    machine.remove(SYSUSERS)
    if machine.boots_systemd:
        machine.run("systemctl", "daemon-reload")
    take_program(machine)
    if machine.has(STATE):
        machine.say(
            f"The games: kept in /{STATE}, with the user {USER} whose they are. "
            f"To be rid of them too: rm -r /{STATE}; userdel {USER}"
        )
    elif USER in machine.names("etc/passwd"):
        machine.say(f"The user {USER}: kept. To be rid of it too: userdel {USER}")
    machine.say("Left as they are: /etc/muggins.toml and the lines of config.txt, which others may need.")


def unit_text(prefix: str = f"/{PREFIX}") -> str:
    """The unit as it is installed, with the programs of that environment."""
    text = (HERE / "muggins.service").read_text(encoding="utf-8")
    return re.sub(r"^(Exec\w+=-?)/usr/bin/env (\w+)", lambda line: f"{line[1]}{prefix}/bin/{line[2]}", text, flags=re.M)


def rules_text(have: str) -> str:
    """The udev rules that are lacking where the rules ``have`` are there; empty where none are."""
    lines = []
    for subsystem, kernel, group in KINDS:
        # A node's group may hang on its subsystem or on its name, as in KERNEL=="i2c-[0-9]*".
        named = re.compile(rf'(SUBSYSTEM=="{subsystem}"|KERNEL=="{re.escape(kernel.rstrip("*"))})')
        ours = [rule for rule in _rules(have) if named.search(rule)]
        if not any(re.search(r'GROUP:?="', rule) for rule in ours):
            lines.append(f'SUBSYSTEM=="{subsystem}", KERNEL=="{kernel}", GROUP="{group}", MODE="0660"')
        if not any(re.search(r'TAG\+="systemd"', rule) for rule in ours):
            lines.append(f'SUBSYSTEM=="{subsystem}", KERNEL=="{kernel}", TAG+="systemd"')
    if not lines:
        return ""
    why = (
        "# Who may use the nodes of the board's wires, and that systemd sees them come: what no other rule here says.\n"
    )
    return why + "".join(f"{line}\n" for line in lines)


def _put_user(machine: Machine) -> None:
    """The service's own user, and the groups of the parts; the unit starts only where all of them exist."""
    users, groups = machine.names("etc/passwd"), machine.names("etc/group")
    new = [group for group in GROUPS if group not in groups]
    if not machine.has("usr/sbin/useradd"):
        lines = [f"g {group} -\n" for group in GROUPS]
        lines += [f'u {USER} - "Muggins" /{STATE}\n', *(f"m {USER} {group}\n" for group in GROUPS)]
        machine.write(SYSUSERS, "".join(lines))
        machine.say(f"The user {USER}: made when the machine next starts (there is no useradd here).")
        return
    for group in new:
        if machine.run("groupadd", "--system", group):
            raise Stop(f"The group {group} could not be made: try groupadd --system {group}, then this again.")
    if new:
        machine.say(f"The groups {', '.join(new)}: made, for the rights to the parts.")
    if USER not in users:
        shell = ("--shell", "/usr/sbin/nologin", "--home-dir", f"/{STATE}", "--no-create-home")
        if machine.run("useradd", "--system", "--user-group", *shell, "--groups", ",".join(GROUPS), USER):
            raise Stop(f"The user {USER} could not be made: is there a group of that name already? See /etc/group.")
        machine.say(f"The user {USER}: made, in the groups {', '.join(GROUPS)}.")
        return
    lacking = [group for group in GROUPS if USER not in _members(machine, group)]
    if lacking and machine.run("usermod", "--append", "--groups", ",".join(lacking), USER):
        raise Stop(f"The user {USER} could not be put into {', '.join(lacking)}: see /etc/group.")
    machine.say(f"The user {USER}: put into {', '.join(lacking)}." if lacking else f"The user {USER}: there.")


def _members(machine: Machine, group: str) -> list[str]:
    for line in (machine.read("etc/group") or "").splitlines():
        name, *_, members = line.split(":")
        if name == group:
            return members.split(",")
    return []


def _rules(text: str) -> list[str]:
    """The rules, one a line, without comments."""
    return [line for line in text.replace("\\\n", " ").splitlines() if not line.lstrip().startswith("#")]


def _put_rules(machine: Machine) -> None:
    found = [item for place in RULE_PLACES for item in machine.texts(place, ".rules").items()]
    text = rules_text("\n".join(text for path, text in found if path != RULES))
    changed = machine.write(RULES, text) if text else machine.remove(RULES)
    if changed and machine.boots_systemd:
        machine.run("udevadm", "control", "--reload")
        machine.run("udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=i2c-dev", "--action=add")
        machine.run("udevadm", "trigger", "--subsystem-match=spidev", "--action=add")
    there = "put into" if changed and text else "in"
    machine.say(f"The rights to the parts: {f'rules {there} /{RULES}' if text else 'the system has all the rules'}.")


def _put_modules(machine: Machine) -> None:
    """A Pi makes /dev/i2c-1 only where this module is loaded."""
    found = machine.texts("etc/modules-load.d", ".conf")
    texts = [machine.read("etc/modules") or "", *(text for path, text in found.items() if path != MODULES)]
    wanted = machine.is_pi and not any(re.search(r"^\s*i2c[-_]dev\b", text, re.M) for text in texts)
    if wanted and machine.write(MODULES, "i2c-dev\n"):
        machine.say(f"The screen's bus: its module i2c-dev is loaded from now on (/{MODULES}).")
        if machine.boots_systemd:
            machine.run("modprobe", "i2c-dev")


def _waits(part: str) -> str:
    return f"etc/systemd/system/{part}.d/muggins.conf"


def _put_unit(machine: Machine) -> bool:
    changed = [machine.write(_waits(part), (HERE / "device.conf").read_text(encoding="utf-8")) for part in PARTS]
    changed.append(machine.write(UNIT, unit_text()))
    if not machine.has(WANTED):
        machine.at(WANTED).parent.mkdir(parents=True, exist_ok=True)
        machine.at(WANTED).symlink_to(f"/{UNIT}")
        changed.append(True)
    here = "installed, and starts with the machine" if any(changed) else "there, and starts with the machine"
    machine.say(f"The service muggins.service: {here}.")
    return any(changed)


def _put_boot_lines(machine: Machine) -> None:
    """Say which lines the Pi's own configuration lacks, and offer to add them."""
    file = next((file for file in CONFIGS if machine.read(file) is not None), None)
    if file is None:
        machine.say("The wires: no Raspberry Pi's config.txt here, so the parts are simulated ones.")
        return
    text = machine.read(file) or ""
    lines = missing_lines(text, machine.model)
    if not lines:
        machine.say(f"The wires: /{file} has every line they need.")
        return
    machine.say(f"The wires: /{file} lacks these lines: {'; '.join(lines)}")
    if not machine.asks("Add them, keeping a copy of the file?"):
        machine.say(f"The wires: nothing was changed. Add those lines to /{file} and restart the Pi.")
        return
    copy, number = f"{file}.before-muggins", 1
    while machine.has(copy):
        copy, number = f"{file}.before-muggins.{number}", number + 1
    machine.write(copy, text)
    machine.write(file, with_lines(text, lines))
    machine.say(f"The wires: added. The file as it was is /{copy}. They count once the Pi is restarted: sudo reboot")


def _begin(machine: Machine, changed: bool) -> None:
    """Start the service, or start it anew after an upgrade; a tree, or a machine without systemd, starts nothing."""
    if not machine.boots_systemd:
        machine.say("Done. It starts when the machine does; nothing was started now.")
        return
    machine.run("systemctl", "daemon-reload")
    if machine.run("systemctl", "restart" if changed else "start", "muggins.service"):
        raise Stop("The service did not start. What it says of it: journalctl -u muggins -n 30")
    machine.say("Done: the board is running. systemctl status muggins names the address of its page.")


def main(words: list[str] | None = None) -> int:
    """The command; gives its exit status."""
    parser = argparse.ArgumentParser(description="Install Muggins as a service, or take it away.")
    parser.add_argument("--root", type=Path, default=Path("/"), help="a tree of a machine instead of this one")
    parser.add_argument("--yes", action="store_true", help="add the lines that config.txt lacks without asking")
    parser.add_argument("--uninstall", action="store_true", help="take it away; the games stay")
    given = parser.parse_args(words)
    machine = Machine(given.root, yes=given.yes)
    try:
        if not machine.root.is_dir():
            raise Stop(f"{given.root} is no folder: name the tree of a machine.")
        if os.geteuid() != 0:
            raise Stop(
                "This needs root: sudo make uninstall" if given.uninstall else "This needs root: sudo make install"
            )
        (uninstall if given.uninstall else install)(machine)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}. Mend that, then run it again.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
