"""How a call's end is stored and who else hears of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from robot_tool_agent.core.execution.call import Call, Phase
from robot_tool_agent.core.execution.hub import Hub, result_of, Steps, wait_for
from robot_tool_agent.core.execution.ports import TripRequest
from robot_tool_agent.core.execution.results import bounded_text
from robot_tool_agent.core.journal import CallEnd, JournalError
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome

COMMIT_TRIES = 3


def store_refusal(call: Call, hub: Hub, end: CallEnd) -> Steps[CallEnd]:
    """Commit that a call was refused. Nothing moved, so the refusal stands even if its row cannot be written."""
    wall_s = hub.turn.wall_s
    error = yield from _commit(hub, lambda: hub.journal.refuse(call.call_id, end, wall_s))
    if error is not None:
        hub.ports.log(f'{call.call_id}: refusal not stored: {error}')
    return end


def store_end(call: Call, hub: Hub, end: CallEnd) -> Steps[CallEnd]:
    """Commit the end. One that cannot be stored is reported as unknown: after a restart nobody would know it."""
    call.phase = Phase.ENDING
    wall_s = hub.turn.wall_s
    error = yield from _commit(hub, lambda: hub.journal.end(call.call_id, end, wall_s))
    if error is None:
        return end
    message = bounded_text(f'{end.message}; the end could not be stored: {error}')
    hub.ports.log(f'{call.call_id}: {message}')
    code = ErrorCode.JOURNAL_UNAVAILABLE
    return replace(end, outcome=Outcome.UNKNOWN, effect=Effect.UNKNOWN, error=code, message=message)


def _commit(hub: Hub, work: Callable[[], None]) -> Steps[JournalError | None]:
    """Do one commit, again if it fails; return the error of the last try."""
    error: JournalError | None = None
    for _ in range(COMMIT_TRIES):
        try:
            yield from result_of(hub, hub.ports.submit(work))
            return None
        except JournalError as failure:
            error = failure
    return error


def tell_safety(call: Call, hub: Hub, end: CallEnd) -> Steps[None]:
    """Trip safety after a motion that failed or whose end was not seen."""
    fault = 'SKILL_UNKNOWN' if end.effect is Effect.UNKNOWN else 'SKILL_FAILED'
    detail = bounded_text(f'{call.request.skill}: {end.message}')
    job = hub.ports.trip(TripRequest(fault, detail, call.call_id, call.request.task_id, call.epoch))
    if not (yield from wait_for(hub, job, hub.config.trip_timeout_s)):
        hub.ports.log(f'{call.call_id}: the safety node did not answer trip_safety {fault}')


def tell_breaker(call: Call, hub: Hub, outcome: Outcome) -> None:
    """Count a call for its skill's circuit. A call that was refused, cancelled or stopped says nothing of the skill."""
    if outcome is Outcome.SUCCEEDED:
        hub.breaker.succeeded(call.request.skill)
    elif outcome in (Outcome.FAILED, Outcome.UNKNOWN):
        hub.breaker.failed(call.request.skill, hub.now_s)
    else:
        hub.breaker.released(call.request.skill, call.call_id)
