"""A bare node to compare with: hears odometry and scans, does nothing."""

import sys

from nav_msgs.msg import Odometry
from rclpy.node import Node
from robot_tool_agent.nodes.qos import SENSOR
from robot_tool_agent.nodes.runtime import run_node
from sensor_msgs.msg import LaserScan


class BareSubscriber(Node):
    """Two subscriptions."""

    def __init__(self) -> None:
        super().__init__('bare_subscriber')
        self.create_subscription(Odometry, 'odom', lambda message: None, SENSOR)
        self.create_subscription(LaserScan, 'scan', lambda message: None, SENSOR)


if __name__ == '__main__':
    sys.exit(run_node(BareSubscriber))
