"""How long the robot can keep to an arc before its swept footprint comes too close to an obstacle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.safety.outline import Outline
from robot_tool_agent.core.safety.scans import Obstacles

Floats = NDArray[np.float64]

MIN_STEPS = 8
# A point that is stepped over this finely was at most a thirty-second of the inner radius inside the outline.
STEPS_PER_INNER = 2.0
# Closing in by less than one part in a hundred of the way is measuring noise along a wall, not approach.
NOISE_SLOPE = 0.01


def free_time_s(
    twist: Twist2D, start: Pose2D, obstacles: Obstacles, outline: Outline, stop_distance_m: float, horizon_s: float
) -> float:
    """
    Return the seconds along the arc of `twist` until clearance is below the stop distance, inf beyond the horizon.

    `start` is base_link now, in base_link at the time of the scan. A robot that is already closer than the stop
    distance may move as long as its clearance does not shrink; 0 means that this motion would shrink it.
    """
    if obstacles.x_m.size == 0:
        return math.inf
    path_m = (abs(twist.v_mps) + abs(twist.w_radps) * outline.reach_m) * horizon_s
    steps = max(MIN_STEPS, math.ceil(STEPS_PER_INNER * path_m / outline.inner_m))
    times_s: Floats = np.arange(steps + 1, dtype=np.float64) * (horizon_s / steps)
    clearances = _clearances(twist, start, obstacles, outline, times_s)
    return time_above_s(clearances, stop_distance_m, path_m / steps, horizon_s)


def time_above_s(clearances: Floats, floor_m: float, step_m: float, horizon_s: float) -> float:
    """
    Return the seconds until evenly spaced clearances fall below a floor, inf if they do not within the horizon.

    Below the floor already, they may stay or grow, and 0 means that they shrink. A clearance that is no finite number
    counts as none: what cannot be measured is not free. `step_m` is the way between two of them.
    """
    steps = clearances.size - 1
    best_so_far = np.maximum.accumulate(clearances)[:-1]
    floor = np.minimum(floor_m, best_so_far - NOISE_SLOPE * step_m - 1e-9)
    good = np.isfinite(clearances[1:]) & (clearances[1:] >= floor)
    bad = np.flatnonzero(~good)
    if bad.size == 0:
        return math.inf
    return _crossing(clearances, int(bad[0]), floor_m) * horizon_s / steps


def _crossing(clearances: Floats, step: int, floor_m: float) -> float:
    """Return at which step, with its fraction, the clearance meets the floor."""
    before, after = float(clearances[step]), float(clearances[step + 1])
    if not (math.isfinite(before) and math.isfinite(after)):
        return 0.0
    return step + (0.0 if before <= floor_m else (before - floor_m) / (before - after))


def _clearances(twist: Twist2D, start: Pose2D, obstacles: Obstacles, outline: Outline, times_s: Floats) -> Floats:
    """Return the clearance in metres at moments along the arc."""
    x_m, y_m, yaw_rad = arc(twist, start, times_s)
    cos_yaw, sin_yaw = np.cos(yaw_rad)[:, None], np.sin(yaw_rad)[:, None]
    ahead, left = obstacles.x_m[None, :] - x_m[:, None], obstacles.y_m[None, :] - y_m[:, None]
    distances = outline.distances(cos_yaw * ahead + sin_yaw * left, cos_yaw * left - sin_yaw * ahead)
    result: Floats = distances.min(axis=1)
    return result


def arc(twist: Twist2D, start: Pose2D, times_s: Floats) -> tuple[Floats, Floats, Floats]:
    """Return x, y (m) and yaw (rad) at moments along the arc of a twist that begins at `start`, in start's frame."""
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
