"""The order of a read-only call: no lock, no safety, no waiting for the disk; it moves nothing."""

from __future__ import annotations

from robot_tool_agent.core.execution import motion_run
from robot_tool_agent.core.execution.call import Call, CallResult, Phase
from robot_tool_agent.core.execution.endings import tell_breaker
from robot_tool_agent.core.execution.hub import Hub, result_of, Steps
from robot_tool_agent.core.execution.judgement import EndReason, judge, refused
from robot_tool_agent.core.execution.preconditions import circuit_refusal, first_refusal
from robot_tool_agent.core.journal import CallEnd, CallRecord, JournalError
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.sensors import Instant


def run_reading_call(call: Call, hub: Hub) -> Steps[CallResult]:
    """Run a call that moves nothing. The same id is run anew; the journal's row is written without waiting for it."""
    known = yield from _known(call, hub)
    if known is not None and known.admission.fingerprint != call.admission.fingerprint:
        message = f'call_id {call.call_id} was used for {known.admission.skill} {known.admission.arguments_json}'
        return CallResult(refused(ErrorCode.IDEMPOTENCY_MISMATCH, message))
    refusal = first_refusal(call, hub) or circuit_refusal(call, hub, approved=False)
    if refusal is not None:
        return CallResult(refused(refusal.error, refusal.message, refusal.details))
    end = yield from _read(call, hub)
    tell_breaker(call, hub, end.outcome)
    wall_s = hub.turn.wall_s
    hub.ports.submit(lambda: hub.journal.note_read(call.admission, end, wall_s))  # nobody waits for the disk
    return CallResult(end)


def _read(call: Call, hub: Hub) -> Steps[CallEnd]:
    call.phase, call.attempts = Phase.RUNNING, 1
    odom = hub.view.odom
    asked = Instant(-float('inf') if odom is None else odom.stamp_s, hub.now_s)
    motion = yield from motion_run.drive(call, hub, call.skill)
    if motion.reason is EndReason.CANCELED:
        return CallEnd(Outcome.CANCELED, Effect.NONE, motion.error, motion.message, attempts=call.attempts)
    verdict = yield from motion_run.verify(call, hub, {}, asked)
    if verdict is None:
        message = f'no new sample of {", ".join(call.skill.required_topics)}; it must be published again'
        return CallEnd(Outcome.FAILED, Effect.NONE, ErrorCode.STALE_SENSOR, message, attempts=call.attempts)
    return judge(motion, verdict, call.attempts)


def _known(call: Call, hub: Hub) -> Steps[CallRecord | None]:
    try:
        return (yield from result_of(hub, hub.ports.submit(lambda: hub.journal.record(call.call_id))))
    except JournalError as error:  # reading the robot's state must work most of all when the disk does not
        hub.ports.log(f'{call.call_id}: journal not read: {error}')
        return None
