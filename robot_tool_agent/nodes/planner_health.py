"""The planner's view of its own failures: rates, diagnostics, samples in a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robot_tool_agent.core.planning.actions import Action
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.failure_rates import FailureRates
from robot_tool_agent.core.planning.failure_watch import FailureWatch
from robot_tool_agent.core.planning.memory.coding import map_texts
from robot_tool_agent.core.planning.memory.writes import Write
from robot_tool_agent.core.planning.redaction import Redactor
from robot_tool_agent.journal_path import default_failures_path
from robot_tool_agent.nodes.clock import steady_now_s, wall_now_s
from robot_tool_agent.nodes.planner_diagnostics import PERIOD_S, PlannerDiagnostics
from robot_tool_agent.nodes.planner_setup import PlannerParameters
from robot_tool_agent.sample_file import SampleFile


class PlannerHealth:
    """Watches tasks. `run` does slow work in order on another thread. `trouble` is what is wrong with the memory."""

    def __init__(
        self,
        node: Node,
        settings: PlannerParameters,
        counters: PlannerCounters,
        redact: Redactor,
        run: Callable[[Callable[[], None]], None],
    ) -> None:
        self.trouble = ''
        self._node = node
        self._counters = counters
        self._redact = redact
        self._run = run
        path = Path(settings.failures_path or default_failures_path(node.get_namespace()))
        self._file = SampleFile(path, settings.failures_max_bytes)
        self._rates = FailureRates(
            settings.failure_window_s, settings.failure_alarm_rate, settings.failure_alarm_count
        )
        self._watch = FailureWatch(self._rates, counters)
        self._diagnostics = PlannerDiagnostics(node)
        self._timer = node.create_timer(PERIOD_S, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def observe(self, task_id: str, writes: Sequence[Write], actions: Sequence[Action]) -> None:
        """Take what follows from one event of a task."""
        samples = self._watch.observe(task_id, writes, actions, steady_now_s())
        if samples:
            at_s = wall_now_s()
            self._run(lambda: self._keep([{'at_s': at_s, **sample} for sample in samples]))

    def resume(self) -> None:
        """Take note that a task was rebuilt: its past is no news."""
        self._watch.resume()

    def _keep(self, samples: list[dict[str, Any]]) -> None:
        try:
            self._file.append(*(map_texts(sample, self._redact) for sample in samples))
        except OSError as error:
            self._node.get_logger().warning(f'samples of failures cannot be written: {error}', once=True)

    def _publish(self) -> None:
        self._diagnostics.publish(self._rates.rates(steady_now_s()), self._counters, self.trouble)
