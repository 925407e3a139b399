"""What the safety layer knows of the robot and its surroundings, from samples alone."""

from __future__ import annotations

from robot_tool_agent.core.localization import IDENTITY, Localizer
from robot_tool_agent.core.odometry import jumped
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.contact import Contact
from robot_tool_agent.core.safety.limiter import Scene
from robot_tool_agent.core.safety.scans import Obstacles, ScanReader
from robot_tool_agent.core.safety.standstill import StandstillWatch
from robot_tool_agent.core.safety.watchdogs import InputWatch
from robot_tool_agent.core.samples import BumperSample, GlobalPoseSample, JointSample, OdomSample, ScanSample

REQUIRED_INPUTS = ('odom', 'scan', 'bumper', 'estop')


class Awareness:
    """Takes samples, keeps the last usable ones. A sample that is not finite or measured nothing is no news."""

    def __init__(self, robot: RobotDescription, scan_reach_m: float) -> None:
        self._limits = robot.limits
        inputs = robot.topics.inputs()
        self.watches = {name: InputWatch(inputs[name].stale_s) for name in REQUIRED_INPUTS if name in inputs}
        self.localizer = Localizer(robot.topics.global_pose is not None)
        self.standstill = StandstillWatch(robot.limits)
        self.contact = Contact()
        self.odom: OdomSample | None = None
        self.joints: JointSample | None = None
        self.estop_pressed = False
        self.obstacles: Obstacles | None = None
        self.jumps = 0
        self._reader = ScanReader(robot, scan_reach_m)
        self._scanned_from = IDENTITY

    def on_odom(self, sample: OdomSample) -> bool:
        """Take odometry and tell whether it was news."""
        finite = sample.pose.is_finite() and sample.twist.is_finite()
        if not finite or not self.watches['odom'].offer(sample):
            return False
        if self.odom is not None and jumped(self.odom, sample, self._limits):
            self.jumps += 1
            self.localizer.restart()
            self._scanned_from = sample.pose
        self.odom = sample
        self.localizer.on_odom(sample)
        self.standstill.on_odom(sample.twist, sample.received_s)
        return True

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        obstacles = self._reader.read(sample) if 'scan' in self.watches else None
        if obstacles is not None and self.watches['scan'].offer(sample):
            self.obstacles = obstacles
            self._scanned_from = IDENTITY if self.odom is None else self.odom.pose

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a pose in the map."""
        if sample.pose.is_finite():
            self.localizer.on_global_pose(sample)

    def on_bumper(self, sample: BumperSample) -> None:
        """Take the contact switch. A contact counts even if its time stamp makes no sense."""
        if 'bumper' in self.watches and (self.watches['bumper'].offer(sample) or sample.pressed):
            self.contact.on_bumper(sample.pressed)

    def on_estop(self, sample: BumperSample) -> None:
        """Take the stop button. A press counts even if its time stamp makes no sense."""
        if 'estop' in self.watches and (self.watches['estop'].offer(sample) or sample.pressed):
            self.estop_pressed = sample.pressed

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""
        self.joints = sample

    def stale(self, name: str, now_s: float) -> bool:
        """Tell whether the robot has an input and it is silent."""
        return name in self.watches and self.watches[name].stale(now_s)

    def moves(self, now_s: float) -> bool:
        """Tell whether fresh odometry shows motion."""
        return not self.stale('odom', now_s) and self.standstill.held_s() == 0.0

    def scene(self) -> Scene:
        """Return the surroundings as seen from where the robot is now."""
        start = IDENTITY if self.odom is None else self.odom.pose.relative_to(self._scanned_from)
        return Scene(self.obstacles, start, self.contact.escape)
