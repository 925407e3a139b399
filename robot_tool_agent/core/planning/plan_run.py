"""Runs a plan without the model: decides by the ends of steps which steps run, and tells the model at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection
import json
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.endings import error_code
from robot_tool_agent.core.planning.plan import foresees, PlanStep
from robot_tool_agent.core.planning.side_by_side import fits, room

Json = dict[str, Any]
MAX_REPORT = 5000
UNMET = 'its condition is not met'
STOPPED = 'the plan stopped at a failure that it does not provide for'


class PlanRun:
    """The run of one plan. `tell` gets the report for the model, once."""

    def __init__(self, steps: tuple[PlanStep, ...], tell: Callable[[Json], None], max_parallel: int) -> None:
        self.correction: tuple[ErrorCode, str] | None = None
        self._steps = steps
        self._tell = tell
        self._max_parallel = max_parallel
        self._results: dict[str, SkillResult] = {}
        self._skipped: set[str] = set()
        self._started: set[str] = set()
        self._halted = False

    def next_ready(self, running: Collection[PlannedCall]) -> list[PlannedCall]:
        """
        Return the calls of the steps that may start now; one does not overtake an earlier one it must not run with.

        A step whose condition is not met is skipped, and so are those that need it.
        """
        if self._halted:
            return []
        started: list[PlannedCall] = []
        ahead = list(running)
        for step in self._decided():
            if room([*running, *started], self._max_parallel) and fits(step.call, ahead):
                started.append(step.call)
                self._started.add(step.id)
            ahead.append(step.call)
        return started

    def ended(self, call: PlannedCall, result: SkillResult) -> bool:
        """Take the end of a step; a failure that no step has a condition for stops the plan."""
        step = next(step for step in self._steps if step.call.call_id == call.call_id)
        self._results[step.id] = result
        if result.succeeded:
            return False
        foreseen = foresees(self._steps, step.id, result)
        if not foreseen:
            self._halted = True
            if result.asks_for_correction:
                self.correction = (error_code(result.error_code) or ErrorCode.EXECUTION_ERROR, result.message)
        return foreseen

    def drop(self) -> None:
        """Start nothing more."""
        self._halted = True

    def close(self) -> None:
        """Tell the model how every step ended, or why it did not run."""
        rows = [self._row(step) for step in self._steps]
        for row in rows:  # results go first where all is too long, those of the earliest steps before the others
            if len(json.dumps(rows)) <= MAX_REPORT:
                break
            row.pop('result', None)
        self._tell({'plan': 'stopped' if self._halted else 'over', 'steps': rows})

    def _decided(self) -> list[PlanStep]:
        """Return the steps that may run by their conditions, in the order of the plan, and skip those that may not."""
        ready: list[PlanStep] = []
        settled = -1
        while settled != len(self._skipped):
            settled = len(self._skipped)
            waiting = [step for step in self._steps if step.id not in self._started | self._skipped]
            over = self._results.keys() | self._skipped
            decidable = [step for step in waiting if step.waits_for <= over]
            ready = [step for step in decidable if self._may_run(step)]
            self._skipped |= {step.id for step in decidable if step not in ready}
        return ready

    def _may_run(self, step: PlanStep) -> bool:
        return all(
            condition.step in self._results and condition.holds(self._results[condition.step])
            for condition in step.conditions()
        )

    def _row(self, step: PlanStep) -> Json:
        row: Json = {'id': step.id, 'skill': step.call.tool.name}
        result = self._results.get(step.id)
        if result is None:
            return row | {'outcome': 'NOT_RUN', 'message': UNMET if step.id in self._skipped else STOPPED}
        row |= {'outcome': result.outcome.name, 'effect': result.effect.name, 'message': result.message[:300]}
        row |= {'error_code': result.error_code, 'advice': result.advice} if result.error_code else {}
        return row | ({'replayed': True} if result.replayed else {}) | {'result': result.result}
