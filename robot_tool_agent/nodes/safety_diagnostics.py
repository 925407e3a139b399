"""What the safety node says on `/diagnostics`: its state, each watched input with age and limit, its counters."""

from collections.abc import Iterable
import math

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node
from robot_tool_agent.core.safety.status import InputStatus, Status
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.nodes.qos import COMMAND

OK, WARN, ERROR, STALE = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.STALE
_QUIET = (SafetyMode.STARTING, SafetyMode.READY)


class SafetyDiagnostics:
    """Publishes one array per call."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._hardware = node.get_fully_qualified_name()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', COMMAND)

    def publish(self, status: Status) -> None:
        """Publish a status."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._state(status), *(self._input(item) for item in status.inputs), self._counters(status)]
        self._publisher.publish(message)

    def _state(self, status: Status) -> DiagnosticStatus:
        view = status.view
        level = (WARN if status.notices else OK) if view.mode in _QUIET else ERROR
        values = [
            ('fault', view.fault),
            ('detail', view.detail),
            ('epoch', str(view.epoch)),
            ('resettable', str(view.resettable).lower()),
            ('limit_reason', view.limit_reason),
        ]
        return self._status('state', level, ': '.join(part for part in (view.mode.name, view.fault) if part), values)

    def _input(self, item: InputStatus) -> DiagnosticStatus:
        age = 'never' if math.isinf(item.age_s) else f'{item.age_s:.3f}'
        text = item.refusal or ('silent' if item.stale else 'fresh')
        return self._status(
            f'input {item.name}',
            STALE if item.stale else OK,
            text,
            [('age_s', age), ('limit_s', f'{item.limit_s:.3f}')],
        )

    def _counters(self, status: Status) -> DiagnosticStatus:
        return self._status('gate', OK, 'commands by answer, ticks by limit', _texts(status.counters.items()))

    def _status(self, name: str, level: bytes, message: str, values: list[tuple[str, str]]) -> DiagnosticStatus:
        pairs = [KeyValue(key=key, value=value) for key, value in values]
        return DiagnosticStatus(
            level=level, name=f'safety: {name}', message=message, hardware_id=self._hardware, values=pairs
        )


def _texts(counts: Iterable[tuple[str, int]]) -> list[tuple[str, str]]:
    return [(reason, str(count)) for reason, count in sorted(counts)]
