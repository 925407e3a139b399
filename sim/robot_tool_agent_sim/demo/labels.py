"""Finds a free spot for each label of a map, so that no text covers another, a path or a wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEPS = 12
DISTANCES_M = (0.0, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)
HARD, SOFT = 20.0, 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre and half sizes, metres."""

    x_m: float
    y_m: float
    half_width_m: float
    half_height_m: float

    def overlaps(self, other: Box) -> bool:
        """Tell whether two rectangles share area."""
        wide = abs(self.x_m - other.x_m) < self.half_width_m + other.half_width_m
        return wide and abs(self.y_m - other.y_m) < self.half_height_m + other.half_height_m

    def covered(self, points: Array) -> int:
        """Count the points, shape (n, 2), inside the rectangle."""
        inside = (abs(points[:, 0] - self.x_m) < self.half_width_m) & (
            abs(points[:, 1] - self.y_m) < self.half_height_m
        )
        return int(inside.sum())


@dataclass
class Placer:
    """Keeps what is taken. `bounds` is the whole map; `points` are parts of paths and walls, shape (n, 2)."""

    bounds: Box
    points: Array
    taken: list[Box] = field(default_factory=list)

    def place(self, x_m: float, y_m: float, width_m: float, height_m: float, offset: bool) -> Box:
        """Return the best place for a label that belongs to a point, and take it. `offset` keeps it off the point."""
        distances = DISTANCES_M[1:] if offset else DISTANCES_M
        found = min(self._candidates(x_m, y_m, 0.5 * width_m, 0.5 * height_m, distances), key=lambda item: item[0])[1]
        self.taken.append(found)
        return found

    def _candidates(
        self, x_m: float, y_m: float, half_width_m: float, half_height_m: float, distances: Sequence[float]
    ) -> list[tuple[float, Box]]:
        found = []
        for distance_m in distances:
            for step in range(STEPS if distance_m else 1):
                angle_rad = math.tau * step / STEPS
                # Measured from the label's edge, not its middle: long words stand as near as short ones.
                dx_m = math.cos(angle_rad) * (distance_m + (half_width_m if distance_m else 0.0))
                box = Box(x_m + dx_m, y_m + math.sin(angle_rad) * distance_m, half_width_m, half_height_m)
                found.append((self._cost(box) + distance_m * SOFT, box))
        return found

    def _cost(self, box: Box) -> float:
        clashes = sum(box.overlaps(other) for other in self.taken) + box.covered(self.points) / 3.0
        out_x_m = abs(box.x_m - self.bounds.x_m) + box.half_width_m - self.bounds.half_width_m
        out_y_m = abs(box.y_m - self.bounds.y_m) + box.half_height_m - self.bounds.half_height_m
        return HARD * (clashes + (10.0 if max(out_x_m, out_y_m) > 0.0 else 0.0))


def along(segments: Sequence[tuple[float, float, float, float]], spacing_m: float) -> Array:
    """Return points along segments x1 y1 x2 y2, shape (n, 2), so that a box can be tested against them."""
    parts = [
        np.linspace(line[:2], line[2:], max(2, math.ceil(math.dist(line[:2], line[2:]) / spacing_m)))
        for line in segments
    ]
    return np.vstack(parts) if parts else np.empty((0, 2))
