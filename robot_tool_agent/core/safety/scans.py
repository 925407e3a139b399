"""A scan as obstacle points round the robot, and which directions it covers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.outline import Outline, outline_of
from robot_tool_agent.core.samples import ScanSample

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MASK_DEPTH_M = 0.01
MIN_USABLE = 0.5
SECTOR_RAD = 0.5
MIN_SECTOR_USABLE = 0.8


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
    """What depends only on the geometry of the scan: unit vectors in base_link and the two sectors of travel."""

    cos: Floats
    sin: Floats
    front: Bools
    rear: Bools
    sector_rays: float


class ScanReader:
    """Turns scans into obstacles within `reach_m` of base_link.

    REP 117: +inf is no return, -inf is closer than the sensor can measure, NaN is no measurement. The robot's own
    outline is masked to MASK_DEPTH_M inside it, so that what touches the robot stays in sight.
    """

    def __init__(self, robot: RobotDescription, reach_m: float) -> None:
        self._mount = robot.frames.scan_pose.pose
        self._outline: Outline = outline_of(robot.footprint)
        self._reach_m = reach_m
        self._geometry: tuple[int, float, float] | None = None
        self._rays: _Rays | None = None

    def read(self, scan: ScanSample) -> Obstacles | None:
        """Return the obstacles of a scan, None if fewer than half of its rays measured anything."""
        rays = self._rays_of(scan)
        ranges = scan.ranges_m
        touching = np.isneginf(ranges)
        free = ranges > scan.range_max_m
        hit = (ranges >= scan.range_min_m) & ~free
        usable = hit | free | touching
        if rays is None or np.count_nonzero(usable) < MIN_USABLE * ranges.size:
            return None
        points = self._points(rays, np.where(touching, scan.range_min_m, ranges), hit | touching)
        return Obstacles(*points, self._covered(usable, rays.front, rays), self._covered(usable, rays.rear, rays))

    def _points(self, rays: _Rays, ranges: Floats, hit: Bools) -> tuple[Floats, Floats]:
        near = np.flatnonzero(hit & (ranges <= self._reach_m))
        x_m = self._mount.x_m + ranges[near] * rays.cos[near]
        y_m = self._mount.y_m + ranges[near] * rays.sin[near]
        outside = self._outline.distances(x_m, y_m) > -MASK_DEPTH_M
        return x_m[outside], y_m[outside]

    @staticmethod
    def _covered(usable: Bools, sector: Bools, rays: _Rays) -> bool:
        return float(np.count_nonzero(usable & sector)) >= MIN_SECTOR_USABLE * rays.sector_rays

    def _rays_of(self, scan: ScanSample) -> _Rays | None:
        geometry = (scan.ranges_m.size, scan.angle_min_rad, scan.angle_increment_rad)
        if geometry != self._geometry:
            self._geometry = geometry
            self._rays = _make_rays(*geometry, self._mount)
        return self._rays


def _make_rays(count: int, angle_min_rad: float, increment_rad: float, mount: Pose2D) -> _Rays | None:
    usable = count > 0 and math.isfinite(angle_min_rad) and math.isfinite(increment_rad) and abs(increment_rad) > 1e-6
    if not usable:
        return None
    angles = mount.yaw_rad + angle_min_rad + increment_rad * np.arange(count)
    return _Rays(
        np.cos(angles),
        np.sin(angles),
        np.cos(angles) >= math.cos(SECTOR_RAD),
        np.cos(angles) <= -math.cos(SECTOR_RAD),
        2.0 * SECTOR_RAD / abs(increment_rad),
    )
