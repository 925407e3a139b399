"""How a task may end, and in which words. Verified facts are added to what the model says."""

from __future__ import annotations

from collections.abc import Sequence

from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.claims import CallEnd, Claim, ClaimKind, supported
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.core.safety_state import SafetyView

MAX_SUMMARY = 1000


def judge(claim: Claim, ends: Sequence[CallEnd], last_error: ErrorCode | None) -> TaskEnd:
    """Return the end that a final text leads to."""
    if claim.kind is ClaimKind.QUESTION:
        return TaskEnd(TaskStatus.NEEDS_OPERATOR, claim.text, ErrorCode.NEEDS_ANSWER)
    if claim.kind is ClaimKind.FAILED:
        return TaskEnd(TaskStatus.FAILED, claim.text, last_error or ErrorCode.GAVE_UP)
    if supported(claim, ends):
        return TaskEnd(TaskStatus.SUCCEEDED, claim.text)
    text = f'success was claimed, no verified call supports it: "{claim.text}"'
    return TaskEnd(TaskStatus.UNVERIFIED, text, ErrorCode.VERIFICATION_FAILED)


def failed(summary: str, error: ErrorCode) -> TaskEnd:
    """Return the end of a task that did not reach its aim."""
    return TaskEnd(TaskStatus.FAILED, summary, error)


def needs_operator(summary: str, error: ErrorCode) -> TaskEnd:
    """Return the end of a task that only a person can take further."""
    return TaskEnd(TaskStatus.NEEDS_OPERATOR, summary, error)


def no_model(tried: str, view: SafetyView | None) -> TaskEnd:
    """Return the end of a task for which no provider replied: what was tried, how the robot is, what can be done."""
    safety = 'the safety node is not heard' if view is None else f'safety is {view.mode.name}'
    text = f'no model answered. Tried: {tried}. No skill call is running and {safety}. '
    text += 'You can send the task again later, mend what is named here, or add another provider such as rules'
    return failed(text, ErrorCode.MODEL_UNAVAILABLE)


def interrupted(reason: str) -> TaskEnd:
    """Return the end of a task that a restart of the planner broke off and that is not taken up again."""
    text = f'{reason}; `rta journal list` shows what its calls did. Send a new task to go on'
    return needs_operator(text, ErrorCode.RESTARTED)


def with_facts(summary: str, ends: Sequence[CallEnd]) -> str:
    """Return the summary, bounded, with what sensors verified in this task and which motions did not succeed."""
    verified = [end.skill for end in ends if end.verified]
    facts = f'Verified by sensors: {", ".join(verified)}.' if verified else 'No call was verified.'
    ran = [end for end in ends if not end.reads_only and end.outcome is not Outcome.REJECTED]
    lost = [f'{end.skill} ({"replayed" if end.replayed else end.outcome.name})' for end in ran if not end.verified]
    facts += f' Not verified: {", ".join(lost)}.' if lost else ''
    return f'{clean_text(summary, MAX_SUMMARY)} [{clean_text(facts)}]'


def error_code(name: str) -> ErrorCode | None:
    """Return the member of the closed list with this name; None if there is none."""
    return ErrorCode.__members__.get(name)
