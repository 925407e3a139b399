"""Saboteurs of one sensor, and of the clock: silent, frozen, late, noisy, senseless or lying."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
import math
from typing import TYPE_CHECKING

import numpy as np
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.samples import BatterySample, BumperSample, OdomSample, Sample, ScanSample
from robot_tool_agent_sim.fault import Fault
from robot_tool_agent_sim.readings import ImuSample

if TYPE_CHECKING:
    from robot_tool_agent_sim.world import World

LATE_S = 0.8
ODOM_JUMP_M = 0.5
CLOCK_JUMP_S = 5.0
TILT_RAD = 0.6
SHORT_RAYS = 100


class Lost(Fault):
    """One sensor falls silent."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Silence the sensor."""
        return None if topic == self._topic else sample


class Skips(Fault):
    """One sensor loses one sample in every `every`."""

    def __init__(self, topic: str, every: int) -> None:
        self._topic = topic
        self._every = every
        self._count = 0

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Lose a sample now and then."""
        if topic != self._topic:
            return sample
        self._count += 1
        return None if self._count % self._every == 0 else sample


class Frozen(Fault):
    """One sensor repeats its last sample, stamp included or, with `stamps_rise`, under the stamps of today."""

    def __init__(self, topic: str, stamps_rise: bool = False) -> None:
        self._topic = topic
        self._stamps_rise = stamps_rise
        self._last: Sample | None = None

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Repeat the first sample since the fault struck."""
        if topic != self._topic:
            return sample
        self._last = self._last or sample
        if self._stamps_rise:
            return replace(self._last, stamp_s=sample.stamp_s, received_s=sample.received_s)
        return self._last


class FrozenOnGoal(Frozen):
    """One sensor freezes, stamp included, the moment the base stands after it moved: on the goal, if it had one."""

    _MOVED = 0.05

    def __init__(self, topic: str) -> None:
        super().__init__(topic)
        self._moved = 0.0
        self._arrived = False

    def stepped(self, world: World, dt_s: float) -> None:
        """Notice the arrival: at rest after 0.05 m or 0.05 rad."""
        self._moved += (abs(world.twist.v_mps) + abs(world.twist.w_radps)) * dt_s
        self._arrived = self._arrived or (world.twist.is_zero() and self._moved >= self._MOVED)

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Tell the truth until the arrival."""
        return super().sensed(topic, sample) if self._arrived else sample


class Late(Fault):
    """One sensor's samples arrive LATE_S after they were measured."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._under_way: deque[Sample] = deque()

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Hold the sample back and return the newest one that has been under way long enough."""
        if topic != self._topic:
            return sample
        self._under_way.append(sample)
        arrived: Sample | None = None
        while self._under_way and self._under_way[0].received_s <= sample.received_s - LATE_S + 1e-9:
            arrived = self._under_way.popleft()
        return None if arrived is None else replace(arrived, received_s=sample.received_s)


class Altered(Fault):
    """Every sample of one sensor is changed in the same way."""

    def __init__(self, topic: str, change: Callable[[Sample], Sample]) -> None:
        self._topic = topic
        self._change = change

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Change the sample."""
        return self._change(sample) if topic == self._topic else sample


def nowhere(sample: Sample) -> Sample:
    """Return odometry without a number in it."""
    assert isinstance(sample, OdomSample)
    return replace(sample, pose=Pose2D(math.nan, math.nan, math.nan), twist=Twist2D(math.nan, math.nan))


def ranges_of(value_m: float) -> Callable[[Sample], Sample]:
    """Return a change that gives every ray of a scan the same range, m."""

    def change(sample: Sample) -> Sample:
        assert isinstance(sample, ScanSample)
        return replace(sample, ranges_m=np.full_like(sample.ranges_m, value_m))

    return change


def shortened(sample: Sample) -> Sample:
    """Return a scan that ends after SHORT_RAYS, though its angles still promise the whole turn."""
    assert isinstance(sample, ScanSample)
    return replace(sample, ranges_m=sample.ranges_m[:SHORT_RAYS])


def pressed(sample: Sample) -> Sample:
    """Return a switch that is pressed."""
    assert isinstance(sample, BumperSample)
    return replace(sample, pressed=True)


def tipped(sample: Sample) -> Sample:
    """Return an attitude that leans to one side."""
    assert isinstance(sample, ImuSample)
    return replace(sample, roll_rad=TILT_RAD)


class OdomNoisy(Fault):
    """Odometry scatters: 0.02 m, 0.02 rad, 0.05 m/s and 0.05 rad/s of standard deviation, seeded."""

    _SIGMAS = (0.02, 0.02, 0.02, 0.05, 0.05)

    def started(self, world: World) -> None:
        """Begin the same noise anew for the same seed."""
        self._rng = np.random.default_rng(world.seed)

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Add noise to pose and velocity."""
        if not isinstance(sample, OdomSample):
            return sample
        x_m, y_m, yaw_rad, v_mps, w_radps = (float(value) for value in self._rng.normal(0.0, self._SIGMAS))
        pose, twist = sample.pose, sample.twist
        return replace(
            sample,
            pose=Pose2D(pose.x_m + x_m, pose.y_m + y_m, pose.yaw_rad + yaw_rad),
            twist=Twist2D(twist.v_mps + v_mps, twist.w_radps + w_radps),
        )


class OdomJump(Fault):
    """Odometry jumps ahead once, as after a restart of its node or a kick. It stays where it went."""

    def started(self, world: World) -> None:
        """Jump."""
        world.shift_odom(ODOM_JUMP_M)


class ClockJump(Fault):
    """Every stamp, that of `/clock` too, is ahead of before by CLOCK_JUMP_S."""

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Set the stamp ahead."""
        return replace(sample, stamp_s=sample.stamp_s + CLOCK_JUMP_S)


class BatteryLow(Fault):
    """The battery reports half of the charge below which no motion may start."""

    def started(self, world: World) -> None:
        """Look up that charge."""
        self._fraction = 0.5 * world.robot.limits.min_battery_fraction

    def sensed(self, topic: str, sample: Sample) -> Sample | None:
        """Report a low charge."""
        return replace(sample, fraction=self._fraction) if isinstance(sample, BatterySample) else sample


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
        if topic == 'bumper' and self._left_s is not None and self._left_s > -1e-9:
            return pressed(sample)
        return sample
