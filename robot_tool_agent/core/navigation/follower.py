"""Drives a differential drive along a route and ends at a pose. Pure pursuit (Coulter, CMU-RI-TR-92-01), map frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
import math

from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, wrap_angle, ZERO_TWIST
from robot_tool_agent.core.navigation.steering import advance, limited_arc, turn_towards
from robot_tool_agent.core.robot import Limits

LOOKAHEAD_M = 0.30
MIN_CURVE_M = 0.20
TURN_IN_PLACE_RAD = 0.7
TURN_DONE_RAD = 0.12
ARRIVED_SHARE = 0.4
ALIGNED_SHARE = 0.25


class FollowerState(Enum):
    """What the follower is doing."""

    DRIVING = 'driving'
    ALIGNING = 'aligning'
    ARRIVED = 'arrived'


@dataclass(frozen=True, slots=True)
class FollowerStep:
    """Twist wanted now, and the metres of route that are left."""

    state: FollowerState
    twist: Twist2D
    left_m: float


class Follower:
    """Follows one route once. `yaw_rad` None means that any heading at the end is right."""

    def __init__(self, points: Sequence[Point], yaw_rad: float | None, limits: Limits) -> None:
        self._points = [points[0], *points] if len(points) == 1 else list(points)
        self._yaw_rad = yaw_rad
        self._limits = limits
        self._leg = 0
        self._turning = True
        self._state = FollowerState.DRIVING
        self._left_after = _lengths_left(self._points)

    def step(self, pose: Pose2D, stands: bool) -> FollowerStep:
        """Return what to do at a pose of the base in the map. It arrives only once the base stands at the end."""
        along_m = self._project(pose)
        left_m = self._left_after[self._leg] + self._length(self._leg) - along_m
        if self._state is FollowerState.DRIVING and self._is_there(pose):
            self._state = FollowerState.ALIGNING
        if self._state is FollowerState.DRIVING:
            return FollowerStep(self._state, self._drive(pose, along_m, left_m), left_m)
        return FollowerStep(*self._align(pose, stands), left_m)

    def _is_there(self, pose: Pose2D) -> bool:
        """Tell whether the end of the route is within reach of the tolerance, and not before its last leg."""
        near_m = ARRIVED_SHARE * self._limits.position_tolerance_m
        return self._leg == len(self._points) - 2 and pose.distance_to(self._points[-1]) <= near_m

    def _align(self, pose: Pose2D, stands: bool) -> tuple[FollowerState, Twist2D]:
        error_rad = 0.0 if self._yaw_rad is None else wrap_angle(self._yaw_rad - pose.yaw_rad)
        aligned = abs(error_rad) <= ALIGNED_SHARE * self._limits.yaw_tolerance_rad
        self._state = FollowerState.ARRIVED if aligned and stands else FollowerState.ALIGNING
        return self._state, ZERO_TWIST if aligned else turn_towards(error_rad, self._limits)

    def _drive(self, pose: Pose2D, along_m: float, left_m: float) -> Twist2D:
        target = self._ahead(along_m + LOOKAHEAD_M)
        bearing_rad = pose.bearing_to(target)
        self._turning = abs(bearing_rad) > (TURN_DONE_RAD if self._turning else TURN_IN_PLACE_RAD)
        if self._turning:
            return turn_towards(bearing_rad, self._limits)
        distance_m = max(pose.distance_to(target), MIN_CURVE_M)
        top_mps = self._limits.max_speed_mps * max(0.3, math.cos(2.0 * bearing_rad))
        to_go_m = max(left_m, pose.distance_to(self._points[-1]) if self._leg == len(self._points) - 2 else left_m)
        v_mps = advance(to_go_m, top_mps, self._limits)
        return limited_arc(v_mps, 2.0 * math.sin(bearing_rad) / distance_m, self._limits)

    def _project(self, pose: Pose2D) -> float:
        """Move on to the next legs as the pose passes their ends; return the metres done on the current one."""
        along_m = self._along(pose, self._leg)
        while self._leg < len(self._points) - 2 and along_m >= self._length(self._leg):
            self._leg += 1
            along_m = max(0.0, self._along(pose, self._leg))
        return min(max(along_m, 0.0), self._length(self._leg))

    def _along(self, pose: Pose2D, leg: int) -> float:
        start, end = self._points[leg], self._points[leg + 1]
        length_m = start.distance_to(end)
        if length_m < 1e-9:
            return 0.0
        dx, dy = (end.x_m - start.x_m) / length_m, (end.y_m - start.y_m) / length_m
        return (pose.x_m - start.x_m) * dx + (pose.y_m - start.y_m) * dy

    def _ahead(self, along_m: float) -> Point:
        """Return the point of the route at a distance from the start of the current leg, the goal at most."""
        for leg in range(self._leg, len(self._points) - 1):
            length_m = self._length(leg)
            if along_m <= length_m and length_m > 0.0:
                start, end = self._points[leg], self._points[leg + 1]
                share = along_m / length_m
                return Point(start.x_m + share * (end.x_m - start.x_m), start.y_m + share * (end.y_m - start.y_m))
            along_m -= length_m
        return self._points[-1]

    def _length(self, leg: int) -> float:
        return self._points[leg].distance_to(self._points[leg + 1])


def _lengths_left(points: Sequence[Point]) -> list[float]:
    """Return for each leg the length of the route behind its end."""
    left = [0.0]
    for start, end in zip(reversed(points[1:-1]), reversed(points[2:]), strict=True):
        left.append(left[-1] + start.distance_to(end))
    return left[::-1]
