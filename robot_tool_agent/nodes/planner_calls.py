"""The planner's way to the executor: `execute_skill` and `describe_skills`, every future with a deadline."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent_interfaces.action import ExecuteSkill

from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.planner_watch import NodeWatch


class CallEvents(Protocol):
    """Who hears what becomes of calls."""

    def on_call_ended(self, call_id: str, result: SkillResult) -> None:
        """Take the end of a call as the executor told it."""

    def on_call_lost(self, call_id: str, reason: str, sent: bool) -> None:
        """Take note that an end will not be told. `sent`: the executor may have begun the call."""

    def on_call_progress(self, call_id: str, text: str, progress: float) -> None:
        """Take note of how far a running call is."""


@dataclass(eq=False)
class _Outgoing:
    """One sending of a call. `boot` is the start of the executor that took it."""

    call: PlannedCall
    task_id: str
    accept_by_s: float
    sent: bool = False
    handle: ClientGoalHandle | None = None
    boot: int | None = None
    cancel: bool = False


class SkillCalls:
    """Sends calls and follows them to their end."""

    def __init__(self, node: Node, watch: NodeWatch, events: CallEvents) -> None:
        self._client = ActionClient(node, ExecuteSkill, 'execute_skill')
        self._requested_by = node.get_name()
        self._watch = watch
        self._events = events
        self._outgoing: dict[str, _Outgoing] = {}

    def send(self, call: PlannedCall, task_id: str, accept_timeout_s: float) -> None:
        """Send a call as soon as the executor is there."""
        self._outgoing[call.call_id] = _Outgoing(call, task_id, steady_now_s() + accept_timeout_s)
        self.check()

    def cancel(self, call_id: str) -> None:
        """Ask the executor to stop a call; one that was not sent yet is lost at once."""
        item = self._outgoing.get(call_id)
        if item is None:
            return
        item.cancel = True
        if item.handle is not None:
            item.handle.cancel_goal_async()
        elif not item.sent:
            self._lose(item, 'canceled before it was sent')

    def forget_all(self) -> None:
        """Follow no call any longer; whatever of them should still run is cancelled."""
        for item in self._outgoing.values():
            if item.handle is not None:
                item.handle.cancel_goal_async()
        self._outgoing.clear()

    def check(self) -> None:
        """Send what waits and give up what is lost. Called at the node's rate."""
        now_s = steady_now_s()
        usable = self._watch.executor_usable(now_s)
        for item in list(self._outgoing.values()):
            if self._outgoing.get(item.call.call_id) is not item:
                continue
            if not item.sent and usable and self._client.server_is_ready():
                self._send_goal(item)
            elif item.handle is None and now_s >= item.accept_by_s:
                self._lose(item, 'the executor did not take the call')
            elif item.handle is not None and not (usable and self._same_boot(item)):
                self._lose(item, 'the executor was lost while the call ran')

    def _same_boot(self, item: _Outgoing) -> bool:
        if item.boot is None:
            item.boot = self._watch.executor_boot()
        return item.boot == self._watch.executor_boot()

    def _send_goal(self, item: _Outgoing) -> None:
        item.sent = True
        goal = ExecuteSkill.Goal(
            call_id=item.call.call_id,
            task_id=item.task_id,
            skill=item.call.tool.name,
            arguments_json=item.call.arguments_json,
            requested_by=self._requested_by,
        )
        future = self._client.send_goal_async(goal, feedback_callback=self._feedback(item))
        future.add_done_callback(lambda done: self._on_response(item, done))

    def _on_response(self, item: _Outgoing, future: Future) -> None:
        handle: ClientGoalHandle = future.result()
        if self._outgoing.get(item.call.call_id) is not item:
            if item.call.call_id not in self._outgoing:
                handle.cancel_goal_async()  # its task is over: nothing of it may keep running
            return
        if not handle.accepted:
            self._lose(item, 'the executor refused the goal')
            return
        item.handle, item.boot = handle, self._watch.executor_boot()
        handle.get_result_async().add_done_callback(lambda done: self._on_result(item, done))
        if item.cancel:
            handle.cancel_goal_async()

    def _on_result(self, item: _Outgoing, future: Future) -> None:
        if self._outgoing.get(item.call.call_id) is item:
            del self._outgoing[item.call.call_id]
            self._events.on_call_ended(item.call.call_id, skill_result(future.result().result))

    def _lose(self, item: _Outgoing, reason: str) -> None:
        del self._outgoing[item.call.call_id]
        self._events.on_call_lost(item.call.call_id, reason, item.sent)

    def _feedback(self, item: _Outgoing) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            feedback = message.feedback
            if self._outgoing.get(item.call.call_id) is item:
                text = f'{item.call.tool.name}: {feedback.phase} {feedback.detail}'.strip()
                self._events.on_call_progress(item.call.call_id, text, feedback.progress)

        return take


def skill_result(message: ExecuteSkill.Result) -> SkillResult:
    """Return an action result as the core's value; one that breaks the contract is an unknown end."""
    try:
        return SkillResult(
            Outcome(message.outcome),
            Effect(message.effect),
            message.error_code,
            message.message,
            message.advice,
            _object(message.result_json),
            _object(message.evidence_json),
            message.replayed,
        )
    except ValueError as error:
        code, advice = ErrorCode.UNRESOLVED_CALL.value, Advice.ASK_OPERATOR.value
        return SkillResult(Outcome.UNKNOWN, Effect.UNKNOWN, code, f'unreadable result: {error}', advice)


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text) if text else {}
    if not isinstance(value, dict):
        raise ValueError('not a JSON object')
    return value
