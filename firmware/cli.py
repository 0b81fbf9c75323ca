"""The program ``muggins``: its commands, each imported only when it is called, so that a start costs what it needs."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

import click

from firmware.complaints import FORBIDDEN, Group, complain, where

COMMANDS: Final = {
    "run": ("firmware.run_command", "run", "Run the board and its page."),
    "score": ("firmware.score_command", "score", "Count a hand or a crib."),
    "replay": ("firmware.replay_command", "replay", "Play game records and tell every point."),
    "press": ("firmware.press_command", "press", "Press keys on a simulated board and show what it shows."),
    "games": ("firmware.games_command", "games", "List the games played here, or export one."),
    "template": ("firmware.template_command", "template", "Draw the board to drill, or the keypad's overlay."),
    "doctor": ("firmware.doctor_command", "doctor", "Check this machine and its parts, and say each cure."),
    "config": ("firmware.config_command", "config", "Print the configuration in force."),
}


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata  # slow to import, and asked for by nothing else

        click.echo(f"muggins {metadata.version('muggins')}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def cli() -> None:
    """Muggins: a cribbage board of lights that counts along."""


def main() -> Any:
    """The console script. A fault of our own is one line too, with all that finding it takes."""
    try:
        return cli()
    except Exception as error:
        complain(f"this is a fault in Muggins, please report it: {where(error)}", FORBIDDEN, "--json" in sys.argv)
