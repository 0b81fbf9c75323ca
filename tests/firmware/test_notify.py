"""What the service manager hears: ready, alive, stopping; and the lights when it all ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from firmware.blank import blank, main
from firmware.config import Config, parse_config
from firmware.notify import Notifier
from firmware.state_folder import fifo_folder
from hardware.open_devices import open_devices
from hardware.parts_spec import PartsSpec

PATIENCE_S = 30.0
WATCHDOG_S = 0.2
MUGGINS = Path(sys.executable).with_name("muggins")
RED = (255, 0, 0)

# The real program, whose tick gets stuck in mid-loop when it is told to: as a driver does that never comes back.
STUCK = """
import signal, sys, time
from firmware.board import Board
from firmware.service import Service
stuck = []
signal.signal(signal.SIGUSR1, lambda *_: stuck.append(True))
dim = Service._dim
def tick(self, now):
    while stuck:
        time.sleep(0.01)
    dim(self, now)
Service._dim = tick
from firmware.cli import main
main()
"""


class Manager:
    """Listens as a service manager does, on a path or an abstract name."""

    def __init__(self, address: str) -> None:
        self.name = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def hear(self, patience_s: float = PATIENCE_S) -> list[str]:
        """The next message's lines; none when nothing comes in that time."""
        self._socket.settimeout(patience_s)
        try:
            return self._socket.recv(65536).decode().split("\n")
        except TimeoutError:
            return []

    def hear_until(self, line: str) -> list[str]:
        """All lines up to a message with that one."""
        heard: list[str] = []
        while line not in heard:
            more = self.hear()
            assert more, f"{line} never came; heard {heard}"
            heard += more
        return heard

    def drain(self) -> list[str]:
        """What already waits to be heard."""
        heard: list[str] = []
        while more := self.hear(0.01):
            heard += more
        return heard

    def close(self) -> None:
        """Listen no more."""
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    """A service manager, by either kind of address."""
    listening = Manager(str(tmp_path / "notify") if request.param == "path" else f"@muggins-{os.getpid()}")
    yield listening
    listening.close()


@pytest.fixture
def path_manager(tmp_path: Path) -> Iterator[Manager]:
    """A service manager that listens on a path."""
    listening = Manager(str(tmp_path / "notify"))
    yield listening
    listening.close()


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(quick_folder: Path) -> Iterator[Start]:
    """Starts the real program for a manager, in a folder of its own, watched at ``watchdog_s``."""
    started: list[subprocess.Popen[str]] = []

    def begin(manager: Manager, *program: str, watchdog_s: float = WATCHDOG_S, **extra: str) -> subprocess.Popen[str]:
        settings = quick_folder / "settings.toml"
        settings.touch()
        env = {name: value for name, value in os.environ.items() if not name.startswith("WATCHDOG")}
        env |= {"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": str(int(watchdog_s * 1_000_000)), **extra}
        words = ["run", "--config", str(settings), "--state", str(quick_folder / "state"), "--port", "0"]
        process = subprocess.Popen(
            [*(program or (str(MUGGINS),)), *words],
            cwd=quick_folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_the_service_says_ready_then_alive_then_stopping(manager: Manager, start: Start) -> None:
    """The running program says READY=1, a status line, WATCHDOG=1 again and again, and STOPPING=1 when told to end."""
    process = start(manager)
    assert manager.hear() == ["READY=1"]
    status, *_ = manager.hear()
    assert status.startswith("STATUS=The page is at http://127.0.0.1:")
    assert status.endswith("/; every part is there")
    for _ in range(5):
        assert manager.hear() == ["WATCHDOG=1"]
    process.send_signal(signal.SIGTERM)
    assert "STOPPING=1" in manager.hear_until("STOPPING=1")
    assert process.wait(PATIENCE_S) == 0
    assert manager.drain() == []


def test_a_stuck_tick_pets_no_watchdog(path_manager: Manager, start: Start) -> None:
    """While a tick does not come to its end the watchdog is not petted, however alive the process is."""
    process = start(path_manager, sys.executable, "-c", STUCK)
    path_manager.hear_until("WATCHDOG=1")
    process.send_signal(signal.SIGUSR1)
    time.sleep(WATCHDOG_S)
    path_manager.drain()
    assert path_manager.hear(4 * WATCHDOG_S) == []
    assert process.poll() is None


def test_a_stopped_process_pets_no_watchdog_and_goes_on_after(path_manager: Manager, start: Start) -> None:
    """A process that is held pets nothing; let go, it pets again."""
    process = start(path_manager)
    path_manager.hear_until("WATCHDOG=1")
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    path_manager.drain()
    assert path_manager.hear(4 * WATCHDOG_S) == []
    process.send_signal(signal.SIGCONT)
    assert path_manager.hear() == ["WATCHDOG=1"]


def test_the_first_prompt_is_drawn_before_ready(path_manager: Manager, start: Start) -> None:
    """READY=1 comes after the first prompt was handed to the screen, not before."""
    program = (
        "from firmware.service import Service; from firmware.notify import Notifier\n"
        "from firmware.cli import main\n"
        "screen = Service.screen\n"
        "def drawn(self, picture):\n    Notifier().send('X_DRAWN=1')\n    screen(self, picture)\n"
        "Service.screen = drawn\nmain()\n"
    )
    start(path_manager, sys.executable, "-c", program)
    assert path_manager.hear() == ["X_DRAWN=1"]
    path_manager.hear_until("READY=1")


def test_the_watchdog_is_petted_a_few_times_in_its_time(tmp_path: Path) -> None:
    """At a watchdog of two seconds a pet is sent twice a second, however often the loop comes round."""
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000"})
    for tick in range(100):
        notifier.pet(50.0 + tick / 50)
    assert manager.drain() == ["WATCHDOG=1"] * 4
    manager.close()


@pytest.mark.parametrize(
    "environ",
    [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "many"}, {"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}],
    ids=["none", "zero", "no number", "another process"],
)
def test_a_watchdog_that_does_not_watch_is_not_petted(environ: dict[str, str], tmp_path: Path) -> None:
    """Without a watchdog's time, or with one meant for another process, nothing is petted; other words still go."""
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": manager.name, **environ})
    notifier.pet(1.0)
    notifier.send("READY=1")
    assert manager.drain() == ["READY=1"]
    manager.close()


def test_a_manager_that_is_gone_ends_nothing(tmp_path: Path) -> None:
    """With no manager, none that listens, or one whose socket is full, nothing raises and nothing waits."""
    Notifier({}).send("READY=1")
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).send("READY=1")
    deaf = Manager(str(tmp_path / "deaf"))
    for _ in range(2000):
        Notifier({"NOTIFY_SOCKET": deaf.name}).send("READY=1")
    deaf.close()


def test_a_status_is_sent_when_it_is_another(tmp_path: Path) -> None:
    """The same status twice is sent once, and one of several lines in one."""
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": manager.name})
    for text in ("all is well", "all is well", "the strip\nREADY=1"):
        notifier.status(text)
    assert manager.drain() == ["STATUS=all is well", "STATUS=the strip READY=1"]
    manager.close()


@pytest.mark.parametrize("leave", [False, True], ids=["blank", "leave"])
def test_the_lights_on_stop_are_as_configured(leave: bool) -> None:
    """Closing the parts darkens the strip, or leaves every light as it was where that is configured."""
    devices = open_devices(PartsSpec())
    assert devices.strip is not None
    devices.strip.show([RED] + [(0, 0, 0)] * (devices.strip.pixels - 1))
    wire = devices.twins.wire
    assert wire is not None
    devices.close(leave_lights=leave)
    assert wire.colours()[0] == (RED if leave else (0, 0, 0))


def test_the_service_asks_for_what_is_configured(path_manager: Manager, start: Start, quick_folder: Path) -> None:
    """The program, told to leave the lights, closes its parts so when it ends."""
    program = (
        "from hardware.open_devices import Devices\n"
        "close = Devices.close\n"
        "def told(self, **words):\n    print('closed', words, flush=True)\n    close(self, **words)\n"
        "Devices.close = told\nfrom firmware.cli import main\nmain()\n"
    )
    (quick_folder / "settings.toml").write_text('[board]\nlights_on_stop = "leave"\n')
    process = start(path_manager, sys.executable, "-c", program)
    path_manager.hear_until("READY=1")
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert "closed {'leave_lights': True}" in said


class SpiDev:
    """The kernel's SPI device, as far as a strip needs it; all boards of a test write into ``sent``."""

    sent: ClassVar[list[bytes]] = []

    def open(self, bus: int, device: int) -> None:
        """Open."""

    def writebytes2(self, data: bytes) -> None:
        """Keep what is sent."""
        self.sent.append(bytes(data))

    def close(self) -> None:
        """Close."""


@pytest.fixture
def spi(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """A machine with an SPI bus; what is sent there."""
    module = ModuleType("spidev")
    module.SpiDev = SpiDev  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    monkeypatch.setattr(SpiDev, "sent", [])
    return SpiDev.sent


REAL = Config(strip="spidev")


def test_a_strip_left_alight_is_darkened(spi: list[bytes]) -> None:
    """The command of the unit's end sends one dark frame to the real strip, and touches no other part."""
    assert blank(replace(REAL, screen="oled", keypad="gpio", buttons="gpio", buzzer="gpio")) == "The lights are dark."
    assert len(spi) == 1
    zero = 0b100_100_100_100_100_100_100_100.to_bytes(3, "big")
    assert zero * 3 * 242 in spi[0]


def test_lights_that_are_to_stay_are_left(spi: list[bytes]) -> None:
    """The command of the unit's end sends nothing where the lights are to stay, and says why."""
    assert "stay as they are" in blank(parse_config(b'[board]\nlights_on_stop = "leave"\n', REAL))
    assert spi == []


def test_a_board_without_real_lights_has_none_to_darken(spi: list[bytes]) -> None:
    """Simulated lights need no darkening."""
    assert blank(Config()) == "There are no real lights to darken."
    assert spi == []


def test_an_unreadable_configuration_ends_no_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a configuration that cannot be read the machine's defaults hold, and the command succeeds."""
    (tmp_path / "bad.toml").write_text("[[[")
    monkeypatch.setenv("MUGGINS_CONFIG", str(tmp_path / "bad.toml"))
    assert main() == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_the_fifo_of_the_pins_lies_where_it_may(tmp_path: Path) -> None:
    """lgpio is sent to the runtime directory, else the user's, else the state folder; LG_WD given is left alone."""
    run, user, state = (tmp_path / name for name in ("run", "user", "state"))
    environ = {"RUNTIME_DIRECTORY": str(run), "XDG_RUNTIME_DIR": str(user)}
    assert fifo_folder(state, environ) is None
    state.mkdir()
    assert fifo_folder(state, environ) == str(state)
    user.mkdir()
    assert fifo_folder(state, environ) == str(user)
    run.mkdir()
    assert fifo_folder(state, environ) == str(run)
    assert fifo_folder(state, environ | {"LG_WD": "/elsewhere"}) is None
