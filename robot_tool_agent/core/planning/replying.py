"""What becomes of a model's reply: calls to run, a remark sent back, or the end of the task."""

from __future__ import annotations

from collections.abc import Callable

from robot_tool_agent.core.outcomes import ErrorCode, Outcome
from robot_tool_agent.core.planning.asking import Asking
from robot_tool_agent.core.planning.claims import CallEnd, Claim, ClaimKind, read_claim
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.endings import failed, judge
from robot_tool_agent.core.planning.plan_run import PlanRun
from robot_tool_agent.core.planning.planner_tools import FINISH
from robot_tool_agent.core.planning.replies import check_reply, CheckedReply
from robot_tool_agent.core.planning.reply_calls import ReplyCalls
from robot_tool_agent.core.planning.task_state import TaskState
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.core.planning.work import Work

Run = Callable[[Work, float], None]


class Replying:
    """Reads replies. It is stored what a reply says before anything of it is done; `run` does it."""

    def __init__(self, state: TaskState, asking: Asking, run: Run) -> None:
        self._state = state
        self._asking = asking
        self._run = run

    def take(self, reply: ModelReply, now_s: float) -> None:
        """Act on a reply."""
        state = self._state
        state.counters.replied()
        state.dialogue.take_reply(reply)
        if reply.calls:
            self._take_calls(reply, now_s)
        elif reply.truncated or not clean_text(reply.text):
            what = 'was cut off at the token limit (max_output_tokens)' if reply.truncated else 'is empty'
            state.dialogue.correct(f'Your reply {what}. Call one tool, or answer with a short final text.')
            self._refuse(ErrorCode.INVALID_ARGUMENT, f'the reply {what}', now_s)
        else:
            self._answer(read_claim(reply.text))

    def work_over(self, work: Work, now_s: float) -> None:
        """Go on after everything of a reply has ended: the model may correct itself, or thinks of the next step."""
        if work.correction is not None:
            self._send_back(*work.correction, now_s)
            return
        self._state.dialogue.corrections = 0
        self._asking.think(now_s)

    def _take_calls(self, reply: ModelReply, now_s: float) -> None:
        state = self._state
        prefix = f'{state.task_id}:{state.dialogue.step}'
        checked = check_reply(reply, prefix, state.toolbox, state.limits.max_calls_per_reply)
        if checked.repairs:
            state.counters.mended()
            state.report('repaired', '; '.join(checked.repairs))
        for call, fault in zip(reply.calls, checked.faults, strict=False):
            if call.name != FINISH:
                state.ends.append(CallEnd(call.name, False, Outcome.REJECTED, False, state.dialogue.step))
            state.dialogue.answer(call.ref, fault.as_data())
        if checked.reason is not None:
            self._refuse(checked.reason.error, checked.reason.message, now_s)
            return
        if checked.claim is not None:
            self._answer(checked.claim)
        else:
            self._run(self._work(checked), now_s)

    def _work(self, checked: CheckedReply) -> Work:
        answer, max_parallel = self._state.dialogue.answer, self._state.limits.max_parallel
        if checked.plan:
            ref = checked.plan[0].call.ref
            return PlanRun(checked.plan, lambda report: answer(ref, report), max_parallel)
        return ReplyCalls(checked.calls, answer, max_parallel)

    def _answer(self, claim: Claim) -> None:
        state = self._state
        if claim.kind is ClaimKind.QUESTION:
            state.counters.answered(without_call=False)
        else:
            state.counters.answered(without_call=not state.sent)
        state.finish(judge(claim, state.ends, state.last_error))

    def _refuse(self, error: ErrorCode, message: str, now_s: float) -> None:
        self._state.counters.reply_refused(error)
        self._send_back(error, message, now_s)

    def _send_back(self, error: ErrorCode, message: str, now_s: float) -> None:
        state = self._state
        state.last_error = error
        state.report('correction', f'{error.value}: {message}')
        if state.dialogue.count_correction():
            self._asking.think(now_s)
            return
        text = f'max_corrections = {state.limits.max_corrections} in a row did not help; last: {message}'
        state.finish(failed(text, error))
