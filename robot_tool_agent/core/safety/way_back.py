"""Which safe pose a retreat goes to and along which points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.robot import RobotDescription

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class WayBack:
    """Points from the robot to a safe pose, metres in odom, shape (n, 2), and the name of that pose."""

    name: str
    points: Floats


def plan_way_back(
    robot: RobotDescription, localizer: Localizer, here: Pose2D, trail: Floats, departure_m: float
) -> WayBack | None:
    """
    Return the shortest way along the trail to a safe pose, None if no safe pose is near the trail.

    The trail is left at one point, straight to the safe pose, for at most departure_m and only where no wall of the
    known map comes within the robot's radius and stop distance of that line.
    """
    path = np.vstack([[(here.x_m, here.y_m)], trail[::-1]]) if trail.size else np.array([(here.x_m, here.y_m)])
    travelled = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    candidates: list[tuple[float, int, str, Floats]] = []
    for name, goal in safe_points(robot, localizer).items():
        off = np.linalg.norm(path - goal, axis=1)
        near = np.flatnonzero(off <= departure_m)
        candidates += [(float(travelled[i] + off[i]), int(i), name, goal) for i in near]
    for _, index, name, goal in sorted(candidates, key=lambda item: item[0]):
        if _leaves_freely(robot, localizer, path[index], goal):
            return WayBack(name, np.vstack([path[: index + 1], goal]))
    return None


def safe_points(robot: RobotDescription, localizer: Localizer) -> Mapping[str, Floats]:
    """Return where the safe poses are in odom, metres; none while the place in the map is unknown."""
    poses = {name: localizer.to_odom(config.pose) for name, config in robot.safe_poses.items()}
    return {name: np.array((pose.x_m, pose.y_m)) for name, pose in poses.items() if pose is not None}


def _leaves_freely(robot: RobotDescription, localizer: Localizer, start: Floats, goal: Floats) -> bool:
    if not robot.map.walls:
        return True
    ends = [localizer.to_map(Pose2D(float(x), float(y), 0.0)) for x, y in (start, goal)]
    if ends[0] is None or ends[1] is None:
        return False
    line = np.linspace((ends[0].x_m, ends[0].y_m), (ends[1].x_m, ends[1].y_m), 20)
    keep_m = robot.footprint.circumscribed_m + robot.limits.stop_distance_m
    return bool(np.min(distances_to_segments(line, np.asarray(robot.map.walls))) > keep_m)


def distances_to_segments(points: Floats, walls: Floats) -> Floats:
    """Return the distance of each point (p, 2) to each segment (w, 4), shape (p, w), metres."""
    start, along = walls[None, :, :2], walls[None, :, 2:] - walls[None, :, :2]
    offset = points[:, None, :] - start
    length2 = np.maximum(np.sum(along**2, axis=2), 1e-12)
    part = np.clip(np.sum(offset * along, axis=2) / length2, 0.0, 1.0)
    result: Floats = np.linalg.norm(offset - part[:, :, None] * along, axis=2)
    return result
