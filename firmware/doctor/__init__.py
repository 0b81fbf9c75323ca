"""``muggins doctor``: what is found on this machine and on its parts, each fault with its cure."""

from firmware.doctor.check import Check, examine
from firmware.doctor.checkup import CHECKS, check_up
from firmware.doctor.machine import Machine

__all__ = ["CHECKS", "Check", "Machine", "check_up", "examine"]
