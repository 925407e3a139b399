"""Joints of an arm, each a servo that runs to a target with its own speed limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math

from robot_tool_agent.core.robot import JointRange

# Mechanical stops lie a little past the limits a controller must keep, so that breaking a limit can be seen.
END_STOP_RAD = 0.2


@dataclass(slots=True)
class Servo:
    """One joint: where it is, where it goes and how fast, rad and rad/s."""

    position_rad: float
    target_rad: float
    speed_radps: float

    def advance(self, dt_s: float) -> None:
        """Move towards the target for `dt_s`."""
        step_rad = self.speed_radps * dt_s
        self.position_rad += min(max(self.target_rad - self.position_rad, -step_rad), step_rad)


class ArmJoints:
    """All joints of an arm, none for a robot without one. They start at home."""

    def __init__(self, joints: Mapping[str, JointRange], home: Mapping[str, float]) -> None:
        self.joints = joints
        self._servos = {}
        for name, joint in joints.items():
            start_rad = home.get(name, min(max(0.0, joint.min_rad), joint.max_rad))
            self._servos[name] = Servo(start_rad, start_rad, joint.max_speed_radps)

    def command(self, targets_rad: Mapping[str, float], duration_s: float) -> None:
        """Send joints to targets in `duration_s`, never faster than they can. Other joints and NaN do not count."""
        for name, target_rad in targets_rad.items():
            if name in self._servos and math.isfinite(target_rad):
                self._send(name, target_rad, duration_s)

    def advance(self, dt_s: float) -> None:
        """Move all joints for `dt_s`."""
        for servo in self._servos.values():
            servo.advance(dt_s)

    def positions(self) -> dict[str, float]:
        """Return the joint positions by name, rad."""
        return {name: servo.position_rad for name, servo in self._servos.items()}

    def _send(self, name: str, target_rad: float, duration_s: float) -> None:
        joint, servo = self.joints[name], self._servos[name]
        servo.target_rad = min(max(target_rad, joint.min_rad - END_STOP_RAD), joint.max_rad + END_STOP_RAD)
        way_rad = abs(servo.target_rad - servo.position_rad)
        needed_radps = way_rad / duration_s if duration_s > 0.0 else joint.max_speed_radps
        servo.speed_radps = min(needed_radps, joint.max_speed_radps)
