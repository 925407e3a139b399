"""What becomes of a request to run a task: new, already running, already ended, or refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.endings import failed
from robot_tool_agent.core.planning.prompt import MAX_INSTRUCTION
from robot_tool_agent.core.planning.record import TaskEnd, TaskStore

TASK_ID = re.compile(r'[A-Za-z0-9._:-]{1,96}')


@dataclass(frozen=True, slots=True)
class Admission:
    """`end` is the answer at once; without it the task is to be started, or attached to if it runs."""

    attach: bool = False
    end: TaskEnd | None = None


def admit(task_id: str, instruction: str, running: str | None, store: TaskStore) -> Admission:
    """Decide on one request. One task runs at a time; `running` is its id. A refusal keeps nothing of the request."""
    fault = _fault(task_id, instruction)
    if fault is not None:
        return Admission(end=fault)
    known = store.find(task_id)
    if known is not None and known.instruction != instruction:
        text = f'task {task_id} was sent before with another instruction; use a new task_id'
        return Admission(end=failed(text, ErrorCode.IDEMPOTENCY_MISMATCH))
    if known is not None:
        return Admission(attach=known.end is None, end=known.end)
    if running is not None:
        text = f'task {running} is running; cancel it or wait for its end'
        return Admission(end=failed(text, ErrorCode.RESOURCE_BUSY))
    return Admission()


def _fault(task_id: str, instruction: str) -> TaskEnd | None:
    if TASK_ID.fullmatch(task_id) is None:
        return failed('task_id must be 1 to 96 characters of [A-Za-z0-9._:-]', ErrorCode.INVALID_ARGUMENT)
    if not instruction.strip() or len(instruction) > MAX_INSTRUCTION:
        text = f'instruction must be 1 to {MAX_INSTRUCTION} characters, got {len(instruction)}'
        return failed(text, ErrorCode.INVALID_ARGUMENT)
    return None
