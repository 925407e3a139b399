"""Only one executor serves a robot: a second one with the same action name refuses to start."""

from rclpy.node import Node
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.nodes.clock import new_boot_id, steady_now_s
from robot_tool_agent_interfaces.msg import Heartbeat


class Exclusive:
    """
    Listens before the node serves, and after, for one that came first.

    A killed executor stays in the graph for a while, so a rising heartbeat decides; and discovery may take longer than
    the wait, so it decides later too.
    """

    def __init__(self, node: Node, wait_s: float) -> None:
        self._node = node
        self.boot_id = new_boot_id()
        self._until_s = steady_now_s() + wait_s
        self._heard: dict[int, int] = {}

    def on_heartbeat(self, message: Heartbeat) -> None:
        """Take a heartbeat. Raise ConfigError if another executor lives that came first."""
        if message.node != self._node.get_name() or message.boot_id >= self.boot_id:
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
