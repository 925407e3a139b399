"""The planner's way to the executor: `execute_skill` and `describe_skills`, every future with a deadline."""

from collections.abc import Callable
from dataclasses import dataclass, field
import json
from typing import Any, Protocol
from uuid import uuid4

from action_msgs.msg import GoalInfo
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.planner_cancels import GoalCancels
from robot_tool_agent.nodes.planner_watch import NodeWatch
from robot_tool_agent_interfaces.action import ExecuteSkill

ACTION = 'execute_skill'


class CallEvents(Protocol):
    """Who hears what becomes of calls."""

    def on_call_ended(self, call_id: str, result: SkillResult) -> None:
        """Take the end of a call as the executor told it."""

    def on_call_lost(self, call_id: str, reason: str, sent: bool) -> None:
        """Take note that an end will not be told. `sent`: the executor may have begun the call."""

    def on_call_progress(self, call_id: str, text: str, progress: float) -> None:
        """Take note of how far a running call is."""


def _new_goal_info() -> GoalInfo:
    info = GoalInfo()
    info.goal_id.uuid = list(uuid4().bytes)
    return info


@dataclass(eq=False)
class _Sending:
    """One sending of a call. `boot` is the start of the executor that took it."""

    accept_by_s: float
    info: GoalInfo = field(default_factory=_new_goal_info)
    sent: bool = False
    accepted: bool = False
    boot: int | None = None


@dataclass(eq=False)
class _Followed:
    """
    A call whose end is awaited: its present sending, and every goal that was sent for it and not seen to end.

    A sending that is lost leaves its goal here: a lost executor may live on, and then only this goal stops the call.
    """

    call: PlannedCall
    task_id: str
    sending: _Sending | None = None
    goals: list[GoalInfo] = field(default_factory=list)
    cancel: bool = False


class SkillCalls:
    """Sends calls and follows them to their end."""

    def __init__(self, node: Node, watch: NodeWatch, events: CallEvents) -> None:
        self._client = ActionClient(node, ExecuteSkill, ACTION)
        self._requested_by = node.get_name()
        self._watch = watch
        self._events = events
        self._cancels = GoalCancels(node, ACTION)
        self._followed: dict[str, _Followed] = {}

    def send(self, call: PlannedCall, task_id: str, accept_timeout_s: float) -> None:
        """Send a call, or send it again under its id, as soon as the executor is there."""
        followed = self._followed.setdefault(call.call_id, _Followed(call, task_id))
        followed.sending = _Sending(steady_now_s() + accept_timeout_s)
        self.check()

    def cancel(self, call_id: str) -> None:
        """Ask the executor to stop every goal of a call; a sending that did not leave yet is lost at once."""
        followed = self._followed.get(call_id)
        if followed is None:
            return
        followed.cancel = True
        for info in followed.goals:
            self._cancels.ask(info)
        if followed.sending is not None and not followed.sending.sent:
            self._lose(followed, followed.sending, 'canceled before it was sent')

    def forget_all(self) -> None:
        """Follow no call any longer; whatever of them should still run is cancelled."""
        for call_id in list(self._followed):
            self._forget(call_id)

    def check(self) -> None:
        """Send what waits and give up what is lost. Called at the node's rate, also between tasks."""
        self._cancels.check()
        now_s = steady_now_s()
        usable = self._watch.executor_usable(now_s)
        for followed in list(self._followed.values()):
            if followed.sending is not None and self._is_followed(followed):
                self._check_sending(followed, followed.sending, usable, now_s)

    def _check_sending(self, followed: _Followed, sending: _Sending, usable: bool, now_s: float) -> None:
        if not sending.sent and usable and self._client.server_is_ready():
            self._send_goal(followed, sending)
        elif not sending.accepted and now_s >= sending.accept_by_s:
            self._lose(followed, sending, 'the executor did not take the call')
        elif sending.accepted and not (usable and self._same_boot(sending)):
            self._lose(followed, sending, 'the executor was lost while the call ran')

    def _same_boot(self, sending: _Sending) -> bool:
        if sending.boot is None:
            sending.boot = self._watch.executor_boot()
        return sending.boot == self._watch.executor_boot()

    def _is_followed(self, followed: _Followed) -> bool:
        return self._followed.get(followed.call.call_id) is followed

    def _send_goal(self, followed: _Followed, sending: _Sending) -> None:
        sending.sent = True
        followed.goals.append(sending.info)
        goal = ExecuteSkill.Goal(
            call_id=followed.call.call_id,
            task_id=followed.task_id,
            skill=followed.call.tool.name,
            arguments_json=followed.call.arguments_json,
            requested_by=self._requested_by,
        )
        feedback = self._feedback(followed)
        future = self._client.send_goal_async(goal, feedback_callback=feedback, goal_uuid=sending.info.goal_id)
        future.add_done_callback(lambda done: self._on_response(followed, sending, done))

    def _on_response(self, followed: _Followed, sending: _Sending, future: Future) -> None:
        goal: ClientGoalHandle = future.result()
        over = not self._is_followed(followed)
        if goal.accepted and (over or followed.cancel):
            self._cancels.ask(sending.info)  # a cancel that came before the goal stopped nothing
        if over:
            return
        if goal.accepted:
            sending.accepted, sending.boot = True, self._watch.executor_boot()
            goal.get_result_async().add_done_callback(lambda done: self._on_result(followed, sending, done))
            return
        followed.goals.remove(sending.info)
        if followed.sending is sending:
            self._lose(followed, sending, 'the executor refused the goal')

    def _on_result(self, followed: _Followed, sending: _Sending, future: Future) -> None:
        """Take a goal's end: that of the call, unless it says that the call is to wait."""
        if not self._is_followed(followed):
            return
        followed.goals.remove(sending.info)
        result = skill_result(future.result().result)
        if not result.may_be_sent_again:
            self._forget(followed.call.call_id)
        elif followed.sending is sending:
            followed.sending = None
        else:
            return
        self._events.on_call_ended(followed.call.call_id, result)

    def _lose(self, followed: _Followed, sending: _Sending, reason: str) -> None:
        followed.sending = None
        self._events.on_call_lost(followed.call.call_id, reason, sending.sent)

    def _forget(self, call_id: str) -> None:
        for info in self._followed.pop(call_id).goals:
            self._cancels.ask(info)

    def _feedback(self, followed: _Followed) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            feedback = message.feedback
            if self._is_followed(followed):
                text = f'{followed.call.tool.name}: {feedback.phase} {feedback.detail}'.strip()
                self._events.on_call_progress(followed.call.call_id, text, feedback.progress)

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
    except (ValueError, RecursionError) as error:
        code, advice = ErrorCode.UNRESOLVED_CALL.value, Advice.ASK_OPERATOR.value
        return SkillResult(Outcome.UNKNOWN, Effect.UNKNOWN, code, f'unreadable result: {error}', advice)


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text) if text else {}
    if not isinstance(value, dict):
        raise ValueError('not a JSON object')
    return value
