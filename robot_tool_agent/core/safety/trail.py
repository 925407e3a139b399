"""The way the robot came, in odom: the only way it will go back by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Pose2D

Floats = NDArray[np.float64]

LOOP_RADIUS_M = 0.08
RECENT_POINTS = 4
DEFAULT_GAP_M = 0.5


class Trail:
    """
    Positions every `spacing_m`, at most `length_m` of way. A step wider than `gap_m` breaks it.

    A loop is cut out as soon as it closes, so that driving to and fro, and going back itself, shorten the trail.
    """

    def __init__(self, spacing_m: float, length_m: float, gap_m: float = DEFAULT_GAP_M) -> None:
        self._spacing_m = spacing_m
        self._gap_m = spacing_m + gap_m
        self._limit = max(2, round(length_m / spacing_m))
        self._points: Floats = np.empty((self._limit, 2), dtype=np.float64)
        self._count = 0

    def record(self, pose: Pose2D) -> None:
        """Take the robot's pose. Too wide a gap voids the trail: nobody knows what lies in it."""
        here = np.array((pose.x_m, pose.y_m))
        if self._count:
            gap_m = float(np.linalg.norm(here - self._points[self._count - 1]))
            if gap_m < self._spacing_m:
                return
            if gap_m > self._gap_m:
                self.void()
        self._cut_loop(here)
        self._append(here)

    def void(self) -> None:
        """Forget the way: odometry jumped."""
        self._count = 0

    def points(self) -> Floats:
        """Return the trail, oldest first, shape (n, 2), metres in odom."""
        trail: Floats = self._points[: self._count].copy()
        return trail

    def _cut_loop(self, here: Floats) -> None:
        older = self._count - RECENT_POINTS
        if older <= 0:
            return
        close = np.flatnonzero(np.sum((self._points[:older] - here) ** 2, axis=1) < LOOP_RADIUS_M**2)
        if close.size:
            self._count = int(close[0]) + 1

    def _append(self, here: Floats) -> None:
        if self._count == self._limit:
            drop = max(1, self._limit // 10)
            self._points[: self._limit - drop] = self._points[drop:].copy()
            self._count -= drop
        self._points[self._count] = here
        self._count += 1
