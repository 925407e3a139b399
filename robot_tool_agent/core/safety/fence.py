"""The geofence: a polygon of the map in which base_link stays."""

from __future__ import annotations

import math

import numpy as np
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.clearance import arc, MIN_STEPS, time_above_s

STEP_M = 0.05


class Fence:
    """Distances to the polygon's edge, m. A concave polygon is fine; crossing edges count by the even-odd rule."""

    def __init__(self, corners_m: tuple[tuple[float, float], ...]) -> None:
        following = (*corners_m[1:], corners_m[0])
        self._edges = tuple((*start, *end) for start, end in zip(corners_m, following, strict=True))

    def inside_m(self, x_m: float, y_m: float) -> float:
        """Return how far inside a point lies, negative outside."""
        inside, nearest_m = False, math.inf
        for x1, y1, x2, y2 in self._edges:
            if (y1 > y_m) != (y2 > y_m) and x_m < (x2 - x1) * (y_m - y1) / (y2 - y1) + x1:
                inside = not inside
            nearest_m = min(nearest_m, _distance_m(x_m, y_m, x1, y1, x2, y2))
        return nearest_m if inside else -nearest_m

    def free_time_s(self, twist: Twist2D, start: Pose2D, horizon_s: float) -> float:
        """
        Return the seconds along the arc of `twist` until base_link is at the fence, inf beyond the horizon.

        Outside already, 0 means that the motion leads further out.
        """
        way_m = abs(twist.v_mps) * horizon_s
        if self.inside_m(start.x_m, start.y_m) > way_m:
            return math.inf
        steps = max(MIN_STEPS, int(way_m / STEP_M) + 1)
        x_m, y_m, _ = arc(twist, start, np.linspace(0.0, horizon_s, steps + 1))
        inside = np.array([self.inside_m(x, y) for x, y in zip(x_m.tolist(), y_m.tolist(), strict=True)])
        return time_above_s(inside, 0.0, way_m / steps, horizon_s)


def fence_of(robot: RobotDescription) -> Fence | None:
    """Return the robot's geofence, None if it has none."""
    return None if robot.geofence is None else Fence(robot.geofence)


def _distance_m(x_m: float, y_m: float, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the distance of a point to a segment, m."""
    along_x, along_y = x2 - x1, y2 - y1
    length2 = max(along_x * along_x + along_y * along_y, 1e-12)
    part = min(1.0, max(0.0, ((x_m - x1) * along_x + (y_m - y1) * along_y) / length2))
    return math.hypot(x_m - x1 - part * along_x, y_m - y1 - part * along_y)
