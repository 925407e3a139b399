"""Only one executor serves a robot: a second one with the same action name refuses to start."""

from rclpy.node import Node
from robot_tool_agent_interfaces.msg import Heartbeat

from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.nodes.clock import steady_now_s


class Exclusive:
    """Listens before the node serves. A killed executor stays in the graph for a while: a rising heartbeat decides."""

    def __init__(self, node: Node, wait_s: float) -> None:
        self._node = node
        self._until_s = steady_now_s() + wait_s
        self._heard: dict[int, int] = {}

    def on_heartbeat(self, message: Heartbeat) -> None:
        """Take a heartbeat. Raise ConfigError if another executor lives and this one has not begun to serve."""
        if message.node != self._node.get_name() or self.over():
            return
        before = self._heard.setdefault(message.boot_id, message.sequence)
        if message.sequence > before:
            namespace = self._node.get_namespace()
            raise ConfigError(
                f'{self._node.get_name()}: another executor serves execute_skill in namespace {namespace}'
            )

    def over(self) -> bool:
        """Tell whether nobody else was heard for long enough."""
        return steady_now_s() >= self._until_s
