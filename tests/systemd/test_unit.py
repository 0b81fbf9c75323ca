"""The unit: systemd finds no fault with it, it is well shut in, and it asks for what the board needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "systemd" / "muggins.service"
EXEC = re.compile(r"^Exec\w+=.*$", re.MULTILINE)


@pytest.fixture
def analyze() -> str:
    """The path of systemd-analyze, or skip."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("needs systemd-analyze")
    return found


@pytest.fixture
def rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The unit as it is installed, its two programs being stubs that can be executed."""
    monkeypatch.syspath_prepend(str(ROOT / "systemd"))
    import install

    for name in ("muggins", "python3"):
        stub = tmp_path / "prefix" / "bin" / name
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text("#!/bin/sh\n")
        stub.chmod(0o755)
    unit = tmp_path / "muggins.service"
    unit.write_text(install.unit_text(str(tmp_path / "prefix")))
    return unit


def verify(analyze: str, unit: Path) -> tuple[int, str]:
    """What systemd says of a unit."""
    done = subprocess.run([analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True)
    return done.returncode, done.stderr


def values(key: str, text: str | None = None) -> list[str]:
    """All values of a key in the unit."""
    return re.findall(rf"^{key}=(.*)$", UNIT.read_text() if text is None else text, re.MULTILINE)


def test_systemd_finds_no_fault_with_the_installed_unit(analyze: str, rendered: Path) -> None:
    """`systemd-analyze verify` of the rendered unit succeeds and says nothing."""
    assert verify(analyze, rendered) == (0, "")


def test_systemd_looks_for_the_programs_of_the_installed_unit(analyze: str, rendered: Path) -> None:
    """The rendered unit starts the environment's own program: without it there, systemd finds fault."""
    (rendered.parent / "prefix" / "bin" / "muggins").unlink()
    assert "prefix/bin/muggins is not executable" in verify(analyze, rendered)[1]


def test_systemd_finds_no_fault_with_the_unit_as_it_lies_there(analyze: str) -> None:
    """`systemd-analyze verify` of the file in the repository succeeds and says nothing."""
    assert verify(analyze, UNIT) == (0, "")


def test_only_exec_lines_differ_in_the_installed_unit(rendered: Path) -> None:
    """Installing changes nothing but the Exec lines, in which both programs are the environment's."""
    ours, theirs = UNIT.read_text(), rendered.read_text()
    assert EXEC.sub("", ours) == EXEC.sub("", theirs)
    binaries = f"{rendered.parent}/prefix/bin"
    assert values("ExecStart", theirs) == [f"{binaries}/muggins run"]
    assert values("ExecStopPost", theirs) == [f"-{binaries}/python3 -m firmware.blank"]


def test_the_unit_is_shut_in(analyze: str, rendered: Path) -> None:
    """`systemd-analyze security` rates the unit's exposure at 3.0 or less."""
    done = subprocess.run([analyze, "security", "--offline=true", str(rendered)], capture_output=True, text=True)
    found = re.search(r"Overall exposure level for \S+: (\d+\.\d)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found[1]) <= 3.0


def test_parts_are_wanted_and_waited_for_but_never_required() -> None:
    """The unit wants each part's device unit and comes after it; nothing at all is required."""
    wanted = {unit for line in values("Wants") for unit in line.split()}
    assert wanted == {r"dev-i2c\x2d1.device", "dev-spidev0.0.device", "dev-gpiochip0.device"}
    assert wanted <= {unit for line in values("After") for unit in line.split()}
    assert [values(key) for key in ("Requires", "Requisite", "BindsTo", "PartOf")] == [[], [], [], []]


def test_the_service_is_nobody_in_particular_with_the_groups_of_the_parts() -> None:
    """The service has a user of its own, the five groups of the parts, and no capability."""
    assert values("User") == ["muggins"]
    assert values("SupplementaryGroups") == ["gpio i2c spi input audio"]
    assert values("CapabilityBoundingSet") == [""]
    assert not [line for line in EXEC.findall(UNIT.read_text()) if re.match(r"Exec\w+=[-:]*[+!]", line)]


def test_the_board_may_be_heard() -> None:
    """Sound cards are among the devices that the service may open, and no other kind was added for them."""
    assert set(values("DeviceAllow")) == {f"char-{kind} rw" for kind in ("gpiochip", "i2c", "spi", "input", "alsa")}


def test_the_pins_fifo_lies_in_the_working_directory() -> None:
    """LG_WD and the working directory are the service's own runtime directory."""
    assert values("RuntimeDirectory") == ["muggins"]
    assert values("WorkingDirectory") == ["%t/muggins"]
    assert "LG_WD=%t/muggins" in values("Environment")


def test_the_program_runs_where_no_memory_is_both_written_and_executed() -> None:
    """MemoryDenyWriteExecute, as the unit has it, keeps neither drivers nor program from running."""
    assert values("MemoryDenyWriteExecute") == ["yes"]
    program = (
        "import ctypes, mmap, sys\n"
        "held = ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0\n"  # PR_SET_MDWE; a kernel before 6.3 has none
        "try: mmap.mmap(-1, 4096, prot=7)\n"
        "except PermissionError: pass\n"
        "else: assert not held\n"
        "import smbus2, luma.oled.device, gpiozero, sqlite3\n"
        "sys.argv = ['muggins', 'press', '# 2#', '--json']\n"
        "from firmware.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert '"phase"' in done.stdout
