"""The calls of one reply: which wait, which runs, how each ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from robot_tool_agent.core.planning.calls import PlannedCall


class CallQueue:
    """Hands out the calls of a reply in order, one at a time: the next one only after the one before succeeded."""

    def __init__(self) -> None:
        self._waiting: deque[PlannedCall] = deque()
        self.running: dict[str, PlannedCall] = {}

    def load(self, calls: Iterable[PlannedCall]) -> None:
        """Take the calls of a new reply."""
        self._waiting = deque(calls)

    def next_ready(self) -> list[PlannedCall]:
        """Return the calls that may be sent now and count them as running."""
        if self.running or not self._waiting:
            return []
        call = self._waiting.popleft()
        self.running[call.call_id] = call
        return [call]

    def ended(self, call_id: str) -> PlannedCall | None:
        """Take a call out of the running ones; None if it was not running."""
        return self.running.pop(call_id, None)

    def drop_waiting(self) -> list[PlannedCall]:
        """Return the calls that will not be sent and forget them."""
        dropped, self._waiting = list(self._waiting), deque()
        return dropped

    @property
    def empty(self) -> bool:
        """Tell whether nothing runs and nothing waits."""
        return not self.running and not self._waiting
