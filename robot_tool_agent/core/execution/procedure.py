"""
The order of a call: admit, approve, check, lock, commit STARTED, run, stand still, verify, commit the end.

Written as generators that take one turn at a time, so that the order can be read from top to bottom, nothing blocks
and a test decides when what happens.
"""

from __future__ import annotations

from dataclasses import replace
import json
import traceback

from robot_tool_agent.core.execution import approval_stage, motion_run
from robot_tool_agent.core.execution.attempts import run_attempts, with_offer
from robot_tool_agent.core.execution.call import Call, CallResult, Phase
from robot_tool_agent.core.execution.endings import store_end, store_refusal, tell_breaker, tell_safety
from robot_tool_agent.core.execution.hub import Hub, result_of, Steps
from robot_tool_agent.core.execution.judgement import EndReason, judge, refused
from robot_tool_agent.core.execution.preconditions import circuit_refusal, first_refusal
from robot_tool_agent.core.execution.retry import Attempt
from robot_tool_agent.core.journal import Admitted, CallEnd, JournalError, Replay
from robot_tool_agent.core.outcomes import ErrorCode, Outcome
from robot_tool_agent.core.skills.base import Json


def run_motion_call(call: Call, hub: Hub) -> Steps[CallResult]:
    """Run a call that may move something."""
    wall_s, live = hub.turn.wall_s, hub.live_ids() - {call.call_id}
    try:
        decision = yield from result_of(hub, hub.ports.submit(lambda: hub.journal.admit(call.admission, wall_s, live)))
    except JournalError as error:
        return CallResult(_no_journal(error))
    if isinstance(decision, Replay):
        end = decision.record.end
        assert end is not None
        return CallResult(end, replayed=True)
    if not isinstance(decision, Admitted):
        return CallResult(refused(decision.error, decision.message))
    end = yield from _admitted(call, hub)
    tell_breaker(call, hub, end.outcome)
    return CallResult(end)


def _admitted(call: Call, hub: Hub) -> Steps[CallEnd]:
    reason = approval_stage.reason_to_ask(call, hub)
    end = None if reason is None else (yield from approval_stage.ask(call, hub, reason))
    if end is None:
        end = _check_and_lock(call, hub, approved=reason is not None)
    if end is not None:
        return (yield from store_refusal(call, hub, end))
    try:
        return (yield from _locked(call, hub))
    finally:
        hub.unlock(call)


def _check_and_lock(call: Call, hub: Hub, approved: bool) -> CallEnd | None:
    call.phase = Phase.CHECKING
    if hub.wants_end(call):
        return approval_stage.canceled(call)
    holder = hub.lock(call)
    if holder is not None:
        shared = ', '.join(sorted(name.value for name in call.skill.resources & holder.skill.resources))
        message = f'{shared} in use by {holder.request.skill} (call {holder.call_id}); wait until it ends'
        return refused(ErrorCode.RESOURCE_BUSY, message)
    end = _check(call, hub, approved)
    if end is not None:
        hub.unlock(call)
    return end


def _check(call: Call, hub: Hub, approved: bool) -> CallEnd | None:
    try:
        refusal = first_refusal(call, hub) or circuit_refusal(call, hub, approved)
    except Exception as error:  # a skill that cannot even check its preconditions must not move
        hub.ports.log(f'{call.call_id}: {traceback.format_exc()}')
        return refused(ErrorCode.EXECUTION_ERROR, f'internal error: {type(error).__name__}')
    return None if refusal is None else refused(refusal.error, refusal.message, refusal.details)


def _locked(call: Call, hub: Hub) -> Steps[CallEnd]:
    """From here the resources are ours. Nothing moves before STARTED is durable."""
    call.phase = Phase.STARTING
    assert hub.safety.view is not None
    call.epoch, wall_s = hub.safety.view.epoch, hub.turn.wall_s
    start = call.skill.start_facts(hub.view)
    start_json = json.dumps(start)
    try:
        decision = yield from result_of(
            hub, hub.ports.submit(lambda: hub.journal.start(call.call_id, start_json, wall_s))
        )
    except JournalError as error:
        return _no_journal(error)
    if not isinstance(decision, Admitted):
        assert not isinstance(decision, Replay)
        return (yield from store_refusal(call, hub, refused(decision.error, decision.message)))
    hub.approvals.note_use(call.request.skill)
    return (yield from _started(call, hub, start))


def _started(call: Call, hub: Hub, start: Json) -> Steps[CallEnd]:
    try:
        attempt = yield from run_attempts(call, hub, start)
    finally:
        motion_run.close(call, hub)
    end = _judged(call, hub, attempt)
    loud = attempt.motion.reason is EndReason.NOT_STANDING
    if loud:  # a robot that does not stop cannot wait for the disk
        yield from tell_safety(call, hub, end)
    end = yield from store_end(call, hub, end)
    if not loud and end.outcome in (Outcome.FAILED, Outcome.UNKNOWN):
        yield from tell_safety(call, hub, end)
    return end


def _judged(call: Call, hub: Hub, attempt: Attempt) -> CallEnd:
    end = judge(attempt.motion, attempt.verdict, call.attempts)
    return replace(end, result_json=with_offer(call, hub, attempt, end.result_json))


def _no_journal(error: JournalError) -> CallEnd:
    return refused(ErrorCode.JOURNAL_UNAVAILABLE, f'the journal cannot be written: {error}')
