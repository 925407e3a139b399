"""A reply's calls, checked as a whole: one faulty call and nothing of the reply is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import CallFault, PlannedCall, check_call
from robot_tool_agent.core.planning.claims import Claim, ClaimKind
from robot_tool_agent.core.planning.conversation import ModelReply, ToolCall
from robot_tool_agent.core.planning.plan import PlanStep, read_plan
from robot_tool_agent.core.planning.planner_tools import FINISH, OWN_NAMES, PLAN
from robot_tool_agent.core.planning.tools import Toolbox


@dataclass(frozen=True, slots=True)
class CheckedReply:
    """One of these: `calls` to send, a `plan` to run, the `claim` that ends the task, or `reason` why nothing is sent.

    With a reason there is one fault for every call of the reply.
    """

    calls: tuple[PlannedCall, ...] = ()
    plan: tuple[PlanStep, ...] = ()
    claim: Claim | None = None
    faults: tuple[CallFault, ...] = ()
    reason: CallFault | None = None


Checked = PlannedCall | Claim | tuple[PlanStep, ...]


def check_reply(reply: ModelReply, prefix: str, toolbox: Toolbox, most: int) -> CheckedReply:
    """Check every call; the i-th gets the call_id `prefix:i`. More than `most` calls or a cut-off reply is a fault."""
    checked = [_check(call, f'{prefix}:{place}', toolbox) for place, call in enumerate(reply.calls)]
    reason = _whole_fault(reply, most) or next((item for item in checked if isinstance(item, CallFault)), None)
    if reason is not None:
        sound = CallFault(reason.error, f'not sent, because of the reply it came in: {reason.message}')
        return CheckedReply(faults=tuple(i if isinstance(i, CallFault) else sound for i in checked), reason=reason)
    only = checked[0] if checked else None
    if isinstance(only, Claim):
        return CheckedReply(claim=only)
    if isinstance(only, tuple):
        return CheckedReply(plan=only)
    return CheckedReply(calls=tuple(item for item in checked if isinstance(item, PlannedCall)))


def _check(call: ToolCall, call_id: str, toolbox: Toolbox) -> Checked | CallFault:
    planned = check_call(call, call_id, toolbox.by_name)
    if isinstance(planned, CallFault) or planned.tool.name not in OWN_NAMES:
        return planned
    given = json.loads(planned.arguments_json)
    if planned.tool.name == FINISH:
        return Claim(ClaimKind(given['claim']), given['text'])
    return read_plan(planned, toolbox.skills, given)


def _whole_fault(reply: ModelReply, most: int) -> CallFault | None:
    if reply.truncated:
        return CallFault(ErrorCode.INVALID_JSON, 'the reply was cut off at the token limit')
    if len(reply.calls) > most:
        return CallFault(ErrorCode.INVALID_ARGUMENT, f'more than {most} calls in one reply: none is sent')
    own = [call.name for call in reply.calls if call.name in OWN_NAMES]
    if own and len(reply.calls) > 1:
        why = 'its steps are a plan of their own' if own[0] == PLAN else 'a claim is made after the results are known'
        return CallFault(ErrorCode.INVALID_ARGUMENT, f'{own[0]} must be the only call of a reply: {why}')
    return None
