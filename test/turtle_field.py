"""A stand-in for turtlesim's field, with what its turtles do in the real one."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Pose2D, Twist2D, wrap_angle

STEP_S = 0.016
SIZE_M = 499.0 / 45.0
KEEPS_S = 1.0


class TurtleField:
    """One turtle. It keeps a velocity for a second, stops at walls without a word, and can be put anywhere."""

    def __init__(self) -> None:
        self.pose = Pose2D(0.5 * SIZE_M, 0.5 * SIZE_M, 0.0)
        self.now_s = 0.0
        self._twist = Twist2D()
        self._commanded_s = -KEEPS_S

    def command(self, twist: Twist2D) -> None:
        """Take a velocity; it holds from now on."""
        self._twist, self._commanded_s = twist, self.now_s

    def teleport(self, x_m: float, y_m: float, yaw_rad: float) -> None:
        """Put the turtle elsewhere; it goes on driving there."""
        self.pose = Pose2D(x_m, y_m, yaw_rad)

    @property
    def told(self) -> Twist2D:
        """Return the velocity that it holds."""
        return self._twist if self.now_s - self._commanded_s <= KEEPS_S else Twist2D()

    def step(self) -> Pose2D:
        """Move on by one step and return the pose, as turtlesim publishes it."""
        self.now_s += STEP_S
        twist = self.told
        yaw_rad = wrap_angle(self.pose.yaw_rad + twist.w_radps * STEP_S)
        x_m = self.pose.x_m + math.cos(yaw_rad) * twist.v_mps * STEP_S
        y_m = self.pose.y_m + math.sin(yaw_rad) * twist.v_mps * STEP_S
        self.pose = Pose2D(min(max(x_m, 0.0), SIZE_M), min(max(y_m, 0.0), SIZE_M), yaw_rad)
        return self.pose
