"""The way into the program: from its first line on Ctrl-C ends it in one line, whatever is being imported.

An interrupt in the midst of an import could come out as anything, and as a traceback. So nothing is imported here that
takes time; once a command does something of its own, it is ``interruptible`` instead.
"""

import os
import signal
import sys


def leave_at_once(number: int, frame: object) -> None:
    """End the process with the line that every interrupted command ends with: nothing is under way yet, or any more."""
    where, line = (1, b'{"error": "interrupted"}\n') if "--json" in sys.argv else (2, b"error: interrupted\n")
    try:
        os.write(where, line)
    finally:
        os._exit(1)


def main() -> object:
    """The console script. An interrupt that this process is to know nothing of stays unknown."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave_at_once)
    from firmware.cli import main as program

    return program()
