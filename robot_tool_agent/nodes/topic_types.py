"""Message types of the topics between robot and suite, by standard name."""

from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.robot.topics import ObjectsType
from robot_tool_agent_interfaces.msg import DetectedObjects
from sensor_msgs.msg import BatteryState, Imu, JointState, LaserScan
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory

_INPUTS = {
    'odom': Odometry,
    'global_pose': PoseWithCovarianceStamped,
    'scan': LaserScan,
    'bumper': Bool,
    'estop': Bool,
    'imu': Imu,
    'joint_states': JointState,
    'battery_state': BatteryState,
}


def input_type(robot: RobotDescription, standard_name: str) -> type[Any]:
    """Return the message type of a sensor topic. Raise ConfigError if the package it is from is not installed."""
    if standard_name != 'detected_objects':
        return _INPUTS[standard_name]
    topic = robot.topics.detected_objects
    if topic is None or topic.type is ObjectsType.OWN:
        return DetectedObjects
    try:
        from vision_msgs.msg import Detection3DArray
    except ImportError:
        raise ConfigError(f'topics.detected_objects.type = {topic.type.value}: vision_msgs is not installed') from None
    return Detection3DArray


def output_types(robot: RobotDescription) -> dict[str, type[Any]]:
    """Return the message types of the command topics this robot has."""
    types: dict[str, type[Any]] = {'cmd_vel': TwistStamped if robot.topics.cmd_vel.stamped else Twist}
    if robot.topics.joint_trajectory is not None:
        types['joint_trajectory'] = JointTrajectory
    return types


def type_name(message_type: type[Any]) -> str:
    """Return a type as the graph names it, e.g. `nav_msgs/msg/Odometry`."""
    package, kind, *_ = message_type.__module__.split('.')
    return f'{package}/{kind}/{message_type.__name__}'
