"""Subscribes the sensor topics a robot has and hands their samples on."""

from collections.abc import Callable
from typing import Any, Protocol

from rclpy.node import Node
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.robot.topics import ObjectsType
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
from robot_tool_agent.nodes.topic_types import input_type
from std_msgs.msg import Bool


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
    """
    Subscribe every sensor topic the robot declares and the suite reads; `on_news` is called after each sample.

    A message of another frame than the robot description names is not read (and logged once a topic); an empty name
    says nothing. Raise ConfigError if the package of a message type is not installed.
    """
    declared = robot.topics.inputs()
    for topic, (convert, take) in _readers(node, robot, sink).items():
        if topic in declared:
            callback = _in_frame(node, topic, robot.frame_of(topic), _reader(convert, take, on_news))
            node.create_subscription(input_type(robot, topic), robot.topics.resolved(topic), callback, SENSOR)


Convert = Callable[[Any, float], Any]
Take = Callable[[Any], None]


def _in_frame(node: Node, topic: str, frame: str, take: Take) -> Take:
    told = False

    def callback(message: Any) -> None:
        nonlocal told
        fault = conversions.frame_fault(message, frame)
        if not fault:
            take(message)
        elif not told:
            told = True
            node.get_logger().error(f'{topic} is not read: {fault}')

    return callback


def _reader(convert: Convert, take: Take, on_news: Callable[[], None]) -> Take:
    def callback(message: Any) -> None:
        take(convert(message, steady_now_s()))
        on_news()

    return callback


def _readers(node: Node, robot: RobotDescription, sink: SensorSink) -> dict[str, tuple[Convert, Take]]:
    def bumper(message: Bool, received_s: float) -> BumperSample:
        return conversions.bumper_sample(message, float(node.get_clock().now().nanoseconds) * 1e-9, received_s)

    return {
        'odom': (conversions.odom_sample, sink.on_odom),
        'global_pose': (conversions.global_pose_sample, sink.on_global_pose),
        'scan': (conversions.scan_sample, sink.on_scan),
        'bumper': (bumper, sink.on_bumper),
        'joint_states': (conversions.joint_sample, sink.on_joints),
        'battery_state': (conversions.battery_sample, sink.on_battery),
        'detected_objects': (_objects_reader(robot), sink.on_objects),
    }


def _objects_reader(robot: RobotDescription) -> Convert:
    topic = robot.topics.detected_objects
    own = topic is None or topic.type is ObjectsType.OWN
    return conversions.objects_sample if own else conversions.detections_sample
