"""How a task is ended while calls of it may run: they are stopped first and their ends awaited."""

from __future__ import annotations

from dataclasses import replace

from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.planning.actions import CancelCall
from robot_tool_agent.core.planning.active_calls import ActiveCalls
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.endings import needs_operator
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.task_state import TaskState


class Stopping:
    """Phase STOPPING."""

    def __init__(self, state: TaskState, active: ActiveCalls) -> None:
        self._state = state
        self._active = active
        self._end: TaskEnd | None = None

    @property
    def end(self) -> TaskEnd | None:
        """How the task is to end, None while nothing stops it."""
        return self._end

    def stop(self, end: TaskEnd, now_s: float) -> None:
        """End the task this way once no call of it runs. The first reason to stop stays."""
        if self._state.phase in (Phase.STOPPING, Phase.ENDED):
            return
        for active in self._active.all():
            if not active.runs:
                self._active.remove(active.call.call_id)
        if self._active.empty:
            self._state.finish(end)
            return
        self._end = end
        self._state.enter(Phase.STOPPING, now_s + self._state.limits.cancel_timeout_s)
        self._state.act(*(CancelCall(call.call_id) for call in self._active.calls()))
        self._state.report('stopping', end.summary)

    def call_ended(self, call: PlannedCall, result: SkillResult) -> None:
        """Take the end of a call that was stopped; an effect that nobody knows needs a person."""
        if self._end is None:
            return
        if result.effect is Effect.UNKNOWN:
            self._end = needs_operator(self._end.summary, ErrorCode.UNRESOLVED_CALL)
        summary = f'{self._end.summary}; the last call, {call.tool.name}, ended {result.outcome.name}'
        self._end = replace(self._end, summary=summary)
        self.call_vanished()

    def call_vanished(self) -> None:
        """Finish if no call is left."""
        if self._end is not None and self._active.empty:
            self._state.finish(self._end)

    def late(self) -> None:
        """Finish although a call did not end in time."""
        reason = f'{self._end.summary}; ' if self._end else ''
        limit_s = self._state.limits.cancel_timeout_s
        text = f'{reason}a cancelled call did not end within cancel_timeout_s = {limit_s:g}'
        self._state.finish(needs_operator(text, ErrorCode.UNRESOLVED_CALL))
