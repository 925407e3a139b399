"""The known map of one robot, ready to be asked for routes. Map frame, metres."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
import math

import numpy as np
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.navigation.clearance import (
    BoolArray,
    FloatArray,
    inside_fence,
    raster_of,
    wall_distance_m,
)
from robot_tool_agent.core.navigation.search import Cell, cheapest_cells
from robot_tool_agent.core.robot import RobotDescription

COMFORT_M = 0.35
CROWDING_COST = 4.0
ESCAPE_M = 0.8
MIN_ESCAPE_CLEARANCE_M = 0.05
SHORTCUT_GAIN = 1.01
MAX_CACHED = 8
SAME_START_M = 0.02


@dataclass(frozen=True, slots=True)
class Route:
    """Corner points from start to goal, or why there are none."""

    points: tuple[Point, ...] = ()
    problem: str = ''

    @property
    def length_m(self) -> float:
        """Length along the points."""
        return sum(a.distance_to(b) for a, b in pairwise(self.points))


class HouseMap:
    """Clearance and cost of every cell, computed once. A base centre may stand where the footprint and margin fit."""

    def __init__(self, robot: RobotDescription) -> None:
        self.robot = robot
        self.raster = raster_of(robot)
        x, y = self.raster.centres()
        self._clearance = wall_distance_m(x, y, robot)
        self._allowed = _without_border(inside_fence(x, y, robot))
        stop_m = robot.footprint.circumscribed_m + robot.limits.stop_distance_m
        self.stand_m = stop_m
        self.drive_m = stop_m + self.raster.cell_m  # no wall fits between two cells this far from all walls
        self._free = self._allowed & (self._clearance >= self.drive_m)
        crowding = np.clip((self.drive_m + COMFORT_M - self._clearance) / COMFORT_M, 0.0, 1.0)
        self._recent: deque[tuple[Point, Point, Route]] = deque(maxlen=MAX_CACHED)
        self._weight = 1.0 + CROWDING_COST * crowding

    def clearance_m(self, point: Point) -> float:
        """Return the exact distance of a point to the nearest known wall, FAR_M at most."""
        return float(wall_distance_m(np.array([point.x_m]), np.array([point.y_m]), self.robot)[0])

    def segment_clearance_m(self, start: Point, end: Point) -> float:
        """Return the least clearance along a straight line, sampled every half cell; zero outside the geofence."""
        x, y = _sampled(start, end, self.raster.cell_m)
        if not inside_fence(x, y, self.robot).all():
            return 0.0
        return float(wall_distance_m(x, y, self.robot).min())

    def route(self, start: Point, goal: Point) -> Route:
        """
        Return the cheapest way, which prefers the middle of doors and rooms to the walls.

        A way found lately is used again from a start that differs by sensor noise only: a call is checked, then begun.
        """
        for first, last, route in self._recent:
            if last == goal and first.distance_to(start) <= SAME_START_M and len(route.points) > 1:
                return Route((start, *route.points[1:]))
        route = self._search(start, goal)
        self._recent.append((start, goal, route))
        return route

    def _search(self, start: Point, goal: Point) -> Route:
        start_cell, goal_cell = self.raster.cell_of(start), self.raster.cell_of(goal)
        problem = self.goal_problem(goal) or self._start_problem(start)
        if problem or start_cell is None or goal_cell is None:
            return Route(problem=problem)
        free = self._free | self._escape(start, start_cell) | self._escape(goal, goal_cell)
        cells = cheapest_cells(free, self._weight, start_cell, goal_cell)
        if cells is None:
            return Route(problem=f'no way from {_text(start)} to {_text(goal)} that is wide enough for the robot')
        inner = [self.raster.centre(*cell) for cell in _turns(cells)[1:-1]]
        return Route(tuple(self._pulled_tight([start, *inner, goal], free)))

    def goal_problem(self, goal: Point) -> str:
        """Return why the base cannot stand at a point, an empty text if it can."""
        if self.raster.cell_of(goal) is None or not self.robot.inside_geofence(goal):
            return f'{_text(goal)} is outside the area the robot may use'
        clearance_m = self.clearance_m(goal)
        if clearance_m < self.stand_m:
            return f'{_text(goal)} is {clearance_m:.2f} m from a wall, the robot needs {self.stand_m:.2f} m'
        return ''

    def _start_problem(self, start: Point) -> str:
        """Return why no way can begin at a point: on a wall nobody knows on which side of it the robot is."""
        if self.raster.cell_of(start) is None:
            return f'the robot at {_text(start)} is outside the known map'
        if self.clearance_m(start) < MIN_ESCAPE_CLEARANCE_M:
            return f'the robot at {_text(start)} seems to stand on a known wall; check its localization'
        return ''

    def _escape(self, point: Point, cell: Cell) -> BoolArray:
        """
        Return the cells round a point that stands too close to a wall by which it may be left or reached.

        They are no closer to a wall than the point itself, so leaving never means going nearer.
        """
        reach = math.ceil(ESCAPE_M / self.raster.cell_m)
        rows = slice(max(0, cell[0] - reach), cell[0] + reach + 1)
        columns = slice(max(0, cell[1] - reach), cell[1] + reach + 1)
        cell_m = self.raster.cell_m
        least_m = max(MIN_ESCAPE_CLEARANCE_M, cell_m, min(self.clearance_m(point) - cell_m, self.drive_m))
        near = np.zeros_like(self._free)
        near[rows, columns] = self._allowed[rows, columns] & (self._clearance[rows, columns] >= least_m)
        near[cell] = True
        return _without_border(near)

    def _pulled_tight(self, points: list[Point], free: BoolArray) -> list[Point]:
        """Leave out corners where the straight line costs no more than the way round."""
        legs = [self._cost(a, b, free) for a, b in pairwise(points)]
        kept, at = [points[0]], 0
        while at < len(points) - 1:
            to = len(points) - 1
            while to > at + 1 and self._cost(points[at], points[to], free) > SHORTCUT_GAIN * sum(legs[at:to]):
                to -= 1
            kept.append(points[to])
            at = to
        return kept

    def _cost(self, start: Point, end: Point, free: BoolArray) -> float:
        """Return the cost of a straight line, infinite where it leaves the free cells."""
        x, y = _sampled(start, end, self.raster.cell_m)
        rows = ((y - self.raster.origin.y_m) / self.raster.cell_m).astype(np.intp)
        columns = ((x - self.raster.origin.x_m) / self.raster.cell_m).astype(np.intp)
        if not free[rows, columns].all():
            return math.inf
        return float(self._weight[rows, columns].mean()) * start.distance_to(end)


def house_map(robot: RobotDescription) -> HouseMap:
    """Return the map of a robot description, built at its first use."""
    known = _MAPS.get(id(robot))
    if known is None or known.robot is not robot:
        while len(_MAPS) >= MAX_CACHED:
            _MAPS.pop(next(iter(_MAPS)))
        known = _MAPS[id(robot)] = HouseMap(robot)
    return known


_MAPS: dict[int, HouseMap] = {}


def _without_border(cells: BoolArray) -> BoolArray:
    """Block the outermost cells, so that a neighbour of a free cell is always in the raster."""
    cells[[0, -1], :] = False
    cells[:, [0, -1]] = False
    return cells


def _turns(cells: list[Cell]) -> list[Cell]:
    """Return the cells where the direction changes, with both ends."""
    inner = [
        here
        for before, here, after in zip(cells, cells[1:], cells[2:], strict=False)
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1])
    ]
    return [cells[0], *inner, cells[-1]]


def _sampled(start: Point, end: Point, cell_m: float) -> tuple[FloatArray, FloatArray]:
    count = max(2, math.ceil(2.0 * start.distance_to(end) / cell_m) + 1)
    return np.linspace(start.x_m, end.x_m, count), np.linspace(start.y_m, end.y_m, count)


def _text(point: Point) -> str:
    return f'({point.x_m:.2f}, {point.y_m:.2f})'
