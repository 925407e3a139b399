"""Gripper and small objects: what is grasped, carried and let go."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.robot import Gripper
from robot_tool_agent_sim.description import ObjectConfig

_EPSILON_M = 1e-9


@dataclass(slots=True)
class Thing:
    """A small object and where it is now, map frame."""

    label: str
    width_m: float
    position: Point


@dataclass(slots=True)
class Jaw:
    """Opening of the fingers in metres, on its way to a target."""

    opening_m: float
    target_m: float
    speed_mps: float

    def advance(self, dt_s: float, stop_m: float = 0.0) -> None:
        """Move for `dt_s`; something `stop_m` wide between the fingers ends the closing."""
        step_m = self.speed_mps * dt_s
        wanted = max(self.target_m, min(stop_m, self.opening_m))
        self.opening_m += min(max(wanted - self.opening_m, -step_m), step_m)


class Hand:
    """A parallel gripper ahead of the base, and the objects it may close on."""

    def __init__(self, gripper: Gripper, objects: dict[str, ObjectConfig]) -> None:
        self.gripper = gripper
        self.jaw = Jaw(gripper.open_m, gripper.open_m, gripper.speed_mps)
        self.things = {name: Thing(item.label, item.width_m, item.point) for name, item in objects.items()}
        self.held: str | None = None
        self.picks = 0
        self.places = 0

    def command(self, opening_m: float, duration_s: float) -> None:
        """Go to an opening in `duration_s` seconds, never faster than the gripper can. Out of range is clamped."""
        self.jaw.target_m = min(max(opening_m, self.gripper.closed_m), self.gripper.open_m)
        way_m = abs(self.jaw.target_m - self.jaw.opening_m)
        slowest = way_m / duration_s if duration_s > 0.0 else self.gripper.speed_mps
        self.jaw.speed_mps = min(max(slowest, _EPSILON_M), self.gripper.speed_mps)

    def grasp_point(self, base: Pose2D) -> Point:
        """Return the point between the fingers for a pose of base_link, in the frame of that pose."""
        return base.transform_point(Point(self.gripper.reach_m, 0.0))

    def advance(self, base: Pose2D, dt_s: float, grasps: bool = True) -> None:
        """Move the fingers for `dt_s` with the base at a map pose, and grasp (unless they miss) or let go."""
        before_m = self.jaw.opening_m
        if self.held is None:
            self.jaw.advance(dt_s)
            if grasps:
                self._close_on_something(base, before_m)
            return
        thing = self.things[self.held]
        thing.position = self.grasp_point(base)
        self.jaw.advance(dt_s, thing.width_m)
        if self.jaw.opening_m > thing.width_m + _EPSILON_M:
            self.held = None
            self.places += 1

    def drop(self) -> None:
        """Lose what is held: it falls where it is."""
        self.held = None

    def nearest(self, point: Point) -> str | None:
        """Return the id of the object nearest to a point, None without objects."""
        return min(self.things, key=lambda name: self.things[name].position.distance_to(point), default=None)

    def _close_on_something(self, base: Pose2D, before_m: float) -> None:
        """Grasp the object at the grasp point if this step's closing ran past its width."""
        grasp = self.grasp_point(base)
        name = self.nearest(grasp) if self.jaw.opening_m < before_m else None
        if name is None:
            return
        thing = self.things[name]
        near = thing.position.distance_to(grasp) <= self.gripper.reach_tolerance_m
        in_front = abs(base.bearing_to(thing.position)) < 1.5
        if near and in_front and self.jaw.opening_m <= thing.width_m < before_m:
            self.jaw.opening_m = thing.width_m
            thing.position = grasp
            self.held = name
            self.picks += 1
