"""How often the robot may come back by itself."""

from __future__ import annotations

from collections import deque


class RearmBudget:
    """At most `limit` self re-arms within any `window_s`."""

    def __init__(self, limit: int, window_s: float) -> None:
        self._window_s = window_s
        self._limit = limit
        self._taken_s: deque[float] = deque(maxlen=limit)

    def available(self, now_s: float) -> bool:
        """Tell whether one more re-arm is allowed now."""
        return len(self._taken_s) < self._limit or now_s - self._taken_s[0] >= self._window_s

    def take(self, now_s: float) -> None:
        """Note a re-arm."""
        self._taken_s.append(now_s)
