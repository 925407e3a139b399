"""Tells from odometry how long the base has been standing."""

from __future__ import annotations

from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Limits


class StandstillWatch:
    """Counts steady seconds of unbroken standstill, from the arrival of the first still sample."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._since_s: float | None = None
        self._last_s = 0.0

    def on_odom(self, twist: Twist2D, received_s: float) -> None:
        """Take a measured velocity."""
        still = abs(twist.v_mps) <= self._limits.standstill_mps and abs(twist.w_radps) <= self._limits.standstill_radps
        self._last_s = received_s
        if not still:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = received_s

    def restart(self) -> None:
        """Count anew: what was seen before does not confirm the stop that begins now."""
        self._since_s = None

    def held_s(self) -> float:
        """Return how long the standstill lasted at the last sample, 0 while moving."""
        return 0.0 if self._since_s is None else self._last_s - self._since_s
