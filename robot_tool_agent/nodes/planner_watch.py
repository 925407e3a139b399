"""What the planner hears of the other nodes: is safety READY, does the executor live."""

from rclpy.node import Node
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.conversions import safety_view
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState

EXECUTOR = 'executor'


class NodeWatch:
    """Subscribes `safety_state` and `heartbeat`."""

    def __init__(self, node: Node, executor_lost_s: float, safety_timeout_s: float) -> None:
        self._node = node
        self._monitor = HeartbeatMonitor(executor_lost_s)
        self._safety_timeout_s = safety_timeout_s
        self._view: SafetyView | None = None
        self._view_s = 0.0
        node.create_subscription(SafetyState, 'safety_state', self._on_safety, LATCHED)
        node.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)

    def safety(self, now_s: float) -> SafetyView | None:
        """Return the state of the safety node, None if it was not heard lately."""
        return self._view if now_s - self._view_s <= self._safety_timeout_s else None

    def executor_boot(self) -> int | None:
        """Return which start of the executor was heard last, None if it was never heard."""
        return self._monitor.boot_id(EXECUTOR)

    def executor_usable(self, now_s: float) -> bool:
        """Tell whether the executor gave a sign of life lately; one never heard has the benefit of the doubt."""
        return not self._monitor.known(EXECUTOR) or self._monitor.alive(EXECUTOR, now_s)

    def _on_safety(self, message: SafetyState) -> None:
        try:
            self._view, self._view_s = safety_view(message), steady_now_s()
        except ValueError as error:
            self._view = None
            self._node.get_logger().error(f'safety_state cannot be read, so safety is not READY: {error}', once=True)

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._monitor.heard(message.node, message.boot_id, message.sequence, steady_now_s())
