"""Round things on the floor that the robot's map does not know. They may come and go."""

from __future__ import annotations

import numpy as np
from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent_sim.walls import Array


class Discs:
    """Upright cylinders by name: centres, shape (n, 2), and radii, shape (n,), in metres of one frame."""

    def __init__(self) -> None:
        self._discs: dict[str, tuple[float, float, float]] = {}
        self._rebuild()

    def __len__(self) -> int:
        return len(self._discs)

    def put(self, name: str, centre: Point, radius_m: float) -> None:
        """Put a disc down, or move the one of this name."""
        self._discs[name] = (centre.x_m, centre.y_m, radius_m)
        self._rebuild()

    def remove(self, name: str) -> None:
        """Take a disc away; without one of this name nothing happens."""
        self._discs.pop(name, None)
        self._rebuild()

    def nearest_m(self, point: Point | Pose2D) -> float:
        """Return the distance from a point to the nearest rim, negative inside a disc, infinite without discs."""
        gaps: Array = np.hypot(self.centres[:, 0] - point.x_m, self.centres[:, 1] - point.y_m) - self.radii_m
        return float(gaps.min(initial=np.inf))

    def ranges_m(self, sensor: Pose2D, directions: Array) -> Array:
        """
        Return where rays (unit vectors, shape (m, 2)) from a point meet the first rim, `inf` for a miss, shape (m,).

        A ray s + t * d meets the circle |p - c| = r at t = b - sqrt(b^2 - |c - s|^2 + r^2) with b = d . (c - s); from
        inside the disc it meets it at once.
        """
        offset = self.centres - (sensor.x_m, sensor.y_m)
        outside = (offset**2).sum(axis=1) - self.radii_m**2
        middle = directions @ offset.T
        with np.errstate(invalid='ignore'):
            near = middle - np.sqrt(middle**2 - outside)
        ranges: Array = np.where(near >= 0.0, near, np.inf)
        ranges[:, outside <= 0.0] = 0.0
        nearest: Array = ranges.min(axis=1, initial=np.inf)
        return nearest

    def _rebuild(self) -> None:
        values = np.asarray(list(self._discs.values()), dtype=np.float64).reshape(-1, 3)
        self.centres: Array = values[:, :2]
        self.radii_m: Array = values[:, 2]
