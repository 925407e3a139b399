"""
A model in Gazebo as a robot of this suite, beside ros_gz_bridge.

Node `gazebo_adapter`. Topic names are relative; the robot YAML may rename those of the robot.
Subscribes: `gazebo/pose/<model>` and `gazebo/pose/<object>` for every object of the world file (geometry_msgs/
PoseStamped, true poses), `gazebo/contacts` (ros_gz_interfaces/Contacts), `cmd_vel` (Twist, or TwistStamped where the
YAML says so).
Publishes (reliable, depth 10): `gazebo/cmd_vel` (Twist; zero once `cmd_vel` is silent for `command_timeout_s`, because
Gazebo's differential drive keeps the last command for ever), `global_pose`, `detected_objects` and `bumper` at the
rates of the YAML; for judges `sim/ground_truth` (nav_msgs/Odometry, map frame, pose only) with each pose.
Parameters: those of `GazeboSettings`, fixed at start.
"""

from collections.abc import Callable, Sequence
from functools import partial
import importlib
import sys
from typing import Any

from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent.config_files import ConfigError, load_model, load_robot
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.nodes import parameters
from robot_tool_agent.nodes.clock import seconds, steady_now_s
from robot_tool_agent.nodes.conversions import yaw_of
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.msg import DetectedObjects
from robot_tool_agent_sim.base_driver import BaseDriver
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.gazebo.settings import GazeboSettings
from robot_tool_agent_sim.gazebo.stage import Stage
from robot_tool_agent_sim.messages import Messages
from std_msgs.msg import Bool

NAME = 'gazebo_adapter'


class GazeboAdapterNode(Node):
    """
    Carries messages between the bridge and the suite.

    Any message type serves for contacts; `contacts_in` counts those in a message.
    """

    def __init__(self, contacts_type: type, contacts_in: Callable[[Any], int]) -> None:
        super().__init__(NAME)
        settings = parameters.declare(self, GazeboSettings)
        robot = load_robot(settings.robot_file)
        world = load_model(settings.world_file, WorldDescription)
        self._stage = Stage(robot, world.objects)
        self._contacts_in = contacts_in
        self._driver = BaseDriver(self, robot, 'gazebo/cmd_vel', settings.command_timeout_s)
        self._messages = Messages(robot.frames)
        self._advertise(robot.topics.resolved)
        self.create_subscription(PoseStamped, f'gazebo/pose/{settings.model}', self._on_robot, SENSOR)
        for item in world.objects:
            self.create_subscription(PoseStamped, f'gazebo/pose/{item}', partial(self._on_object, item), SENSOR)
        self.create_subscription(contacts_type, 'gazebo/contacts', self._on_contacts, SENSOR)

    def _advertise(self, resolved: Callable[[str], str]) -> None:
        self._truth = self.create_publisher(Odometry, 'sim/ground_truth', COMMAND)
        self._global_pose = self.create_publisher(PoseWithCovarianceStamped, resolved('global_pose'), COMMAND)
        self._objects = self.create_publisher(DetectedObjects, resolved('detected_objects'), COMMAND)
        self._bumper = self.create_publisher(Bool, resolved('bumper'), COMMAND)

    def _on_robot(self, message: PoseStamped) -> None:
        readings = self._stage.on_robot(_planar(message), seconds(message.header.stamp), steady_now_s())
        if readings is None:
            return
        truth = readings.truth
        self._truth.publish(self._messages.ground_truth(truth.stamp_s, truth.pose, truth.twist))
        if readings.global_pose is not None:
            self._global_pose.publish(self._messages.global_pose(readings.global_pose))
        if readings.objects is not None:
            self._objects.publish(self._messages.objects(readings.objects))
        if readings.bumper is not None:
            self._bumper.publish(self._messages.bumper(readings.bumper))

    def _on_object(self, name: str, message: PoseStamped) -> None:
        self._stage.on_object(name, _planar(message))

    def _on_contacts(self, message: Any) -> None:
        now_s = float(self.get_clock().now().nanoseconds) * 1e-9
        self._stage.on_contacts(self._contacts_in(message), now_s)

    def on_shutdown(self) -> bool:
        """Leave the robot standing."""
        self._driver.leave_standing()
        return True


def _planar(message: PoseStamped) -> Pose2D:
    place = message.pose.position
    return Pose2D(place.x, place.y, yaw_of(message.pose.orientation))


def _start() -> GazeboAdapterNode:
    try:
        contacts_type = importlib.import_module('ros_gz_interfaces.msg').Contacts
    except (ImportError, AttributeError):
        raise ConfigError(f'{NAME}: no message type ros_gz_interfaces/msg/Contacts: install ros_gz') from None
    return GazeboAdapterNode(contacts_type, lambda message: len(message.contacts))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the node; return the process's exit code."""
    return run_node(_start, argv)


if __name__ == '__main__':
    sys.exit(main())
