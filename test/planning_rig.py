"""A task's loop in a test: a clock that only the test moves, a model, and an executor made of a table."""

from __future__ import annotations

from collections.abc import Callable
import json
from typing import Any

from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, FetchTools, Report, SendCall
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import MemoryTaskStore, TaskEnd
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.llm.provider import Provider, ProviderError
from sim_house import ROBOT_FILE

SKILLS_JSON, SCHEMA_HASH = SkillRegistry(load_robot(ROBOT_FILE)).describe()
Answer = Callable[[PlannedCall], SkillResult | None]


def view(mode: SafetyMode = SafetyMode.READY, fault: str = '') -> SafetyView:
    return SafetyView(1, mode, 7, mode is SafetyMode.READY, False, fault)


def succeeded(**result: Any) -> SkillResult:
    return SkillResult(Outcome.SUCCEEDED, Effect.DONE, message='done', result=result)


def refused(error: ErrorCode, message: str = 'no') -> SkillResult:
    return SkillResult(Outcome.REJECTED, Effect.NONE, error.value, message, error.advice.value)


def failed(error: ErrorCode, effect: Effect = Effect.NONE, outcome: Outcome = Outcome.FAILED) -> SkillResult:
    return SkillResult(outcome, effect, error.value, 'it did not work', error.advice.value)


def always(call: PlannedCall) -> SkillResult:
    return succeeded()


class Rig:
    """Runs one task. `answer` gives a call's end, None for a call that does not end by itself."""

    def __init__(self, provider: Provider, answer: Answer = always, task_id: str = 't', **limits: Any) -> None:
        self.provider = provider
        self.answer = answer
        self.now_s = 100.0
        self.view: SafetyView | None = view()
        self.store = MemoryTaskStore()
        self.loop = TaskLoop(task_id, 'do it', PlannerLimits(**limits), self.store)
        self.sent: list[PlannedCall] = []
        self.canceled: list[str] = []
        self.reports: list[Report] = []
        self.skills = (SKILLS_JSON, SCHEMA_HASH)
        self.silent_model = False
        self.silent_executor = False

    def run(self, instruction: str = '') -> TaskEnd:
        """Run to the end; time moves only while the loop waits."""
        self.begin(instruction)
        return self.run_end()

    def run_end(self) -> TaskEnd:
        """Go on to the end."""
        self.settle()
        for _ in range(20_000):
            if self.loop.end is not None:
                return self.loop.end
            self.advance(0.05)
        raise AssertionError(f'no end after {self.now_s - 100.0} s, phase {self.loop.phase}')

    def begin(self, instruction: str = '') -> None:
        if instruction:
            self.loop = TaskLoop(self.loop.task_id, instruction, self.loop._state.limits, self.store)
        self.loop.begin(self.now_s)
        self.settle()

    def advance(self, duration_s: float) -> None:
        self.now_s += duration_s
        self.loop.tick(self.view, self.now_s)
        self.settle()

    def until(self, phase: Phase) -> None:
        for _ in range(20_000):
            if self.loop.phase is phase:
                return
            self.advance(0.05)
        raise AssertionError(f'never {phase}, stays {self.loop.phase}')

    def settle(self) -> None:
        while actions := self.loop.take_actions():
            for action in actions:
                self._do(action)

    def kinds(self) -> list[str]:
        return [report.kind for report in self.reports]

    def data(self, turn: int = -1) -> dict[str, Any]:
        """Return what the model was told of a call."""
        record = self.store.find(self.loop.task_id)
        assert record is not None
        tools = [message.text for message in record.turns if message.role.value == 'tool']
        return dict(json.loads(tools[turn].removeprefix('<data>').removesuffix('</data>')))

    def _do(self, action: Action) -> None:
        if isinstance(action, FetchTools) and not self.silent_executor:
            self.loop.tools_arrived(*self.skills, self.now_s)
        elif isinstance(action, AskModel) and not self.silent_model:
            self._ask(action)
        elif isinstance(action, SendCall):
            self.sent.append(action.call)
            end = self.answer(action.call)
            if end is not None:
                self.loop.call_ended(action.call.call_id, end, self.now_s)
        elif isinstance(action, CancelCall):
            self.canceled.append(action.call_id)
        elif isinstance(action, Report):
            self.reports.append(action)

    def _ask(self, action: AskModel) -> None:
        try:
            self.loop.reply_arrived(action.request_id, self.provider.complete(action.request), self.now_s)
        except ProviderError as error:
            self.loop.model_failed(action.request_id, error.as_failure(), self.now_s)
