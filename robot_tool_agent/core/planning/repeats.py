"""Notices a model that goes round in circles."""

from __future__ import annotations

from collections import Counter
import json

from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult

Key = tuple[str, Outcome, str]


class RepeatGuard:
    """
    Counts calls that brought nothing new, by facts that every tool states.

    - A call that acts on the world and succeeded is work, however often: it is not counted, and all counts start anew.
    - A call that only reads and lets time pass (it takes `duration_s`) and succeeded is not counted either. Readings
      start anew, for they may differ after it. Failures stay counted: time alone does not mend a call.
    - Any other reading that succeeded counts with those of the same skill, arguments and result.
    - A call that did not succeed counts with those of the same skill, arguments, outcome and error code. Its message
      does not matter: measured values in it differ from time to time.
    """

    def __init__(self, max_repeats: int) -> None:
        self._max_repeats = max_repeats
        self._readings: Counter[Key] = Counter()
        self._failures: Counter[Key] = Counter()

    def exhausted(self, call: PlannedCall, result: SkillResult) -> bool:
        """Take one end and tell whether it was the last one allowed."""
        if result.outcome is not Outcome.SUCCEEDED:
            return self._count(self._failures, (call.fingerprint, result.outcome, result.error_code))
        if not call.tool.reads_only:
            self._failures.clear()
        elif not call.tool.lets_time_pass:
            content = json.dumps(result.result, sort_keys=True)
            return self._count(self._readings, (call.fingerprint, result.outcome, content))
        self._readings.clear()
        return False

    def _count(self, counts: Counter[Key], key: Key) -> bool:
        counts[key] += 1
        return counts[key] >= self._max_repeats
