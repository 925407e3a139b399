"""Whether the base fits where the robot description wants it to stand."""

from __future__ import annotations

import numpy as np
from robot_tool_agent.core.navigation.clearance import wall_distance_m
from robot_tool_agent.core.robot import RobotDescription


def standing_faults(robot: RobotDescription) -> list[str]:
    """Return the places and safe poses closer to a known wall than the footprint and the stop distance allow."""
    needed_m = robot.footprint.circumscribed_m + robot.limits.stop_distance_m
    faults = []
    for key, point in robot.base_poses().items():
        clearance_m = float(wall_distance_m(np.array([point.x_m]), np.array([point.y_m]), robot)[0])
        if clearance_m < needed_m:
            faults.append(f'{key}: {clearance_m:.2f} m from a known wall, the robot needs {needed_m:.2f} m')
    return faults
