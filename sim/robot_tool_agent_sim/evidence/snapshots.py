"""What was true in the last second: claims are compared with it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent_sim.sight import Detector
from robot_tool_agent_sim.walls import Walls
from robot_tool_agent_sim.world import World

EVERY_S = 0.1
KEPT_S = 1.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The truth at a moment, map frame."""

    at_s: float
    pose: Pose2D
    held: str | None
    objects: dict[str, Point]
    seen: frozenset[str]


class Snapshots:
    """Takes a snapshot every EVERY_S and keeps those of the last KEPT_S."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._detector = Detector(Walls(world.robot.map.walls))
        self._kept: deque[Snapshot] = deque()

    def look(self) -> None:
        """Take one if it is time."""
        now_s = self._world.now_s
        if not self._kept or now_s - self._kept[-1].at_s >= EVERY_S - 1e-9:
            self._kept.append(self.take())
            while self._kept[0].at_s < now_s - KEPT_S:
                self._kept.popleft()

    def take(self) -> Snapshot:
        """Return the truth of now."""
        world = self._world
        held = None if world.hand is None else world.hand.held
        seen = frozenset(item.id for item in self._detector.seen(world.pose, world.things, held))
        return Snapshot(world.now_s, world.pose, held, world.object_positions(), seen)

    def recent(self) -> list[Snapshot]:
        """Return the last second and now."""
        return [*self._kept, self.take()]
