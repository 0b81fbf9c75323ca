"""The way into the program: from its first line on Ctrl-C ends it in one line, whatever is being imported."""

from __future__ import annotations

from typing import Any

from firmware.interrupts import leave_quietly


def main() -> Any:
    """The console script."""
    leave_quietly()
    from firmware.cli import main as program

    return program()
