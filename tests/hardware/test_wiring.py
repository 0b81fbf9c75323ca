"""The wiring: sound by default, and every fault of a bad one named at once with its key path."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from hardware.errors import LayoutError, PartMissing
from hardware.pin_factory import open_factory
from hardware.wiring import Wiring


def faults(**changes: object) -> list[str]:
    """The lines of the LayoutError that such a wiring raises."""
    with pytest.raises(LayoutError) as caught:
        Wiring(**changes)  # type: ignore[arg-type]
    return str(caught.value).split("\n")


def test_default_wiring_is_sound_and_complete() -> None:
    """The default has a 4x4 keypad, four seats and a buzzer, and no pin of it is used twice or belongs to a bus."""
    wiring = Wiring()
    pins = [*wiring.rows, *wiring.columns, *wiring.seats, wiring.buzzer]
    assert (len(wiring.rows), len(wiring.columns), len(wiring.seats)) == (4, 4, 4)
    assert len(set(pins)) == 13
    assert not set(pins) & {2, 3, 7, 8, 9, 10, 11}
    assert [wiring.key(row, column) for row in range(4) for column in range(4)] == list("123A456B789C*0#D")


def test_pin_used_twice_is_named_with_both_places() -> None:
    """A pin used by two parts is reported under the second and names the first."""
    assert faults(seats=(17, 5, 22, 23)) == [
        "wiring.seats[1]: GPIO5 is already a row (wiring.rows[0]): give a seat button another pin"
    ]


@pytest.mark.parametrize(
    ("changes", "path", "owner"),
    [
        ({"buzzer": 10}, "wiring.buzzer", "SPI"),
        ({"columns": (24, 25, 3, 20)}, "wiring.columns[2]", "I2C"),
        ({"strip": 26}, "wiring.buzzer", "the strip"),
    ],
)
def test_pin_of_another_part_is_refused(changes: dict[str, object], path: str, owner: str) -> None:
    """A pin that SPI, I2C or a strip on PWM needs is refused while that part is in use."""
    (fault,) = faults(**changes)
    assert fault.startswith(f"{path}: GPIO")
    assert owner in fault


def test_pin_of_a_part_not_in_use_is_free() -> None:
    """With no OLED and no SPI strip fitted their pins may carry buttons."""
    assert Wiring(i2c=(), spi=(), seats=(2, 3, 10, 11)).seats == (2, 3, 10, 11)


def test_row_cannot_use_a_pin_that_does_not_float() -> None:
    """GPIO2 and 3 have pull-ups soldered on, so a row there is refused even without an OLED."""
    (fault,) = faults(i2c=(), rows=(2, 6, 13, 19))
    assert fault.startswith("wiring.rows[0]: GPIO2 has a pull-up")


@pytest.mark.parametrize("pin", [-1, 28, "5", True, 5.0])
def test_pin_off_the_header_is_refused(pin: object) -> None:
    """Only whole BCM numbers from 0 to 27 are pins."""
    (fault,) = faults(buzzer=pin)
    assert fault.startswith(f"wiring.buzzer: {pin!r} is no pin")


def test_header_ends_are_pins() -> None:
    """0 and 27 are still on the header."""
    assert Wiring(seats=(0, 27)).seats == (0, 27)


def test_all_faults_come_at_once() -> None:
    """Five faults in one wiring give five lines, each with its own key path."""
    lines = faults(rows=(5, 6, 40), columns=(5, 25, 16, 20), keys=("123A", "456", "1890"), buzzer=8)
    assert [line.split(":")[0] for line in lines] == [
        "wiring.rows[2]",
        "wiring.columns[0]",
        "wiring.buzzer",
        "wiring.keys[1]",
        "wiring.keys[2]",
    ]


def test_key_map_fits_the_pins() -> None:
    """A row pin without names is refused."""
    (fault,) = faults(keys=("123A", "456B", "789C"))
    assert fault.startswith("wiring.keys: 3 rows of names for 4 row pins")


def test_half_a_keypad_is_refused() -> None:
    """Rows without columns are no keypad; neither of them is a board without one."""
    assert len(faults(columns=())) == 1
    assert Wiring(rows=(), columns=()).rows == ()


def test_place_is_the_inverse_of_key() -> None:
    """Every key is found again where the map has it; an unknown one is refused by name."""
    wiring = Wiring()
    for row in range(4):
        for column in range(4):
            assert wiring.place(wiring.key(row, column)) == (row, column)
    for unknown in ("E", "12", ""):
        with pytest.raises(LayoutError, match="there is no key"):
            wiring.place(unknown)


def test_mock_factories_share_no_pin() -> None:
    """Two simulated boards in one process have each their own pins, and neither is gpiozero's default."""
    from gpiozero import Device

    one, other = open_factory("mock"), open_factory("mock")
    assert one.factory.pin(5) is not other.factory.pin(5)
    assert Device.pin_factory is None
    assert "simulated" in one.line
    one.close()
    other.close()


def test_unknown_factory_gets_a_near_miss() -> None:
    """A misspelt factory name is refused with the likely one."""
    with pytest.raises(LayoutError, match="did you mean 'lgpio'"):
        open_factory("lgpoi")


def test_missing_lgpio_names_the_system_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without lgpio the cure is the system's package."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PartMissing, match="sudo apt install python3-lgpio"):
        open_factory("lgpio")


def fake_lgpio(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Put a pin library in place that cannot be opened."""

    def refuse() -> None:
        raise error

    module = types.ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)


def test_machine_without_gpiochip_is_told_to_simulate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a laptop the message says that no gpiochip is there and offers simulated parts."""
    fake_lgpio(monkeypatch, RuntimeError("can not open gpiochip"))
    with pytest.raises(PartMissing, match=r"has no gpiochip.*simulated parts"):
        open_factory("lgpio", dev=tmp_path)


def test_closed_gpiochip_names_the_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A gpiochip that may not be opened gives the group as the cure."""
    (tmp_path / "gpiochip0").touch()
    fake_lgpio(monkeypatch, RuntimeError("can not open gpiochip"))
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(PartMissing, match="usermod -aG gpio"):
        open_factory("lgpio", dev=tmp_path)


def test_fifo_that_cannot_be_made_names_lg_wd(monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio failing at import over its fifo is answered with LG_WD."""

    def fail(name: str) -> types.ModuleType:
        raise FileNotFoundError(".lgd-nfy0")

    monkeypatch.setattr("hardware.pin_factory.importlib.import_module", fail)
    with pytest.raises(PartMissing, match="set LG_WD"):
        open_factory("lgpio")


def test_importing_the_parts_imports_no_vendor_library() -> None:
    """The modules of keys and sound load without gpiozero, real ones and twins alike."""
    modules = "keypad buttons buzzer pin_factory simulated.matrix simulated.pins".split()
    code = "import sys; " + "".join(f"import hardware.{name}; " for name in modules)
    code += "print(sorted(name for name in sys.modules if name.split('.')[0] in ('gpiozero', 'lgpio')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
