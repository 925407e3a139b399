"""How far and how fast each joint may go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import math

from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import RobotDescription

# A measured position may lie this far past its limit, rad or m: encoders and calibration are not exact.
MEASURED_SLACK = 0.02


class JointRanges:
    """Limits of arm and gripper. `names` are all joints that may be commanded, with or without limits."""

    def __init__(self, robot: RobotDescription) -> None:
        arm = {} if robot.arm is None else robot.arm.joints
        self._ranges = {name: (joint.min_rad, joint.max_rad) for name, joint in arm.items()}
        self._speeds = {name: joint.max_speed_radps for name, joint in arm.items()}
        if robot.gripper is not None:
            self._ranges[robot.gripper.joint] = (robot.gripper.closed_m, robot.gripper.open_m)
        self.names = frozenset((*self._ranges, *robot.arm_home))
        self._arm = frozenset(arm)

    def admit(self, target: JointTarget) -> bool:
        """Tell whether every position of a target is within its limits."""
        return all(self._within(name, value, 0.0) for name, value in zip(target.names, target.positions, strict=True))

    def outside(self, positions: Mapping[str, float]) -> list[str]:
        """Return the arm's joints that are measured past their limits. A squeezed or sprung gripper may be."""
        return [name for name, value in positions.items() if name in self._arm and not self._within(name, value)]

    def slowed(self, target: JointTarget, positions: Mapping[str, float]) -> JointTarget:
        """Return the target with the duration that its fastest joint needs, never shorter than it was."""
        needed_s = [
            abs(value - positions[name]) / self._speeds[name]
            for name, value in zip(target.names, target.positions, strict=True)
            if name in self._speeds and math.isfinite(positions.get(name, math.nan))
        ]
        return replace(target, duration_s=max([target.duration_s, *needed_s]))

    def _within(self, name: str, value: float, slack: float = MEASURED_SLACK) -> bool:
        low, high = self._ranges.get(name, (-math.inf, math.inf))
        return low - slack <= value <= high + slack
