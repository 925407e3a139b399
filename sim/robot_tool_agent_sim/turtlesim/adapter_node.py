"""
A turtle of turtlesim as a robot of this suite.

Node `turtle_adapter`. Topic names are relative; the robot YAML may rename those of the robot.
Subscribes: `turtle1/pose` (turtlesim_msgs/Pose from Kilted on, turtlesim/Pose before; best effort), `cmd_vel` (Twist,
or TwistStamped where the YAML says so).
Publishes (reliable, depth 10): `turtle1/cmd_vel` (Twist; zero once `cmd_vel` is silent for `command_timeout_s`),
`odom` with each pose (62.5 Hz, velocity measured from the poses), `global_pose` and `scan` at the rates of the YAML.
Parameters: those of `TurtleSettings`, fixed at start.
"""

from collections.abc import Sequence
import sys
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.nodes import parameters
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_sim.base_driver import BaseDriver
from robot_tool_agent_sim.messages import Messages
from robot_tool_agent_sim.turtlesim.settings import TurtleSettings
from robot_tool_agent_sim.turtlesim.turtle import Turtle
from robot_tool_agent_sim.turtlesim.types import pose_type
from sensor_msgs.msg import LaserScan

NAME = 'turtle_adapter'


class TurtleAdapterNode(Node):
    """Carries messages between turtlesim and the suite. Any message type with x, y and theta serves as pose."""

    def __init__(self, pose_message_type: type) -> None:
        super().__init__(NAME)
        settings = parameters.declare(self, TurtleSettings)
        robot = load_robot(settings.robot_file)
        self._turtle = Turtle(robot)
        self._driver = BaseDriver(self, robot, f'{settings.turtle}/cmd_vel', settings.command_timeout_s)
        self._messages = Messages(robot.frames)
        topics = robot.topics
        self._odom = self.create_publisher(Odometry, topics.resolved('odom'), COMMAND)
        self._global_pose = self.create_publisher(PoseWithCovarianceStamped, topics.resolved('global_pose'), COMMAND)
        self._scan = self.create_publisher(LaserScan, topics.resolved('scan'), COMMAND)
        self.create_subscription(pose_message_type, f'{settings.turtle}/pose', self._on_pose, SENSOR)

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

    def on_shutdown(self) -> bool:
        """Leave the turtle standing."""
        self._driver.leave_standing()
        return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run the node; return the process's exit code."""
    return run_node(lambda: TurtleAdapterNode(pose_type()), argv)


if __name__ == '__main__':
    sys.exit(main())
