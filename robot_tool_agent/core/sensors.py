"""The latest samples of every sensor, and which of them may be believed."""

from __future__ import annotations

from dataclasses import dataclass, replace
import math

from robot_tool_agent.core.freshness import InputWatch
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

# A joint that moved less than this between two samples rests, m or rad.
JOINT_REST = 0.0005


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment on both clocks: ROS time of headers and steady time of arrivals, in seconds."""

    stamp_s: float
    received_s: float


class SensorView:
    """What the sensors last said. A sample that is no news (see InputWatch) or makes no sense changes nothing."""

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
        # How often odometry jumped: poses from before a jump cannot be compared with those after it.
        self.jumps = 0
        # Stamp of the first odometry: tells one process's view from another's.
        self.first_odom_s: float | None = None
        # Present time of a simulated clock; None where there is none, or it has not begun to run.
        self.clock_s: float | None = None
        self._joints_moved_s = -float('inf')
        # Topics the robot has, by standard name.
        self.declared = robot.topics.inputs()
        self._watches = {name: InputWatch(topic.stale_s) for name, topic in self.declared.items()}

    def on_odom(self, sample: OdomSample) -> None:
        """Take an odometry sample. After a jump the map pose is unknown until localization speaks again."""
        if not (sample.pose.is_sane() and sample.twist.is_finite() and self._is_news('odom', sample)):
            return
        if self.odom is not None and jumped(self.odom, sample, self.robot.limits):
            self.jumps += 1
            self.localizer.restart()
        self.odom = sample
        self.first_odom_s = sample.stamp_s if self.first_odom_s is None else self.first_odom_s
        self.localizer.on_odom(sample)

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a global pose."""
        if sample.pose.is_sane() and self._is_news('global_pose', sample):
            self.global_pose = sample
            self.localizer.on_global_pose(sample)

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        if self._is_news('scan', sample):
            self.scan = sample

    def on_bumper(self, sample: BumperSample) -> None:
        """Take a bumper state."""
        if self._is_news('bumper', sample):
            self.bumper = sample

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions; those that are not finite are left out."""
        finite = {name: value for name, value in sample.positions.items() if math.isfinite(value)}
        if not self._is_news('joint_states', sample):
            return
        before = {} if self.joints is None else self.joints.positions
        if any(abs(value - before.get(name, math.inf)) > JOINT_REST for name, value in finite.items()):
            self._joints_moved_s = sample.stamp_s
        self.joints = replace(sample, positions=finite)

    def on_battery(self, sample: BatterySample) -> None:
        """Take a battery state; NaN means not measured (sensor_msgs/BatteryState)."""
        if math.isfinite(sample.fraction) and self._is_news('battery_state', sample):
            self.battery = sample

    def on_objects(self, sample: ObjectsSample) -> None:
        """Take a list of detected objects; those without a sane position are left out."""
        if self._is_news('detected_objects', sample):
            seen = tuple(item for item in sample.objects if item.position.is_sane() and math.isfinite(item.confidence))
            self.objects = replace(sample, objects=seen)

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
        watch = self._watches.get(topic)
        return float('inf') if watch is None or self.latest(topic) is None else watch.age_s(now_s)

    def is_fresh(self, topic: str, now_s: float) -> bool:
        """Tell whether the robot has the topic and its last news is within the staleness limit."""
        declared = self.declared.get(topic)
        return declared is not None and self.age_s(topic, now_s) <= declared.stale_s

    def joints_rest(self, for_s: float) -> bool:
        """Tell whether no joint has moved for so long, by the stamps of joint_states."""
        return self.joints is not None and self.joints.stamp_s - self._joints_moved_s >= for_s

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

    def _is_news(self, topic: str, sample: Sample) -> bool:
        watch = self._watches.get(topic)
        return watch is not None and watch.offer(sample, self.clock_s)


def newer(sample: Sample | None, since: Instant) -> bool:
    """Tell whether a sample was both measured and received after an instant."""
    return sample is not None and sample.stamp_s > since.stamp_s and sample.received_s > since.received_s
