"""A turtle of turtlesim as a robot of this suite.

Node `turtle_adapter`. Topic names are relative; the robot YAML may rename those of the robot.
Subscribes: `turtle1/pose` (turtlesim_msgs/Pose from Kilted on, turtlesim/Pose before; best effort), `cmd_vel` (Twist,
or TwistStamped where the YAML says so).
Publishes (reliable, depth 10): `turtle1/cmd_vel` (Twist; zero once `cmd_vel` is silent for `command_timeout_s`),
`odom` with each pose (62.5 Hz, velocity measured from the poses), `global_pose` and `scan` at the rates of the YAML.
Parameters: those of `TurtleSettings`, fixed at start.
"""

import sys
from collections.abc import Sequence
from typing import Any

import rclpy.clock
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from rclpy.node import Node
from sensor_msgs.msg import LaserScan

from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.nodes import parameters
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_sim.command_timeout import CommandTimeout
from robot_tool_agent_sim.messages import Messages
from robot_tool_agent_sim.turtlesim.settings import TurtleSettings
from robot_tool_agent_sim.turtlesim.turtle import Turtle
from robot_tool_agent_sim.turtlesim.types import pose_type

NAME = 'turtle_adapter'
TIMEOUT_CHECK_S = 0.02
# The last zero must have left before the process ends.
LAST_WORD_S = 0.3


class TurtleAdapterNode(Node):
    """Carries messages between turtlesim and the suite. Any message type with x, y and theta serves as pose."""

    def __init__(self, pose_message_type: type) -> None:
        super().__init__(NAME)
        settings = parameters.declare(self, TurtleSettings)
        robot = load_robot(settings.robot_file)
        self._turtle = Turtle(robot)
        self._timeout = CommandTimeout(settings.command_timeout_s)
        self._messages = Messages(robot.frames)
        topics = robot.topics
        self._odom = self.create_publisher(Odometry, topics.resolved('odom'), COMMAND)
        self._global_pose = self.create_publisher(PoseWithCovarianceStamped, topics.resolved('global_pose'), COMMAND)
        self._scan = self.create_publisher(LaserScan, topics.resolved('scan'), COMMAND)
        self._cmd_vel = self.create_publisher(Twist, f'{settings.turtle}/cmd_vel', COMMAND)
        stamped = topics.cmd_vel.stamped
        self.create_subscription(
            TwistStamped if stamped else Twist,
            topics.resolved('cmd_vel'),
            (lambda message: self._on_twist(message.twist)) if stamped else self._on_twist,
            COMMAND,
        )
        self.create_subscription(pose_message_type, f'{settings.turtle}/pose', self._on_pose, SENSOR)
        steady = rclpy.clock.Clock(clock_type=rclpy.clock.ClockType.STEADY_TIME)
        self.create_timer(TIMEOUT_CHECK_S, self._on_timer, clock=steady)

    def _on_pose(self, message: Any) -> None:
        stamp_s = float(self.get_clock().now().nanoseconds) * 1e-9
        readings = self._turtle.on_pose(Pose2D(message.x, message.y, message.theta), stamp_s, steady_now_s())
        if readings is None:
            return
        self._odom.publish(self._messages.odometry(readings.odom))
        if readings.global_pose is not None:
            self._global_pose.publish(self._messages.global_pose(readings.global_pose))
        if readings.scan is not None:
            self._scan.publish(self._messages.scan(readings.scan))

    def _on_twist(self, message: Twist) -> None:
        self._timeout.on_command(Twist2D(message.linear.x, message.angular.z), steady_now_s())
        self._cmd_vel.publish(message)

    def _on_timer(self) -> None:
        if self._timeout.due_zero(steady_now_s()):
            self._cmd_vel.publish(Twist())

    def on_shutdown(self) -> bool:
        """Leave the turtle standing."""
        self._cmd_vel.publish(Twist())
        self._cmd_vel.wait_for_all_acked(Duration(seconds=LAST_WORD_S))
        return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run the node; return the process's exit code."""
    return run_node(lambda: TurtleAdapterNode(pose_type()), argv)


if __name__ == '__main__':
    sys.exit(main())
