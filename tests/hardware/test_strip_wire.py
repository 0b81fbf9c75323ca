"""The simulated strip at the end of the wire, and the encoder that speaks to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import LayoutError, PartFailed
from hardware.lanes import COLOUR_ORDERS
from hardware.ports import Colour
from hardware.simulated.strip import WS2812, WS2812_EARLY, WS2812B_V5, Limits, WireStrip
from hardware.ws2812 import Encoder

RED: Colour = (255, 0, 0)
GREEN: Colour = (0, 255, 0)
BLUE: Colour = (0, 0, 255)
OFF: Colour = (0, 0, 0)
channel = st.integers(0, 255)
colours = st.tuples(channel, channel, channel)


def pulses(strip: WireStrip, bits: str, *, zero_ns: float = 400, one_ns: float = 800, low_ns: float = 500) -> None:
    """Send data bits one pulse at a time."""
    for bit in bits:
        strip.hold(True, one_ns if bit == "1" else zero_ns)
        strip.hold(False, low_ns)


@pytest.mark.parametrize(("pixels", "length"), [(242, 2269), (363, 3358), (445, 4096)])
def test_three_bit_frames_have_their_length(pixels: int, length: int) -> None:
    """At three SPI bits a data bit 242 pixels are 2269 bytes, 363 are 3358, and 445 just fill 4096."""
    assert Encoder(pixels).length == length
    assert len(Encoder(pixels).encode([OFF] * pixels)) == length


def test_four_bit_frames_fill_4096_bytes_with_331_pixels() -> None:
    """At four SPI bits a data bit 331 pixels fit the default buffer and 332 do not."""
    assert Encoder(331, bits=4).length <= 4096 < Encoder(332, bits=4).length


def test_a_frame_begins_and_ends_low() -> None:
    """A frame begins with a zero byte and ends with at least 300 us of zeros."""
    data = Encoder(1).encode([(255, 255, 255)])
    tail = len(data) - len(data.rstrip(b"\0"))
    assert data[0] == 0
    assert tail * 8 / 2.4e6 >= 300e-6


@given(
    st.lists(colours, min_size=1, max_size=30),
    st.sampled_from(COLOUR_ORDERS),
    st.integers(0, 3),
    st.sampled_from([(3, WS2812), (4, WS2812), (4, WS2812B_V5), (3, WS2812_EARLY)]),
)
def test_what_is_encoded_is_what_the_lights_show(
    frame: list[Colour], order: str, skip: int, wire: tuple[int, Limits]
) -> None:
    """Any frame, in any colour order, after any skipped pixels, is shown as it was, within the limits of the part."""
    bits, limits = wire
    strip = WireStrip(len(frame), order=order, skip_first=skip, limits=limits)
    encoder = Encoder(len(frame), order=order, skip_first=skip, bits=bits)
    strip.feed(encoder.encode(frame), encoder.hz)
    assert strip.colours() == frame
    assert (strip.glitches, strip.frames) == ([], 1)
    assert strip.raw()[:skip] == [bytes(len(order))] * skip


def test_two_frames_without_a_pause_are_two_frames() -> None:
    """The zeros after a frame latch it, even if the next one follows at once."""
    strip, encoder = WireStrip(2), Encoder(2)
    strip.feed(encoder.encode([RED, GREEN]) + encoder.encode([GREEN, BLUE]), encoder.hz)
    assert (strip.colours(), strip.frames) == ([GREEN, BLUE], 2)


def test_a_wrong_colour_order_shows_wrong_colours() -> None:
    """A strip that takes red first shows green where a green-first driver means red."""
    strip, encoder = WireStrip(1, order="RGB"), Encoder(1, order="GRB")
    strip.feed(encoder.encode([RED]), encoder.hz)
    assert strip.colours() == [GREEN]


def test_a_wrong_skip_moves_the_picture() -> None:
    """A driver that skips no pixel on a strip with one sacrificed shows everything one light too early."""
    strip, encoder = WireStrip(2, skip_first=1), Encoder(2)
    strip.feed(encoder.encode([RED, GREEN]), encoder.hz)
    assert strip.colours() == [GREEN, OFF]


def test_three_colours_sent_to_a_strip_with_white_come_out_wrong() -> None:
    """A driver that sends three colours to a strip of four shows another picture."""
    strip, encoder = WireStrip(4, order="GRBW"), Encoder(4, order="GRB")
    strip.feed(encoder.encode([RED] * 4), encoder.hz)
    assert strip.colours() != [RED] * 4


def test_three_spi_bits_are_too_long_a_zero_for_the_newest_parts() -> None:
    """A part that wants zeros of at most 380 ns finds fault with 417 ns; four SPI bits cure it."""
    strip, encoder = WireStrip(1, limits=WS2812B_V5), Encoder(1)
    strip.feed(encoder.encode([OFF]), encoder.hz)
    assert strip.glitches == ["high for 417 ns"] * 24


def test_the_strip_powers_up_dark_and_shows_nothing_before_the_reset() -> None:
    """Data alone changes nothing: the line has to be low for the reset time first."""
    strip = WireStrip(1)
    pulses(strip, "1" * 24)
    assert (strip.colours(), strip.frames) == ([OFF], 0)
    strip.idle(280)
    assert (strip.colours(), strip.frames) == ([(255, 255, 255)], 1)


def test_a_gap_below_the_reset_time_goes_on_with_the_frame() -> None:
    """A pause of 270 us does not latch a newer part; the bits after it belong to the same frame."""
    strip = WireStrip(2)
    pulses(strip, "1" * 24)
    strip.idle(270)
    pulses(strip, "0" * 24)
    strip.idle(300)
    assert (strip.colours(), strip.frames) == ([(255, 255, 255), OFF], 1)


def test_an_early_part_latches_in_that_gap() -> None:
    """An early part latches after 50 us, so the second half lands on the first light."""
    strip = WireStrip(2, limits=WS2812_EARLY)
    pulses(strip, "1" * 24)
    strip.idle(60)
    pulses(strip, "0" * 23 + "1")
    strip.idle(60)
    assert (strip.colours(), strip.frames) == ([(0, 0, 1), OFF], 2)


def test_lights_that_were_not_reached_keep_what_they_had() -> None:
    """A frame that stops early changes only the lights that got all their bits."""
    strip, encoder = WireStrip(3), Encoder(3)
    strip.feed(encoder.encode([RED] * 3), encoder.hz)
    strip.feed(encoder.encode([BLUE] * 3)[: 1 + 9 + 5], encoder.hz)
    strip.idle(300)
    assert strip.colours() == [BLUE, RED, RED]


def test_the_last_picture_stays_when_nobody_sends() -> None:
    """However long the wire rests, the lights keep their colours."""
    strip, encoder = WireStrip(1), Encoder(1)
    strip.feed(encoder.encode([RED]), encoder.hz)
    strip.idle(1e9)
    assert strip.colours() == [RED]


def test_without_power_the_strip_is_dark_until_the_next_frame() -> None:
    """A strip that lost its supply shows nothing, and nothing old when it comes back."""
    strip, encoder = WireStrip(1), Encoder(1)
    strip.feed(encoder.encode([RED]), encoder.hz)
    strip.power(False)
    strip.feed(encoder.encode([GREEN]), encoder.hz)
    seen = [strip.colours()]
    strip.power(True)
    seen.append(strip.colours())
    strip.feed(encoder.encode([BLUE]), encoder.hz)
    assert [*seen, strip.colours()] == [[OFF], [OFF], [BLUE]]


@pytest.mark.parametrize(
    ("one_ns", "low_ns", "glitch"),
    [(520, 500, "high for 520 ns"), (1200, 500, "high for 1200 ns"), (150, 500, "high for 150 ns")],
)
def test_a_high_outside_the_limits_is_a_glitch(one_ns: float, low_ns: float, glitch: str) -> None:
    """Pulses that are neither a proper 0 nor a proper 1 are noted with their length."""
    strip = WireStrip(1)
    pulses(strip, "01", one_ns=one_ns, low_ns=low_ns)
    assert strip.glitches == [glitch]


def test_a_low_too_short_is_a_glitch() -> None:
    """Between two bits the line must be low for long enough to be seen."""
    strip = WireStrip(1)
    pulses(strip, "01", low_ns=100)
    assert strip.glitches == ["low for 100 ns"]


@given(st.binary(min_size=1, max_size=40), st.sampled_from([800_000, 2_400_000, 3_200_000, 8_000_000]))
def test_bytes_and_single_levels_are_read_alike(data: bytes, hz: int) -> None:
    """A transfer fed whole and the same levels held one by one leave the same lights and as many glitches."""
    limits = Limits((200, 500), (550, 1000), 200, 5_100)
    whole, single = WireStrip(3, order="RGB", limits=limits), WireStrip(3, order="RGB", limits=limits)
    for _ in range(2):
        whole.feed(data, hz)
        for byte in data:
            for place in range(7, -1, -1):
                single.hold(bool(byte >> place & 1), 1e9 / hz)
    whole.idle(10)
    single.idle(10)
    assert whole.raw() == single.raw()
    assert sorted(whole.glitches) == sorted(single.glitches)


@pytest.mark.parametrize("frame", [[RED], [RED] * 3])
def test_a_frame_of_another_length_is_refused(frame: list[Colour]) -> None:
    """A frame must have exactly one colour a pixel."""
    with pytest.raises(PartFailed, match="2 colours"):
        Encoder(2).encode(frame)


@pytest.mark.parametrize("bad", [(256, 0, 0), (-1, 0, 0), (1.5, 0, 0), (1, 2), (1, 2, 3, 4)])
def test_a_colour_that_cannot_be_is_refused(bad: Colour) -> None:
    """A colour is three whole numbers from 0 to 255."""
    with pytest.raises(PartFailed, match="0 to 255"):
        Encoder(2).encode([RED, bad])


@pytest.mark.parametrize(
    "more", [{"order": "GBX"}, {"bits": 5}, {"skip_first": -1}, {"lead_bytes": -1}], ids=lambda more: next(iter(more))
)
def test_an_encoder_that_cannot_be_is_refused(more: dict[str, object]) -> None:
    """Unknown colour orders, symbols and counts are refused when the encoder is made."""
    with pytest.raises(LayoutError):
        Encoder(1, **more)  # type: ignore[arg-type]
