"""Distance to the nearest known wall, for every cell of a raster and for any point. Map frame, metres."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot import RobotDescription

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

CELL_M = 0.05
MAX_CELLS = 250_000
BORDER_M = 1.0
OPEN_BORDER_M = 5.0
FAR_M = 10.0


@dataclass(frozen=True, slots=True)
class Raster:
    """A grid over the map: row-major cells of `cell_m`, cell (0, 0) has its lower left corner at the origin."""

    origin: Point
    cell_m: float
    rows: int
    columns: int

    def cell_of(self, point: Point) -> tuple[int, int] | None:
        """Return row and column of the cell that holds a point, None outside the raster."""
        row = math.floor((point.y_m - self.origin.y_m) / self.cell_m)
        column = math.floor((point.x_m - self.origin.x_m) / self.cell_m)
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def centre(self, row: int, column: int) -> Point:
        """Return the middle of a cell."""
        x_m = self.origin.x_m + (column + 0.5) * self.cell_m
        return Point(x_m, self.origin.y_m + (row + 0.5) * self.cell_m)

    def centres(self) -> tuple[FloatArray, FloatArray]:
        """Return x and y of all cell centres, each of shape (rows, columns)."""
        x = self.origin.x_m + (np.arange(self.columns) + 0.5) * self.cell_m
        y = self.origin.y_m + (np.arange(self.rows) + 0.5) * self.cell_m
        grid_x, grid_y = np.meshgrid(x, y)
        return grid_x, grid_y


def raster_of(robot: RobotDescription) -> Raster:
    """
    Return a raster over all walls, fence corners, places and safe poses; cells grow where the map is large.

    Without a geofence the robot may go a few metres beyond all that.
    """
    points = [(x, y) for wall in robot.map.walls for x, y in (wall[:2], wall[2:])]
    points += list(robot.geofence or ())
    poses = [*robot.places.values(), *robot.safe_poses.values()]
    points += [(pose.x_m, pose.y_m) for pose in poses]
    border_m = OPEN_BORDER_M if robot.geofence is None else BORDER_M
    low, high = np.min(points, axis=0) - border_m, np.max(points, axis=0) + border_m
    width_m, height_m = (float(value) for value in high - low)
    cell_m = max(CELL_M, math.sqrt(width_m * height_m / MAX_CELLS))
    rows, columns = math.ceil(height_m / cell_m), math.ceil(width_m / cell_m)
    return Raster(Point(float(low[0]), float(low[1])), cell_m, rows, columns)


def wall_distance_m(x_m: FloatArray, y_m: FloatArray, robot: RobotDescription) -> FloatArray:
    """Return the distance of each point to the nearest wall segment, FAR_M at most. Shapes of all three are equal."""
    nearest = np.full(np.shape(x_m), FAR_M)
    for x1, y1, x2, y2 in robot.map.walls:
        along_x, along_y = x2 - x1, y2 - y1
        length2 = along_x**2 + along_y**2
        share = ((x_m - x1) * along_x + (y_m - y1) * along_y) / length2 if length2 > 0.0 else np.zeros(np.shape(x_m))
        share = np.clip(share, 0.0, 1.0)
        np.minimum(nearest, np.hypot(x1 + share * along_x - x_m, y1 + share * along_y - y_m), out=nearest)
    return nearest


def inside_fence(x_m: FloatArray, y_m: FloatArray, robot: RobotDescription) -> BoolArray:
    """Tell for each point whether it lies in the geofence (even-odd rule); always true without one."""
    inside = np.zeros(np.shape(x_m), dtype=np.bool_)
    if robot.geofence is None:
        return ~inside
    for (x1, y1), (x2, y2) in zip(robot.geofence, robot.geofence[1:] + robot.geofence[:1], strict=True):
        if y1 == y2:
            continue
        crosses = ((y1 > y_m) != (y2 > y_m)) & (x_m < (x2 - x1) * (y_m - y1) / (y2 - y1) + x1)
        inside ^= crosses
    return inside
