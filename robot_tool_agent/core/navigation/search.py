"""Cheapest way over a raster: A* on eight neighbours that cuts no corner (Hart, Nilsson and Raphael, 1968)."""

from __future__ import annotations

import heapq
import math

import numpy as np
from robot_tool_agent.core.navigation.clearance import BoolArray, FloatArray

Cell = tuple[int, int]
HALF_DIAGONAL = 0.5 * math.sqrt(2.0)


def cheapest_cells(free: BoolArray, weight: FloatArray, start: Cell, goal: Cell) -> list[Cell] | None:
    """
    Return the cells from start to goal, both included, or None if there is no way.

    `weight` (at least 1) is the cost of a cell per cell of length; the border of `free` must be blocked. The octile
    distance never exceeds the true cost, so the way found is the cheapest.
    """
    columns = free.shape[1]
    open_cells, costs = free.ravel().tolist(), weight.ravel().tolist()
    source, target = start[0] * columns + start[1], goal[0] * columns + goal[1]
    if not (open_cells[source] and open_cells[target]):
        return None
    estimate = _octile(free.shape, goal).ravel().tolist()
    parents = _search(open_cells, costs, estimate, columns, source, target)
    return None if parents is None else _trace(parents, target, columns)


def _search(
    free: list[bool], weight: list[float], estimate: list[float], columns: int, source: int, target: int
) -> dict[int, int] | None:
    """Return the parent of every cell that was reached, None if the target was not."""
    best = {source: 0.0}
    parents = {source: source}
    queue = [(estimate[source], source)]
    closed = bytearray(len(free))
    push, pop, far = heapq.heappush, heapq.heappop, math.inf
    while queue:
        cell = pop(queue)[1]
        if cell == target:
            return parents
        if closed[cell]:
            continue
        closed[cell] = 1
        here, cost = best[cell], weight[cell]
        for other, half in _steps(free, cell, columns):
            if closed[other]:
                continue
            total = here + half * (cost + weight[other])
            if total < best.get(other, far):
                best[other] = total
                parents[other] = cell
                push(queue, (total + estimate[other], other))
    return None


def _steps(free: list[bool], cell: int, columns: int) -> list[tuple[int, float]]:
    """Return the free neighbours with half their distance in cells; a diagonal needs both cells beside it free."""
    steps = [(cell + step, 0.5) for step in (1, -1, columns, -columns) if free[cell + step]]
    for side in (1, -1):
        if not free[cell + side]:
            continue
        for over in (columns, -columns):
            if free[cell + over] and free[cell + side + over]:
                steps.append((cell + side + over, HALF_DIAGONAL))
    return steps


def _octile(shape: tuple[int, ...], goal: Cell) -> FloatArray:
    rows = np.abs(np.arange(shape[0]) - goal[0])[:, None]
    columns = np.abs(np.arange(shape[1]) - goal[1])[None, :]
    return np.asarray(np.maximum(rows, columns) + (math.sqrt(2.0) - 1.0) * np.minimum(rows, columns), dtype=np.float64)


def _trace(parents: dict[int, int], target: int, columns: int) -> list[Cell]:
    cells = [target]
    while parents[cells[-1]] != cells[-1]:
        cells.append(parents[cells[-1]])
    return [divmod(cell, columns) for cell in reversed(cells)]
