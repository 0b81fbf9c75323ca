"""The strip by rpi_ws281x: its own Python half on a simulated wire."""

from __future__ import annotations

import atexit
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.errors import FrameTooLong, LayoutError, PartFailed, PartMissing
from hardware.lanes import COLOUR_ORDERS
from hardware.ports import Colour, Strip
from hardware.simulated.strip import WireStrip
from hardware.simulated.ws281x import Wire, WouldCrash, installed, module
from hardware.strip_ws281x import Ws281xStrip, strip_type

RED: Colour = (255, 0, 0)
BLUE: Colour = (0, 0, 255)
OFF: Colour = (0, 0, 0)

pytestmark = pytest.mark.wire


@pytest.fixture(autouse=True)
def package() -> Any:
    """The real package; its compiled half is replaced in each test."""
    return pytest.importorskip("rpi_ws281x")


@pytest.fixture
def bufsiz(tmp_path: Path) -> Path:
    """The kernel's default buffer size, in a file of its own."""
    path = tmp_path / "bufsiz"
    path.write_text("4096\n", encoding="ascii")
    return path


@pytest.fixture
def exits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What is on the exit list; anything the test leaves there is run as the interpreter would, then."""
    at_exit: list[Any] = []
    monkeypatch.setattr(atexit, "register", at_exit.append)
    monkeypatch.setattr(atexit, "unregister", lambda act: at_exit.remove(act) if act in at_exit else None)
    yield at_exit
    for act in at_exit:
        act()


def opened(wire: Wire, bufsiz: Path, pixels: int = 4, **more: Any) -> Ws281xStrip:
    with installed(wire):
        return Ws281xStrip.open(pixels, bufsiz_path=bufsiz, **more)


@pytest.mark.parametrize("pin", [10, 12, 13, 18, 19, 21])
def test_a_frame_shown_is_on_the_lights(bufsiz: Path, exits: list[Any], pin: int) -> None:
    """Over SPI, PWM and PCM alike what is shown is what the lights show, within the part's limits."""
    lights = WireStrip(242)
    strip: Strip = opened(Wire(lights), bufsiz, 242, pin=pin)
    frame = [(i, 255 - i, i * 7 % 256) for i in range(242)]
    strip.show(frame)
    strip.show(frame[::-1])
    assert (strip.pixels, lights.colours(), lights.glitches, lights.frames) == (242, frame[::-1], [], 2)
    strip.close()


@pytest.mark.parametrize("order", COLOUR_ORDERS)
def test_every_colour_order_reaches_the_lights(bufsiz: Path, exits: list[Any], order: str) -> None:
    """Each colour order, after a skipped pixel, shows the colours that were meant and leaves the skipped one dark."""
    lights = WireStrip(2, order=order, skip_first=1)
    strip = opened(Wire(lights), bufsiz, 2, order=order, skip_first=1)
    strip.show([(10, 20, 30), (1, 2, 3)])
    assert lights.colours() == [(10, 20, 30), (1, 2, 3)]
    assert lights.raw()[0] == bytes(len(order))
    strip.close()


def test_colour_orders_have_the_librarys_numbers(package: Any) -> None:
    """Our number for each colour order is the one that the compiled library has for it."""
    real = package.ws
    ours = {order: strip_type(order) for order in COLOUR_ORDERS}
    theirs = {o: getattr(real, ("SK6812_STRIP_" if "W" in o else "WS2811_STRIP_") + o) for o in COLOUR_ORDERS}
    assert ours == theirs


def test_closing_blanks_and_gives_everything_back(bufsiz: Path, exits: list[Any]) -> None:
    """Closing leaves the lights dark, the library ended and nothing to do at exit; twice does no harm."""
    lights = WireStrip(2)
    wire = Wire(lights)
    strip = opened(wire, bufsiz, 2)
    strip.show([RED, BLUE])
    assert (wire.begun, len(exits)) == (1, 1)
    strip.close()
    strip.close()
    assert (lights.colours(), wire.begun, exits) == ([OFF, OFF], 0, [])
    with pytest.raises(PartFailed, match="closed"):
        strip.show([RED, BLUE])


@pytest.mark.parametrize(
    ("code", "kind", "cure"),
    [
        (-3, PartMissing, "choose the spidev driver"),
        (-5, PartMissing, "needs root"),
        (-11, PartMissing, "GPIO10"),
        (-13, PartMissing, "dtparam=spi=on"),
        (-14, PartFailed, r"spidev\.bufsiz"),
        (-9, PartFailed, "code -9"),
    ],
)
def test_a_failed_begin_says_the_cure_and_is_never_touched_again(
    bufsiz: Path, exits: list[Any], code: int, kind: type[Exception], cure: str
) -> None:
    """Each return code becomes an error with its cure, and nothing stays on the exit list to crash there."""
    with pytest.raises(kind, match=cure):
        opened(Wire(WireStrip(4), begin_result=code), bufsiz)
    assert exits == []


def test_what_is_left_on_the_exit_list_would_crash(package: Any, exits: list[Any]) -> None:
    """The double tells a strip that never began: its clean-up at exit takes the real process down."""
    with installed(Wire(WireStrip(1))):
        from rpi_ws281x import PixelStrip

        strip = PixelStrip(1, 10)
    with pytest.raises(WouldCrash):
        strip._cleanup()
    exits.clear()


@pytest.mark.parametrize(
    "act",
    [lambda strip: strip.show(), lambda strip: strip.setPixelColor(0, 1), lambda strip: strip.getPixelColor(0)],
    ids=["show", "set", "get"],
)
def test_the_double_tells_where_the_process_would_die(exits: list[Any], act: Callable[[Any], None]) -> None:
    """Showing, setting or reading before begin() raises WouldCrash."""
    with installed(Wire(WireStrip(1))):
        from rpi_ws281x import PixelStrip

        strip = PixelStrip(1, 10)
    exits.clear()
    with pytest.raises(WouldCrash):
        act(strip)


def test_the_double_tells_a_use_after_the_end() -> None:
    """A handle whose memory was given back cannot be used any more."""
    double: Any = module(Wire(WireStrip(1)))
    leds = double.new_ws2811_t()
    double.delete_ws2811_t(leds)
    with pytest.raises(WouldCrash, match="given back"):
        double.ws2811_init(leds)


@pytest.mark.parametrize("order", ["GRB", "GRBW"])
def test_339_pixels_fit_the_default_buffer_and_340_do_not(bufsiz: Path, exits: list[Any], order: str) -> None:
    """The library wants four colours a pixel whatever the strip has: over SPI it ends at 339, and the cure is told."""
    lights = WireStrip(339, order=order)
    strip = opened(Wire(lights), bufsiz, 339, order=order)
    strip.show([RED] * 339)
    assert lights.colours() == [RED] * 339
    strip.close()
    with pytest.raises(FrameTooLong, match=r"340 pixels.*spidev\.bufsiz=8192 .*spidev driver"):
        opened(Wire(WireStrip(340)), bufsiz, 340, order=order)
    assert exits == []


def test_the_library_itself_fails_at_340_over_spi(bufsiz: Path, exits: list[Any]) -> None:
    """Where bufsiz is misread the library's -14 becomes PartFailed, and nothing is on the lights."""
    bufsiz.write_text("8192", encoding="ascii")
    lights = WireStrip(340)
    strip = opened(Wire(lights, bufsiz=4096), bufsiz, 340)
    with pytest.raises(PartFailed, match="code -14"):
        strip.show([RED] * 340)
    assert lights.frames == 0
    strip.close()


def test_pwm_has_no_such_limit(bufsiz: Path, exits: list[Any]) -> None:
    """On a PWM pin three lanes of 121 are shown."""
    lights = WireStrip(363)
    strip = opened(Wire(lights), bufsiz, 363, pin=18)
    strip.show([BLUE] * 363)
    assert lights.colours() == [BLUE] * 363
    strip.close()


def test_dma_channel_10_and_never_5(bufsiz: Path, exits: list[Any]) -> None:
    """DMA channel 10 is taken; 5, which some SD cards use, is refused."""
    wire = Wire(WireStrip(4))
    opened(wire, bufsiz).close()
    assert wire.dma == 10
    with pytest.raises(LayoutError, match="SD card"):
        opened(wire, bufsiz, dma=5)


def test_all_wrong_settings_are_told_at_once(bufsiz: Path) -> None:
    """A wrong order, pin and DMA channel are three faults of one error."""
    with pytest.raises(LayoutError) as caught:
        opened(Wire(WireStrip(4)), bufsiz, order="GBX", pin=4, dma=5)
    assert [fault.split(":")[0] for fault in caught.value.faults] == ["colour_order", "pin", "dma"]


def test_pulled_out_in_mid_frame_and_put_back(bufsiz: Path, exits: list[Any]) -> None:
    """Pulled out: PartFailed, and lights that were not reached keep their colour. Put back: the next frame shows."""
    lights = WireStrip(4)
    wire = Wire(lights)
    strip = opened(wire, bufsiz)
    strip.show([RED] * 4)
    wire.pull_out(after_bytes=9 * 2)
    for _ in range(2):
        with pytest.raises(PartFailed, match="tried again"):
            strip.show([BLUE] * 4)
    lights.idle(300)
    assert lights.colours() == [BLUE, BLUE, RED, RED]
    wire.put_back()
    strip.show([BLUE] * 4)
    assert lights.colours() == [BLUE] * 4
    strip.close()


@pytest.mark.parametrize("frame", [[RED], [RED, (256, 0, 0)], [RED, (-1, 0, 0)], [RED, (1.5, 0, 0)], [RED, (1, 2)]])
def test_a_frame_that_cannot_be_is_refused(bufsiz: Path, exits: list[Any], frame: list[Colour]) -> None:
    """A frame of another length or with a colour that cannot be is refused, and the lights stay as they were."""
    lights = WireStrip(2)
    strip = opened(Wire(lights), bufsiz, 2)
    with pytest.raises(PartFailed):
        strip.show(frame)
    assert lights.frames == 0
    strip.close()


def test_brightness_and_gamma_do_what_the_library_does(exits: list[Any]) -> None:
    """The double scales by (brightness + 1) / 256 and then looks up gamma, as the C code does."""
    lights = WireStrip(1)
    with installed(Wire(lights)):
        from rpi_ws281x import Color, PixelStrip

        strip = PixelStrip(1, 10, brightness=127, gamma=[255 - value for value in range(256)])
        strip.begin()
    strip.setPixelColor(0, Color(200, 100, 0))
    strip.show()
    assert lights.colours() == [(155, 205, 255)]


def test_without_the_package_the_cure_is_told(bufsiz: Path) -> None:
    """Where rpi-ws281x is not installed, the message says how to install it."""
    with (
        installed(None),
        pytest.raises(PartMissing, match=r"pip install rpi-ws281x in the environment.*or choose the spidev driver"),
    ):
        Ws281xStrip.open(4, bufsiz_path=bufsiz)


def test_the_double_leaves_sys_modules_as_it_was(package: Any) -> None:
    """After the double is gone both halves of the package are the real ones again."""
    before = sys.modules["_rpi_ws281x"]
    with installed(Wire(WireStrip(1))):
        import rpi_ws281x

        assert rpi_ws281x.ws is not before
    assert (sys.modules["rpi_ws281x"], sys.modules["_rpi_ws281x"]) == (package, before)


def test_the_double_has_every_name_the_python_half_uses(package: Any) -> None:
    """Every function and constant that PixelStrip takes from its compiled half is in the double."""
    used = set(re.findall(r"\bws\.(\w+)", inspect.getsource(inspect.getmodule(package.PixelStrip))))
    assert len(used) > 15
    assert used <= set(dir(module(Wire(WireStrip(1)))))


def test_the_doubles_numbers_and_words_are_the_real_ones(package: Any) -> None:
    """Every constant and every return text of the double is that of the compiled library, and none is made up."""
    double: Any = module(Wire(WireStrip(1)))
    numbers = {name: value for name, value in vars(double).items() if isinstance(value, int)}
    assert numbers == {
        name: getattr(package.ws, name) & 0xFFFFFFFF if value > 0 else getattr(package.ws, name)
        for name, value in numbers.items()
    }
    texts = range(-14, 1)
    assert [double.ws2811_get_return_t_str(c) for c in texts] == [package.ws.ws2811_get_return_t_str(c) for c in texts]
