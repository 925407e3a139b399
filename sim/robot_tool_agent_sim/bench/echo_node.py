"""
A bare node to compare with: publishes what it hears, nothing else.

Subscribes `echo/bool` (std_msgs/Bool), `echo/command` (MotionCommand), `echo/twist` (geometry_msgs/Twist), `echo/scan`
(sensor_msgs/LaserScan); publishes each again on `echoed/...`, with the QoS that the safety node uses for the like.
"""

import sys
from typing import Any

from geometry_msgs.msg import Twist
from rclpy.node import Node
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.msg import MotionCommand
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Bool

KINDS: dict[str, tuple[type[Any], Any]] = {
    'bool': (Bool, SENSOR),
    'command': (MotionCommand, COMMAND),
    'twist': (Twist, COMMAND),
    'scan': (LaserScan, SENSOR),
}


class EchoNode(Node):
    """One subscription and one publisher of each kind."""

    def __init__(self) -> None:
        super().__init__('echo')
        for name, (kind, qos) in KINDS.items():
            publisher = self.create_publisher(kind, f'echoed/{name}', COMMAND)
            self.create_subscription(kind, f'echo/{name}', publisher.publish, qos)


if __name__ == '__main__':
    sys.exit(run_node(EchoNode))
