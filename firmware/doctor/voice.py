"""Whether the board can speak: the program, and the sound card with the right to use it."""

from __future__ import annotations

from typing import Final

from firmware.config import Config
from firmware.doctor.check import Finding, fail, ok, skipped
from firmware.doctor.machine import Machine
from firmware.doctor.parts import not_real
from firmware.doctor.people import may_use, player

PLACES: Final = ("usr/bin/espeak-ng", "usr/local/bin/espeak-ng")
CARDS: Final = "dev/snd/controlC*"


def check_voice(machine: Machine, config: Config) -> Finding:
    """Whether espeak-ng is installed, and a sound card is there that the board's user may use."""
    if config.speaker != "espeak":
        return skipped(not_real("speaker", config.speaker))
    if not config.speech:
        return skipped("the board does not speak: board.speech is false")
    if not any(machine.at(place).exists() for place in PLACES):
        return fail("espeak-ng is not installed: the board cannot speak", "sudo apt install espeak-ng")
    cards = machine.glob(CARDS)
    if not cards and machine.is_pi:
        return fail(
            "espeak-ng is there, but no sound card",
            "Plug in a USB sound card or speaker, or put dtparam=audio=on into /boot/firmware/config.txt and restart.",
        )
    if not cards:
        return fail("espeak-ng is there, but no sound card", "Plug in a USB sound card or speaker.")
    person = player(machine)
    shut = [] if person is None else [card for card in cards if not may_use(card, person)]
    if person is not None and len(shut) == len(cards):
        return fail(
            f"the user {person.name} may not use the sound card",
            f"sudo usermod -aG audio {person.name}, then log in again; for the service sudo systemctl restart muggins.",
        )
    return ok(
        f"espeak-ng and {len(cards)} sound card{'s' if len(cards) > 1 else ''}, {config.speech_rate} words a minute"
    )
