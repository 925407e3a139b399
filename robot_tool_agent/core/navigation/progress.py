"""Notices that a robot is told to move and does not."""

from __future__ import annotations

from robot_tool_agent.core.geometry import Pose2D, Twist2D, wrap_angle
from robot_tool_agent.core.sensors import SensorView

STUCK_S = 3.0
MOVED_M = 0.05
TURNED_RAD = 0.15
MAX_GAP_S = 1.0


class ProgressWatch:
    """Watches the pose that does not come from the wheels where the robot has one, else odometry."""

    def __init__(self, stuck_s: float = STUCK_S) -> None:
        self._stuck_s = stuck_s
        self._anchor: Pose2D | None = None
        self._since_s = 0.0
        self._asked_s = 0.0

    def is_stuck(self, view: SensorView, commanded: Twist2D | None, now_s: float) -> bool:
        """Tell whether motion has been commanded for `stuck_s` without any to be seen. Call it every tick."""
        pose = independent_pose(view)
        paused = now_s - self._asked_s > MAX_GAP_S
        self._asked_s = now_s
        idle = paused or commanded is None or commanded.is_zero()
        if pose is None or idle or self._anchor is None or self._has_moved(pose):
            self._anchor, self._since_s = pose, now_s
            return False
        return now_s - self._since_s >= self._stuck_s

    def _has_moved(self, pose: Pose2D) -> bool:
        anchor = self._anchor or pose
        return anchor.distance_to(pose) >= MOVED_M or abs(wrap_angle(pose.yaw_rad - anchor.yaw_rad)) >= TURNED_RAD


def independent_pose(view: SensorView) -> Pose2D | None:
    """Return the last global pose of a robot that has one, else the last pose of odometry; frames differ."""
    if view.robot.topics.global_pose is not None:
        return None if view.global_pose is None else view.global_pose.pose
    return None if view.odom is None else view.odom.pose
