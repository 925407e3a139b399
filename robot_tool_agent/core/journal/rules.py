"""Who may move: the journal's rules as pure functions of the call, its own record and the unresolved ones."""

from __future__ import annotations

from collections.abc import Iterable

from robot_tool_agent.core.journal.records import (
    Admission,
    Admitted,
    CallRecord,
    CallState,
    Decision,
    NotAdmitted,
    Replay,
)
from robot_tool_agent.core.outcomes import ErrorCode


def decide(
    call: Admission, known: CallRecord | None, unresolved: Iterable[CallRecord], live: frozenset[str]
) -> Decision:
    """
    Apply rules 2 to 6 to a call that asks to be admitted.

    An ADMITTED row is a call that never began: the executive keeps two live calls of one id apart, the file lock two
    processes.
    """
    if known is not None:
        if known.admission.fingerprint != call.fingerprint:
            return NotAdmitted(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                f'call_id {call.call_id} was used for {known.admission.skill} {known.admission.arguments_json}',
            )
        if known.state is CallState.STARTED and call.call_id in live:
            return NotAdmitted(ErrorCode.IN_PROGRESS, f'call {call.call_id} is still running')
        if known.state is CallState.STARTED:
            message = f'the end of call {call.call_id} could not be stored; an operator must resolve it'
            return NotAdmitted(ErrorCode.UNRESOLVED_CALL, message)
        if known.state is CallState.ENDED or is_denied(known):
            return Replay(known)
    return blocked_by(call, unresolved, live) or Admitted()


def blocked_by(call: Admission, unresolved: Iterable[CallRecord], live: frozenset[str]) -> NotAdmitted | None:
    """Rule 5: a motion that is not idempotent waits until earlier calls on its resources are resolved."""
    if call.idempotent:
        return None
    for other in unresolved:
        same = other.admission.call_id == call.call_id or other.admission.call_id in live
        if not same and other.admission.resources & call.resources:
            shared = ', '.join(sorted(other.admission.resources & call.resources))
            return NotAdmitted(
                ErrorCode.UNRESOLVED_CALL,
                f'{other.admission.skill} (call {other.admission.call_id}) on {shared} has no known end;'
                ' an operator must resolve it first',
            )
    return None


def is_denied(record: CallRecord) -> bool:
    """Rule 6: a denied call is final for its id, other refusals are not."""
    return record.end is not None and record.end.error is ErrorCode.APPROVAL_DENIED
