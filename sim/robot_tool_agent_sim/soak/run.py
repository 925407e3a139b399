"""Sends task after task to a running system, lets faults strike, and measures the processes."""

from __future__ import annotations

from collections.abc import Callable
import sys
import time

from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.goals import Goal
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from robot_tool_agent_sim.soak.errands import Errand, errands, is_true
from robot_tool_agent_sim.soak.load import Load, load_of
from robot_tool_agent_sim.soak.tally import Tally

TASK_TIMEOUT_S = 200.0
STRIKE_TIMEOUT_S = 60.0


class Soak:
    """One run. `tell` gets a line after each task."""

    def __init__(
        self, system: RunningSystem, probe: Probe, robot: RobotDescription, tell: Callable[[str], None]
    ) -> None:
        self._system = system
        self._probe = probe
        self._robot = robot
        self._tell = tell
        self.tally = Tally()

    def loads(self) -> dict[str, Load]:
        """Return the load of every node."""
        return {name: load_of(pid) for name, pid in self._system.pids().items()}

    def run(self, seed: int, tasks: int | None = None, until_s: float = float('inf')) -> None:
        """Run so many tasks, or until a steady time."""
        for number, errand in enumerate(errands(seed)):
            if number == tasks or time.monotonic() >= until_s:
                return
            fresh_start(self._probe, self._system.journal_path)
            self._carry_out(errand)

    def _carry_out(self, errand: Errand) -> None:
        self.tally.faults[errand.fault or 'none'] += 1
        goal = self._probe.send_task(errand.instruction)
        try:
            self._strike(errand, goal)
            end = goal.result(TASK_TIMEOUT_S).result
        except TimeoutError as error:
            self.tally.unfinished.append(f'{errand}: {error}')
            return
        status = TaskStatus(end.status)
        self.tally.ends[status.name] += 1
        self._judge(errand, status, end.summary)
        self._tell(f'{errand.instruction} [{errand.fault or "no fault"}]: {status.name} {end.error_code}')

    def _strike(self, errand: Errand, goal: Goal) -> None:
        if not errand.fault:
            return
        start_m = self._probe.counters()['travelled_m']
        self._probe.wait_until(
            lambda: goal.done or self._probe.counters()['travelled_m'] - start_m >= errand.after_m,
            STRIKE_TIMEOUT_S,
            f'{errand.after_m:.1f} m under way',
        )
        self._probe.set_fault(errand.fault)

    def _judge(self, errand: Errand, status: TaskStatus, summary: str) -> None:
        pose, places = self._probe.true_pose(), self._probe.counters()['places']
        if status is TaskStatus.SUCCEEDED and not is_true(errand, self._robot, pose, places):
            self.tally.false_success.append(f'{errand}: robot at {pose}, {places} put down')
        elif status is not TaskStatus.SUCCEEDED and not errand.fault:
            self.tally.nuisance.append(f'{errand}: {status.name} {summary}')


def show(line: str) -> None:
    """Print one line at once."""
    print(line, file=sys.stdout, flush=True)
