"""When odometry jumped: a pose that no motion within the limits can explain, such as after a reset of the driver."""

from __future__ import annotations

from robot_tool_agent.core.geometry import wrap_angle
from robot_tool_agent.core.robot import Limits
from robot_tool_agent.core.samples import OdomSample

JUMP_FACTOR = 2.0
JUMP_M = 0.15
JUMP_RAD = 0.3
MAX_DT_S = 1.0


def jumped(old: OdomSample, new: OdomSample, limits: Limits) -> bool:
    """
    Tell whether the step between two samples is larger than twice what the limits allow, plus 0.15 m or 0.3 rad.

    A pause between samples counts as at most one second: after a longer one nobody knows how the robot got there.
    """
    dt_s = JUMP_FACTOR * min(max(new.stamp_s - old.stamp_s, 0.0), MAX_DT_S)
    top_mps = max(limits.max_speed_mps, limits.max_reverse_mps)
    turned_rad = abs(wrap_angle(new.pose.yaw_rad - old.pose.yaw_rad))
    too_far = old.pose.distance_to(new.pose) > top_mps * dt_s + JUMP_M
    return too_far or turned_rad > limits.max_turn_radps * dt_s + JUMP_RAD
