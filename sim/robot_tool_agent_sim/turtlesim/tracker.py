"""
How fast the turtle really moves, from its poses alone.

The velocity that turtlesim reports is the one it was told: at a wall it is clamped and still reports it, and it reports
a speed without sign, so that reversing looks like driving on.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise
import math

from robot_tool_agent.core.geometry import Twist2D, wrap_angle, ZERO_TWIST
from robot_tool_agent.core.odometry import jumped
from robot_tool_agent.core.robot import Limits
from robot_tool_agent.core.samples import OdomSample

# turtlesim moves its turtles by this much time for each pose it publishes, whenever that may be, s.
STEP_S = 0.016
WINDOW_STEPS = 5


class MotionTracker:
    """Turns poses into odometry: velocity over the last five steps. A teleport starts the window anew."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._recent: deque[OdomSample] = deque(maxlen=WINDOW_STEPS + 1)
        self._twist = ZERO_TWIST

    def on_pose(self, sample: OdomSample) -> OdomSample:
        """Return the sample with the measured velocity in base_link in place of its own."""
        if self._recent and jumped(self._recent[-1], sample, self._limits):
            self._recent.clear()
        self._recent.append(sample)
        if len(self._recent) > 1:
            self._twist = self._measured()
        return OdomSample(sample.stamp_s, sample.received_s, sample.pose, self._twist)

    def _measured(self) -> Twist2D:
        steps = list(pairwise(self._recent))
        # Poses that were held up arrive in a bunch, lost ones leave a gap: the longer time is the true one.
        elapsed_s = max(len(steps) * STEP_S, self._recent[-1].stamp_s - self._recent[0].stamp_s)
        way_m = sum(_advance_m(old, new) for old, new in steps)
        turned_rad = sum(wrap_angle(new.pose.yaw_rad - old.pose.yaw_rad) for old, new in steps)
        return Twist2D(way_m / elapsed_s, turned_rad / elapsed_s)


def _advance_m(old: OdomSample, new: OdomSample) -> float:
    """Return the way between two samples along the heading halfway, negative backwards, m."""
    heading_rad = old.pose.yaw_rad + 0.5 * wrap_angle(new.pose.yaw_rad - old.pose.yaw_rad)
    ahead_m, left_m = new.pose.x_m - old.pose.x_m, new.pose.y_m - old.pose.y_m
    return ahead_m * math.cos(heading_rad) + left_m * math.sin(heading_rad)
