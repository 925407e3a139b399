"""Watches a clock that others drive, such as the /clock of a simulator."""

from __future__ import annotations

import math

SUSPECT_S = 0.15
THAW_S = 0.5


class ClockWatch:
    """
    Knows for how long ROS time has stood still, in steady seconds. Never told of a time, it watches nothing.

    Messages of a simulator stop with its clock. While it is suspected, silent inputs are put down to it, and for a
    moment after it ran again, until they have spoken.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._ros_s = math.nan
        self._moved_s = math.inf
        self._thawed_s = -math.inf

    def on_time(self, ros_s: float, now_s: float) -> None:
        """Take the present ROS time."""
        if ros_s == self._ros_s:
            return
        if self.still_s(now_s) > SUSPECT_S:
            self._thawed_s = now_s
        self._ros_s, self._moved_s = ros_s, now_s

    def still_s(self, now_s: float) -> float:
        """Return for how long the clock has stood still."""
        return max(0.0, now_s - self._moved_s)

    def explains_silence(self, now_s: float) -> bool:
        """Tell whether the clock stands, or has just begun to run again."""
        return self.still_s(now_s) > SUSPECT_S or now_s - self._thawed_s <= THAW_S

    def frozen(self, now_s: float) -> bool:
        """Tell whether the clock has stood still beyond the limit."""
        return self.still_s(now_s) > self.limit_s
