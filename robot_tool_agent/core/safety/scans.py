"""A scan as obstacle points round the robot, and which directions it covers."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.outline import Outline, outline_of
from robot_tool_agent.core.samples import ScanSample

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]

MASK_DEPTH_M = 0.01
SECTOR_RAD = 0.5
MIN_SECTOR_USABLE = 0.8
# Rays further apart than this (5.7 degrees) would let a leg pass between them.
MAX_INCREMENT_RAD = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """Points in base_link at the time of the scan (m), and whether the way ahead and the way behind were seen."""

    x_m: Floats
    y_m: Floats
    front_covered: bool
    rear_covered: bool

    def covers(self, direction: float) -> bool:
        """Tell whether the way ahead (direction > 0) or behind was seen."""
        return self.front_covered if direction > 0.0 else self.rear_covered


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """What depends only on the geometry of the scan: unit vectors in base_link, the rays of the sectors of travel."""

    cos: Floats
    sin: Floats
    front: Indices
    rear: Indices
    sector_rays: float


class ScanReader:
    """
    Turns scans into obstacles within `reach_m` of base_link.

    REP 117: +inf is no return, -inf is closer than the sensor can measure, NaN is no measurement. The robot's own
    outline is masked to MASK_DEPTH_M inside it, so that what touches the robot stays in sight. `refusal` says why the
    last scan was none, empty if it was one.
    """

    def __init__(self, robot: RobotDescription, reach_m: float) -> None:
        self._needed_m = needed_sight_m(robot)
        self.refusal = ''
        self._mount = robot.frames.scan_pose.pose
        self._outline: Outline = outline_of(robot.footprint)
        self._reach_m = reach_m
        self._geometry: tuple[int, float, float] | None = None
        self._rays: _Rays | None = None

    def read(self, scan: ScanSample) -> Obstacles | None:
        """Return the obstacles of a scan, None if it is nonsense or sees neither the way ahead nor the way behind."""
        rays = self._rays_of(scan)
        self.refusal = self._refuse(scan, rays)
        if rays is None or self.refusal:
            return None
        ranges = scan.ranges_m
        touching = ranges == -math.inf
        free = ranges > scan.range_max_m
        hit = (ranges >= scan.range_min_m) & ~free
        usable = hit | free | touching
        front, rear = self._covered(usable, rays.front, rays), self._covered(usable, rays.rear, rays)
        if not (front or rear):
            self.refusal = 'the rays ahead and behind measured nothing'
            return None
        points = self._points(rays, np.where(touching, scan.range_min_m, ranges), hit | touching)
        return Obstacles(*points, front, rear)

    def _refuse(self, scan: ScanSample, rays: _Rays | None) -> str:
        if rays is None:
            return 'its angles make no sense'
        if not (0.0 <= scan.range_min_m < scan.range_max_m < math.inf):
            return f'its ranges {scan.range_min_m:g} to {scan.range_max_m:g} m make no sense'
        if scan.range_max_m < self._needed_m:
            return f'it sees {scan.range_max_m:g} m far and the robot needs {self._needed_m:.2f} m to stop'
        return ''

    def _points(self, rays: _Rays, ranges: Floats, hit: Bools) -> tuple[Floats, Floats]:
        near = (hit & (ranges <= self._reach_m)).nonzero()[0]
        near_m = ranges[near]
        x_m = self._mount.x_m + near_m * rays.cos[near]
        y_m = self._mount.y_m + near_m * rays.sin[near]
        outside = self._outline.distances(x_m, y_m) > -MASK_DEPTH_M
        return x_m[outside], y_m[outside]

    @staticmethod
    def _covered(usable: Bools, sector: Indices, rays: _Rays) -> bool:
        return float(np.count_nonzero(usable[sector])) >= MIN_SECTOR_USABLE * rays.sector_rays

    def _rays_of(self, scan: ScanSample) -> _Rays | None:
        geometry = (scan.ranges_m.size, scan.angle_min_rad, scan.angle_increment_rad)
        if geometry != self._geometry:
            self._geometry = geometry
            self._rays = _make_rays(*geometry, self._mount)
        return self._rays


def needed_sight_m(robot: RobotDescription) -> float:
    """Return how far the range sensor must see: outline, stop distance, and the way of a stop from full speed, m."""
    limits = robot.limits
    top_mps = max(limits.max_speed_mps, limits.max_reverse_mps)
    way_m = top_mps * limits.latency_s + top_mps**2 / (2.0 * limits.max_decel_mps2)
    mount = robot.frames.scan_pose
    return outline_of(robot.footprint).reach_m + math.hypot(mount.x_m, mount.y_m) + limits.stop_distance_m + way_m


def _make_rays(count: int, angle_min_rad: float, increment_rad: float, mount: Pose2D) -> _Rays | None:
    if not (math.isfinite(angle_min_rad) and 1e-6 < abs(increment_rad) <= MAX_INCREMENT_RAD):
        return None
    if count == 0 or (count - 2) * abs(increment_rad) > math.tau:
        return None
    angles = mount.yaw_rad + angle_min_rad + increment_rad * np.arange(count)
    return _Rays(
        np.cos(angles),
        np.sin(angles),
        np.flatnonzero(np.cos(angles) >= math.cos(SECTOR_RAD)),
        np.flatnonzero(np.cos(angles) <= -math.cos(SECTOR_RAD)),
        2.0 * SECTOR_RAD / abs(increment_rad),
    )
