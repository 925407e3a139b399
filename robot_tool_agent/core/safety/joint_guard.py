"""What happens to moving joints when the robot is stopped."""

from __future__ import annotations

import math

from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import JointSample

HOLD_DURATION_S = 0.1


class JointGuard:
    """Knows which joints are still on their way and can order them to stay where they are.

    The gripper is left to finish: holding it at its measured position would loosen what it grips.
    """

    def __init__(self, robot: RobotDescription) -> None:
        self._gripper = None if robot.gripper is None else robot.gripper.joint
        self._moving: tuple[str, ...] = ()
        self._until_s = -math.inf

    def on_sent(self, target: JointTarget, now_s: float) -> None:
        """Note a target that went out."""
        self._moving = tuple(name for name in target.names if name != self._gripper)
        self._until_s = now_s + target.duration_s

    def hold(self, joints: JointSample | None, now_s: float) -> JointTarget | None:
        """Return the order to stay for the joints still on their way, None if there are none."""
        if joints is None or now_s > self._until_s:
            return None
        names = tuple(name for name in self._moving if name in joints.positions)
        self._until_s = -math.inf
        return JointTarget(names, tuple(joints.positions[name] for name in names), HOLD_DURATION_S) if names else None
