"""Is the executor there, is it the same one as before, and does it hear this node's heartbeat."""

from __future__ import annotations

from rclpy.node import Node
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_interfaces.msg import Heartbeat

EXECUTOR = 'executor'
LOST_S = 2.0
# Three beats: by then the executor, once connected, knows this node and binds its calls to its life.
HEARD_AFTER_S = 0.3


class ExecutorWatch:
    """Subscribes `heartbeat`."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._monitor = HeartbeatMonitor(LOST_S)
        self._connected_s: float | None = None
        self._boot: int | None = None
        node.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)

    def usable(self, now_s: float) -> bool:
        """Tell whether the executor gave a sign of life lately."""
        return self._monitor.alive(EXECUTOR, now_s)

    def boot(self) -> int | None:
        """Return which start of the executor was heard last."""
        return self._monitor.boot_id(EXECUTOR)

    def hears_us(self, now_s: float) -> bool:
        """
        Tell whether the executor has had time to hear this node.

        It binds a call to the heartbeat of a node only if it knows one; a call sent before that would go on when this
        process dies.
        """
        if self._boot != self.boot():
            self._boot, self._connected_s = self.boot(), None
        if self._connected_s is None and self._is_connected():
            self._connected_s = now_s
        return self._connected_s is not None and now_s - self._connected_s >= HEARD_AFTER_S

    def _is_connected(self) -> bool:
        listeners = self._node.get_subscriptions_info_by_topic('heartbeat')
        space = self._node.get_namespace()
        return any(item.node_name == EXECUTOR and item.node_namespace == space for item in listeners)

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._monitor.heard(message.node, message.boot_id, message.sequence, steady_now_s())
