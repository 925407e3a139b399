"""Says why a robot that is told to move does not."""

from __future__ import annotations

import numpy as np
from robot_tool_agent.core.geometry import ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation.progress import STUCK_S
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Step, StepStatus

NEAR_M = 0.25


def stuck_step(view: SensorView) -> Step:
    """Return the failure of a motion without progress, with the most likely reason."""
    detail = f'no motion for {STUCK_S:.0f} s although it was commanded: {_reason(view)}'
    return Step(StepStatus.FAILED, Motion(twist=ZERO_TWIST), detail=detail, error=ErrorCode.EXECUTION_ERROR)


def _reason(view: SensorView) -> str:
    if view.bumper is not None and view.bumper.pressed:
        return 'the bumper is pressed'
    gap_m = nearest_gap_m(view)
    if gap_m is not None and gap_m <= NEAR_M:
        return f'something is {max(gap_m, 0.0):.2f} m from the robot and blocks the way'
    return 'wheels or drive do not respond, or localization stands still'


def nearest_gap_m(view: SensorView) -> float | None:
    """Return the distance between footprint and nearest scan return, None without a return. Centre is base_link."""
    scan = view.scan
    if scan is None:
        return None
    usable = np.isfinite(scan.ranges_m) & (scan.ranges_m >= scan.range_min_m) & (scan.ranges_m <= scan.range_max_m)
    if not usable.any():
        return None
    angles = scan.angle_min_rad + scan.angle_increment_rad * np.nonzero(usable)[0]
    mount = view.robot.frames.scan_pose.pose
    x = mount.x_m + scan.ranges_m[usable] * np.cos(angles + mount.yaw_rad)
    y = mount.y_m + scan.ranges_m[usable] * np.sin(angles + mount.yaw_rad)
    return float(np.hypot(x, y).min()) - view.robot.footprint.circumscribed_m
