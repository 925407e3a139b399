"""From admitted commands to what goes out: limits, slopes, the way back, joints."""

from __future__ import annotations

from collections import Counter
import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.braking import Ramp
from robot_tool_agent.core.safety.gate import BaseCommand, Gate, NO_COMMAND
from robot_tool_agent.core.safety.joint_guard import JointGuard
from robot_tool_agent.core.safety.joint_ranges import JointRanges
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason
from robot_tool_agent.core.safety.parking import Parking, ParkingEnd
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.samples import JointSample

# Slower than this the base as good as stands.
STOPPED_MPS, STOPPED_RADPS = 0.02, 0.05
_OBSTRUCTED = frozenset({LimitReason.OBSTACLE, LimitReason.BLIND, LimitReason.CONTACT, LimitReason.GEOFENCE})


class MotionControl:
    """Owns the last output. `limit_reason` says why it is less than wanted; `cuts` counts ticks by that reason."""

    def __init__(
        self, robot: RobotDescription, gate: Gate, limiter: Limiter, aware: Awareness, parking: Parking
    ) -> None:
        self.gate = gate
        self.limiter = limiter
        self.ranges = JointRanges(robot)
        self.last = ZERO_TWIST
        self.limit_reason = LimitReason.NONE
        self.cuts: Counter[str] = Counter()
        self._aware = aware
        self._parking = parking
        self._ramp = Ramp(robot.limits)
        self._guard = JointGuard(robot)
        self._wanted = NO_COMMAND
        self._hold_order: JointTarget | None = None

    def step(self, mode: SafetyMode, now_s: float, dt_s: float) -> ParkingEnd | None:
        """Move the output on by dt_s; return how a retreat ended, None if it did not."""
        end = None
        self._wanted = NO_COMMAND
        if mode is SafetyMode.READY:
            self._wanted = self.gate.base(now_s)
        elif mode is SafetyMode.RETREATING:
            self._wanted, end = self._parking.step(self.last, now_s)
        self._go(mode, now_s, dt_s)
        if end is not None:
            self.last = ZERO_TWIST
        self._aware.contact.on_output(self.last.v_mps)
        self._aware.motion.on_output(self.last, now_s)
        return end

    def stop_at_once(self) -> None:
        """Let the output be zero now, without a slope."""
        self.last = ZERO_TWIST

    def hold_joints(self, now_s: float) -> None:
        """Order the joints that are on their way to stay where they are."""
        self._hold_order = self._guard.hold(self._aware.joints, now_s)

    def take_joints(self, mode: SafetyMode, now_s: float) -> JointTarget | None:
        """Return the joint order that goes out now, None for no new one."""
        order, self._hold_order = self._hold_order, None
        if mode is SafetyMode.READY:
            order = self.gate.take_joints()
        elif mode is SafetyMode.RETREATING:
            order = self._parking.take_joints() or order
        if order is None or mode not in (SafetyMode.READY, SafetyMode.RETREATING):
            return order
        order = self.ranges.slowed(order, _positions(self._aware.joints))
        self._guard.on_sent(order, now_s)
        return order

    def would_cut(self, now_s: float) -> bool:
        """Tell whether the present output is more than the surroundings now allow."""
        if self.last.is_zero():
            return False
        profile = self._wanted.profile
        return self.limiter.limit(self.last, profile, self._aware.scene(now_s)).reason is LimitReason.OBSTACLE

    def stopped_by_obstacle(self) -> bool:
        """Tell whether a wanted motion was cut to nothing by what surrounds the robot."""
        stands = abs(self.last.v_mps) < STOPPED_MPS and abs(self.last.w_radps) < STOPPED_RADPS
        return stands and not self._wanted.twist.is_zero() and self.limit_reason in _OBSTRUCTED

    def overspeeds(self, now_s: float) -> bool:
        """Tell whether the fresh command asks for more than the robot may."""
        return self.limiter.overspeeds(self.gate.base(now_s).twist)

    def _go(self, mode: SafetyMode, now_s: float, dt_s: float) -> None:
        self.limit_reason = LimitReason.NONE
        if mode not in (SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING):
            self.last = ZERO_TWIST
            return
        target = self._allowed(self._wanted, now_s)
        self.last = self._ramp.next(self.last, target, dt_s)

    def _allowed(self, wanted: BaseCommand, now_s: float) -> Twist2D:
        if wanted.twist.is_zero():
            return ZERO_TWIST
        allowed = self.limiter.limit(wanted.twist, wanted.profile, self._aware.scene(now_s))
        self.limit_reason = allowed.reason
        if allowed.reason is not LimitReason.NONE:
            self.cuts[f'cut_{allowed.reason.value}'] += 1
        return allowed.twist


def _positions(joints: JointSample | None) -> dict[str, float]:
    if joints is None:
        return {}
    return {name: value for name, value in joints.positions.items() if math.isfinite(value)}
