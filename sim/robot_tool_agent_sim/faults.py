"""Named saboteurs. Each one changes as little as it can: motion on the ground, what wheels report, or one reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from robot_tool_agent.core.geometry import ZERO_TWIST, Twist2D
from robot_tool_agent.core.samples import BumperSample, JointSample, Sample

if TYPE_CHECKING:
    from robot_tool_agent_sim.world import World


class Fault:
    """A healthy robot; saboteurs override single hooks. One object serves one world, once."""

    moves_hand = True

    def started(self, world: World) -> None:
        """Take note of the world at the moment the fault strikes."""

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Return how the base moves when the wheels turn for this twist."""
        return wheels

    def reported_motion(self, wheels: Twist2D, moved: Twist2D) -> Twist2D:
        """Return what odometry believes when the wheels turn for one twist and the base moves by another."""
        return moved

    def stepped(self, world: World, dt_s: float) -> None:
        """Act at the end of each step."""

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Return what the sensor says instead of the true sample, None for silence."""
        return sample


class Lost(Fault):
    """One sensor falls silent."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Silence the sensor."""
        return None if topic == self._topic else sample


class Frozen(Fault):
    """One sensor repeats its last sample, stamp included."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._last: Sample | None = None

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Repeat the first sample since the fault struck."""
        if topic != self._topic:
            return sample
        self._last = self._last or sample
        return self._last


class WheelsStuck(Fault):
    """The base does not move whatever is commanded, and odometry says so."""

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Stand still."""
        return ZERO_TWIST

    def stepped(self, world: World, dt_s: float) -> None:
        """Keep the wheels from spinning up."""
        world.wheels.twist = ZERO_TWIST


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


class BumperHit(Fault):
    """The bumper reports one contact that is none, when the base next moves."""

    PRESSED_S = 0.5
    _MOVING_MPS = 0.05

    def __init__(self) -> None:
        self._left_s: float | None = None

    def stepped(self, world: World, dt_s: float) -> None:
        """Press when the base first moves, then count down."""
        if self._left_s is not None:
            self._left_s -= dt_s
        elif abs(world.twist.v_mps) > self._MOVING_MPS:
            self._left_s = self.PRESSED_S

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Report a contact while the press lasts."""
        if isinstance(sample, BumperSample) and self._left_s is not None and self._left_s > -1e-9:
            return replace(sample, pressed=True)
        return sample


class MotionLies(Fault):
    """Actuators are dead, yet odometry and joints report what was commanded. Global pose and detections stay honest."""

    moves_hand = False

    def started(self, world: World) -> None:
        """Begin to lie from the true opening."""
        self._jaw = None if world.hand is None else replace(world.hand.jaw)

    def ground_motion(self, wheels: Twist2D) -> Twist2D:
        """Stand still."""
        return ZERO_TWIST

    def reported_motion(self, wheels: Twist2D, moved: Twist2D) -> Twist2D:
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
            return replace(sample, positions=dict.fromkeys(sample.positions, self._jaw.opening_m))
        return sample


NO_FAULT = 'none'
FAULTS: dict[str, Callable[[], Fault]] = {
    NO_FAULT: Fault,
    'gripper_slips': GripperSlips,
    'odom_frozen': partial(Frozen, 'odom'),
    'scan_lost': partial(Lost, 'scan'),
    'wheels_stuck': WheelsStuck,
    'bumper_hit': BumperHit,
    'motion_lies': MotionLies,
}


def make_fault(name: str) -> Fault:
    """Return a new saboteur. Raise ValueError with the valid names if there is none of this name."""
    if name not in FAULTS:
        raise ValueError(f'unknown fault {name!r}; valid names: {", ".join(FAULTS)}')
    return FAULTS[name]()
