"""Drives a straight line of a given length in the odom frame, ahead or back."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.navigation.steering import advance
from robot_tool_agent.core.robot import Limits

DONE_M = 0.004
OFFSET_GAIN_PER_M2 = 6.0
HEADING_GAIN_PER_M = 5.0


class StraightDrive:
    """One straight drive. Sideways and heading errors are steered out on the way."""

    def __init__(self, start: Pose2D, distance_m: float, limits: Limits, top_mps: float | None = None) -> None:
        self._start = start
        self._distance_m = distance_m
        self._limits = limits
        own_top_mps = limits.max_speed_mps if distance_m > 0.0 else limits.max_reverse_mps
        self._top_mps = own_top_mps if top_mps is None else min(top_mps, own_top_mps)

    def left_m(self, pose: Pose2D) -> float:
        """Return the signed distance that is left; its sign turns when the end was passed."""
        return self._distance_m - pose.relative_to(self._start).x_m

    def is_over(self, pose: Pose2D) -> bool:
        """Tell whether the end is reached or passed."""
        return self.left_m(pose) * math.copysign(1.0, self._distance_m) <= DONE_M

    def twist(self, pose: Pose2D) -> Twist2D:
        """Return the twist wanted at a pose: linear feedback on offset and heading (Samson, 1992)."""
        local = pose.relative_to(self._start)
        v_mps = advance(self.left_m(pose), self._top_mps, self._limits)
        w_radps = -abs(v_mps) * HEADING_GAIN_PER_M * local.yaw_rad - v_mps * OFFSET_GAIN_PER_M2 * local.y_m
        bound = 0.5 * self._limits.max_turn_radps
        return Twist2D(v_mps, min(max(w_radps, -bound), bound))
