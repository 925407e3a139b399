"""What a reply asks to be run, whatever its form, and which calls may run at the same time."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult


class Work(Protocol):
    """Calls of one reply. It hands out those that may start and hears how each ended."""

    correction: tuple[ErrorCode, str] | None

    def next_ready(self, running: Collection[PlannedCall]) -> list[PlannedCall]:
        """Return the calls that may start now beside those that run, each once."""

    def ended(self, call: PlannedCall, result: SkillResult) -> None:
        """Take the end of a call; after a failure what must not follow it is given up."""

    def drop(self) -> None:
        """Give up everything that has not started."""
