"""Subscribes the sensor topics a robot has and hands their samples on."""

from collections.abc import Callable
from typing import Any, Protocol

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent_interfaces.msg import DetectedObjects
from sensor_msgs.msg import BatteryState, JointState, LaserScan
from std_msgs.msg import Bool

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    ObjectsSample,
    OdomSample,
    ScanSample,
)
from robot_tool_agent.nodes import conversions
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.qos import SENSOR


class SensorSink(Protocol):
    """Takes samples; the core's SensorView is one."""

    def on_odom(self, sample: OdomSample) -> None:
        """Take odometry."""

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a pose in the map."""

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""

    def on_bumper(self, sample: BumperSample) -> None:
        """Take a contact state."""

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""

    def on_battery(self, sample: BatterySample) -> None:
        """Take a battery state."""

    def on_objects(self, sample: ObjectsSample) -> None:
        """Take detected objects."""


def subscribe_sensors(node: Node, robot: RobotDescription, sink: SensorSink, on_news: Callable[[], None]) -> None:
    """Subscribe every sensor topic the robot declares and the suite reads; `on_news` is called after each sample."""
    declared = robot.topics.inputs()
    for topic, (message_type, take) in _readers(node, sink).items():
        if topic in declared:
            callback = _followed_by(take, on_news)
            node.create_subscription(message_type, robot.topics.resolved(topic), callback, SENSOR)


def _followed_by(take: Callable[[Any], None], on_news: Callable[[], None]) -> Callable[[Any], None]:
    def callback(message: Any) -> None:
        take(message)
        on_news()

    return callback


def _readers(node: Node, sink: SensorSink) -> dict[str, tuple[type[Any], Callable[[Any], None]]]:
    def bumper(message: Bool) -> None:
        ros_now_s = float(node.get_clock().now().nanoseconds) * 1e-9
        sink.on_bumper(conversions.bumper_sample(message, ros_now_s, steady_now_s()))

    return {
        'odom': (Odometry, lambda message: sink.on_odom(conversions.odom_sample(message, steady_now_s()))),
        'global_pose': (
            PoseWithCovarianceStamped,
            lambda message: sink.on_global_pose(conversions.global_pose_sample(message, steady_now_s())),
        ),
        'scan': (LaserScan, lambda message: sink.on_scan(conversions.scan_sample(message, steady_now_s()))),
        'bumper': (Bool, bumper),
        'joint_states': (JointState, lambda message: sink.on_joints(conversions.joint_sample(message, steady_now_s()))),
        'battery_state': (
            BatteryState,
            lambda message: sink.on_battery(conversions.battery_sample(message, steady_now_s())),
        ),
        'detected_objects': (
            DetectedObjects,
            lambda message: sink.on_objects(conversions.objects_sample(message, steady_now_s())),
        ),
    }
