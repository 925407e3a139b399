"""Saboteurs of wheels, arm and way: motion that does not happen, is not asked for or does not end, and obstacles."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
import math
from typing import TYPE_CHECKING

from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.samples import JointSample, Sample
from robot_tool_agent_sim.fault import Fault

if TYPE_CHECKING:
    from robot_tool_agent_sim.world import World

CREEP_MPS = 0.1
SLOW_SHARE = 0.5
RUN_ON_S = 3.0
OVERRUN_RAD = 0.1
CARRIED_M = 1.0


class WheelsStuck(Fault):
    """The base does not move whatever is commanded, and odometry says so."""

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Stand still."""
        return ZERO_TWIST

    def stepped(self, world: World, dt_s: float) -> None:
        """Keep the wheels from spinning up."""
        world.wheels.twist = ZERO_TWIST


class SlowWheels(Fault):
    """The wheels reach half of what is commanded, and odometry says so."""

    def wanted(self, target: Twist2D, now_s: float) -> Twist2D:
        """Go for less."""
        return target.scaled(SLOW_SHARE)


class WheelsSlip(Fault):
    """The base comes SLOW_SHARE of the way that the wheels turn; odometry counts the wheels."""

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Lose some of the way."""
        return wheels.scaled(SLOW_SHARE)

    def reported_motion(self, wheels: Twist2D, rolled: Twist2D) -> Twist2D:
        """Count turns of the wheels."""
        return wheels


class MovesAlone(Fault):
    """The base creeps ahead while nothing else is commanded."""

    def wanted(self, target: Twist2D, now_s: float) -> Twist2D:
        """Creep."""
        return Twist2D(CREEP_MPS, 0.0) if target.is_zero() else target


class CarriedAway(Fault):
    """Somebody lifts the base and puts it down CARRIED_M to its left; the wheels notice nothing."""

    def started(self, world: World) -> None:
        """Carry it."""
        world.carry(Pose2D(0.0, CARRIED_M, 0.0))


class IgnoresStop(Fault):
    """The wheels run on for RUN_ON_S after a stop, with the fastest command of the braking that led to it."""

    _BRAKING_S = 0.5

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Twist2D]] = deque()
        self._stopped_s: float | None = None
        self._kept = ZERO_TWIST

    def wanted(self, target: Twist2D, now_s: float) -> Twist2D:
        """Obey all but zero."""
        while self._recent and self._recent[0][0] < now_s - self._BRAKING_S:
            self._recent.popleft()
        if not target.is_zero():
            self._recent.append((now_s, target))
            self._stopped_s = None
            return target
        if self._stopped_s is None:
            self._stopped_s = now_s
            commands = [twist for _, twist in self._recent]
            self._kept = max(commands, key=lambda twist: (abs(twist.v_mps), abs(twist.w_radps)), default=ZERO_TWIST)
        return self._kept if now_s < self._stopped_s + RUN_ON_S - 1e-9 else ZERO_TWIST


class MotionLies(Fault):
    """Actuators are dead, yet odometry and joints report what was commanded. Global pose and detections stay honest."""

    moves_hand = False

    def started(self, world: World) -> None:
        """Begin to lie from the true opening."""
        self._jaw = None if world.hand is None else replace(world.hand.jaw)
        self._joint = '' if world.hand is None else world.hand.gripper.joint

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Stand still."""
        return ZERO_TWIST

    def reported_motion(self, wheels: Twist2D, rolled: Twist2D) -> Twist2D:
        """Claim the commanded motion."""
        return wheels

    def stepped(self, world: World, dt_s: float) -> None:
        """Move the jaw that only the joint report shows."""
        hand = world.hand
        if self._jaw is None or hand is None:
            return
        name = hand.held or hand.nearest(hand.grasp_point(world.pose))
        self._jaw.target_m, self._jaw.speed_mps = hand.jaw.target_m, hand.jaw.speed_mps
        self._jaw.advance(dt_s, 0.0 if name is None else hand.things[name].width_m)

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Report the jaw that was commanded."""
        if isinstance(sample, JointSample) and self._jaw is not None:
            return replace(sample, positions={**sample.positions, self._joint: self._jaw.opening_m})
        return sample


class JointOverruns(Fault):
    """The arm's first joint runs OVERRUN_RAD past its upper limit, whatever is commanded."""

    def stepped(self, world: World, dt_s: float) -> None:
        """Push the joint on."""
        for name, joint in world.arm.joints.items():
            world.arm.command({name: joint.max_rad + OVERRUN_RAD}, 0.0)
            return


class InTheWay(Fault):
    """
    Something round that no map knows appears ahead of the moving base, its near side AHEAD_M from base_link.

    It stays for `stays_s` seconds, or until the fault is healed.
    """

    AHEAD_M = 0.6
    # No name of a world file has a space in it.
    NAME = 'in the way'
    _MOVING_MPS = 0.1

    def __init__(self, radius_m: float, stays_s: float = math.inf) -> None:
        self._radius_m = radius_m
        self._left_s = stays_s
        self._there = False

    def stepped(self, world: World, dt_s: float) -> None:
        """Appear once, in the direction of travel, and go when the time is over."""
        if self._there:
            self._left_s -= dt_s
            if self._left_s < 1e-9:
                world.remove_obstacle(self.NAME)
        elif abs(world.twist.v_mps) > self._MOVING_MPS:
            ahead_m = math.copysign(self.AHEAD_M + self._radius_m, world.twist.v_mps)
            world.put_obstacle(self.NAME, world.pose.transform_point(Point(ahead_m, 0.0)), self._radius_m)
            self._there = True

    def ended(self, world: World) -> None:
        """Go."""
        world.remove_obstacle(self.NAME)
