"""What the planner says on `/diagnostics`: failure rates with their alarm, what models did, the state of its memory."""

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.failure_rates import Group, Rate
from robot_tool_agent.nodes.qos import COMMAND

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR
PERIOD_S = 1.0
Values = list[tuple[str, str]]


class PlannerDiagnostics:
    """Publishes one array per call."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._hardware = node.get_fully_qualified_name()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', COMMAND)

    def publish(self, rates: list[Rate], counters: PlannerCounters, trouble: str) -> None:
        """Publish rates, counters and what is wrong with the memory, empty if nothing is."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [
            *(self._rates(group, [rate for rate in rates if rate.group is group]) for group in Group),
            self._counters(counters),
            self._status('memory', ERROR if trouble else OK, trouble or 'tasks are stored', []),
        ]
        self._publisher.publish(message)

    def _rates(self, group: Group, rates: list[Rate]) -> DiagnosticStatus:
        alarms = [f'{rate.name} {rate.failed} of {rate.total}' for rate in rates if rate.alarm]
        text = f'fails too often: {", ".join(alarms)}' if alarms else 'failed of all in the window'
        values = [(rate.name, f'{rate.failed} of {rate.total} ({rate.share:.2f})') for rate in rates]
        return self._status(f'failures by {group.value}', WARN if alarms else OK, text, values)

    def _counters(self, counters: PlannerCounters) -> DiagnosticStatus:
        values: Values = []
        for name, value in counters.as_data().items():
            if isinstance(value, dict):
                values += [(f'{name}/{key}', str(number)) for key, number in value.items()]
            else:
                values.append((name, str(value)))
        return self._status('models', OK, 'counted since the start', values)

    def _status(self, name: str, level: bytes, message: str, values: Values) -> DiagnosticStatus:
        pairs = [KeyValue(key=key, value=value) for key, value in values]
        return DiagnosticStatus(
            level=level, name=f'planner: {name}', message=message, hardware_id=self._hardware, values=pairs
        )
