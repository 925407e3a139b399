"""A robot and an executor that a test or a measurement plays itself, without physics and without skills."""

from __future__ import annotations

import array
from collections import deque
from collections.abc import Sequence
import time
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.nodes.clock import new_boot_id, seconds
from robot_tool_agent.nodes.conversions import quaternion_of, twist_message
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_interfaces.msg import Heartbeat, MotionCommand
from robot_tool_agent_sim.harness.ranges import INCREMENT_RAD, open_ranges, RANGE_MAX_M, RANGE_MIN_M
from robot_tool_agent_sim.harness.traces import Published, Speed
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import Bool

FAST_S, SLOW_S = 0.02, 0.05
BEAT_S, REPEAT_S = 0.1, 0.05
# Three seconds of commands, and half a minute of samples.
SPEEDS_KEPT, SAMPLES_KEPT = 200, 2_000
START = Pose2D(1.0, 1.0, 0.0)


def velocity_command(v_mps: float, epoch: int, call_id: str = 'call') -> MotionCommand:
    """Return a command to drive straight."""
    message = MotionCommand(epoch=epoch, call_id=call_id, profile='normal', use_twist=True)
    message.twist.linear.x = v_mps
    return message


def scan_message(ranges: Sequence[float], stamp: Any) -> LaserScan:
    """Return a scan all round."""
    message = LaserScan(angle_increment=INCREMENT_RAD, range_min=RANGE_MIN_M, range_max=RANGE_MAX_M)
    # An array of floats goes through the setter without a check of each element.
    message.ranges = array.array('f', ranges)
    message.header.stamp = stamp
    return message


class StandInRobot:
    """
    Publishes what a robot publishes (odom 50 Hz, the rest 20 Hz), obeys cmd_vel at once, can fall silent by topic.

    Odometry starts at zero, which is `START` in the map. With `has_estop` it publishes the stop button too.
    """

    def __init__(self, node: Node, has_estop: bool = False) -> None:
        self._node = node
        self.pose, self.twist = Pose2D(0.0, 0.0, 0.0), Twist2D()
        self.silent: set[str] = set()
        self.pressed = self.stopped = False
        self.ranges = open_ranges()
        self.speeds: deque[Speed] = deque(maxlen=SPEEDS_KEPT)
        self.odometry: deque[Published] = deque(maxlen=SAMPLES_KEPT)
        self.poses: deque[Published] = deque(maxlen=SAMPLES_KEPT)
        self.bumps = node.create_publisher(Bool, 'bumper', 10)
        self.stops = node.create_publisher(Bool, 'estop', 10) if has_estop else None
        self._odom = node.create_publisher(Odometry, 'odom', 10)
        self.scans = node.create_publisher(LaserScan, 'scan', 10)
        self._map = node.create_publisher(PoseWithCovarianceStamped, 'global_pose', 10)
        self._joints = node.create_publisher(JointState, 'joint_states', 10)
        node.create_subscription(Twist, 'cmd_vel', self._obey, 10)
        node.create_timer(FAST_S, self._turn)
        node.create_timer(SLOW_S, self._turn_slowly)

    def scan_of(self, ranges: Sequence[float]) -> LaserScan:
        """Return a scan with the stamp of now."""
        return scan_message(ranges, self._now())

    def publish_scan(self) -> None:
        """Publish one scan now."""
        self.scans.publish(self.scan_of(self.ranges))

    def _now(self) -> Any:
        return self._node.get_clock().now().to_msg()

    def _obey(self, message: Twist) -> None:
        self.speeds.append(Speed(time.monotonic(), message.linear.x))
        self.twist = Twist2D(message.linear.x, message.angular.z)

    def _turn(self) -> None:
        self.pose = self.twist.step(self.pose, FAST_S)
        if 'odom' in self.silent:
            return
        odom = Odometry()
        odom.header.stamp, odom.twist.twist = self._now(), twist_message(self.twist)
        odom.pose.pose.position.x, odom.pose.pose.position.y = self.pose.x_m, self.pose.y_m
        odom.pose.pose.orientation = quaternion_of(self.pose.yaw_rad)
        self._odom.publish(odom)
        self.odometry.append(Published(time.monotonic(), seconds(odom.header.stamp)))

    def _turn_slowly(self) -> None:
        if 'scan' not in self.silent:
            self.publish_scan()
        if 'bumper' not in self.silent:
            self.bumps.publish(Bool(data=self.pressed))
        if self.stops is not None and 'estop' not in self.silent:
            self.stops.publish(Bool(data=self.stopped))
        pose = PoseWithCovarianceStamped()
        pose.header.stamp = self._now()
        pose.pose.pose.position.x, pose.pose.pose.position.y = START.x_m + self.pose.x_m, START.y_m + self.pose.y_m
        pose.pose.pose.orientation = quaternion_of(self.pose.yaw_rad)
        self._map.publish(pose)
        self.poses.append(Published(time.monotonic(), seconds(pose.header.stamp)))
        joints = JointState(name=['gripper_joint'], position=[0.1])
        joints.header.stamp = self._now()
        self._joints.publish(joints)


class StandInExecutor:
    """Beats, and repeats one command at 20 Hz while it has one."""

    def __init__(self, node: Node, boot_id: int | None = None, sequence: int = 0) -> None:
        self.beating = True
        self.command: MotionCommand | None = None
        self._boot_id = new_boot_id() if boot_id is None else boot_id
        self._sequence = sequence
        self._beats = node.create_publisher(Heartbeat, 'heartbeat', COMMAND)
        self._commands = node.create_publisher(MotionCommand, 'motion_command', COMMAND)
        node.create_timer(BEAT_S, self._beat)
        node.create_timer(REPEAT_S, self._repeat)

    def send(self, command: MotionCommand) -> None:
        """Send one command once."""
        self._commands.publish(command)

    def _beat(self) -> None:
        if self.beating:
            self._sequence += 1
            self._beats.publish(Heartbeat(node='executor', boot_id=self._boot_id, sequence=self._sequence))

    def _repeat(self) -> None:
        if self.command is not None:
            self._commands.publish(self.command)
