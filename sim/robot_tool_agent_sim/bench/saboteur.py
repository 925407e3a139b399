"""Publishes wrong messages beside a running system, and notes when odometry last had news."""

from __future__ import annotations

import math
import time

from nav_msgs.msg import Odometry
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent_interfaces.msg import MotionCommand
from robot_tool_agent_sim.harness.ranges import corridor_ranges
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from robot_tool_agent_sim.harness.stand_ins import scan_message, SLOW_S, velocity_command
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Bool

NEAR_M = 0.22


class Saboteur:
    """A node with the stop button of the robot, and with messages that the robot would not send."""

    def __init__(self, domain_id: int) -> None:
        self._loop = RosLoop('saboteur', domain_id, '')
        node = self._loop.node
        self._pressed = self._scanning = False
        self._ranges = corridor_ranges()
        self._stamp_s = -math.inf
        self.odom_news_s = -math.inf
        self._stops = node.create_publisher(Bool, 'estop', COMMAND)
        self._bumps = node.create_publisher(Bool, 'bumper', COMMAND)
        self._scans = node.create_publisher(LaserScan, 'scan', COMMAND)
        self._commands = node.create_publisher(MotionCommand, 'motion_command', COMMAND)
        node.create_subscription(Odometry, 'odom', self._on_odom, SENSOR)
        node.create_timer(SLOW_S, self._repeat)
        self._loop.start()

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()

    def press_stop(self, pressed: bool) -> None:
        """Press or release the stop button; the state is repeated."""
        self._pressed = pressed
        self._stops.publish(Bool(data=pressed))

    def bump(self) -> None:
        """Report one contact."""
        self._bumps.publish(Bool(data=True))

    def send_invalid(self, epoch: int, call_id: str) -> None:
        """Send one command that is no number."""
        self._commands.publish(velocity_command(math.nan, epoch, call_id))

    def take_over_scans(self, scanning: bool) -> None:
        """Publish scans of a free corridor, in place of the robot's, or stop doing so."""
        self._ranges = corridor_ranges()
        self._scanning = scanning

    def put_obstacle(self) -> None:
        """Show something close in front of the robot from now on."""
        self._ranges = corridor_ranges(ahead_m=NEAR_M)
        self._publish_scan()

    def _publish_scan(self) -> None:
        self._scans.publish(scan_message(self._ranges, self._loop.node.get_clock().now().to_msg()))

    def _on_odom(self, message: Odometry) -> None:
        stamp_s = seconds(message.header.stamp)
        if stamp_s > self._stamp_s:
            self._stamp_s, self.odom_news_s = stamp_s, time.monotonic()

    def _repeat(self) -> None:
        self._stops.publish(Bool(data=self._pressed))
        if self._scanning:
            self._publish_scan()
