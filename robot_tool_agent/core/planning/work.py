"""What a reply asks to be run, whatever its form."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult


class Work(Protocol):
    """
    Calls of one reply. It hands out those that may start and hears how each ended.

    `correction` is set if the executor refused a call for its arguments: the error and the reason.
    """

    correction: tuple[ErrorCode, str] | None

    def next_ready(self, running: Collection[PlannedCall]) -> list[PlannedCall]:
        """Return the calls that may start now beside those that run, each once."""

    def ended(self, call: PlannedCall, result: SkillResult) -> bool:
        """
        Take the end of a call and tell whether it is a failure that the model foresaw and provided for.

        After any other failure nothing more is handed out.
        """

    def drop(self) -> None:
        """Give up everything that has not started."""

    def close(self) -> None:
        """Tell the model what it was not told yet. Called once, when nothing runs and nothing will start."""
