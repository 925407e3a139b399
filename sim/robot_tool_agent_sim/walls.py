"""Wall segments as arrays, with the few questions the simulator asks them."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Point, Pose2D

Array = NDArray[np.float64]
Segment = tuple[float, float, float, float]
CAP_M = 0.08
_JOINED_M = 1e-6


class Walls:
    """Segments x1 y1 x2 y2 in metres of one frame. Vectors from first to second end are computed once."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        ends = np.asarray(segments, dtype=np.float64).reshape(-1, 4)
        self.start: Array = ends[:, :2].copy()
        self.along: Array = ends[:, 2:] - ends[:, :2]
        self._length_squared = np.maximum((self.along**2).sum(axis=1), 1e-18)

    def __len__(self) -> int:
        return len(self.start)

    @property
    def end(self) -> Array:
        """Second ends, shape (n, 2)."""
        return self.start + self.along

    def distances_m(self, point: Point | Pose2D) -> Array:
        """Return the distance from a point to each segment, shape (n,)."""
        offset = np.array((point.x_m, point.y_m)) - self.start
        share = np.clip((offset * self.along).sum(axis=1) / self._length_squared, 0.0, 1.0)
        gap = offset - share[:, None] * self.along
        distances: Array = np.hypot(gap[:, 0], gap[:, 1])
        return distances

    def nearest_m(self, point: Point | Pose2D) -> float:
        """Return the distance from a point to the nearest segment, infinite without segments."""
        return float(self.distances_m(point).min(initial=np.inf))

    def crossed_by(self, first: Point, second: Point) -> NDArray[np.bool_]:
        """Tell for each segment whether the straight line between two points crosses or touches it, shape (n,)."""
        line = np.array((second.x_m - first.x_m, second.y_m - first.y_m))
        crossed: NDArray[np.bool_] = self.crossed_by_lines(np.array([[first.x_m, first.y_m]]), line[None])[0]
        return crossed

    def crossed_by_lines(self, starts: Array, lines: Array) -> NDArray[np.bool_]:
        """Tell which of m lines (start and vector, shape (m, 2)) cross which segment, shape (m, n); parallel: no."""
        offset = self.start[None] - starts[:, None]
        slope = cross(lines[:, None], self.along[None])
        with np.errstate(divide='ignore', invalid='ignore'):
            on_line = cross(offset, self.along[None]) / slope
            on_wall = cross(offset, lines[:, None]) / slope
        crossed: NDArray[np.bool_] = (slope != 0.0) & _within_0_and_1(on_line) & _within_0_and_1(on_wall)
        return crossed


def with_capped_ends(segments: Sequence[Segment]) -> list[Segment]:
    """
    Return walls and, across each end that meets no other wall, a short segment: real walls are as thick as CAP_M.

    A wall without thickness cannot be seen end-on: a range sensor in a doorway would look past both jambs.
    """
    caps = []
    for index, (x1, y1, x2, y2) in enumerate(segments):
        others = Walls([*segments[:index], *segments[index + 1:]])
        length_m = math.hypot(x2 - x1, y2 - y1)
        if length_m < _JOINED_M:
            continue
        across_x, across_y = 0.5 * CAP_M * (y1 - y2) / length_m, 0.5 * CAP_M * (x2 - x1) / length_m
        free = [end for end in ((x1, y1), (x2, y2)) if others.nearest_m(Point(*end)) > _JOINED_M]
        caps += [(x - across_x, y - across_y, x + across_x, y + across_y) for x, y in free]
    return [*segments, *caps]


def _within_0_and_1(share: Array) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (share >= 0.0) & (share <= 1.0)
    return inside


def cross(first: Array, second: Array) -> Array:
    """Return the z component of the cross product of planar vectors, over the last axis."""
    product: Array = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product
