"""Watches what tasks store and do: counts failures and keeps a sample of each with what led to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode, Origin, Outcome, TaskStatus
from robot_tool_agent.core.planning.actions import Action, AskModel, SendCall
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.endings import error_code
from robot_tool_agent.core.planning.failure_rates import FailureRates, Group
from robot_tool_agent.core.planning.memory.events import CallDone, ReplyTaken
from robot_tool_agent.core.planning.memory.writes import End, Note, Write

Json = dict[str, Any]
# A call that was stopped on request did not fail.
NO_FAILURE = frozenset({Outcome.SUCCEEDED, Outcome.CANCELED})


class FailureWatch:
    """Feeds the rates and returns samples of failures. It sees every write and every action of the planner's tasks."""

    def __init__(self, rates: FailureRates, counters: PlannerCounters) -> None:
        self._rates = rates
        self._counters = counters
        self._provider = ''
        self._reply: ModelReply | None = None
        self._calls: dict[str, PlannedCall] = {}
        self.resume()

    def resume(self) -> None:
        """Take what was counted so far as known: a task that is rebuilt counts its past again."""
        self._faulty = self._counters.faulty_replies.copy()
        self._unanswered = self._counters.model_failures.copy()

    def observe(self, task_id: str, writes: Sequence[Write], actions: Sequence[Action], now_s: float) -> list[Json]:
        """Take what follows from one event of a task. Return a sample of each failure in it."""
        samples = self._requests(now_s)
        for item in writes:
            if isinstance(item, Note) and isinstance(item.event, ReplyTaken):
                samples += self._replied(item.event.reply, now_s)
            elif isinstance(item, Note) and isinstance(item.event, CallDone):
                samples += self._called(item.event.call_id, item.event.result, now_s)
            elif isinstance(item, End):
                samples += self._ended(item)
        for action in actions:
            if isinstance(action, AskModel):
                self._provider = action.provider
            elif isinstance(action, SendCall):
                self._calls[action.call.call_id] = action.call
        return [{'task_id': task_id, 'provider': self._provider, **sample} for sample in samples]

    def _requests(self, now_s: float) -> list[Json]:
        """Count requests that brought no reply."""
        failed = self._counters.model_failures - self._unanswered
        self._unanswered = self._counters.model_failures.copy()
        for provider, number in failed.items():
            for _ in range(number):
                self._rates.add(Group.PROVIDER, provider, Origin.MODEL, now_s)
        return [{'failed': 'request', 'provider': provider, 'times': number} for provider, number in failed.items()]

    def _replied(self, reply: ModelReply, now_s: float) -> list[Json]:
        self._reply = reply
        faults = list((self._counters.faulty_replies - self._faulty).elements())
        self._faulty = self._counters.faulty_replies.copy()
        self._rates.add(Group.PROVIDER, self._provider, faults[0].origin if faults else None, now_s)
        return [{'failed': 'reply', 'error_code': fault.value, 'reply': asdict(reply)} for fault in faults]

    def _called(self, call_id: str, result: SkillResult, now_s: float) -> list[Json]:
        call = self._calls.pop(call_id, None)
        name = '' if call is None else call.tool.name
        failed = result.outcome not in NO_FAILURE
        origin = (error_code(result.error_code) or ErrorCode.EXECUTION_ERROR).origin if failed else None
        self._rates.add(Group.SKILL, name, origin, now_s)
        if not failed:
            return []
        arguments = '' if call is None else call.arguments_json
        sample: Json = {'failed': 'call', 'error_code': result.error_code, 'call_id': call_id, 'skill': name}
        sample |= {'arguments_json': arguments, **result.as_data()}
        return [sample | ({} if self._reply is None else {'reply': asdict(self._reply)})]

    def _ended(self, item: End) -> list[Json]:
        self._calls.clear()
        if item.end.status in (TaskStatus.SUCCEEDED, TaskStatus.CANCELED):
            return []
        code = '' if item.end.error is None else item.end.error.value
        sample: Json = {'failed': 'task', 'error_code': code, 'status': item.end.status.name}
        sample['summary'] = item.end.summary
        return [sample | ({} if self._reply is None else {'reply': asdict(self._reply)})]
