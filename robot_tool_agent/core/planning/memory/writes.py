"""What is to be written down, in order, and the store that collects it for somebody who can wait for a disk."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.planning.conversation import Message
from robot_tool_agent.core.planning.memory.events import Event
from robot_tool_agent.core.planning.record import TaskEnd


@dataclass(frozen=True, slots=True)
class Begin:
    """A new task."""

    task_id: str
    instruction: str


@dataclass(frozen=True, slots=True)
class Note:
    """An event of a task, `elapsed_s` seconds after its beginning."""

    task_id: str
    elapsed_s: float
    event: Event


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the conversation, as the model is told it."""

    task_id: str
    turn: Message


@dataclass(frozen=True, slots=True)
class End:
    """The end of a task."""

    task_id: str
    end: TaskEnd


Write = Begin | Note | Turn | End


class Collector:
    """A TaskStore that keeps nothing itself. Whoever owns it writes down what it took before acting on the loop."""

    def __init__(self) -> None:
        self._writes: list[Write] = []

    def begin(self, task_id: str, instruction: str) -> None:
        """Take a new task."""
        self._writes.append(Begin(task_id, instruction))

    def add_event(self, task_id: str, elapsed_s: float, event: Event) -> None:
        """Take an event."""
        self._writes.append(Note(task_id, elapsed_s, event))

    def add_turn(self, task_id: str, turn: Message) -> None:
        """Take a turn."""
        self._writes.append(Turn(task_id, turn))

    def finish(self, task_id: str, end: TaskEnd) -> None:
        """Take an end."""
        self._writes.append(End(task_id, end))

    def take(self) -> tuple[Write, ...]:
        """Return what came since the last time: one transaction."""
        writes, self._writes = tuple(self._writes), []
        return writes
