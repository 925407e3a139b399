"""The order of a call: admit, approve, check, lock, commit STARTED, run, stand still, verify, commit the end.

Written as generators that take one turn at a time, so that the order can be read from top to bottom, nothing blocks
and a test decides when what happens.
"""

from __future__ import annotations

import json

from robot_tool_agent.core.execution import motion_run
from robot_tool_agent.core.execution.call import Call, CallResult, Phase
from robot_tool_agent.core.execution.hub import Hub, Steps, result_of, wait_for
from robot_tool_agent.core.execution.judgement import (
    EndReason,
    MotionEnd,
    canceled_before_start,
    judge,
    refused,
)
from robot_tool_agent.core.execution.ports import ApprovalAsk, TripRequest, Turn
from robot_tool_agent.core.execution.preconditions import first_refusal
from robot_tool_agent.core.journal import Admitted, CallEnd, JournalError, Replay
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.sensors import Instant
from robot_tool_agent.core.skills.base import Json, Resource

END_COMMIT_TRIES = 3


def run_motion_call(call: Call, hub: Hub, turn: Turn) -> Steps[CallResult]:
    """Run a call that may move something."""
    try:
        decision = yield from result_of(
            hub.ports.submit(lambda: hub.journal.admit(call.admission, turn.wall_s, hub.live_ids()))
        )
    except JournalError as error:
        return CallResult(refused(ErrorCode.JOURNAL_UNAVAILABLE, f'the journal cannot be written: {error}'))
    if isinstance(decision, Replay):
        end = decision.record.end
        assert end is not None
        return CallResult(end, replayed=True)
    if not isinstance(decision, Admitted):
        return CallResult(refused(decision.error, decision.message))
    end = yield from _admitted(call, hub)
    return CallResult(end)


def _admitted(call: Call, hub: Hub) -> Steps[CallEnd]:
    turn = yield
    end = yield from _approval(call, hub, turn)
    if end is None:
        turn = yield
        end = _check_and_lock(call, hub, turn)
    if end is not None:
        return (yield from _store_refusal(call, hub, end))
    try:
        return (yield from _locked(call, hub))
    finally:
        hub.unlock(call)


def _approval(call: Call, hub: Hub, turn: Turn) -> Steps[CallEnd | None]:
    reason = hub.approvals.reason(call.request.skill, call.skill.risk, json.loads(call.admission.arguments_json))
    if reason is None:
        return None
    call.phase = Phase.APPROVAL
    deadline_s = turn.now_s + hub.config.approval_timeout_s
    hub.approvals.ask(call.call_id)
    hub.ports.ask_approval(_ask(call, hub, reason))
    try:
        while turn.now_s < deadline_s:
            answer = hub.approvals.answer(call.call_id)
            if answer is not None:
                approved, operator = answer
                return None if approved else refused(ErrorCode.APPROVAL_DENIED, f'denied by {operator}')
            if hub.wants_end(call, turn.now_s):
                return _canceled(call)
            turn = yield
    finally:
        hub.approvals.close(call.call_id)
    return refused(ErrorCode.APPROVAL_EXPIRED, f'nobody answered within {hub.config.approval_timeout_s:g} s')


def _ask(call: Call, hub: Hub, reason: str) -> ApprovalAsk:
    request = call.request
    return ApprovalAsk(
        request.call_id,
        request.task_id,
        request.skill,
        call.admission.arguments_json,
        request.requested_by,
        reason,
        hub.config.approval_timeout_s,
    )


def _check_and_lock(call: Call, hub: Hub, turn: Turn) -> CallEnd | None:
    call.phase = Phase.CHECKING
    if hub.wants_end(call, turn.now_s):
        return _canceled(call)
    holder = hub.lock(call)
    if holder is not None:
        shared = ', '.join(sorted(name.value for name in call.skill.resources & holder.skill.resources))
        message = f'{shared} in use by {holder.request.skill} (call {holder.call_id}); wait until it ends'
        return refused(ErrorCode.RESOURCE_BUSY, message)
    try:
        refusal = first_refusal(call, hub, turn.now_s)
    except Exception as error:  # a skill that cannot even check its preconditions must not move
        refusal = None
        hub.unlock(call)
        hub.ports.log(f'{call.call_id}: {error!r}')
        return refused(ErrorCode.EXECUTION_ERROR, f'internal error: {type(error).__name__}')
    if refusal is not None:
        hub.unlock(call)
        return refused(refusal.error, refusal.message, refusal.details)
    return None


def _locked(call: Call, hub: Hub) -> Steps[CallEnd]:
    """From here the resources are ours. Nothing moves before STARTED is durable."""
    call.phase = Phase.STARTING
    assert hub.safety.view is not None
    call.epoch = hub.safety.view.epoch
    start = call.skill.start_facts(hub.view)
    start_json = json.dumps(start)
    turn = yield
    try:
        decision = yield from result_of(
            hub.ports.submit(lambda: hub.journal.start(call.call_id, start_json, turn.wall_s))
        )
    except JournalError as error:
        return refused(ErrorCode.JOURNAL_UNAVAILABLE, f'the journal cannot be written: {error}')
    if not isinstance(decision, Admitted):
        assert not isinstance(decision, Replay)
        return (yield from _store_refusal(call, hub, refused(decision.error, decision.message)))
    hub.approvals.note_use(call.request.skill)
    return (yield from _started(call, hub, start))


def _started(call: Call, hub: Hub, start: Json) -> Steps[CallEnd]:
    call.phase, call.attempts = Phase.RUNNING, 1
    turn = yield
    motion = yield from motion_run.drive(call, hub, turn)
    turn = yield
    since = yield from _at_rest(call, hub, turn)
    if since is None:
        motion = MotionEnd(EndReason.NOT_STANDING, motion.error, motion.message + '; standstill was not seen')
        yield from _trip(call, hub, 'SKILL_UNKNOWN', motion.message)
        end = judge(motion, None, call.attempts)
        return (yield from _store_end(call, hub, end))
    turn = yield
    verdict = yield from motion_run.verify(call, hub, turn, start, since)
    end = yield from _store_end(call, hub, judge(motion, verdict, call.attempts))
    if end.outcome in (Outcome.FAILED, Outcome.UNKNOWN):
        fault = 'SKILL_UNKNOWN' if end.effect is Effect.UNKNOWN else 'SKILL_FAILED'
        yield from _trip(call, hub, fault, f'{call.request.skill}: {end.message}')
    return end


def _at_rest(call: Call, hub: Hub, turn: Turn) -> Steps[Instant | None]:
    if Resource.BASE in call.skill.resources:
        return (yield from motion_run.stand_still(call, hub, turn))
    odom = hub.view.odom
    return Instant(-float('inf') if odom is None else odom.stamp_s, turn.now_s)


def _trip(call: Call, hub: Hub, fault: str, detail: str) -> Steps[None]:
    turn = yield
    request = TripRequest(fault, detail, call.call_id, call.request.task_id, call.epoch)
    job = hub.ports.trip(request)
    if not (yield from wait_for(job, turn.now_s + hub.config.trip_timeout_s)):
        hub.ports.log(f'{call.call_id}: the safety node did not answer trip_safety {fault}')


def _store_refusal(call: Call, hub: Hub, end: CallEnd) -> Steps[CallEnd]:
    turn = yield
    try:
        yield from result_of(hub.ports.submit(lambda: hub.journal.refuse(call.call_id, end, turn.wall_s)))
    except JournalError as error:  # nothing moved, so the refusal stands without its row
        hub.ports.log(f'{call.call_id}: refusal not stored: {error}')
    return end


def _store_end(call: Call, hub: Hub, end: CallEnd) -> Steps[CallEnd]:
    """Commit the end. One that cannot be stored is reported as unknown: after a restart nobody would know it."""
    call.phase = Phase.ENDING
    turn = yield
    error: JournalError | None = None
    for _ in range(END_COMMIT_TRIES):
        try:
            yield from result_of(hub.ports.submit(lambda: hub.journal.end(call.call_id, end, turn.wall_s)))
            return end
        except JournalError as failure:
            error = failure
    message = f'{end.message}; the end could not be stored: {error}'
    hub.ports.log(f'{call.call_id}: {message}')
    return CallEnd(
        Outcome.UNKNOWN,
        Effect.UNKNOWN,
        ErrorCode.JOURNAL_UNAVAILABLE,
        message,
        end.result_json,
        end.evidence_json,
        end.attempts,
    )


def _canceled(call: Call) -> CallEnd:
    assert call.cancel is not None
    return canceled_before_start(f'{call.cancel.value} before it began')
