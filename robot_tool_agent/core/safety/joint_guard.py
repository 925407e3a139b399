"""What happens to moving joints when the robot is stopped."""

from __future__ import annotations

import math

from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import JointSample

HOLD_DURATION_S = 0.1


class JointGuard:
    """
    Knows which joints are still on their way and can order them to stay where they are.

    The gripper is left to finish: holding it at its measured position would loosen what it grips.
    """

    def __init__(self, robot: RobotDescription) -> None:
        self._gripper = None if robot.gripper is None else robot.gripper.joint
        states = robot.topics.joint_states
        self._stale_s = 0.0 if states is None else states.stale_s
        self._until_s: dict[str, float] = {}

    def on_sent(self, target: JointTarget, now_s: float) -> None:
        """Note a target that went out."""
        until_s = now_s + target.duration_s
        self._until_s.update({name: until_s for name in target.names if name != self._gripper})

    def hold(self, joints: JointSample | None, now_s: float) -> JointTarget | None:
        """
        Return the order to stay for the joints still on their way, None if there are none.

        A joint whose position is old or no number gets no order: going to where it once was is motion.
        """
        moving = [name for name, until_s in self._until_s.items() if now_s <= until_s]
        self._until_s.clear()
        if joints is None or joints.age_s(now_s) > self._stale_s:
            return None
        names = tuple(name for name in moving if math.isfinite(joints.positions.get(name, math.nan)))
        return JointTarget(names, tuple(joints.positions[name] for name in names), HOLD_DURATION_S) if names else None
