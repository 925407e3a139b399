"""The planner's loop for one task, as a machine of events in and actions out.

Order of a turn: tools are fetched, the model is asked, its reply is stored, checked as a whole, and its calls are sent
one after another; what came of them goes back to the model. The loop knows no ROS, no model and no clock: every event
brings `now_s` (steady seconds), `take_actions` returns what is to be done. Events that come too late change nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace

from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.actions import AskModel, CancelCall, FetchTools, SendCall
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.claims import CallEnd, read_claim
from robot_tool_agent.core.planning.conversation import ModelFailure, ModelReply
from robot_tool_agent.core.planning.endings import error_code, failed, judge, needs_operator
from robot_tool_agent.core.planning.loop_state import LoopState
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.replies import check_reply
from robot_tool_agent.core.planning.tools import ToolsError
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.core.planning.waiting import Waiting, in_vain, is_ready
from robot_tool_agent.core.safety_state import SafetyView

NOT_SENT = {'sent': False, 'message': 'not sent: an earlier call of the reply failed'}


class TaskLoop(LoopState):
    """One task from instruction to end. Call `begin` once, then feed events and `tick` until `end` is set."""

    # Events

    def begin(self, now_s: float) -> None:
        """Start the task."""
        self._task_deadline_s = now_s + self._limits.task_timeout_s
        self._think(now_s)

    def tools_arrived(self, skills_json: str, schema_hash: str, now_s: float) -> None:
        """Take the description of the skills; it is read again only when its hash is new."""
        if self.phase is not Phase.TOOLS:
            return
        try:
            self._toolbox.load(skills_json, schema_hash)
        except ToolsError as error:
            self._finish(failed(str(error), ErrorCode.EXECUTION_ERROR))
            return
        self._ask(now_s)

    def tools_failed(self, reason: str, now_s: float) -> None:
        """Take note that the executor does not describe its skills."""
        if self.phase is Phase.TOOLS:
            self._finish(failed(f'the executor does not answer: {reason}', ErrorCode.TIMEOUT))

    def reply_arrived(self, request_id: int, reply: ModelReply, now_s: float) -> None:
        """Take the model's reply. It is stored before anything of it is sent."""
        if self.phase is not Phase.MODEL or request_id != self._model.request_id:
            return
        self._model.answered()
        reply = replace(reply, calls=reply.calls[: self._limits.max_calls_per_reply + 1])
        self._dialogue.take_reply(reply)
        if reply.calls:
            self._take_calls(reply, now_s)
        elif reply.truncated or not clean_text(reply.text):
            what = 'was cut off at the token limit' if reply.truncated else 'is empty'
            self._dialogue.correct(f'Your reply {what}. Call one tool, or answer with a short final text.')
            self._send_back(ErrorCode.INVALID_ARGUMENT, f'the reply {what}', now_s)
        else:
            self._finish(judge(read_claim(reply.text), self._ends, self._last_error))

    def model_failed(self, request_id: int, failure: ModelFailure, now_s: float) -> None:
        """Take note that no reply came; ask again after a growing pause where that may help."""
        if self.phase is not Phase.MODEL or request_id != self._model.request_id:
            return
        pause_s = self._model.pause_s(failure)
        if pause_s is None:
            text = f'the model does not answer: {failure.reason} ({self._model.failures} tries)'
            self._finish(failed(text, ErrorCode.MODEL_UNAVAILABLE))
            return
        self._enter(Phase.PAUSE, now_s + pause_s)
        self._report('retry', f'{failure.reason}; asking again in {pause_s:.1f} s')

    def call_ended(self, call_id: str, result: SkillResult, now_s: float) -> None:
        """Take the end of a call."""
        call = self._queue.running.get(call_id)
        if call is None:
            return
        if self.phase is Phase.CALL and result.may_be_sent_again:
            self._wait(call, result, now_s)
            return
        self._queue.ended(call_id)
        self._waiting = None
        self._ends.append(CallEnd(call.tool.name, call.tool.reads_only, result.outcome, result.replayed))
        self._dialogue.answer(call.ref, result.as_data())
        self._report('result', f'{call.tool.name}: {result.outcome.name} {result.error_code} {result.message}', 1.0)
        if self.phase is Phase.STOPPING:
            self._stopped(f'; the last call, {call.tool.name}, ended {result.outcome.name}', result.effect)
        elif result.outcome is Outcome.SUCCEEDED:
            self._succeeded(call, result, now_s)
        else:
            self._failed(call, result, now_s)

    def call_progress(self, call_id: str, text: str, progress: float) -> None:
        """Pass on how far a running call is."""
        if call_id in self._queue.running:
            self._report('progress', text, progress)

    def call_lost(self, call_id: str, reason: str, sent: bool, now_s: float) -> None:
        """Take note that a call's end will not be seen. `sent`: the executor may have begun it.

        It is sent once more under the same call_id, which never moves the robot twice, to learn what became of it.
        One that may have begun and is lost again may still run: it is stopped, and its end awaited like any other.
        """
        call = self._queue.running.get(call_id)
        if call is None or self.phase not in (Phase.CALL, Phase.STOPPING):
            return
        if self.phase is Phase.CALL and call_id not in self._lost:
            self._lost[call_id] = sent
            self._report('lost', f'{call.tool.name}: {reason}; asking what became of it')
            self._send(call, now_s)
            return
        self._lost[call_id] = sent or self._lost.get(call_id, False)
        if self._lost[call_id]:
            self._stop(failed(f'{call.tool.name}: {reason}', ErrorCode.TIMEOUT), now_s)
            return
        self._queue.ended(call_id)
        never = failed(f'{call.tool.name} was never sent: {reason}', ErrorCode.TIMEOUT)
        self._finish(self._stop_end or never)

    def cancel(self, now_s: float) -> None:
        """End the task on request; a running call is stopped first and its end awaited."""
        self._stop(TaskEnd(TaskStatus.CANCELED, 'canceled on request', ErrorCode.CANCELED), now_s)

    def tick(self, view: SafetyView | None, now_s: float) -> None:
        """Let time pass. `view` is the state of the safety node, None if it was not heard lately."""
        if now_s >= self._task_deadline_s:
            text = f'task_timeout_s = {self._limits.task_timeout_s:g} is over'
            self._stop(failed(text, ErrorCode.TIMEOUT), now_s)
        if self.phase is Phase.WAIT:
            self._check_waiting(view, now_s)
        elif now_s >= self._deadline_s:
            self._late(now_s)

    # Asking

    def _think(self, now_s: float) -> None:
        spent = self._dialogue.spent()
        if spent:
            self._finish(failed(f'the budget of the task is spent: {spent}', ErrorCode.BUDGET_EXHAUSTED))
            return
        self._enter(Phase.TOOLS, now_s + self._limits.executor_timeout_s)
        self._actions.append(FetchTools(self._limits.executor_timeout_s))

    def _ask(self, now_s: float) -> None:
        self._enter(Phase.MODEL, now_s + self._limits.llm_timeout_s)
        self._actions.append(AskModel(self._model.new_request(), self._dialogue.request(self._toolbox.tools)))
        self._report('thinking', '')

    def _take_calls(self, reply: ModelReply, now_s: float) -> None:
        prefix = f'{self.task_id}:{self._dialogue.step}'
        checked = check_reply(reply, prefix, self._toolbox.by_name, self._limits.max_calls_per_reply)
        for call, fault in zip(reply.calls, checked.faults, strict=False):
            self._ends.append(CallEnd(call.name, False, Outcome.REJECTED, False))
            self._dialogue.answer(call.ref, fault.as_data())
        if checked.reason is not None:
            self._send_back(checked.reason.error, checked.reason.message, now_s)
            return
        self._queue.load(checked.calls)
        self._send_next(now_s)

    def _send_back(self, error: ErrorCode, message: str, now_s: float) -> None:
        self._last_error = error
        self._report('correction', f'{error.value}: {message}')
        if self._dialogue.count_correction():
            self._think(now_s)
            return
        text = f'max_corrections = {self._limits.max_corrections} in a row did not help; last: {message}'
        self._finish(failed(text, error))

    # Calls

    def _send_next(self, now_s: float) -> None:
        for call in self._queue.next_ready():
            self._report('call', f'{call.tool.name} {call.arguments_json}')
            self._send(call, now_s)
        if self._queue.empty:
            self._dialogue.corrections = 0
            self._think(now_s)

    def _send(self, call: PlannedCall, now_s: float) -> None:
        limits = self._limits
        self._sent.add(call.call_id)
        self._enter(Phase.CALL, now_s + limits.executor_timeout_s + call.tool.timeout_s + limits.call_margin_s)
        self._actions.append(SendCall(call, limits.executor_timeout_s))

    def _succeeded(self, call: PlannedCall, result: SkillResult, now_s: float) -> None:
        if self._repeats.exhausted(call, result):
            self._finish(self._circles(call))
        else:
            self._send_next(now_s)

    def _failed(self, call: PlannedCall, result: SkillResult, now_s: float) -> None:
        self._last_error = error_code(result.error_code) or ErrorCode.EXECUTION_ERROR
        for dropped in self._queue.drop_waiting():
            self._dialogue.answer(dropped.ref, NOT_SENT)
        text = f'{call.tool.name}: {result.message}'
        if result.needs_person:
            self._finish(needs_operator(text, self._last_error))
        elif result.advice == Advice.STOP.value:
            self._finish(failed(text, self._last_error))
        elif self._repeats.exhausted(call, result):
            self._finish(self._circles(call))
        elif result.outcome is Outcome.REJECTED and result.advice == Advice.FIX_ARGUMENTS.value:
            self._send_back(self._last_error, result.message, now_s)
        else:
            self._dialogue.corrections = 0
            self._think(now_s)

    def _circles(self, call: PlannedCall) -> TaskEnd:
        text = f'{call.tool.name} was called with the same arguments and the same result max_repeats = '
        return failed(f'{text}{self._limits.max_repeats} times', ErrorCode.BUDGET_EXHAUSTED)

    # Waiting

    def _wait(self, call: PlannedCall, result: SkillResult, now_s: float) -> None:
        error = error_code(result.error_code) or ErrorCode.SAFETY_LOCKED
        if self._waiting is None:
            self._report('waiting', f'{call.tool.name}: {error.value} {result.message}')
        since_s = now_s if self._waiting is None else self._waiting.since_s
        self._waiting = Waiting(call, error, since_s, now_s + self._limits.wait_retry_s)
        self._enter(Phase.WAIT, math.inf)

    def _check_waiting(self, view: SafetyView | None, now_s: float) -> None:
        if self._waiting is None:
            return
        vain = in_vain(self._waiting, view, self._limits.wait_timeout_s, now_s)
        if vain is not None:
            self._stop(vain, now_s)
        elif now_s >= self._waiting.not_before_s and is_ready(view):
            self._send(self._waiting.call, now_s)

    # Ending

    def _late(self, now_s: float) -> None:
        """Act on the deadline of the present phase."""
        limits = self._limits
        if self.phase is Phase.TOOLS:
            self.tools_failed(f'no description of the skills within {limits.executor_timeout_s:g} s', now_s)
        elif self.phase is Phase.MODEL:
            late = ModelFailure(f'no reply within llm_timeout_s = {limits.llm_timeout_s:g}', retry=True)
            self.model_failed(self._model.request_id, late, now_s)
        elif self.phase is Phase.PAUSE:
            self._ask(now_s)
        elif self.phase is Phase.CALL:
            self._stop(failed('the executor did not end a call in its time', ErrorCode.TIMEOUT), now_s)
        elif self.phase is Phase.STOPPING:
            reason = f'{self._stop_end.summary}; ' if self._stop_end else ''
            text = f'{reason}a cancelled call did not end within cancel_timeout_s = {limits.cancel_timeout_s:g}'
            self._finish(needs_operator(text, ErrorCode.UNRESOLVED_CALL))

    def _stop(self, end: TaskEnd, now_s: float) -> None:
        """End the task this way once no call of it runs. The first reason to stop stays."""
        if self.phase in (Phase.STOPPING, Phase.ENDED):
            return
        in_progress = self._waiting is not None and self._waiting.error is ErrorCode.IN_PROGRESS
        if self.phase is not Phase.CALL and not in_progress:
            self._finish(end)
            return
        self._queue.drop_waiting()
        self._stop_end = end
        self._enter(Phase.STOPPING, now_s + self._limits.cancel_timeout_s)
        self._actions += [CancelCall(call_id) for call_id in self._queue.running]
        self._report('stopping', end.summary)

    def _stopped(self, detail: str, effect: Effect) -> None:
        end = self._stop_end
        if end is None or self._queue.running:
            return
        if effect is Effect.UNKNOWN:
            end = needs_operator(end.summary, ErrorCode.UNRESOLVED_CALL)
        self._finish(replace(end, summary=end.summary + detail))
