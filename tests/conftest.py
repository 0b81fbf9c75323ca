"""For every test: long jobs stand aside, a skip is told with its cure, generated cases are the same on each run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Generator, Iterable
from typing import Any

import pytest
from hypothesis import settings

COMPILER = ("gcc", "python3-dev", "linux-libc-dev")
CURES = (
    (re.compile(r"spidev|rpi_ws281x|rpi-ws281x|evdev|compile", re.IGNORECASE), COMPILER),
    (re.compile(r"chromium", re.IGNORECASE), ("chromium",)),
    (re.compile(r"espeak-ng"), ("espeak-ng",)),
    (re.compile(r"\bgit\b"), ("git",)),
    (re.compile(r"systemd-analyze"), ("systemd",)),
    (re.compile(r"debootstrap"), ("debootstrap",)),
)
"""What a skip's reason speaks of, and the Debian packages that bring it."""

DRIVERS = ("spidev", "_rpi_ws281x")
"""The compiled drivers that a ``wire`` test needs unless it names its own."""

settings.register_profile("default", derandomize=True, max_examples=60, deadline=None, print_blob=True)
settings.register_profile("all", max_examples=2000, deadline=None, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--all``."""
    parser.addoption("--all", action="store_true", help="the long jobs too, and many more generated cases")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many cases are generated, unless the command line has."""
    if not config.getoption("--hypothesis-profile", None):
        settings.load_profile("all" if config.getoption("--all") else "default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long jobs out unless ``--all``, ``-m`` or a test's full name asks for them: set aside, not skipped."""
    if config.getoption("--all") or config.getoption("-m") or any("::" in word for word in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a ``browser`` test without Chromium, ``speech`` without espeak-ng, and ``wire`` without its driver."""
    if item.get_closest_marker("browser") and _chromium() is None:
        pytest.skip("needs Chromium")
    if item.get_closest_marker("speech") and shutil.which("espeak-ng") is None:
        pytest.skip("needs espeak-ng")
    wire = item.get_closest_marker("wire")
    if wire:
        missing = [driver for driver in wire.args or DRIVERS if importlib.util.find_spec(driver) is None]
        if missing:
            pytest.skip(f"needs the compiled driver {', '.join(missing)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under ``REQUIRE_ALL=1`` turn a skip into a failure; an expected failure is no skip."""
    report = yield
    if report.skipped and _require_all() and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        item.config.stash.setdefault(REFUSED, []).append((item.nodeid, _reason(report)))
        report.longrepr = f"skipped ({_reason(report)}), and REQUIRE_ALL=1 lets nothing be skipped"
    return report


REFUSED = pytest.StashKey[list[tuple[str, str]]]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under ``REQUIRE_ALL=1`` fail the run for a whole file skipped while it was collected, too."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and _require_all() and reporter.stats.get("skipped") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List what was skipped, why, and which Debian packages bring it."""
    skipped = [(report.nodeid, _reason(report)) for report in terminalreporter.stats.get("skipped", [])]
    skipped += config.stash.get(REFUSED, [])
    if not skipped:
        return
    terminalreporter.section("not run here")
    for reason in sorted({reason for _, reason in skipped}):
        names = [name for name, why in skipped if why == reason]
        terminalreporter.write_line(f"{reason}: {len(names)} skipped")
        for name in names[:10]:
            terminalreporter.write_line(f"    {name}")
        if len(names) > 10:
            terminalreporter.write_line(f"    and {len(names) - 10} more")
    packages = _packages(reason for _, reason in skipped)
    if packages:
        terminalreporter.write_line(f"To run them too: apt install {' '.join(packages)}")
    if _require_all():
        terminalreporter.write_line("REQUIRE_ALL=1: each of these counts as a failure.", red=True)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a real Chromium (Debian's), or skip."""
    found = _chromium()
    if found is None:
        pytest.skip("needs Chromium")
    return found


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def _require_all() -> bool:
    return os.environ.get("REQUIRE_ALL", "") not in ("", "0")


def _reason(report: Any) -> str:
    where = report.longrepr
    text = str(where[2]) if isinstance(where, tuple) else str(where)
    return text.removeprefix("Skipped: ")


def _packages(reasons: Iterable[str]) -> list[str]:
    told = list(reasons)
    return [one for pattern, packages in CURES if any(map(pattern.search, told)) for one in packages]
