"""Drive of the base: follows the last command within acceleration limits and brakes by itself when commands stop."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import Limits

COMMAND_TIMEOUT_S = 0.25
_TIME_EPSILON_S = 1e-9


def ramp(speed: float, target: float, accel: float, decel: float, dt_s: float) -> tuple[float, float]:
    """
    Return speed and way after `dt_s` of constant acceleration towards a target speed, exact for any step.

    `decel` holds while the speed falls, also down to zero before it changes sign; `accel` while it rises.
    """
    if speed * target < 0.0:
        stop_s = abs(speed) / decel
        if stop_s < dt_s:
            end, way = ramp(0.0, target, accel, decel, dt_s - stop_s)
            return end, 0.5 * speed * stop_s + way
    rate = accel if abs(target) > abs(speed) and speed * target >= 0.0 else decel
    reach_s = abs(target - speed) / rate
    if reach_s <= dt_s:
        return target, 0.5 * (speed + target) * reach_s + target * (dt_s - reach_s)
    end = speed + math.copysign(rate * dt_s, target - speed)
    return end, 0.5 * (speed + end) * dt_s


class Wheels:
    """Speed of a differential drive, in base_link."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._target = ZERO_TWIST
        self._commanded_s = -math.inf
        self.twist = ZERO_TWIST

    def command(self, twist: Twist2D, now_s: float) -> None:
        """Take a command, clamped to the robot's limits. One that is not finite is no command at all."""
        if not twist.is_finite():
            return
        limits = self._limits
        self._target = Twist2D(
            min(max(twist.v_mps, -limits.max_reverse_mps), limits.max_speed_mps),
            min(max(twist.w_radps, -limits.max_turn_radps), limits.max_turn_radps),
        )
        self._commanded_s = now_s

    def target(self, now_s: float) -> Twist2D:
        """Return the command that counts, zero once it is too old."""
        expired = now_s - self._commanded_s >= COMMAND_TIMEOUT_S - _TIME_EPSILON_S
        return ZERO_TWIST if expired else self._target

    def advance(self, target: Twist2D, dt_s: float) -> Twist2D:
        """Go for a target and return the mean twist over the step; `twist` is then the one at its end."""
        limits = self._limits
        v_mps, way_m = ramp(self.twist.v_mps, target.v_mps, limits.max_accel_mps2, limits.max_decel_mps2, dt_s)
        w_radps, angle_rad = ramp(
            self.twist.w_radps, target.w_radps, limits.max_turn_accel_radps2, limits.max_turn_decel_radps2, dt_s
        )
        self.twist = Twist2D(v_mps, w_radps)
        return Twist2D(way_m / dt_s, angle_rad / dt_s)
