"""When something periodic is due."""

from __future__ import annotations

_TOLERANCE = 1e-6
# Nothing is ever planned further ahead than one period.
_SET_BACK = 1.5


class Schedule:
    """
    Due at a fixed rate of simulated time; periods missed while nobody asked are dropped, not made up for.

    A clock that was set back, as that of a simulator that is reset, begins anew.
    """

    def __init__(self, rate_hz: float) -> None:
        self._period_s = 1.0 / rate_hz
        self._next_s = 0.0

    def due(self, now_s: float) -> bool:
        """Tell whether it is time, and if so plan the next one."""
        if self._next_s > now_s + _SET_BACK * self._period_s:
            self._next_s = now_s
        if now_s < self._next_s - _TOLERANCE * self._period_s:
            return False
        self._next_s += self._period_s
        if self._next_s <= now_s:
            self._next_s = now_s + self._period_s
        return True
