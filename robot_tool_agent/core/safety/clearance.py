"""How long the robot can keep to an arc before its swept footprint comes too close to an obstacle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.safety.outline import Outline
from robot_tool_agent.core.safety.scans import Obstacles

Floats = NDArray[np.float64]

STEPS = 8
# Closing in by less than one part in a hundred of the way is measuring noise along a wall, not approach.
NOISE_SLOPE = 0.01
_FRACTIONS = np.linspace(0.0, 1.0, STEPS + 1)


def free_time_s(
    twist: Twist2D, start: Pose2D, obstacles: Obstacles, outline: Outline, stop_distance_m: float, horizon_s: float
) -> float:
    """Return the seconds along the arc of `twist` until clearance is below the stop distance, inf beyond the horizon.

    `start` is base_link now, in base_link at the time of the scan. A robot that is already closer than the stop
    distance may move as long as its clearance does not shrink; 0 means that this motion would shrink it.
    """
    if obstacles.x_m.size == 0:
        return math.inf
    clearances = _clearances(twist, start, obstacles, outline, horizon_s)
    step_m = (abs(twist.v_mps) + abs(twist.w_radps) * outline.reach_m) * horizon_s / STEPS
    best_so_far = np.maximum.accumulate(clearances)[:-1]
    floor = np.minimum(stop_distance_m, best_so_far - NOISE_SLOPE * step_m - 1e-9)
    bad = np.flatnonzero(clearances[1:] < floor)
    if bad.size == 0:
        return math.inf
    return _crossing_s(clearances, int(bad[0]), stop_distance_m, horizon_s)


def _crossing_s(clearances: Floats, step: int, stop_distance_m: float, horizon_s: float) -> float:
    before, after = float(clearances[step]), float(clearances[step + 1])
    part = 0.0 if before <= stop_distance_m else (before - stop_distance_m) / (before - after)
    return (step + part) * horizon_s / STEPS


def _clearances(twist: Twist2D, start: Pose2D, obstacles: Obstacles, outline: Outline, horizon_s: float) -> Floats:
    """Return the clearance in metres at STEPS + 1 moments along the arc."""
    x_m, y_m, yaw_rad = _arc(twist, start, horizon_s * _FRACTIONS)
    cos_yaw, sin_yaw = np.cos(yaw_rad)[:, None], np.sin(yaw_rad)[:, None]
    ahead, left = obstacles.x_m[None, :] - x_m[:, None], obstacles.y_m[None, :] - y_m[:, None]
    distances = outline.distances(cos_yaw * ahead + sin_yaw * left, cos_yaw * left - sin_yaw * ahead)
    result: Floats = distances.min(axis=1)
    return result


def _arc(twist: Twist2D, start: Pose2D, times_s: Floats) -> tuple[Floats, Floats, Floats]:
    turn = twist.w_radps * times_s
    if abs(twist.w_radps) < 1e-6:
        ahead, left = twist.v_mps * times_s, np.zeros_like(times_s)
    else:
        radius_m = twist.v_mps / twist.w_radps
        ahead, left = radius_m * np.sin(turn), radius_m * (1.0 - np.cos(turn))
    cos_yaw, sin_yaw = math.cos(start.yaw_rad), math.sin(start.yaw_rad)
    return (
        start.x_m + cos_yaw * ahead - sin_yaw * left,
        start.y_m + sin_yaw * ahead + cos_yaw * left,
        start.yaw_rad + turn,
    )
