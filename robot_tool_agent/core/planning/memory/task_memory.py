"""Writes down what decides the next step of one task."""

from __future__ import annotations

from robot_tool_agent.core.planning.memory.events import Event, StopAsked, ToolsRead
from robot_tool_agent.core.planning.record import TaskEnd, TaskStore


class TaskMemory:
    """Gives events with their time to the store. Times are steady seconds."""

    def __init__(self, task_id: str, store: TaskStore) -> None:
        self._task_id = task_id
        self._store = store
        self._begun_s = 0.0
        self._schema_hash: str | None = None
        self._stop_kept = False

    def begin(self, now_s: float) -> None:
        """Take the beginning of the task."""
        self._begun_s = now_s

    def add(self, event: Event, now_s: float) -> None:
        """Keep an event."""
        self._store.add_event(self._task_id, now_s - self._begun_s, event)

    def tools_read(self, skills_json: str, schema_hash: str, now_s: float) -> None:
        """Keep a description of the skills that is new to the task."""
        if schema_hash != self._schema_hash:
            self._schema_hash = schema_hash
            self.add(ToolsRead(skills_json, schema_hash), now_s)

    def stop_asked(self, end: TaskEnd, now_s: float) -> None:
        """Keep, once, how the task is to end."""
        if not self._stop_kept:
            self._stop_kept = True
            self.add(StopAsked(end), now_s)
