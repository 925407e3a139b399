"""The latest samples of every sensor, and which of them may be believed."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.localization import Localizer
from robot_tool_agent.core.odometry import jumped
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    ObjectsSample,
    OdomSample,
    Sample,
    ScanSample,
)


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment on both clocks: ROS time of headers and steady time of arrivals, in seconds."""

    stamp_s: float
    received_s: float


class SensorView:
    """What the sensors last said. A sample whose stamp did not rise is no news and keeps the old arrival time."""

    def __init__(self, robot: RobotDescription) -> None:
        self.robot = robot
        self.localizer = Localizer(robot.topics.global_pose is not None)
        self.odom: OdomSample | None = None
        self.global_pose: GlobalPoseSample | None = None
        self.scan: ScanSample | None = None
        self.bumper: BumperSample | None = None
        self.joints: JointSample | None = None
        self.battery: BatterySample | None = None
        self.objects: ObjectsSample | None = None

    def on_odom(self, sample: OdomSample) -> None:
        """Take an odometry sample. After a jump the map pose is unknown until localization speaks again."""
        if not _is_news(self.odom, sample):
            return
        if self.odom is not None and jumped(self.odom, sample, self.robot.limits):
            self.localizer.restart()
        self.odom = sample
        self.localizer.on_odom(sample)

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a global pose."""
        if _is_news(self.global_pose, sample):
            self.global_pose = sample
            self.localizer.on_global_pose(sample)

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        if _is_news(self.scan, sample):
            self.scan = sample

    def on_bumper(self, sample: BumperSample) -> None:
        """Take a bumper state."""
        if _is_news(self.bumper, sample):
            self.bumper = sample

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""
        if _is_news(self.joints, sample):
            self.joints = sample

    def on_battery(self, sample: BatterySample) -> None:
        """Take a battery state."""
        if _is_news(self.battery, sample):
            self.battery = sample

    def on_objects(self, sample: ObjectsSample) -> None:
        """Take a list of detected objects."""
        if _is_news(self.objects, sample):
            self.objects = sample

    def latest(self, topic: str) -> Sample | None:
        """Return the last sample of a standard topic name such as `odom`."""
        return {
            'odom': self.odom,
            'global_pose': self.global_pose,
            'scan': self.scan,
            'bumper': self.bumper,
            'joint_states': self.joints,
            'battery_state': self.battery,
            'detected_objects': self.objects,
        }.get(topic)

    def age_s(self, topic: str, now_s: float) -> float:
        """Return the seconds since a topic last had news, infinite if it never had."""
        sample = self.latest(topic)
        return float('inf') if sample is None else sample.age_s(now_s)

    def is_fresh(self, topic: str, now_s: float) -> bool:
        """Tell whether the robot has the topic and its last news is within the staleness limit."""
        declared = self.robot.topics.inputs().get(topic)
        return declared is not None and self.age_s(topic, now_s) <= declared.stale_s

    def map_pose(self) -> Pose2D | None:
        """Return base_link in the map by the last odometry and correction, None if either is missing."""
        return None if self.odom is None else self.localizer.to_map(self.odom.pose)

    def gripper_opening_m(self) -> float | None:
        """Return the gripper's opening in metres, None if there is none or it was never reported."""
        gripper = self.robot.gripper
        if gripper is None or self.joints is None:
            return None
        return self.joints.positions.get(gripper.joint)

    def base_stands(self) -> bool:
        """Tell whether the last odometry is below the standstill speeds."""
        limits = self.robot.limits
        return (
            self.odom is not None
            and abs(self.odom.twist.v_mps) <= limits.standstill_mps
            and abs(self.odom.twist.w_radps) <= limits.standstill_radps
        )


def newer(sample: Sample | None, since: Instant) -> bool:
    """Tell whether a sample was both measured and received after an instant."""
    return sample is not None and sample.stamp_s > since.stamp_s and sample.received_s > since.received_s


def _is_news(old: Sample | None, new: Sample) -> bool:
    return old is None or new.stamp_s > old.stamp_s
