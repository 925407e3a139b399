"""Counts a turn beyond half a circle from headings that are wrapped."""

from __future__ import annotations

from robot_tool_agent.core.geometry import wrap_angle


class TurnCounter:
    """Sum of heading changes. Exact while no change between two readings reaches half a turn."""

    def __init__(self) -> None:
        self._last_rad: float | None = None
        self.turned_rad = 0.0

    @property
    def started(self) -> bool:
        """Tell whether a heading was taken."""
        return self._last_rad is not None

    def take(self, yaw_rad: float) -> None:
        """Take a heading in radians."""
        if self._last_rad is not None:
            self.turned_rad += wrap_angle(yaw_rad - self._last_rad)
        self._last_rad = yaw_rad
