"""What is kept of a task: every reply before anything of it is sent, every result, its end."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Protocol, TYPE_CHECKING

from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.conversation import Message

if TYPE_CHECKING:
    from robot_tool_agent.core.planning.memory.events import Entry, Event


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
    """
    One task. `turns` are the conversation so far; `end` is None while it runs.

    `entries` are the events that rebuild it. `last_at_s` is the wall-clock time of the newest thing kept of it.
    """

    task_id: str
    instruction: str
    turns: list[Message] = field(default_factory=list)
    end: TaskEnd | None = None
    entries: list[Entry] = field(default_factory=list)
    begun_at_s: float = 0.0
    last_at_s: float = 0.0


class TaskStore(Protocol):
    """Memory of tasks. What it was given is kept before any action of the loop that gave it is carried out."""

    def begin(self, task_id: str, instruction: str) -> None:
        """Keep a new task."""

    def add_event(self, task_id: str, elapsed_s: float, event: Event) -> None:
        """Keep what decided the next step: a reply before its calls are sent, a result when it came."""

    def add_turn(self, task_id: str, turn: Message) -> None:
        """Keep one turn, as the model is told it."""

    def finish(self, task_id: str, end: TaskEnd) -> None:
        """Keep the end of a task."""


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

    def add_event(self, task_id: str, elapsed_s: float, event: Event) -> None:
        """Keep nothing: what is gone with the process rebuilds no task."""

    def add_turn(self, task_id: str, turn: Message) -> None:
        """Keep one turn."""
        self._records[task_id].turns.append(turn)

    def finish(self, task_id: str, end: TaskEnd) -> None:
        """Keep the end of a task."""
        self._records[task_id].end = end

    def find(self, task_id: str) -> TaskRecord | None:
        """Return a task, None if it is not known."""
        return self._records.get(task_id)
