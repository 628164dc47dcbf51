"""Time controls and the clock of one seat.

Laws: pure; the caller measures the time and says how long an answer took.
"""

import re

from msgspec import Struct

from wateringhole.fault import shown

MIN_SECONDS = 1
MAX_SECONDS = 3600


class TimeControl(Struct, frozen=True):
    """`seconds` for each answer or, with an increment, a bank that grows with each answer; None: no limit."""

    seconds: float | None = 10.0
    increment: float | None = None

    def __str__(self) -> str:
        """As `time_control` takes it."""
        if self.seconds is None:
            return "none"
        return "+".join(f"{span:.8g}" for span in (self.seconds, self.increment) if span is not None)


def time_control(text: str) -> TimeControl:
    """`10`, `60+5` or `none`; ValueError with the value and the limits otherwise."""
    if text == "none":
        return TimeControl(None)
    form = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?)(?:\+(\d{1,5}(?:\.\d{1,3})?))?", text)
    if form is None:
        raise ValueError(f"the time control {shown(text)} is not SECONDS, BANK+INCREMENT or none")
    seconds, increment = float(form[1]), None if form[2] is None else float(form[2])
    if not MIN_SECONDS <= seconds <= MAX_SECONDS or (increment is not None and increment > MAX_SECONDS):
        raise ValueError(f"the time control {text} is outside {MIN_SECONDS} to {MAX_SECONDS} seconds")
    return TimeControl(seconds, increment)


class Clock:
    """One seat's time."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._left = control.seconds

    @property
    def allowance(self) -> float | None:
        """How long the next answer may take."""
        return self._left

    @property
    def bank(self) -> float | None:
        """What is left of the time bank; None when every answer has a time of its own, or all the time."""
        return self._left if self._control.increment is not None else None

    def spent(self, seconds: float) -> None:
        """An answer took so long."""
        if self._left is not None and self._control.increment is not None:
            self._left = max(0.0, self._left - seconds) + self._control.increment
