"""``muggins doctor``: every check of the machine and its parts; and, with hands and eyes, lights, screen and keys."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from firmware.complaints import FORBIDDEN, Complaint, Group, plain
from firmware.config import Config, ConfigError, load_config
from firmware.config_command import unread
from firmware.doctor.check import Check
from firmware.doctor.machine import ROOT, Machine
from firmware.doctor.terminal import Left, Terminal, console
from hardware.errors import PartError

FILE = click.Path(path_type=Path)


class _Doctor(Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # --json was read already; lights, screen and keys talk to a person and refuse it.
        return super().resolve_command(ctx, [*args, "--json"] if ctx.params["as_json"] else args)


@click.group("doctor", cls=_Doctor, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object on one line.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ROOT,
    help="Examine the system whose files begin here.",
)
@click.option("--config", "config_file", type=FILE, help="Use this configuration.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool, root: Path, config_file: Path | None) -> None:
    """Check this machine and its parts, and say the cure of each fault. Exit 1 if anything fails.

    What wants hands and eyes is asked by the commands lights, screen and keys.
    """
    ctx.obj = config_file
    if ctx.invoked_subcommand is not None:
        return
    from firmware.doctor.checkup import check_up

    machine = Machine.running() if root.resolve() == ROOT else Machine(root.resolve())
    checks = check_up(machine, config_file)
    if as_json:
        click.echo(json.dumps({"checks": [check.to_dict() for check in checks]}))
    else:
        for line in in_words(checks):
            click.echo(plain(line))
    if any(check.state == "fail" for check in checks):
        raise SystemExit(FORBIDDEN)


@doctor.command("lights")
@click.option("--config", "config_file", type=FILE, help="Use this configuration.")
@click.pass_obj
def walk_lights(group_file: Path | None, config_file: Path | None) -> None:
    """Walk a dot along the strip; finds the order of its colours, its beginning and its length."""
    from firmware.doctor.lights import RealLights, TwinLights, Walk

    config = _config(config_file or group_file, "strip")
    strip = TwinLights(config) if config.strip == "simulated" else RealLights(config)

    def go(terminal: Terminal) -> list[str]:
        try:
            return Walk(config, terminal, strip, lambda s: None if config.strip == "simulated" else time.sleep(s)).go()
        finally:
            strip.close()

    _told(go)


@doctor.command("screen")
@click.option("--config", "config_file", type=FILE, help="Use this configuration.")
@click.pass_obj
def look_at_screen(group_file: Path | None, config_file: Path | None) -> None:
    """Show the border test; finds the panel's chip, column and rotation."""
    from firmware.doctor.screen import Look, RealGlass, TwinGlass

    config = _config(config_file or group_file, "screen")
    glass = TwinGlass(config) if config.screen == "simulated" else RealGlass()

    def go(terminal: Terminal) -> list[str]:
        try:
            return Look(config, terminal, glass).go()
        finally:
            glass.close()

    _told(go)


@doctor.command("keys")
@click.option("--config", "config_file", type=FILE, help="Use this configuration.")
@click.pass_obj
def watch_keys(group_file: Path | None, config_file: Path | None) -> None:
    """Show each pressed key with its row and column; tells stuck keys, ghosts and silent wires."""
    from firmware.doctor.keys import all_faults, watch_real, watch_twin
    from hardware.open_devices import open_devices

    config = _config(config_file or group_file, "keypad", "buttons")
    spec = replace(config.parts_spec(), strip="none", screen="none", numpad="none", buzzer="none", speaker="none")
    with open_devices(spec) as devices:
        missing = [part.say for part in devices.status() if part.state == "missing"]
        if devices.keys is None:
            raise Complaint(" ".join(missing) or "No keypad or button is fitted.", FORBIDDEN)
        terminal = console()
        for say in missing:
            terminal.say(say)
        real = "gpio" in (config.keypad, config.buttons)
        twin = devices.twins.keys
        if real or twin is None:
            wiring = spec.keys_wiring(keypad=config.keypad == "gpio", buttons=config.buttons == "gpio")
            keys = devices.keys
            watch_real(lambda: keys.poll(time.monotonic()), lambda: all_faults(keys), wiring, terminal)
        else:
            watch_twin(twin, terminal)


def in_words(checks: list[Check]) -> list[str]:
    """The checks for a person: a line each, the cure below it, and a last line that counts."""
    wide = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{check.state:7}  {check.name:{wide}}  {check.found}")
        if check.cure:
            lines.append(f"{'':7}  {'':{wide}}  -> {check.cure}")
    counts = {state: sum(check.state == state for check in checks) for state in ("ok", "warn", "fail", "skipped")}
    lines.append(", ".join(f"{count} {state}" for state, count in counts.items()))
    return lines


def _config(file: Path | None, *parts: str) -> Config:
    """The configuration, for parts that are fitted and that no other muggins is using. Raises Complaint."""
    try:
        config = load_config(file)
    except ConfigError as error:
        raise unread(error) from error
    kinds = [getattr(config, part) for part in parts]
    if all(kind == "none" for kind in kinds):
        raise Complaint(f"No {' and no '.join(parts)} is fitted, says the configuration.", FORBIDDEN)
    if any(kind not in ("simulated", "none") for kind in kinds):
        from firmware.doctor.service import lock_holder
        from firmware.doctor.unit import unit_processes

        machine = Machine.running()
        holder = lock_holder(machine)
        others = unit_processes(machine) or ([] if holder is None else [holder])
        if others:
            raise Complaint(
                f"Muggins is running as process {others[0] or 'unknown'} and uses the {parts[0]}: stop it first "
                "(sudo systemctl stop muggins) and start it again afterwards.",
                FORBIDDEN,
            )
    return config


def _told(go: Callable[[Terminal], list[str]]) -> None:
    """Ask on the terminal, then print the lines to write; who leaves has changed nothing. Raises Complaint."""
    terminal = console()
    try:
        lines = go(terminal)
    except Left:
        terminal.say("Left; nothing was changed.")
        return
    except PartError as error:
        raise Complaint(str(error), FORBIDDEN) from error
    if not lines:
        terminal.say("There is nothing to write into the configuration.")
        return
    terminal.say("Write these lines into the configuration (/etc/muggins.toml, or your own):")
    for line in lines:
        terminal.say(line)
