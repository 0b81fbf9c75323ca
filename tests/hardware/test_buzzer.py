"""The buzzer: the wave on its pin is the tone that was asked for."""

from __future__ import annotations

import pytest

from hardware.buzzer import PwmBuzzer
from hardware.errors import PartFailed
from hardware.pin_factory import open_factory
from hardware.simulated.matrix import SimulatedBuzzer


def test_tones_are_heard_with_their_times() -> None:
    """Each change of tone is heard once, at its time, and None is silence."""
    now = [0.0]
    buzzer = SimulatedBuzzer(clock=lambda: now[0])
    for now[0], hertz in ((1.0, None), (2.0, 880.0), (2.5, 880.0), (3.0, 440.0), (4.0, None)):
        buzzer.tone(hertz)
    assert buzzer.tones == ((2.0, 880.0), (3.0, 440.0), (4.0, None))
    buzzer.close()


def test_opening_is_silent() -> None:
    """Nothing is heard, and no wave runs, until a tone is asked for."""
    buzzer = SimulatedBuzzer()
    pin = buzzer.pins.factory.pin(26)
    assert buzzer.tones == ()
    assert pin.frequency is None
    buzzer.close()


def test_wave_is_square_at_half_duty() -> None:
    """A tone is a wave of that frequency, half the time high."""
    buzzer = SimulatedBuzzer()
    pin = buzzer.pins.factory.pin(26)
    buzzer.tone(2000)
    assert (pin.frequency, pin.state) == (2000, 0.5)
    buzzer.close()


def test_closing_silences() -> None:
    """A buzzer closed in mid-tone falls silent, twice is harmless, and a tone afterwards is refused."""
    buzzer = SimulatedBuzzer()
    buzzer.tone(1000)
    buzzer.close()
    buzzer.close()
    assert [hertz for _, hertz in buzzer.tones] == [1000, None]
    with pytest.raises(PartFailed, match="open it again"):
        buzzer.tone(1000)


@pytest.mark.parametrize("hertz", [0, 19.9, 10_001, -440, float("nan")])
def test_tone_out_of_reach_is_refused(hertz: float) -> None:
    """A tone that the library cannot make is refused with the range, and nothing sounds."""
    buzzer = SimulatedBuzzer()
    with pytest.raises(PartFailed, match="20 to 10000 Hz"):
        buzzer.tone(hertz)
    assert buzzer.tones == ()
    buzzer.close()


@pytest.mark.parametrize("hertz", [20, 10_000])
def test_ends_of_the_range_sound(hertz: float) -> None:
    """The lowest and the highest tone are tones."""
    buzzer = SimulatedBuzzer()
    buzzer.tone(hertz)
    assert buzzer.tones == ((0.0, hertz),)
    buzzer.close()


def test_pin_taken_by_another_part_fails_to_open() -> None:
    """A buzzer on a pin already in use is refused with the cure."""
    pins = open_factory("mock")
    first = PwmBuzzer(pins.factory, 26)
    with pytest.raises(PartFailed, match="GPIO26 cannot be had"):
        PwmBuzzer(pins.factory, 26)
    first.close()
    PwmBuzzer(pins.factory, 26).close()
    pins.close()


def test_pin_without_pwm_fails_to_open() -> None:
    """A pin that can make no wave is refused when the buzzer opens, not at its first tone."""
    from gpiozero.pins.mock import MockPin

    pins = open_factory("mock", pin_class=MockPin)
    with pytest.raises(PartFailed, match="GPIO26 cannot be had"):
        PwmBuzzer(pins.factory, 26)
    pins.close()
