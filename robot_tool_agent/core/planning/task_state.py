"""What the parts of a task's loop share, and the one way a task ends."""

from __future__ import annotations

from dataclasses import replace
import math

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.actions import Action, Finish, Report
from robot_tool_agent.core.planning.claims import CallEnd
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.dialogue import Dialogue
from robot_tool_agent.core.planning.endings import with_facts
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd, TaskStore
from robot_tool_agent.core.planning.tools import Toolbox
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.core.safety_state import SafetyView


class TaskState:
    """State of one task. Times are steady seconds; `view` is what was heard last of safety, None if nothing lately."""

    def __init__(
        self, task_id: str, instruction: str, limits: PlannerLimits, store: TaskStore, counters: PlannerCounters
    ) -> None:
        self.task_id = task_id
        self.end: TaskEnd | None = None
        self.phase = Phase.NEW
        self.deadline_s = math.inf
        self.limits = limits
        self.counters = counters
        self.dialogue = Dialogue(task_id, instruction, limits, store)
        self.toolbox = Toolbox(limits.max_plan_steps)
        self.ends: list[CallEnd] = []
        self.sent: set[str] = set()
        self.last_error: ErrorCode | None = None
        self.view: SafetyView | None = None
        self._store = store
        self._actions: list[Action] = []

    def take_actions(self) -> list[Action]:
        """Return what is to be done now, in order, once."""
        actions, self._actions = self._actions, []
        return actions

    def act(self, *actions: Action) -> None:
        """Ask the surroundings to do something."""
        self._actions += actions

    def enter(self, phase: Phase, deadline_s: float = math.inf) -> None:
        """Go on to a phase that lasts until `deadline_s` at most."""
        self.phase, self.deadline_s = phase, deadline_s

    def report(self, kind: str, text: str, progress: float = 0.0) -> None:
        """Tell those who asked how far the task is."""
        self.act(Report(self.dialogue.step, kind, clean_text(text), min(1.0, max(0.0, progress))))

    def finish(self, end: TaskEnd) -> None:
        """End the task. No call of it may run any longer."""
        summary = with_facts(end.summary, self.ends)
        self.end = replace(end, summary=summary, skill_calls=len(self.sent), llm_calls=self.dialogue.llm_calls)
        self.enter(Phase.ENDED)
        self.counters.task_ended(self.end.status)
        self._store.finish(self.task_id, self.end)
        self.report('end', self.end.summary, 1.0)
        self.act(Finish(self.end))
