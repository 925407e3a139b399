"""How a task gets its next reply: the tools first, then the model, provider after provider until one replies."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.actions import AskModel, FetchTools
from robot_tool_agent.core.planning.conversation import FailureKind, ModelFailure
from robot_tool_agent.core.planning.endings import failed, no_model
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.model_turn import ModelTurn, NextTry
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.task_state import TaskState
from robot_tool_agent.core.planning.tools import ToolsError


class Asking:
    """Phases TOOLS, MODEL and PAUSE."""

    def __init__(self, state: TaskState, chain: ModelChain) -> None:
        self._state = state
        self._turn = ModelTurn(state.limits, chain)

    def think(self, now_s: float) -> None:
        """Begin a step, if a budget allows one more."""
        spent = self._state.dialogue.spent()
        if spent:
            self._state.finish(failed(f'the budget of the task is spent: {spent}', ErrorCode.BUDGET_EXHAUSTED))
            return
        timeout_s = self._state.limits.executor_timeout_s
        self._state.enter(Phase.TOOLS, now_s + timeout_s)
        self._state.act(FetchTools(timeout_s))

    def tools_arrived(self, skills_json: str, schema_hash: str, now_s: float) -> None:
        """Take the description of the skills; it is read again only when its hash is new."""
        if self._state.phase is not Phase.TOOLS:
            return
        try:
            self._state.toolbox.load(skills_json, schema_hash)
        except ToolsError as error:
            self._state.finish(failed(str(error), ErrorCode.EXECUTION_ERROR))
            return
        self._try(self._turn.begin(now_s), now_s)

    def tools_failed(self, reason: str) -> None:
        """Take note that the executor does not describe its skills."""
        if self._state.phase is Phase.TOOLS:
            self._state.finish(failed(f'the executor does not answer: {reason}', ErrorCode.TIMEOUT))

    def take_reply(self, request_id: int) -> bool:
        """Tell whether this request is the awaited one, and count it as answered."""
        if not self._awaits(request_id):
            return False
        self._turn.answered()
        return True

    def model_failed(self, request_id: int, failure: ModelFailure, now_s: float) -> None:
        """Take note that no reply came."""
        if not self._awaits(request_id):
            return
        self._state.counters.model_failed(self._turn.provider)
        self._try(self._turn.failed(failure, now_s), now_s)

    def late(self, now_s: float) -> None:
        """Act on the deadline of the present phase."""
        limits = self._state.limits
        if self._state.phase is Phase.TOOLS:
            self.tools_failed(f'no description of the skills within executor_timeout_s = {limits.executor_timeout_s:g}')
        elif self._state.phase is Phase.MODEL:
            text = f'no reply within llm_timeout_s = {limits.llm_timeout_s:g}'
            late = ModelFailure(text, retry=True, kind=FailureKind.TIMEOUT)
            self.model_failed(self._turn.request_id, late, now_s)
        elif self._state.phase is Phase.PAUSE:
            self._ask(now_s)

    def _awaits(self, request_id: int) -> bool:
        return self._state.phase is Phase.MODEL and request_id == self._turn.request_id

    def _try(self, next_try: NextTry | None, now_s: float) -> None:
        state = self._state
        if next_try is None:
            state.finish(no_model(self._turn.tried(), state.view))
            return
        if next_try.note:
            state.report('retry', next_try.note)
        if next_try.pause_s > 0.0:
            state.enter(Phase.PAUSE, now_s + next_try.pause_s)
        else:
            self._ask(now_s)

    def _ask(self, now_s: float) -> None:
        state = self._state
        state.enter(Phase.MODEL, now_s + state.limits.llm_timeout_s)
        request = state.dialogue.request(state.toolbox.tools)
        state.act(AskModel(self._turn.new_request(), request, self._turn.provider))
        state.report('thinking', '')
