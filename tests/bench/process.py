"""The running program, seen from outside: how soon it is ready, what it holds in memory, what it costs at rest."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import Asked, Line

TICKS_S = os.sysconf("SC_CLK_TCK")
PATIENCE_S = 60.0
REST_S = 60.0
"""How long the idle process is watched."""
SETTLES_S = 8.0
"""After the last key the lights move for a while, and keys are read as fast as in play: rest begins after that."""

# Runs the program as its console script does, and tells when its first picture has gone down the wire to the panel; in
# one write, since another thread prints the address meanwhile, perhaps on the same line.
PICTURE = r"""
import os, time
from firmware.service import Service
write = Service._write_screen
def told(self, picture):
    write(self, picture)
    os.write(1, b"picture %f\n" % time.monotonic())
    Service._write_screen = write
Service._write_screen = told
from firmware.cli import main
main()
"""


def lines(asked: Asked) -> Iterator[Line]:
    """The lines about the process. Raises RuntimeError, with what the program said, when it does not come up."""
    starts, folder = 1 if asked.quick else 9, asked.folder
    first, _ = started(folder / "first")
    ready = [started(folder / f"start-{number}") for number in range(starts)]
    pictures = [first_picture(folder / f"picture-{number}") for number in range(starts)]
    walls, works = [wall for wall, _ in ready], [work for _, work in ready]
    note = f"{starts} starts, {min(walls):.2f} to {max(walls):.2f} s; {median(works):.2f} s of it on the processor"
    yield Line("start to the page's address", median(walls), "s", 0.6, note=note)
    yield Line("the very first start, all of it compiled", first, "s")
    note = f"{starts} starts, {min(pictures):.2f} to {max(pictures):.2f} s"
    yield Line("start to the first prompt on the panel", median(pictures), "s", 0.6, note=note)
    yield from at_rest(1 if asked.quick else REST_S, folder / "rest")


def at_rest(seconds: float, folder: Path) -> Iterator[Line]:
    """Memory with the page served, processor time and wakeups in mid-deal with nobody touching anything."""
    with running(folder) as (process, port):
        for key in ("#", "2", "#", "5", "A", "6", "B"):
            ask(port, "POST", "/key", {"key": key})
        time.sleep(SETTLES_S)
        alone = idle(process.pid, seconds)
        for path in ("/", "/state", "/static/main.js"):
            ask(port, "GET", path)
        page = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        page.request("GET", "/events")
        events = page.getresponse()
        events.readline()
        ask(port, "POST", "/key", {"key": "7"})
        time.sleep(SETTLES_S)
        resident, shared_out = memory(process.pid)
        watched = idle(process.pid, seconds)
        page.close()
    note = f"shared pages counted by their share: {shared_out:.1f} MB"
    yield Line("resident memory with the page served", resident, "MB", 60, note=note)
    for rest, whose in ((alone, ""), (watched, ", a page connected")):
        yield Line(f"processor at rest{whose}", rest.percent, "%", 0.5, note=f"over {seconds:g} s in the play")
        note = f"{rest.wakeups:.1f} by itself, {rest.pushed:.1f} for others that wanted the processor; "
        note += f"by thread: {rest.by_thread}"
        yield Line(f"wakeups at rest{whose}", rest.wakeups + rest.pushed, "/s", note=note)


def started(folder: Path) -> tuple[float, float]:
    """Seconds from the process's start to its address line, and how many of them it has used a processor."""
    began = time.monotonic()
    with running(folder) as (process, _):
        return time.monotonic() - began, _used(process.pid)


def first_picture(folder: Path) -> float:
    """Seconds from the process's start until the first picture is on the panel."""
    began = time.monotonic()
    process = begin([sys.executable, "-c", PICTURE], folder)
    try:
        for line in said(process):
            _, told, at = line.partition("picture ")
            if told:
                return float(at) - began
    finally:
        end(process)
    raise RuntimeError(failure(process))


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The program by its console script, its page on a free port; ended after."""
    process = begin([str(Path(sys.executable).with_name("muggins"))], folder)
    try:
        for line in said(process):
            if line.startswith("http://"):
                yield process, int(line.rstrip("/\n").rpartition(":")[2])
                return
        raise RuntimeError(failure(process))
    finally:
        end(process)


def begin(program: list[str], folder: Path) -> subprocess.Popen[str]:
    """Start it in an empty folder of its own, with this machine's defaults: nobody's games or settings are touched.

    What Python compiles is kept beside that folder, from one start to the next, whatever the surroundings say.
    """
    folder.mkdir(parents=True)
    settings = folder / "empty.toml"
    settings.touch()
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    env["PYTHONPYCACHEPREFIX"] = str(folder.parent / "compiled")
    return subprocess.Popen(
        [*program, "run", "--config", str(settings), "--port", "0", "--state", str(folder / "state")],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> Iterator[str]:
    """Its lines, until it ends."""
    assert process.stdout is not None
    return iter(process.stdout.readline, "")


def failure(process: subprocess.Popen[str]) -> str:
    """Why it did not come up."""
    assert process.stderr is not None
    return f"muggins run ended before it was ready: {process.stderr.read().strip()}"


def end(process: subprocess.Popen[str]) -> None:
    """Stop it as a service manager does; if it does not mind, by force."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def ask(port: int, how: str, path: str, body: object = None) -> bytes:
    """One request to the page."""
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        data = None if body is None else json.dumps(body)
        page.request(how, path, data, {} if body is None else {"Content-Type": "application/json"})
        answer = page.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{how} {path}: {answer.status} {text.decode(errors='replace')}")
        return text
    finally:
        page.close()


def memory(pid: int) -> tuple[float, float]:
    """Megabytes resident, and the same with shared pages counted by their share."""
    resident = _kilobytes(Path(f"/proc/{pid}/status"), "VmRSS:")
    return resident / 1000, _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") / 1000


def _kilobytes(path: Path, name: str) -> float:
    for line in path.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1.024
    raise RuntimeError(f"{path} has no {name}")


@dataclass(frozen=True)
class Rest:
    """What a process did while nothing was asked of it."""

    percent: float
    """Of one processor."""
    wakeups: float
    """Voluntary context switches a second, all threads: each is a wait, and what ends it wakes the processor."""
    pushed: float
    """Involuntary ones: the kernel gave the processor to somebody else."""
    by_thread: str


def idle(pid: int, seconds: float) -> Rest:
    """Watch a process and its threads for so long."""
    switched, used, began = _switches(pid), _used(pid), time.monotonic()
    time.sleep(seconds)
    lasted = time.monotonic() - began
    rates = {
        thread: tuple((now - was) / lasted for now, was in zip(both, switched.get(thread, (0, 0)), strict=True))
        for thread, both in _switches(pid).items()
    }
    totals = sorted((sum(both) for both in rates.values()), reverse=True)
    return Rest(
        percent=100 * (_used(pid) - used) / lasted,
        wakeups=sum(own for own, _ in rates.values()),
        pushed=sum(forced for _, forced in rates.values()),
        by_thread=", ".join(f"{total:.1f}" for total in totals if total >= 0.05),
    )


def _switches(pid: int) -> dict[str, tuple[int, int]]:
    """Voluntary and involuntary context switches so far, of each thread."""
    found = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # it has just ended
            told = dict(line.split(":", 1) for line in (thread / "status").read_text().splitlines())
            found[thread.name] = (int(told["voluntary_ctxt_switches"]), int(told["nonvoluntary_ctxt_switches"]))
    return found


def _used(pid: int) -> float:
    """Seconds of processor time so far, its own and the kernel's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S
