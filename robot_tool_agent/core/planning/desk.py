"""What becomes of a request to run a task: new, already running, already ended, or refused."""

from __future__ import annotations

from dataclasses import dataclass
import re

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.endings import failed, interrupted
from robot_tool_agent.core.planning.prompt import MAX_INSTRUCTION
from robot_tool_agent.core.planning.record import TaskEnd, TaskRecord

TASK_ID = re.compile(r'[A-Za-z0-9._:-]{1,96}')


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """A request to run a task, made at a wall-clock time in seconds."""

    task_id: str
    instruction: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Admission:
    """
    `end` is the answer at once; without it the task is to be started, attached to, or taken up again.

    `keep`: the end is to be stored as that of the task, which was open until now.
    """

    attach: bool = False
    resume: bool = False
    end: TaskEnd | None = None
    keep: bool = False


def admit(
    request: TaskRequest, running: TaskRecord | None, known: TaskRecord | None, resume_within_s: float
) -> Admission:
    """
    Decide on one request. One task runs at a time. A refusal keeps nothing of the request.

    `known` is what the memory has of the id. An open task that does not run was interrupted by the end of the
    planner's process. It is taken up again only because somebody asks for it now, so that no restart moves the robot,
    and only while what its model saw is not older than `resume_within_s` seconds.
    """
    task_id = request.task_id
    fault = _fault(task_id, request.instruction)
    if fault is not None:
        return Admission(end=fault)
    known = running if running is not None and running.task_id == task_id else known
    if known is not None and known.instruction != request.instruction:
        text = f'task {task_id} was sent before with another instruction; use a new task_id'
        return Admission(end=failed(text, ErrorCode.IDEMPOTENCY_MISMATCH))
    if known is not None and (known is running or known.end is not None):
        return Admission(attach=known.end is None, end=known.end)
    if running is not None:
        text = f'task {running.task_id} is running; cancel it or wait for its end'
        return Admission(end=failed(text, ErrorCode.RESOURCE_BUSY))
    return Admission() if known is None else _interrupted(known, resume_within_s, request.at_s)


def _interrupted(known: TaskRecord, resume_within_s: float, at_s: float) -> Admission:
    age_s = abs(at_s - known.last_at_s)  # a clock that was set back proves no freshness
    if age_s <= resume_within_s:
        return Admission(resume=True)
    limit = f'resume_within_s = {resume_within_s:g}'
    text = f'interrupted {age_s:.0f} s ago by a restart of the planner, longer than {limit}'
    return Admission(end=interrupted(text), keep=True)


def _fault(task_id: str, instruction: str) -> TaskEnd | None:
    if TASK_ID.fullmatch(task_id) is None:
        return failed('task_id must be 1 to 96 characters of [A-Za-z0-9._:-]', ErrorCode.INVALID_ARGUMENT)
    if not instruction.strip() or len(instruction) > MAX_INSTRUCTION:
        text = f'instruction must be 1 to {MAX_INSTRUCTION} characters, got {len(instruction)}'
        return failed(text, ErrorCode.INVALID_ARGUMENT)
    return None
