"""
A way back without a trail, for a robot in open space: straight to a safe pose, if nothing is in the way.

Only a plan: on the way the limiter keeps to the fresh scan and the geofence as it does on any other.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.fence import fence_of
from robot_tool_agent.core.safety.way_back import distances_to_segments, safe_points, WayBack

Floats = NDArray[np.float64]

SAMPLE_M = 0.05


def plan_straight_way(
    robot: RobotDescription, localizer: Localizer, here: Pose2D, obstacle_points: Floats
) -> WayBack | None:
    """
    Return the shortest free line from `here` (odom) to a safe pose, None if there is none.

    Free: inside the geofence, and further than radius and stop distance from every wall of the known map and from every
    one of `obstacle_points` (odom, metres, shape (n, 2)) that the scan shows within its reach. After a jump of odometry
    the place in the map must be known anew: without localization there is no such line.
    """
    start = np.array((here.x_m, here.y_m))
    goals = safe_points(robot, localizer)
    for name in sorted(goals, key=lambda name: float(np.linalg.norm(goals[name] - start))):
        line = _sampled(start, goals[name])
        if _clear_of(line, _as_segments(obstacle_points), robot) and _free_in_map(line, robot, localizer):
            return WayBack(name, np.vstack([start, goals[name]]))
    return None


def _sampled(start: Floats, goal: Floats) -> Floats:
    return np.linspace(start, goal, 2 + math.ceil(float(np.linalg.norm(goal - start)) / SAMPLE_M))


def _as_segments(points: Floats) -> Floats:
    return np.hstack([points, points])


def _clear_of(line: Floats, segments: Floats, robot: RobotDescription) -> bool:
    if segments.size == 0:
        return True
    keep_m = robot.footprint.circumscribed_m + robot.limits.stop_distance_m
    return bool(np.min(distances_to_segments(line, segments)) > keep_m)


def _free_in_map(line: Floats, robot: RobotDescription, localizer: Localizer) -> bool:
    """Tell whether a line given in odom keeps clear of the known walls and inside the geofence."""
    fence, poses = fence_of(robot), [localizer.to_map(Pose2D(float(x), float(y), 0.0)) for x, y in line]
    points = np.array([(pose.x_m, pose.y_m) for pose in poses if pose is not None])
    if fence is None or len(points) < len(line):
        return False
    inside = all(fence.inside_m(float(x), float(y)) >= 0.0 for x, y in points)
    return inside and _clear_of(points, np.asarray(robot.map.walls).reshape(-1, 4), robot)
