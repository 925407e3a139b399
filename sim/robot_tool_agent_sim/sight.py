"""Which objects the robot's detector sees."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.samples import SeenObject
from robot_tool_agent_sim.hand import Thing
from robot_tool_agent_sim.walls import Walls

RANGE_M = 2.5
HALF_ANGLE_RAD = math.radians(75.0)
FURNITURE_M = 0.3


class Detector:
    """Looks ahead of base_link. Walls hide what is behind them; the edge of the furniture under an object does not."""

    def __init__(self, walls: Walls) -> None:
        self._walls = walls

    def seen(self, base: Pose2D, things: dict[str, Thing], held: str | None) -> tuple[SeenObject, ...]:
        """Return the objects seen from a map pose, in the map frame. A held one is always seen."""
        return tuple(
            SeenObject(name, thing.label, thing.position, _confidence(base.distance_to(thing.position)))
            for name, thing in things.items()
            if name == held or self._sees(base, thing.position)
        )

    def _sees(self, base: Pose2D, point: Point) -> bool:
        if base.distance_to(point) > RANGE_M or abs(base.bearing_to(point)) > HALF_ANGLE_RAD:
            return False
        hiding = self._walls.crossed_by(base.point, point) & (self._walls.distances_m(point) > FURNITURE_M)
        return not hiding.any()


def _confidence(distance_m: float) -> float:
    """Return a confidence that falls from 1.0 at the robot to 0.8 at the end of the range."""
    return 1.0 - 0.2 * min(distance_m / RANGE_M, 1.0)
