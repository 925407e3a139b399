"""Feeds the sensor topics a robot has to the safety supervisor."""

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.safety.tilt import tilt_of_gravity, tilt_of_orientation, TiltSample
from robot_tool_agent.core.samples import BumperSample
from robot_tool_agent.nodes import conversions
from robot_tool_agent.nodes.clock import seconds, steady_now_s
from robot_tool_agent.nodes.qos import SENSOR
from robot_tool_agent.nodes.topic_types import input_type
from sensor_msgs.msg import Imu
from std_msgs.msg import Bool


def tilt_sample(message: Imu, received_s: float) -> TiltSample:
    """Return how far an IMU leans: by its orientation, or by gravity where it has none (sensor_msgs/Imu)."""
    q, a = message.orientation, message.linear_acceleration
    has_orientation = message.orientation_covariance[0] != -1.0
    tilt_rad = tilt_of_orientation(q.x, q.y, q.z, q.w) if has_orientation else tilt_of_gravity(a.x, a.y, a.z)
    return TiltSample(seconds(message.header.stamp), received_s, tilt_rad)


class SafetyInputs:
    """
    Subscribes best effort. `on_news` is called after each message.

    A scan or odometry of another frame than the robot description names is refused; an empty name says nothing.
    """

    def __init__(
        self, node: Node, robot: RobotDescription, supervisor: SafetySupervisor, on_news: Callable[[], None]
    ) -> None:
        self._node = node
        self._robot = robot
        self._supervisor = supervisor
        self._on_news = on_news
        self._listen('odom', conversions.odom_sample, supervisor.on_odom)
        self._listen('scan', conversions.scan_sample, supervisor.on_scan)
        self._listen('global_pose', conversions.global_pose_sample, supervisor.on_global_pose)
        self._listen('joint_states', conversions.joint_sample, supervisor.on_joints)
        self._listen('battery_state', conversions.battery_sample, supervisor.on_battery)
        self._listen('imu', tilt_sample, supervisor.on_tilt)
        self._listen('bumper', self._switch_sample, supervisor.on_bumper)
        self._listen('estop', self._switch_sample, supervisor.on_estop)

    def _listen(self, topic: str, convert: Callable[[Any, float], Any], take: Callable[[Any], None]) -> None:
        """Subscribe a topic if this robot has it."""
        if topic not in self._robot.topics.inputs():
            return

        frame = self._robot.frame_of(topic)

        def callback(message: Any) -> None:
            fault = conversions.frame_fault(message, frame)
            if fault:
                self._supervisor.on_refused(topic, fault)
            else:
                take(convert(message, steady_now_s()))
            self._on_news()

        kind = input_type(self._robot, topic)
        self._node.create_subscription(kind, self._robot.topics.resolved(topic), callback, SENSOR)

    def _switch_sample(self, message: Bool, received_s: float) -> BumperSample:
        ros_now_s = float(self._node.get_clock().now().nanoseconds) * 1e-9
        return conversions.bumper_sample(message, ros_now_s, received_s)
