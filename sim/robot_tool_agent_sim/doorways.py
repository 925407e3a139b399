"""Finds the doorways of a map and fills them: the saboteur of the way."""

from __future__ import annotations

from itertools import pairwise
import math
from typing import TYPE_CHECKING

from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.fault import Fault
from robot_tool_agent_sim.walls import Segment

if TYPE_CHECKING:
    from robot_tool_agent_sim.world import World

NARROWEST_M, WIDEST_M = 0.6, 1.5
POST_RADIUS_M, POST_SPACING_M = 0.06, 0.1
KEPT_FREE_M = 0.4
_ALIGNED_M = 1e-6

Gap = tuple[Point, Point]


def doorways(walls: list[Segment]) -> list[Gap]:
    """Return the gaps between two walls in one straight line along an axis, wide enough for a door. Metres."""
    gaps = []
    for flip in (False, True):
        lines: dict[float, list[tuple[float, float]]] = {}
        for x1, y1, x2, y2 in walls:
            across, ends = ((y1, y2), (x1, x2)) if not flip else ((x1, x2), (y1, y2))
            if abs(across[0] - across[1]) < _ALIGNED_M:
                lines.setdefault(across[0], []).append((min(ends), max(ends)))
        for at_m, spans in lines.items():
            gaps += [_gap(at_m, low, high, flip) for low, high in _openings(sorted(spans))]
    return gaps


def _openings(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(left[1], right[0]) for left, right in pairwise(spans) if NARROWEST_M <= right[0] - left[1] <= WIDEST_M]


def _gap(at_m: float, low_m: float, high_m: float, flip: bool) -> Gap:
    return (Point(at_m, low_m), Point(at_m, high_m)) if flip else (Point(low_m, at_m), Point(high_m, at_m))


class DoorsShut(Fault):
    """Somebody shuts every door, but for one that the robot is about to pass or passing."""

    _NAME = 'door post'

    def started(self, world: World) -> None:
        """Shut them."""
        self._posts: list[str] = []
        for first, second in doorways(list(world.robot.map.walls)):
            middle = Point((first.x_m + second.x_m) / 2.0, (first.y_m + second.y_m) / 2.0)
            if middle.distance_to(world.pose.point) > KEPT_FREE_M + first.distance_to(second) / 2.0:
                self._shut(world, first, second)

    def _shut(self, world: World, first: Point, second: Point) -> None:
        count = math.ceil(first.distance_to(second) / POST_SPACING_M)
        for number in range(count + 1):
            share = number / count
            at = Point(first.x_m + share * (second.x_m - first.x_m), first.y_m + share * (second.y_m - first.y_m))
            self._posts.append(f'{self._NAME} {len(self._posts)}')
            world.put_obstacle(self._posts[-1], at, POST_RADIUS_M)

    def ended(self, world: World) -> None:
        """Open them again."""
        for name in self._posts:
            world.remove_obstacle(name)
