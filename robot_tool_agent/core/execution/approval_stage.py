"""The stage of a call in which a person is asked."""

from __future__ import annotations

import json

from robot_tool_agent.core.execution.breaker import BreakerState
from robot_tool_agent.core.execution.call import Call, Phase
from robot_tool_agent.core.execution.hub import Hub, Steps
from robot_tool_agent.core.execution.judgement import canceled_before_start, refused
from robot_tool_agent.core.execution.ports import ApprovalAsk
from robot_tool_agent.core.journal import CallEnd
from robot_tool_agent.core.outcomes import ErrorCode


def reason_to_ask(call: Call, hub: Hub) -> str | None:
    """Return why a person must say yes to a call, None if nobody need be asked."""
    skill, arguments = call.request.skill, json.loads(call.admission.arguments_json)
    reason = hub.approvals.reason(skill, call.skill.risk, arguments)
    if reason is None and not call.skill.idempotent and hub.breaker.state(skill, hub.now_s) is BreakerState.HALF_OPEN:
        reason = f'{skill} failed several times, and trying it again could repeat a motion'
    return reason


def ask(call: Call, hub: Hub, reason: str) -> Steps[CallEnd | None]:
    """Ask a person and wait for the answer. Return how the call ends, None if it may go on. No answer is a no."""
    if hub.approvals.was_denied(call.denied_key):
        return refused(ErrorCode.APPROVAL_DENIED, 'denied before within this task, under another call_id')
    call.phase = Phase.APPROVAL
    deadline_s = hub.now_s + hub.config.approval_timeout_s
    hub.approvals.ask(call.call_id)
    hub.ports.ask_approval(_question(call, hub, reason))
    try:
        while hub.now_s < deadline_s:
            answer = hub.approvals.answer(call.call_id)
            if answer is not None:
                return _answered(call, hub, *answer)
            if hub.wants_end(call):
                return canceled(call)
            yield
    finally:
        hub.approvals.close(call.call_id)
    return refused(ErrorCode.APPROVAL_EXPIRED, f'nobody answered within {hub.config.approval_timeout_s:g} s')


def canceled(call: Call) -> CallEnd:
    """Return the end of a call that is cancelled before anything moved."""
    assert call.cancel is not None
    return canceled_before_start(f'{call.cancel.value} before it began')


def _answered(call: Call, hub: Hub, approved: bool, operator: str) -> CallEnd | None:
    if approved:
        return None
    hub.approvals.note_denied(call.denied_key)
    return refused(ErrorCode.APPROVAL_DENIED, f'denied by {operator}')


def _question(call: Call, hub: Hub, reason: str) -> ApprovalAsk:
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
