"""``muggins run``: the service, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from firmware.certificate import CertificateFault, secured
from firmware.complaints import FORBIDDEN, Complaint, SlowCommand, say
from firmware.config import ConfigError, load_config
from firmware.config_command import unread
from firmware.interrupts import interruptible
from firmware.lock import FolderInUse, StateLock
from firmware.state_folder import fifo_folder, state_folder


@click.command("run", cls=SlowCommand)
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this configuration.")
@click.option("--state", "folder", type=click.Path(path_type=Path), help="Keep the games in this folder.")
@click.option("--port", type=click.IntRange(0, 65535), help="Serve the page on this port (0: any free one).")
@click.option("--no-page", is_flag=True, help="Serve no page.")
def run(config_file: Path | None, folder: Path | None, port: int | None, no_page: bool) -> None:
    """Run the board; simulated parts unless the configuration says otherwise or this is a Pi."""
    try:
        config = load_config(config_file)
    except ConfigError as error:
        raise unread(error) from error
    page = config.page and not no_page
    try:
        tls = secured(config.certificate, config.certificate_key) if page else None
    except CertificateFault as error:
        raise Complaint(str(error), FORBIDDEN) from error
    state = (folder or state_folder()).absolute()  # lgpio takes the process to another working directory
    try:
        lock = StateLock(state)
    except FolderInUse as error:
        raise Complaint(str(error), FORBIDDEN) from error
    fifos = fifo_folder(state)
    if fifos is not None:
        os.environ["LG_WD"] = fifos
    from firmware.journal import open_journal
    from firmware.notify import Notifier
    from firmware.phones import Phones
    from firmware.service import Service
    from firmware.web.press import LARGEST
    from firmware.web.server import PageServer, listen
    from firmware.writer import HAND_OVER_S
    from hardware.open_devices import open_devices

    warning = "<4>" if "JOURNAL_STREAM" in os.environ else ""  # the log then keeps it as a warning

    def log(line: str) -> None:
        say(f"{warning}{line}", err=True)

    async def serve() -> None:
        journal = open_journal(state, now=lambda: datetime.now(UTC), take=lock.take)
        devices = open_devices(config.parts_spec())
        phones = Phones(state, take=lock.take)
        first = secrets.randbelow(LARGEST // 2)  # no page takes a moment of another start for one of this
        service = Service(config, devices, journal, notifier=Notifier(), log=log, phones=phones, first_moment=first)
        server = None
        if page:
            server = PageServer(
                service,
                listen(config.port if port is None else port, config.host),
                names=config.page_names,
                tls=tls,
                announce=log if config.mdns else None,
            )
            service.board.address = server.address

        def ready() -> None:
            line = server.address if server is not None else "Muggins is running without a page."
            if not say(line):  # the game does not depend on it
                log(f"{line} (standard output takes nothing)")
            gc.freeze()  # what is there now stays: looking it through for garbage would hold a key up

        await service.run(server, ready)

    sys.setswitchinterval(HAND_OVER_S)
    try:
        with interruptible():
            asyncio.run(serve())
    except OSError as error:
        raise Complaint(str(error.strerror or error), FORBIDDEN) from error
    finally:
        lock.close()
