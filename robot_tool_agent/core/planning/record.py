"""What is kept of a task: every reply before anything of it is sent, every result, its end."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Protocol

from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.conversation import Message


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """How a task ended; the content of one RunTask result."""

    status: TaskStatus
    summary: str
    error: ErrorCode | None = None
    skill_calls: int = 0
    llm_calls: int = 0


@dataclass(slots=True)
class TaskRecord:
    """One task. `turns` are the conversation so far; `end` is None while it runs."""

    task_id: str
    instruction: str
    turns: list[Message] = field(default_factory=list)
    end: TaskEnd | None = None


class TaskStore(Protocol):
    """Memory of tasks. Each method returns only when what it was given is kept."""

    def begin(self, task_id: str, instruction: str) -> None:
        """Keep a new task."""

    def add_turn(self, task_id: str, turn: Message) -> None:
        """Keep one turn: a reply before its calls are sent, a result when it came."""

    def finish(self, task_id: str, end: TaskEnd) -> None:
        """Keep the end of a task."""

    def find(self, task_id: str) -> TaskRecord | None:
        """Return a task, None if it is not known."""


class MemoryTaskStore:
    """Keeps the last tasks in memory; they are gone with the process."""

    def __init__(self, capacity: int = 200) -> None:
        self._capacity = capacity
        self._records: OrderedDict[str, TaskRecord] = OrderedDict()

    def begin(self, task_id: str, instruction: str) -> None:
        """Keep a new task and forget the oldest ones above the capacity."""
        self._records[task_id] = TaskRecord(task_id, instruction)
        while len(self._records) > self._capacity:
            self._records.popitem(last=False)

    def add_turn(self, task_id: str, turn: Message) -> None:
        """Keep one turn."""
        self._records[task_id].turns.append(turn)

    def finish(self, task_id: str, end: TaskEnd) -> None:
        """Keep the end of a task."""
        self._records[task_id].end = end

    def find(self, task_id: str) -> TaskRecord | None:
        """Return a task, None if it is not known."""
        return self._records.get(task_id)
