"""The turtle as a robot: what its sensors would say and what its base driver would do."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.geometry import Pose2D, wrap_angle, ZERO_TWIST
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample, ScanSample
from robot_tool_agent_sim import lidar
from robot_tool_agent_sim.schedule import Schedule
from robot_tool_agent_sim.turtlesim.tracker import MotionTracker
from robot_tool_agent_sim.walls import Walls


@dataclass(frozen=True, slots=True)
class Readings:
    """What one pose of the turtle leads to; None for what is not due."""

    odom: OdomSample
    global_pose: GlobalPoseSample | None = None
    scan: ScanSample | None = None


class Turtle:
    """
    Sensors of a turtle in a field whose walls the robot description knows.

    turtlesim's frame serves as both odom and map: its pose is absolute, so that localization is right after a teleport
    too. Nothing is published without a new pose: when turtlesim is gone, all inputs fall silent.
    """

    def __init__(self, robot: RobotDescription) -> None:
        topics = robot.topics
        self._mount = robot.frames.scan_pose.pose
        self._lidar = lidar.Lidar(Walls(robot.map.walls))
        self._tracker = MotionTracker(robot.limits)
        self._scan_due = None if topics.scan is None else Schedule(topics.scan.rate_hz)
        self._global_due = None if topics.global_pose is None else Schedule(topics.global_pose.rate_hz)

    def on_pose(self, pose: Pose2D, stamp_s: float, now_s: float) -> Readings | None:
        """Take a pose of turtlesim; None for one that is no number."""
        if not pose.is_sane():
            return None
        pose = Pose2D(pose.x_m, pose.y_m, wrap_angle(pose.yaw_rad))
        odom = self._tracker.on_pose(OdomSample(stamp_s, now_s, pose, ZERO_TWIST))
        located = self._global_due is not None and self._global_due.due(now_s)
        scanned = self._scan_due is not None and self._scan_due.due(now_s)
        return Readings(
            odom,
            GlobalPoseSample(stamp_s, now_s, pose) if located else None,
            self._scan(pose, stamp_s, now_s) if scanned else None,
        )

    def _scan(self, pose: Pose2D, stamp_s: float, now_s: float) -> ScanSample:
        ranges_m = self._lidar.ranges_m(pose.compose(self._mount))
        return ScanSample(
            stamp_s,
            now_s,
            lidar.ANGLE_MIN_RAD,
            lidar.ANGLE_INCREMENT_RAD,
            lidar.RANGE_MIN_M,
            lidar.RANGE_MAX_M,
            ranges_m,
        )
