"""A reply's calls, checked as a whole: one faulty call and nothing of the reply is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import CallFault, PlannedCall, check_call
from robot_tool_agent.core.planning.conversation import ModelReply, ToolSpec


@dataclass(frozen=True, slots=True)
class CheckedReply:
    """Either `calls` to send, or `reason` why nothing is sent with one fault for every call of the reply."""

    calls: tuple[PlannedCall, ...] = ()
    faults: tuple[CallFault, ...] = ()
    reason: CallFault | None = None


def check_reply(reply: ModelReply, prefix: str, tools: Mapping[str, ToolSpec], most: int) -> CheckedReply:
    """Check every call; the i-th gets the call_id `prefix:i`. More than `most` calls or a cut-off reply is a fault."""
    checked = [check_call(call, f'{prefix}:{place}', tools) for place, call in enumerate(reply.calls)]
    reason = _whole_fault(reply, most) or next((item for item in checked if isinstance(item, CallFault)), None)
    if reason is None:
        return CheckedReply(tuple(item for item in checked if isinstance(item, PlannedCall)))
    sound = CallFault(reason.error, f'not sent, because of the reply it came in: {reason.message}')
    return CheckedReply((), tuple(item if isinstance(item, CallFault) else sound for item in checked), reason)


def _whole_fault(reply: ModelReply, most: int) -> CallFault | None:
    if reply.truncated:
        return CallFault(ErrorCode.INVALID_JSON, 'the reply was cut off at the token limit')
    if len(reply.calls) > most:
        return CallFault(ErrorCode.INVALID_ARGUMENT, f'more than {most} calls in one reply: none is sent')
    return None
