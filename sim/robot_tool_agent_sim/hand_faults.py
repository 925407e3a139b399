"""Saboteurs of the grasp: the hand loses, misses or lies, or the object is no longer where it was seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.samples import JointSample, Sample
from robot_tool_agent_sim.fault import Fault

if TYPE_CHECKING:
    from robot_tool_agent_sim.hand import Hand
    from robot_tool_agent_sim.world import World

NEAR_M = 0.25
MOVED_M = 0.4


class GripperSlips(Fault):
    """A grasp holds for a moment; the object falls when the base backs off, or after HOLD_S."""

    HOLD_S = 0.3
    _BACKWARDS_MPS = -0.001

    def __init__(self) -> None:
        self._held_for_s = 0.0

    def stepped(self, world: World, dt_s: float) -> None:
        """Let the object fall when its time is up."""
        if world.hand is None or world.hand.held is None:
            self._held_for_s = 0.0
            return
        self._held_for_s += dt_s
        if self._held_for_s >= self.HOLD_S - 1e-9 or world.twist.v_mps < self._BACKWARDS_MPS:
            world.hand.drop()


class DropsOnTheWay(Fault):
    """What the gripper holds falls once the base has carried it CARRIED_M."""

    CARRIED_M = 1.0

    def __init__(self) -> None:
        self._carried_m = 0.0

    def stepped(self, world: World, dt_s: float) -> None:
        """Let it fall when it has been carried far enough."""
        if world.hand is None or world.hand.held is None:
            self._carried_m = 0.0
            return
        self._carried_m += abs(world.twist.v_mps) * dt_s
        if self._carried_m >= self.CARRIED_M:
            world.hand.drop()


class GripperLies(Fault):
    """The fingers miss every object, yet closed and empty they report that something is between them."""

    grasps = False

    def started(self, world: World) -> None:
        """Take note of the hand."""
        self._hand = world.hand

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Report an opening at which something would be held."""
        hand = self._hand
        if not isinstance(sample, JointSample) or hand is None or hand.held is not None:
            return sample
        gripper = hand.gripper
        claimed_m = 0.5 * (gripper.hold_min_m + gripper.open_m - 0.5 * gripper.hold_min_m)
        return replace(
            sample, positions={**sample.positions, gripper.joint: max(claimed_m, sample.positions[gripper.joint])}
        )


class _WhenNear(Fault):
    """Something happens once to the first object that the open hand comes near."""

    def __init__(self) -> None:
        self._done = False

    def stepped(self, world: World, dt_s: float) -> None:
        """Strike as soon as the grasp point is within NEAR_M of an object."""
        hand = world.hand
        if self._done or hand is None or hand.held is not None:
            return
        grasp = hand.grasp_point(world.pose)
        name = hand.nearest(grasp)
        if name is not None and hand.things[name].position.distance_to(grasp) <= NEAR_M:
            self._done = True
            self.strike(world, hand, name)

    def strike(self, world: World, hand: Hand, name: str) -> None:
        """Do it."""
        raise NotImplementedError


class ObjectMoved(_WhenNear):
    """Somebody moves the object MOVED_M aside as the hand comes near: to the robot's left, or right of a wall there."""

    def strike(self, world: World, hand: Hand, name: str) -> None:
        """Move it."""
        thing = hand.things[name]
        at = Pose2D(thing.position.x_m, thing.position.y_m, world.pose.yaw_rad)
        sides = [at.transform_point(Point(0.0, way_m)) for way_m in (MOVED_M, -MOVED_M)]
        thing.position = next((side for side in sides if not world.wall_between(at.point, side)), thing.position)


class ObjectRemoved(_WhenNear):
    """Somebody takes the object away as the hand comes near."""

    def strike(self, world: World, hand: Hand, name: str) -> None:
        """Take it."""
        del hand.things[name]
