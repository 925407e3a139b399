"""Calls and ends that the tests of the journal share."""

from __future__ import annotations

from robot_tool_agent.core.journal import Admission, CallEnd
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome

DONE = CallEnd(Outcome.SUCCEEDED, Effect.DONE, None, 'moved', '{"x":1}', '{"odom":1}', 1)
UNKNOWN = CallEnd(Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.STALE_SENSOR, 'not seen', attempts=1)
LOCKED = CallEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.SAFETY_LOCKED, 'locked')
DENIED = CallEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.APPROVAL_DENIED, 'denied by ann')
BASE = frozenset({'base'})


def call(
    call_id: str = 'a', fingerprint: str = 'f', resources: frozenset[str] = BASE, idempotent: bool = False
) -> Admission:
    """Return a call as it is admitted: a relative motion of the base unless told otherwise."""
    return Admission(call_id, fingerprint, 't', 'move_relative', '{}', 'planner', resources, idempotent)
