"""Notices a model that goes round in circles."""

from __future__ import annotations

from collections import Counter

from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult


class RepeatGuard:
    """Counts calls that came back with the same end, since the last other call that changed the world.

    Going to and fro between two places is work; asking the same thing again and again with nothing done between is not.
    """

    def __init__(self, max_repeats: int) -> None:
        self._max_repeats = max_repeats
        self._seen: Counter[tuple[str, Outcome, str]] = Counter()

    def exhausted(self, call: PlannedCall, result: SkillResult) -> bool:
        """Take one end and tell whether it was the last one allowed."""
        key = (call.fingerprint, result.outcome, result.error_code)
        if result.outcome is Outcome.SUCCEEDED and not call.tool.reads_only:
            self._seen = Counter({key: self._seen[key]})
        self._seen[key] += 1
        return self._seen[key] >= self._max_repeats
