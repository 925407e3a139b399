"""
Drives the way back: a pure pursuit for a differential drive that prefers to go backwards where it came forwards.

Rule of the pursuit: the arc through a point (x, y) of base_link has curvature 2 y / (x^2 + y^2), in either direction of
travel (R. C. Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm", CMU-RI-TR-92-01, 1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, wrap_angle, ZERO_TWIST
from robot_tool_agent.core.robot import Limits
from robot_tool_agent.core.safety.scans import Obstacles
from robot_tool_agent.core.safety.way_back import WayBack

Floats = NDArray[np.float64]

LOOKAHEAD_M = 0.25
POINT_SPACING_M = 0.05
TURN_RADPS = 0.8
CREEP_MPS = 0.04
START_TURN_RAD = 0.7
END_TURN_RAD = 0.15
KEEP_DIRECTION_RAD = 0.5
PROGRESS_M = 0.02
PROGRESS_RAD = 0.1


class RetreatStatus(Enum):
    """How a retreat stands."""

    UNDER_WAY = 'under way'
    AT_GOAL = 'at goal'
    BLIND = 'blind'
    STUCK = 'stuck'
    LATE = 'late'


@dataclass(frozen=True, slots=True)
class RetreatStep:
    """Answer of one tick: the wanted velocity and how it stands."""

    twist: Twist2D
    status: RetreatStatus


class Retreat:
    """One drive along one way back. It wants velocities; limiter and fresh scan decide what of them is driven."""

    def __init__(self, way: WayBack, limits: Limits, now_s: float, timeout_s: float, blocked_s: float) -> None:
        self.goal_name = way.name
        self._limits = limits
        self._along_m, self._points = _evenly(way.points)
        self._nearest = 0
        self._direction = 0
        self._turning = True
        self._deadline_s = now_s + timeout_s
        self._blocked_s = blocked_s
        self._progress_s = now_s
        self._progress_pose: Pose2D | None = None

    def step(self, pose: Pose2D, obstacles: Obstacles | None, now_s: float) -> RetreatStep:
        """Return the velocity wanted at `pose` (odom), given what the fresh scan covers."""
        if now_s >= self._deadline_s:
            return RetreatStep(ZERO_TWIST, RetreatStatus.LATE)
        if self._to_goal_m(pose) <= 0.5 * self._limits.position_tolerance_m:
            return RetreatStep(ZERO_TWIST, RetreatStatus.AT_GOAL)
        if self._stuck(pose, now_s):
            return RetreatStep(ZERO_TWIST, RetreatStatus.STUCK)
        if obstacles is None or not (obstacles.front_covered or obstacles.rear_covered):
            return RetreatStep(ZERO_TWIST, RetreatStatus.BLIND)
        return RetreatStep(self._pursue(pose, obstacles), RetreatStatus.UNDER_WAY)

    def arrived(self, pose: Pose2D) -> bool:
        """Tell whether a pose (odom) is within the position tolerance of the safe pose."""
        return self._to_goal_m(pose) <= self._limits.position_tolerance_m

    def _pursue(self, pose: Pose2D, obstacles: Obstacles) -> Twist2D:
        self._advance(pose)
        target = self._target()
        bearing = pose.bearing_to(target)
        self._choose_direction(bearing, obstacles)
        error = bearing if self._direction > 0 else wrap_angle(bearing - math.pi)
        self._turning = abs(error) > (END_TURN_RAD if self._turning else START_TURN_RAD)
        if self._turning:
            return Twist2D(0.0, max(-TURN_RADPS, min(TURN_RADPS, 2.0 * error)))
        return self._drive(pose, target)

    def _drive(self, pose: Pose2D, target: Point) -> Twist2D:
        distance_m = max(pose.distance_to(target), 1e-3)
        left_m = distance_m * math.sin(pose.bearing_to(target))
        remaining_m = distance_m + float(self._along_m[-1] - np.interp(self._ahead_m(), self._along_m, self._along_m))
        speed = min(self._limits.retreat_speed_mps, math.sqrt(self._limits.max_decel_mps2 * remaining_m * 0.5))
        v_mps = self._direction * max(speed, CREEP_MPS)
        return Twist2D(v_mps, v_mps * 2.0 * left_m / distance_m**2)

    def _choose_direction(self, bearing: float, obstacles: Obstacles) -> None:
        """Drive forwards or backwards, whichever needs the smaller turn among those the scan covers."""
        turn = {1: abs(bearing), -1: math.pi - abs(bearing)}
        seen = [direction for direction in turn if obstacles.covers(direction)]
        best = min(seen, key=lambda direction: turn[direction])
        keep = self._direction in seen and turn[self._direction] < turn[best] + KEEP_DIRECTION_RAD
        self._direction = self._direction if keep else best

    def _advance(self, pose: Pose2D) -> None:
        """Move on to the nearest of the next points; never back, so that a path beside itself confuses nothing."""
        reach = np.searchsorted(self._along_m, self._along_m[self._nearest] + 2.0 * LOOKAHEAD_M, side='right')
        window = self._points[self._nearest: int(reach)]
        offsets = np.linalg.norm(window - (pose.x_m, pose.y_m), axis=1)
        self._nearest += int(np.argmin(offsets))

    def _ahead_m(self) -> float:
        return min(float(self._along_m[self._nearest]) + LOOKAHEAD_M, float(self._along_m[-1]))

    def _target(self) -> Point:
        ahead_m = self._ahead_m()
        return Point(
            float(np.interp(ahead_m, self._along_m, self._points[:, 0])),
            float(np.interp(ahead_m, self._along_m, self._points[:, 1])),
        )

    def _to_goal_m(self, pose: Pose2D) -> float:
        return pose.distance_to(Point(float(self._points[-1, 0]), float(self._points[-1, 1])))

    def _stuck(self, pose: Pose2D, now_s: float) -> bool:
        last = self._progress_pose
        if (
            last is None
            or pose.distance_to(last) > PROGRESS_M
            or abs(wrap_angle(pose.yaw_rad - last.yaw_rad)) > PROGRESS_RAD
        ):
            self._progress_pose, self._progress_s = pose, now_s
        return now_s - self._progress_s >= self._blocked_s


def _evenly(points: Floats) -> tuple[Floats, Floats]:
    """Return distances along a path and its points, no further apart than POINT_SPACING_M, metres."""
    corners_m = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    along_m = np.linspace(0.0, corners_m[-1], 2 + int(corners_m[-1] / POINT_SPACING_M))
    return along_m, np.column_stack([np.interp(along_m, corners_m, points[:, axis]) for axis in (0, 1)])
