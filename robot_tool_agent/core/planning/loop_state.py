"""What the loop of a task remembers, and the one way a task ends."""

from __future__ import annotations

import math
from dataclasses import replace

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.actions import Action, Finish, Report
from robot_tool_agent.core.planning.call_queue import CallQueue
from robot_tool_agent.core.planning.claims import CallEnd
from robot_tool_agent.core.planning.dialogue import Dialogue
from robot_tool_agent.core.planning.endings import with_facts
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.model_turn import ModelTurn
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd, TaskStore
from robot_tool_agent.core.planning.repeats import RepeatGuard
from robot_tool_agent.core.planning.tools import Toolbox
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.core.planning.waiting import Waiting


class LoopState:
    """State of one task. Times are steady seconds."""

    def __init__(self, task_id: str, instruction: str, limits: PlannerLimits, store: TaskStore) -> None:
        self.task_id = task_id
        self.end: TaskEnd | None = None
        self.phase = Phase.NEW
        self._limits = limits
        self._store = store
        self._dialogue = Dialogue(task_id, instruction, limits, store)
        self._toolbox = Toolbox()
        self._model = ModelTurn(limits)
        self._queue = CallQueue()
        self._repeats = RepeatGuard(limits.max_repeats)
        self._ends: list[CallEnd] = []
        self._sent: set[str] = set()
        self._lost: dict[str, bool] = {}  # by call_id: may the executor have begun it
        self._waiting: Waiting | None = None
        self._stop_end: TaskEnd | None = None
        self._last_error: ErrorCode | None = None
        self._actions: list[Action] = []
        self._deadline_s = math.inf
        self._task_deadline_s = math.inf

    def take_actions(self) -> list[Action]:
        """Return what is to be done now, in order, once."""
        actions, self._actions = self._actions, []
        return actions

    def _enter(self, phase: Phase, deadline_s: float) -> None:
        self.phase, self._deadline_s = phase, deadline_s

    def _report(self, kind: str, text: str, progress: float = 0.0) -> None:
        self._actions.append(Report(self._dialogue.step, kind, clean_text(text), min(1.0, max(0.0, progress))))

    def _finish(self, end: TaskEnd) -> None:
        summary = with_facts(end.summary, self._ends)
        self.end = replace(end, summary=summary, skill_calls=len(self._sent), llm_calls=self._dialogue.llm_calls)
        self._enter(Phase.ENDED, math.inf)
        self._store.finish(self.task_id, self.end)
        self._report('end', self.end.summary, 1.0)
        self._actions.append(Finish(self.end))
