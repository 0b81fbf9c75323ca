"""One check: what it is called, how it went, what was found, and the cure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firmware.config import Config
from firmware.doctor.machine import Machine

State = Literal["ok", "warn", "fail", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. ``cure`` is empty where there is nothing to do."""

    state: State
    found: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A finding with the name of its check."""

    name: str
    state: State
    found: str
    cure: str

    def to_dict(self) -> dict[str, str]:
        """As ``muggins doctor --json`` prints it."""
        return {"name": self.name, "state": self.state, "found": self.found, "cure": self.cure}


Look = Callable[[Machine, Config], Finding]
"""A check's function; it may raise, ``examine`` answers for it."""


def ok(found: str) -> Finding:
    """All is well."""
    return Finding("ok", found)


def warn(found: str, cure: str) -> Finding:
    """The game goes on, but something is worse than it could be."""
    return Finding("warn", found, cure)


def fail(found: str, cure: str) -> Finding:
    """Something will not work."""
    return Finding("fail", found, cure)


def skipped(why: str) -> Finding:
    """Nothing was looked at, and why."""
    return Finding("skipped", why)


def examine(name: str, look: Look, machine: Machine, config: Config) -> Check:
    """Do one check; one that itself breaks is a failure that says what happened. Never raises."""
    try:
        finding = look(machine, config)
    except Exception as error:  # a doctor that falls ill still examines the rest
        finding = fail(
            f"this check itself broke: {type(error).__name__}: {error}",
            "The other checks stand; please report this line as a fault of muggins.",
        )
    return Check(name, finding.state, finding.found, finding.cure)
