"""Publishes a node's sign of life."""

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robot_tool_agent.nodes.clock import new_boot_id
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_interfaces.msg import Heartbeat

HEARTBEAT_PERIOD_S = 0.1


class HeartbeatPublisher:
    """Publishes `heartbeat` at 10 Hz from the node's own executor, so that a hung node falls silent."""

    def __init__(self, node: Node, boot_id: int | None = None) -> None:
        self.boot_id = new_boot_id() if boot_id is None else boot_id
        self._name = node.get_name()
        self._sequence = 0
        self._publisher = node.create_publisher(Heartbeat, 'heartbeat', COMMAND)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(HEARTBEAT_PERIOD_S, self.publish, clock=steady)

    def publish(self) -> None:
        """Send the next sign of life."""
        self._sequence += 1
        self._publisher.publish(Heartbeat(node=self._name, boot_id=self.boot_id, sequence=self._sequence))
