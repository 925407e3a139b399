"""The planner's side of `execute_skill`: sendings with deadlines, cancels that are repeated, ends that may be lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
import json

from robot_tool_agent.core.execution.call import CallRequest, CallResult
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.executor_process import ExecutorProcess
from robot_tool_agent_sim.evidence.process import Process

CANCEL_AGAIN_S = 1.0
CANCEL_FOR_S = 30.0
EXECUTOR = 'executor'


@dataclass(eq=False, slots=True)
class _Sending:
    """One sending of a call."""

    goal: str
    accept_by_s: float
    sent: bool = False
    accepted: bool = False
    boot: int | None = None


@dataclass(eq=False, slots=True)
class _Followed:
    """A call whose end is awaited, and every goal that was sent for it and not seen to end."""

    call: PlannedCall
    task_id: str
    sending: _Sending | None = None
    goals: list[str] = field(default_factory=list)
    canceled: bool = False


@dataclass(slots=True)
class _Cancel:
    asked_s: float
    until_s: float


class PlannerCalls:
    """Follows calls as the planner node does. `ended(call_id, result)` and `lost(call_id, reason, sent)` are told."""

    def __init__(
        self,
        bus: Bus,
        planner: Process,
        executor: ExecutorProcess,
        monitor: HeartbeatMonitor,
        ended: Callable[[str, SkillResult], None],
        lost: Callable[[str, str, bool], None],
    ) -> None:
        self._bus, self._planner, self._executor, self._monitor = bus, planner, executor, monitor
        self._ended, self._lost = ended, lost
        self._followed: dict[str, _Followed] = {}
        self._cancels: dict[str, _Cancel] = {}
        self._accepted: set[str] = set()
        self._number = 0

    def send(self, call: PlannedCall, task_id: str, accept_timeout_s: float) -> None:
        """Send a call, or send it again under its id."""
        followed = self._followed.setdefault(call.call_id, _Followed(call, task_id))
        self._number += 1
        goal = f'{self._planner.boots}.{self._number}'
        followed.sending = _Sending(goal, self._bus.now_s + accept_timeout_s)
        self.check()

    def cancel(self, call_id: str) -> None:
        """Ask for every goal of a call to be stopped; one that did not leave yet is lost at once."""
        followed = self._followed.get(call_id)
        if followed is None:
            return
        followed.canceled = True
        for goal in followed.goals:
            self._ask_cancel(goal)
        if followed.sending is not None and not followed.sending.sent:
            self._lose(followed, followed.sending, 'canceled before it was sent')

    def forget_all(self) -> None:
        """Follow no call any longer; whatever of them still runs is cancelled."""
        for followed in self._followed.values():
            for goal in followed.goals:
                self._ask_cancel(goal)
        self._followed.clear()

    def check(self) -> None:
        """Send what waits, give up what is lost, repeat cancels."""
        now_s = self._bus.now_s
        for goal, cancel in list(self._cancels.items()):
            if now_s >= cancel.until_s:
                del self._cancels[goal]
            elif now_s - cancel.asked_s >= CANCEL_AGAIN_S:
                self._ask_cancel(goal, cancel.until_s)
        usable = not self._monitor.known(EXECUTOR) or self._monitor.alive(EXECUTOR, now_s)
        for followed in list(self._followed.values()):
            if followed.sending is not None and self._followed.get(followed.call.call_id) is followed:
                self._check_sending(followed, followed.sending, usable)

    def _check_sending(self, followed: _Followed, sending: _Sending, usable: bool) -> None:
        if not sending.sent and usable and self._executor.alive:
            self._send_goal(followed, sending)
        elif not sending.accepted and self._bus.now_s >= sending.accept_by_s:
            self._lose(followed, sending, 'the executor did not take the call')
        elif sending.accepted and not (usable and sending.boot == self._monitor.boot_id(EXECUTOR)):
            self._lose(followed, sending, 'the executor was lost while the call ran')

    def _send_goal(self, followed: _Followed, sending: _Sending) -> None:
        sending.sent = True
        followed.goals.append(sending.goal)
        call = followed.call
        request = CallRequest(call.call_id, followed.task_id, call.tool.name, call.arguments_json, 'planner')
        goal = sending.goal
        self._bus.send('goal', self._executor, lambda: self._executor.on_goal(goal, request))

    def on_accepted(self, goal: str) -> None:
        """Take the acceptance of a goal."""
        self._accepted.add(goal)
        for followed in self._followed.values():
            if goal in followed.goals:
                if followed.canceled:
                    self._ask_cancel(goal)
                if followed.sending is not None and followed.sending.goal == goal:
                    followed.sending.accepted = True
                    followed.sending.boot = self._monitor.boot_id(EXECUTOR)
                return
        self._ask_cancel(goal)

    def on_result(self, goal: str, result: CallResult) -> None:
        """Take the end of a goal: that of its call, unless it says that the call is to wait."""
        self._cancels.pop(goal, None)
        followed = next((item for item in self._followed.values() if goal in item.goals), None)
        if followed is None or goal not in self._accepted:  # a result is asked for once the goal was accepted
            return
        followed.goals.remove(goal)
        end = skill_result(result)
        call_id = followed.call.call_id
        if not end.may_be_sent_again:
            del self._followed[call_id]
            for other in followed.goals:
                self._ask_cancel(other)
        elif followed.sending is not None and followed.sending.goal == goal:
            followed.sending = None
        else:
            return
        self._ended(call_id, end)

    def _lose(self, followed: _Followed, sending: _Sending, reason: str) -> None:
        followed.sending = None
        self._lost(followed.call.call_id, reason, sending.sent)

    def _answered(self, goal: str) -> None:
        self._cancels.pop(goal, None)

    def _ask_cancel(self, goal: str, until_s: float | None = None) -> None:
        now_s, executor = self._bus.now_s, self._executor
        self._cancels[goal] = _Cancel(now_s, now_s + CANCEL_FOR_S if until_s is None else until_s)

        def ask() -> None:
            executor.on_cancel(goal)
            self._bus.send('cancel_answer', self._planner, lambda: self._answered(goal))

        self._bus.send('cancel', executor, ask)


def skill_result(result: CallResult) -> SkillResult:
    """Return a call's result as the planner reads it."""
    end = result.end
    code, advice = ('', '') if end.error is None else (end.error.value, end.error.advice.value)
    content, evidence = json.loads(end.result_json), json.loads(end.evidence_json)
    return SkillResult(end.outcome, end.effect, code, end.message, advice, content, evidence, result.replayed)
