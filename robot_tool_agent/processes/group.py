"""A group of processes: starts them, restarts those that may come back, ends all in the right order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import signal
import time

from robot_tool_agent.node_set import (
    EXIT_BAD_CONFIG,
    LOST_NODE_GRACE_S,
    RESPAWN_DELAY_S,
    RESPAWN_MAX,
    RESPAWN_WINDOW_S,
)
from robot_tool_agent.processes.output import LinePrinter
from robot_tool_agent.processes.process import how_it_ended, ProcessPlan, SupervisedProcess
from robot_tool_agent.processes.respawn import RestartBudget

# The first process brings the robot to rest within 0.6 s; the rest is for a slow machine.
FIRST_STOP_S = 2.0
# Signal and how long it has to take effect, in order.
ESCALATION = ((signal.SIGINT, 4.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 2.0))
POLL_PERIOD_S = 0.02
EXIT_LOST_NODE = 1


@dataclass(frozen=True, slots=True)
class Ending:
    """The group has to end: with this exit code, for this reason, at this steady time."""

    exit_code: int
    reason: str
    at_s: float


class ProcessGroup:
    """Processes that live and end together. The first plan is the one that is asked to end first."""

    def __init__(self, plans: Sequence[ProcessPlan], printer: LinePrinter, environment: Mapping[str, str]) -> None:
        self._plans = tuple(plans)
        self._printer = printer
        self._environment = environment
        self._running: dict[str, SupervisedProcess] = {}
        self._due_s: dict[str, float] = {}
        self._budgets = {plan.name: RestartBudget(RESPAWN_MAX, RESPAWN_WINDOW_S) for plan in plans}

    def start(self) -> None:
        """Start every process, in order."""
        for plan in self._plans:
            self._start(plan)

    def _start(self, plan: ProcessPlan) -> None:
        process = SupervisedProcess(plan, self._printer, self._environment)
        self._running[plan.name] = process
        self._printer.say(f'{plan.name} started, pid {process.pid}', 'rta')

    def poll(self, now_s: float) -> Ending | None:
        """Restart what is due, look for processes that ended. Return why the group must end, or None."""
        for name in [name for name, due_s in self._due_s.items() if now_s >= due_s]:
            del self._due_s[name]
            self._start(next(plan for plan in self._plans if plan.name == name))
        ended = [(process, process.exit_code) for process in self._running.values()]
        endings = [self._after(process, code, now_s) for process, code in ended if code is not None]
        return min((end for end in endings if end is not None), key=lambda end: end.at_s, default=None)

    def _after(self, process: SupervisedProcess, exit_code: int, now_s: float) -> Ending | None:
        """Decide what follows from a process that ended."""
        name = process.plan.name
        del self._running[name]
        text = f'{name} ended: {how_it_ended(exit_code)}'
        if exit_code == EXIT_BAD_CONFIG:
            return Ending(EXIT_BAD_CONFIG, f'{text} (bad configuration, see above)', now_s)
        if not process.plan.respawn:
            return Ending(EXIT_LOST_NODE, f'{text}; it never comes back by itself', now_s + LOST_NODE_GRACE_S)
        if not self._budgets[name].take(now_s):
            text += f'; {RESPAWN_MAX} restarts in {RESPAWN_WINDOW_S:g} s did not help'
            return Ending(EXIT_LOST_NODE, text, now_s)
        self._printer.say(f'{text}; starting again in {RESPAWN_DELAY_S:g} s', 'rta')
        self._due_s[name] = now_s + RESPAWN_DELAY_S
        return None

    def stop(self) -> None:
        """End every process: the first alone, so that zero velocity goes out while all others live; then the rest."""
        self._due_s.clear()
        first = self._running.get(self._plans[0].name)
        if first is not None:
            first.send(signal.SIGINT)
            self._wait([first], FIRST_STOP_S)
        left = list(self._running.values())
        for number, timeout_s in ESCALATION:
            self._signal(left, number)
            left = self._wait(left, timeout_s)
        for process in self._running.values():
            process.finish_output(timeout_s=1.0)
        self._running.clear()

    def _signal(self, processes: list[SupervisedProcess], number: signal.Signals) -> None:
        for process in processes:
            if process.exit_code is None:
                process.send(number)
                if number == signal.SIGKILL:
                    self._printer.say(f'{process.plan.name} did not end, killed', 'rta')

    def _wait(self, processes: list[SupervisedProcess], timeout_s: float) -> list[SupervisedProcess]:
        """Wait until the processes have ended; return those that have not."""
        deadline_s = time.monotonic() + timeout_s
        while (left := [item for item in processes if item.exit_code is None]) and time.monotonic() < deadline_s:
            time.sleep(POLL_PERIOD_S)
        return left
