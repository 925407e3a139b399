"""How the calls of a task run: sent, waited for, asked for again when lost, and told to the model."""

from __future__ import annotations

from collections.abc import Callable

from robot_tool_agent.core.outcomes import Advice, ErrorCode, Outcome
from robot_tool_agent.core.planning.actions import SendCall
from robot_tool_agent.core.planning.active_calls import ActiveCall, ActiveCalls
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.claims import CallEnd
from robot_tool_agent.core.planning.endings import error_code, failed, needs_operator
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.repeats import RepeatGuard
from robot_tool_agent.core.planning.stopping import Stopping
from robot_tool_agent.core.planning.task_state import TaskState
from robot_tool_agent.core.planning.waiting import in_vain, is_ready, Waiting
from robot_tool_agent.core.planning.work import Work
from robot_tool_agent.core.safety_state import SafetyView


class Calling:
    """Phases CALL and WAIT. `on_over` is told when everything of a reply has ended and the task goes on."""

    def __init__(
        self, state: TaskState, active: ActiveCalls, stopping: Stopping, on_over: Callable[[Work, float], None]
    ) -> None:
        self._state = state
        self._active = active
        self._stopping = stopping
        self._on_over = on_over
        self._repeats = RepeatGuard(state.limits.max_repeats)
        self._work: Work | None = None

    def run(self, work: Work, now_s: float) -> None:
        """Begin with the calls of a new reply."""
        self._work = work
        self._go_on(now_s)

    def ended(self, call_id: str, result: SkillResult, now_s: float) -> None:
        """Take the end of a call."""
        active = self._active.find(call_id)
        if active is None or self._work is None:
            return
        if self._state.phase is not Phase.STOPPING and result.may_be_sent_again:
            self._wait(active, result, now_s)
            return
        call = active.call
        self._active.remove(call_id)
        foreseen = self._work.ended(call, result)
        self._note(call, result, foreseen)
        if self._state.phase is Phase.STOPPING:
            self._stopping.call_ended(call, result)
            return
        end = self._end_by(call, result)
        if end is not None:
            self.stop(end, now_s)
        else:
            self._go_on(now_s)

    def lost(self, call_id: str, reason: str, sent: bool, now_s: float) -> None:
        """
        Take note that a call's end will not be seen. `sent`: the executor may have begun it.

        It is sent once more under the same call_id, which never moves the robot twice, to learn what became of it.
        One that may have begun and is lost again may still run: it is stopped, and its end awaited like any other.
        """
        active = self._active.find(call_id)
        if active is None or self._state.phase is Phase.WAIT:
            return
        first, active.lost = not active.lost, True
        active.may_run = active.may_run or sent
        if self._state.phase is Phase.CALL and first:
            self._state.report('lost', f'{active.call.tool.name}: {reason}; asking what became of it')
            self._send(active, now_s)
        elif active.may_run:
            self.stop(failed(f'{active.call.tool.name}: {reason}', ErrorCode.TIMEOUT), now_s)
        else:
            self._active.remove(call_id)
            self._never_sent(active.call, reason, now_s)

    def progress(self, call_id: str, text: str, progress: float) -> None:
        """Pass on how far a running call is."""
        if self._active.find(call_id) is not None:
            self._state.report('progress', text, progress)

    def stop(self, end: TaskEnd, now_s: float) -> None:
        """End the task this way once no call of it runs. The first reason to stop stays."""
        if self._work is not None:
            self._work.drop()
        self._stopping.stop(end, now_s)

    def tick(self, view: SafetyView | None, now_s: float) -> None:
        """Send what waited long enough; stop the task where a call is overdue or waiting is in vain."""
        for active in self._active.all():
            if self._state.phase not in (Phase.CALL, Phase.WAIT):
                return
            if active.waiting is not None:
                self._check_waiting(active, active.waiting, view, now_s)
            elif now_s >= active.deadline_s:
                self.stop(self._overdue(active.call), now_s)

    def _overdue(self, call: PlannedCall) -> TaskEnd:
        """Return how the task ends because the executor kept a call longer than all its limits together."""
        text = f'{call.tool.name} did not end within its timeout_s = {call.tool.timeout_s:g}'
        return failed(f'{text} and call_margin_s = {self._state.limits.call_margin_s:g}', ErrorCode.TIMEOUT)

    def _go_on(self, now_s: float) -> None:
        work = self._work
        if work is None:
            return
        for call in work.next_ready(self._active.calls()):
            self._state.report('call', f'{call.tool.name} {call.arguments_json}')
            self._send(self._active.add(call), now_s)
        if self._active.empty:
            self._work = None
            work.close()
            self._on_over(work, now_s)
        else:
            self._state.enter(self._active.phase)

    def _send(self, active: ActiveCall, now_s: float) -> None:
        limits = self._state.limits
        self._state.sent.add(active.call.call_id)
        active.waiting = None
        active.deadline_s = now_s + limits.executor_timeout_s + active.call.tool.timeout_s + limits.call_margin_s
        self._state.enter(Phase.CALL)
        self._state.act(SendCall(active.call, limits.executor_timeout_s))

    def _note(self, call: PlannedCall, result: SkillResult, foreseen: bool) -> None:
        state, name = self._state, call.tool.name
        step = state.dialogue.step
        state.ends.append(CallEnd(name, call.tool.reads_only, result.outcome, result.replayed, step, foreseen))
        state.counters.call_ended(name, result.outcome, result.error_code)
        state.report('result', f'{name}: {result.outcome.name} {result.error_code} {result.message}', 1.0)

    def _end_by(self, call: PlannedCall, result: SkillResult) -> TaskEnd | None:
        """Return how the task ends because of this call, None if it goes on."""
        text = f'{call.tool.name}: {result.message}'
        if result.outcome is not Outcome.SUCCEEDED:
            self._state.last_error = error_code(result.error_code) or ErrorCode.EXECUTION_ERROR
            if result.needs_person:
                return needs_operator(text, self._state.last_error)
            if result.advice == Advice.STOP.value:
                return failed(text, self._state.last_error)
        if not self._repeats.exhausted(call, result):
            return None
        text = f'{call.tool.name} was called with the same arguments and the same result max_repeats = '
        return failed(f'{text}{self._state.limits.max_repeats} times', ErrorCode.BUDGET_EXHAUSTED)

    def _never_sent(self, call: PlannedCall, reason: str, now_s: float) -> None:
        never = failed(f'{call.tool.name} was never sent: {reason}', ErrorCode.TIMEOUT)
        if self._state.phase is Phase.STOPPING:
            self._stopping.call_vanished()
        else:
            self.stop(never, now_s)

    def _wait(self, active: ActiveCall, result: SkillResult, now_s: float) -> None:
        error = error_code(result.error_code) or ErrorCode.SAFETY_LOCKED
        if active.waiting_since_s is None:
            active.waiting_since_s = now_s
            self._state.report('waiting', f'{active.call.tool.name}: {error.value} {result.message}')
        not_before_s = now_s + self._state.limits.wait_retry_s
        active.waiting = Waiting(active.call, error, active.waiting_since_s, not_before_s)
        self._state.enter(self._active.phase)

    def _check_waiting(self, active: ActiveCall, waiting: Waiting, view: SafetyView | None, now_s: float) -> None:
        vain = in_vain(waiting, view, self._state.limits.wait_timeout_s, now_s)
        if vain is not None:
            self.stop(vain, now_s)
        elif now_s >= waiting.not_before_s and is_ready(view):
            self._send(active, now_s)
