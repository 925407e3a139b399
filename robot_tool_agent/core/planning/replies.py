"""A reply's calls, checked as a whole: one faulty call and nothing of the reply is sent."""

from __future__ import annotations

from dataclasses import dataclass
import json

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import CallFault, check_call, PlannedCall
from robot_tool_agent.core.planning.claims import Claim, ClaimKind
from robot_tool_agent.core.planning.conversation import ModelReply
from robot_tool_agent.core.planning.plan import PlanStep, read_plan
from robot_tool_agent.core.planning.planner_tools import FINISH, OWN_NAMES, PLAN
from robot_tool_agent.core.planning.tools import Toolbox


@dataclass(frozen=True, slots=True)
class CheckedReply:
    """
    One of these: `calls` to send, a `plan` to run, the `claim` that ends the task, or `reason` why nothing is sent.

    With a reason there is one fault for every call of the reply. `repairs` says what was mended, by tool.
    """

    calls: tuple[PlannedCall, ...] = ()
    plan: tuple[PlanStep, ...] = ()
    claim: Claim | None = None
    faults: tuple[CallFault, ...] = ()
    reason: CallFault | None = None
    repairs: tuple[str, ...] = ()


Checked = PlannedCall | Claim | tuple[PlanStep, ...]


def check_reply(reply: ModelReply, prefix: str, toolbox: Toolbox, most: int) -> CheckedReply:
    """Check every call; the i-th gets the call_id `prefix:i`. More than `most` calls or a cut-off reply is a fault."""
    planned = [
        check_call(call, f'{prefix}:{place}', toolbox.later if place else toolbox.by_name)
        for place, call in enumerate(reply.calls)
    ]
    checked = [_read(call, toolbox) if isinstance(call, PlannedCall) else call for call in planned]
    mended = (item for item in planned if isinstance(item, PlannedCall) and item.repairs)
    repairs = tuple(f'{item.tool.name}: {", ".join(item.repairs)}' for item in mended)
    reason = _whole_fault(reply, most) or next((item for item in checked if isinstance(item, CallFault)), None)
    if reason is not None:
        sound = CallFault(reason.error, f'not sent, because of the reply it came in: {reason.message}')
        faults = tuple(item if isinstance(item, CallFault) else sound for item in checked)
        return CheckedReply(faults=faults, reason=reason, repairs=repairs)
    only = checked[0] if checked else None
    if isinstance(only, Claim):
        return CheckedReply(claim=only, repairs=repairs)
    if isinstance(only, tuple):
        return CheckedReply(plan=only, repairs=repairs)
    return CheckedReply(calls=tuple(item for item in checked if isinstance(item, PlannedCall)), repairs=repairs)


def _read(planned: PlannedCall, toolbox: Toolbox) -> Checked | CallFault:
    """Return a call of a tool of the planner's own as what it says, any other as it is."""
    if planned.tool.name not in OWN_NAMES:
        return planned
    given = json.loads(planned.arguments_json)
    if planned.tool.name == FINISH:
        return Claim(ClaimKind(given['claim']), given['text'])
    return read_plan(planned, toolbox.skills, given)


def _whole_fault(reply: ModelReply, most: int) -> CallFault | None:
    if reply.truncated:
        return CallFault(ErrorCode.INVALID_JSON, 'the reply was cut off at the token limit (max_output_tokens)')
    if len(reply.calls) > most:
        text = f'more than {most} calls in one reply (max_calls_per_reply): none is sent'
        return CallFault(ErrorCode.INVALID_ARGUMENT, text)
    own = [call.name for call in reply.calls if call.name in OWN_NAMES]
    if own and len(reply.calls) > 1:
        why = 'its steps are a plan of their own' if own[0] == PLAN else 'a claim is made after the results are known'
        return CallFault(ErrorCode.INVALID_ARGUMENT, f'{own[0]} must be the only call of a reply: {why}')
    return None
