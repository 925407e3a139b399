"""
Brings the arm home once the base stands at the safe pose. The gripper keeps its hold.

The arm moves last: the base goes back the way it came with the arm as it was, and only the safe pose is known to have
room for an arm that moves.
"""

from __future__ import annotations

from enum import Enum
import math

from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.joint_ranges import JointRanges
from robot_tool_agent.core.samples import JointSample

DEFAULT_SPEED_RADPS = 0.3
TOLERANCE_RAD = 0.05
PATIENCE_S = 3.0


class ArmStatus(Enum):
    """How the way home stands."""

    UNDER_WAY = 'under way'
    HOME = 'home'
    UNSEEN = 'unseen'
    STUCK = 'stuck'


class ArmHome:
    """One way home of all joints of arm_home but the gripper. `take_order` gives the order once."""

    def __init__(self, robot: RobotDescription) -> None:
        gripper = None if robot.gripper is None else robot.gripper.joint
        self._home = {name: value for name, value in robot.arm_home.items() if name != gripper}
        states = robot.topics.joint_states
        self._stale_s = 0.0 if states is None else states.stale_s
        self._ranges = JointRanges(robot)
        self._order: JointTarget | None = None
        self._deadline_s: float | None = None

    def step(self, joints: JointSample | None, now_s: float) -> ArmStatus:
        """Go on, given the measured positions. The first step sets off."""
        if not self._home:
            return ArmStatus.HOME
        if joints is None or joints.age_s(now_s) > self._stale_s or not self._seen(joints):
            return ArmStatus.UNSEEN
        if all(abs(joints.positions[name] - value) <= TOLERANCE_RAD for name, value in self._home.items()):
            return ArmStatus.HOME
        if self._deadline_s is None:
            self._set_off(joints, now_s)
        assert self._deadline_s is not None
        return ArmStatus.STUCK if now_s > self._deadline_s else ArmStatus.UNDER_WAY

    def take_order(self) -> JointTarget | None:
        """Return the order to go home once."""
        order, self._order = self._order, None
        return order

    def _seen(self, joints: JointSample) -> bool:
        return all(math.isfinite(joints.positions.get(name, math.nan)) for name in self._home)

    def _set_off(self, joints: JointSample, now_s: float) -> None:
        way = max(abs(joints.positions[name] - value) for name, value in self._home.items())
        target = JointTarget(tuple(self._home), tuple(self._home.values()), way / DEFAULT_SPEED_RADPS)
        self._order = self._ranges.slowed(target, joints.positions)
        self._deadline_s = now_s + self._order.duration_s + PATIENCE_S
