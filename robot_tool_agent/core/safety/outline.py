"""Distance of points from the robot's outline."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.robot import Footprint

Floats = NDArray[np.float64]


class Outline(Protocol):
    """A convex outline in base_link. `inner_m` is half its smallest width: nothing passes it unseen in such a step."""

    reach_m: float
    inner_m: float

    def distances(self, x_m: Floats, y_m: Floats) -> Floats:
        """Return the signed distance of points given in base_link, metres, negative inside; any shape of arrays."""


class Circle:
    """A round base."""

    def __init__(self, radius_m: float) -> None:
        self.reach_m = self.inner_m = radius_m

    def distances(self, x_m: Floats, y_m: Floats) -> Floats:
        """Return the signed distance of points, metres, negative inside."""
        result: Floats = np.sqrt(x_m * x_m + y_m * y_m) - self.reach_m
        return result


class Polygon:
    """A convex base. Beside a corner the distance is that to the nearer edge's line: never more than the true one."""

    def __init__(self, corners_m: Floats) -> None:
        if _area(corners_m) < 0.0:
            corners_m = corners_m[::-1]
        edges = np.roll(corners_m, -1, axis=0) - corners_m
        normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
        self._normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        self._offsets = np.sum(self._normals * corners_m, axis=1)
        self.reach_m = float(np.max(np.linalg.norm(corners_m, axis=1)))
        widths = self._offsets - np.min(self._normals @ corners_m.T, axis=1)
        self.inner_m = float(np.min(widths)) / 2.0

    def distances(self, x_m: Floats, y_m: Floats) -> Floats:
        """Return the signed distance of points, metres, negative inside."""
        result: Floats = self._normals[0, 0] * x_m + self._normals[0, 1] * y_m - self._offsets[0]
        for (normal_x, normal_y), offset in zip(self._normals[1:], self._offsets[1:], strict=True):
            np.maximum(result, normal_x * x_m + normal_y * y_m - offset, out=result)
        return result


def outline_of(footprint: Footprint) -> Outline:
    """Return the outline of a footprint; corners may be given in either sense of rotation."""
    if footprint.radius_m is not None:
        return Circle(footprint.radius_m)
    return Polygon(np.asarray(footprint.polygon_m, dtype=np.float64))


def _area(corners_m: Floats) -> float:
    following = np.roll(corners_m, -1, axis=0)
    return float(np.sum(corners_m[:, 0] * following[:, 1] - following[:, 0] * corners_m[:, 1])) / 2.0
