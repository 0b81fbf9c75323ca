"""A passive buzzer on one pin, by gpiozero's PWM."""

from __future__ import annotations

from typing import Any, Final

from hardware.errors import PartFailed, foreign

LOWEST_HZ: Final = 20
HIGHEST_HZ: Final = 10_000
"""lgpio's own limit; a piezo is loudest at 2 to 4 kHz."""


class PwmBuzzer:
    """A ``Buzzer`` port: a square wave at half duty, or nothing."""

    def __init__(self, factory: Any, pin: int) -> None:
        """Take the ``pin`` (BCM) from a pin ``factory``, silent. Raises PartFailed if it is taken or has
        no PWM."""
        from gpiozero import PWMOutputDevice

        self._device: Any = None
        try:
            self._device = PWMOutputDevice(pin, pin_factory=factory)
            self._device.frequency = None  # or the library's PWM thread would run on in silence
        except Exception as error:  # every pin library has exceptions of its own
            self.close()
            raise PartFailed(
                f"The buzzer's pin GPIO{pin} cannot be had: {foreign(error)}. Close the other program that uses it, or "
                f"change the wiring."
            ) from error

    def tone(self, hertz: float | None) -> None:
        """Sound at ``hertz`` (20..10000) until told otherwise, or fall silent with None. Raises PartFailed."""
        if self._device is None:
            raise PartFailed("The buzzer was closed: open it again before sounding it.")
        if hertz is not None and not LOWEST_HZ <= hertz <= HIGHEST_HZ:
            raise PartFailed(f"The buzzer sounds {LOWEST_HZ} to {HIGHEST_HZ} Hz, not {hertz:g}: choose a tone between.")
        try:
            if hertz is None:
                self._device.value = 0  # low before the wave stops, or it may stop high
                self._device.frequency = None
            else:
                self._device.frequency = hertz
                self._device.value = 0.5
        except Exception as error:  # every pin library has exceptions of its own
            raise PartFailed(
                f"The buzzer does not answer: {foreign(error)}. Look at its wiring; the game goes on."
            ) from error

    def close(self) -> None:
        """Fall silent and let the pin go; harmless twice."""
        device, self._device = self._device, None
        if device is not None:
            device.close()
