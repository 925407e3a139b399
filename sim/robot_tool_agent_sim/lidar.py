"""A planar range sensor that turns once round."""

from __future__ import annotations

import math

import numpy as np
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.obstacles import Discs
from robot_tool_agent_sim.walls import Array, cross, Walls

RAYS = 360
RANGE_MIN_M = 0.05
RANGE_MAX_M = 10.0
ANGLE_MIN_RAD = -math.pi
ANGLE_INCREMENT_RAD = math.tau / RAYS


class Lidar:
    """Casts all rays of one scan at once against fixed walls and discs that may change."""

    def __init__(self, walls: Walls, discs: Discs | None = None) -> None:
        self._walls = walls
        self._discs = Discs() if discs is None else discs
        self._angles = ANGLE_MIN_RAD + ANGLE_INCREMENT_RAD * np.arange(RAYS)
        self._last: tuple[Pose2D, Array, Array] | None = None

    def ranges_m(self, sensor: Pose2D) -> Array:
        """
        Return one range a ray, first at ANGLE_MIN_RAD, seen from a sensor pose in the walls' frame, shape (RAYS,).

        `inf` where nothing is within RANGE_MAX_M. A ray start + t * direction meets a wall at
        t = (offset x along) / (direction x along) if the share of the wall, (offset x direction) / (direction x along),
        lies in [0, 1].
        """
        last, centres = self._last, self._discs.centres
        if last is None or last[0] != sensor or last[1] is not centres:  # a change of discs makes new arrays
            self._last = last = sensor, centres, self._cast(sensor)
        ranges: Array = last[2].copy()
        return ranges

    def _cast(self, sensor: Pose2D) -> Array:
        angles = self._angles + sensor.yaw_rad
        cos, sin = np.cos(angles), np.sin(angles)
        along = self._walls.along
        offset = self._walls.start - (sensor.x_m, sensor.y_m)
        slope = np.multiply.outer(along[:, 1], cos) - np.multiply.outer(along[:, 0], sin)
        with np.errstate(divide='ignore', over='ignore', invalid='ignore'):
            inverse = 1.0 / slope
            share = (np.multiply.outer(offset[:, 0], sin) - np.multiply.outer(offset[:, 1], cos)) * inverse
            distance = cross(offset, along)[:, None] * inverse
        # What lies outside a wall, or behind, is no hit. A comparison with NaN (a parallel ray) is false.
        hit = (np.abs(share - 0.5) <= 0.5 + 1e-9) & (distance >= 0.0)
        ranges: Array = np.where(hit, distance, np.inf).min(axis=0, initial=np.inf)
        if len(self._discs):
            ranges = np.minimum(ranges, self._discs.ranges_m(sensor, np.stack((cos, sin), axis=1)))
        ranges[ranges > RANGE_MAX_M] = np.inf
        return ranges
