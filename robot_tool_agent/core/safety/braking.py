"""How the gate's output changes from one tick to the next."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.robot import Limits


def slew(last: Twist2D, target: Twist2D, limits: Limits, dt_s: float, share: float = 1.0) -> Twist2D:
    """
    Return the output after dt_s on the way from the last output to the target.

    Speeding up is bounded by the acceleration limits, of which `share` (0 to 1) may be used, both components by one
    factor so that the arc keeps its shape; slowing down is bounded by the deceleration limits, each component by its
    own. A change of sign passes through zero.
    """
    v_goal, w_goal = _same_sign(last.v_mps, target.v_mps), _same_sign(last.w_radps, target.w_radps)
    factor = min(
        _rise_factor(last.v_mps, v_goal, share * limits.max_accel_mps2 * dt_s),
        _rise_factor(last.w_radps, w_goal, share * limits.max_turn_accel_radps2 * dt_s),
    )
    return Twist2D(
        _component(last.v_mps, v_goal, limits.max_decel_mps2 * dt_s, factor),
        _component(last.w_radps, w_goal, limits.max_turn_decel_radps2 * dt_s, factor),
    )


class Ramp:
    """
    Changes the output step by step, with jerk bounded on speeding up only: braking is never delayed.

    The acceleration limits are released by and by: after t seconds of speeding up max_jerk * t of them may be used,
    where the robot has a jerk limit.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._share = 0.0

    def next(self, last: Twist2D, target: Twist2D, dt_s: float) -> Twist2D:
        """Return the output after dt_s on the way from the last output to the target."""
        limits = self._limits
        if limits.max_jerk_mps3 is None:
            return slew(last, target, limits, dt_s)
        share = min(1.0, self._share + limits.max_jerk_mps3 * dt_s / limits.max_accel_mps2)
        out = slew(last, target, limits, dt_s, share)
        rises = abs(out.v_mps) > abs(last.v_mps) or abs(out.w_radps) > abs(last.w_radps)
        self._share = share if rises else 0.0
        return out


def stop_time_s(twist: Twist2D, limits: Limits) -> float:
    """Return the seconds that braking to zero takes."""
    return max(abs(twist.v_mps) / limits.max_decel_mps2, abs(twist.w_radps) / limits.max_turn_decel_radps2)


def _same_sign(last: float, target: float) -> float:
    return 0.0 if last * target < 0.0 else target


def _rise_factor(last: float, goal: float, step: float) -> float:
    rise = abs(goal) - abs(last)
    return 1.0 if rise <= step else step / rise


def _component(last: float, goal: float, fall_step: float, rise_factor: float) -> float:
    if abs(goal) > abs(last):
        return last + rise_factor * (goal - last)
    return goal if abs(last) - abs(goal) <= fall_step else last - math.copysign(fall_step, last)
