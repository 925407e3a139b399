"""What the safety layer knows of the robot and its surroundings, from samples alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.freshness import InputWatch
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.localization import IDENTITY, Localizer
from robot_tool_agent.core.odometry import jumped
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.contact import Contact
from robot_tool_agent.core.safety.envelope import MotionWatch
from robot_tool_agent.core.safety.limiter import Scene
from robot_tool_agent.core.safety.scans import Obstacles, ScanReader
from robot_tool_agent.core.safety.standstill import StandstillWatch
from robot_tool_agent.core.safety.tilt import TiltSample
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    OdomSample,
    ScanSample,
)

Floats = NDArray[np.float64]

REQUIRED_INPUTS = ('odom', 'scan', 'bumper', 'estop', 'imu')
NO_NEWS = 'what comes is no news: its stamp repeats itself, is old or lies in the future'
NO_MOTION = 'what comes claims motion and the pose stands still'
NO_NUMBER = 'what comes is no finite number'


class Awareness:
    """
    Takes samples, keeps the last usable ones. A sample that makes no sense is no news; `refused` says why.

    `gaps` names the inputs that spoke again after a silence beyond their limit, until the next `clear_gaps`: no such
    silence falls between two looks.
    """

    def __init__(self, robot: RobotDescription, config: SafetyConfig, scan_reach_m: float) -> None:
        self._limits = robot.limits
        inputs = robot.topics.inputs()
        self.watches = {name: InputWatch(inputs[name].stale_s) for name in REQUIRED_INPUTS if name in inputs}
        self.refused: dict[str, str] = {}
        self.gaps: set[str] = set()
        self.localizer = Localizer(robot.topics.global_pose is not None)
        self.standstill = StandstillWatch(robot.limits)
        self.motion = MotionWatch(robot.limits, config.motion_band_mps, config.motion_band_radps)
        self.contact = Contact()
        self.odom: OdomSample | None = None
        self.joints: JointSample | None = None
        self.battery_fraction = math.nan
        self.tilt_rad = 0.0
        self.estop_pressed = False
        self.obstacles: Obstacles | None = None
        self.rivals: tuple[str, ...] = ()
        self.jumps = 0
        # Present time of a simulated clock; None where there is none, or it has not begun to run.
        self.clock_s: float | None = None
        self._reader = ScanReader(robot, scan_reach_m)
        self._scanned_from = IDENTITY

    def on_odom(self, sample: OdomSample) -> bool:
        """Take odometry and tell whether it was news."""
        if not (sample.pose.is_sane() and sample.twist.is_finite()):
            self.refused['odom'] = NO_NUMBER
            return False
        if self._claims_motion_only(sample):
            self.refused['odom'] = NO_MOTION
            return False
        if not self._is_news('odom', sample):
            return False
        if self.odom is not None and jumped(self.odom, sample, self._limits):
            self.jumps += 1
            self.localizer.restart()
            self._scanned_from = sample.pose
        self.odom = sample
        self.localizer.on_odom(sample)
        self.standstill.on_odom(sample.twist, sample.received_s)
        self.motion.on_odom(sample.twist)
        return True

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        if 'scan' not in self.watches:
            return
        obstacles = self._reader.read(sample)
        if obstacles is None:
            self.refused['scan'] = self._reader.refusal
        elif self._is_news('scan', sample):
            self.obstacles = obstacles
            self._scanned_from = IDENTITY if self.odom is None else self.odom.pose

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a pose in the map."""
        if sample.pose.is_sane():
            self.localizer.on_global_pose(sample)

    def on_bumper(self, sample: BumperSample) -> None:
        """Take the contact switch. A contact counts even if its time stamp makes no sense."""
        if 'bumper' in self.watches and (self._is_news('bumper', sample) or sample.pressed):
            self.contact.on_bumper(sample.pressed)

    def on_estop(self, sample: BumperSample) -> None:
        """Take the stop button. A press counts even if its time stamp makes no sense."""
        if 'estop' in self.watches and (self._is_news('estop', sample) or sample.pressed):
            self.estop_pressed = sample.pressed

    def on_tilt(self, sample: TiltSample) -> None:
        """Take how far the robot leans."""
        if not math.isfinite(sample.tilt_rad):
            self.refused['imu'] = NO_NUMBER
        elif 'imu' in self.watches and self._is_news('imu', sample):
            self.tilt_rad = sample.tilt_rad

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""
        self.joints = sample

    def on_battery(self, sample: BatterySample) -> None:
        """Take the state of charge. NaN means not measured (sensor_msgs/BatteryState)."""
        self.battery_fraction = sample.fraction

    def stale(self, name: str, now_s: float) -> bool:
        """Tell whether the robot has an input and it is silent."""
        return name in self.watches and self.watches[name].stale(now_s)

    def silent(self, name: str, now_s: float) -> bool:
        """Tell whether an input is stale or was so since the last look."""
        return self.stale(name, now_s) or name in self.gaps

    def clear_gaps(self) -> None:
        """Forget the silences that are over: they were looked at."""
        self.gaps.clear()

    def silence(self, name: str) -> str:
        """Return what there is to say of an input that is stale."""
        why = f' ({self.refused[name]})' if name in self.refused else ''
        return f'no fresh {name} for more than {self.watches[name].limit_s:.2f} s{why}'

    def moves(self, now_s: float) -> bool:
        """Tell whether fresh odometry shows motion."""
        return not self.stale('odom', now_s) and self.standstill.held_s() == 0.0

    def acknowledge(self) -> None:
        """Take note that a person has seen the contact that stands and the place odometry jumped to."""
        self.contact.acknowledge()
        self.localizer.acknowledge_jump()

    def map_pose(self) -> Pose2D | None:
        """Return base_link in the map, None while it is unknown."""
        return None if self.odom is None else self.localizer.to_map(self.odom.pose)

    def obstacle_points(self) -> Floats:
        """Return what the last scan saw within reach, as points in odom, m, shape (n, 2)."""
        seen, frame = self.obstacles, self._scanned_from
        if seen is None:
            return np.empty((0, 2))
        cos_yaw, sin_yaw = math.cos(frame.yaw_rad), math.sin(frame.yaw_rad)
        return np.column_stack([
            frame.x_m + cos_yaw * seen.x_m - sin_yaw * seen.y_m,
            frame.y_m + sin_yaw * seen.x_m + cos_yaw * seen.y_m,
        ])

    def scene(self, now_s: float) -> Scene:
        """Return the surroundings as seen from where the robot is now. A scan that is stale shows nothing."""
        start = IDENTITY if self.odom is None else self.odom.pose.relative_to(self._scanned_from)
        seen = None if self.stale('scan', now_s) else self.obstacles
        return Scene(seen, start, self.contact.escape, self.map_pose())

    def _claims_motion_only(self, sample: OdomSample) -> bool:
        """Tell whether a driver repeats its values under new stamps: the same pose to the last bit, yet a velocity."""
        moves = abs(sample.twist.v_mps) > self._limits.standstill_mps
        return moves and self.odom is not None and sample.pose == self.odom.pose

    def _is_news(self, name: str, sample: OdomSample | ScanSample | BumperSample | TiltSample) -> bool:
        watch = self.watches[name]
        silent_s = watch.age_s(sample.received_s)
        news = watch.offer(sample, self.clock_s)
        if news:
            if watch.limit_s < silent_s < math.inf:
                self.gaps.add(name)
            self.refused.pop(name, None)
        else:
            self.refused[name] = NO_NEWS
        return news
