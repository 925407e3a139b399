"""Which model request is the present one, and whether a failed one is asked again."""

from __future__ import annotations

from robot_tool_agent.core.planning.conversation import ModelFailure
from robot_tool_agent.core.planning.limits import PlannerLimits


class ModelTurn:
    """Numbers requests, so that an answer to an earlier one is known as late, and counts failures in a row."""

    def __init__(self, limits: PlannerLimits) -> None:
        self._limits = limits
        self.request_id = 0
        self.failures = 0

    def new_request(self) -> int:
        """Return the number of a new request."""
        self.request_id += 1
        return self.request_id

    def answered(self) -> None:
        """Take note of a reply."""
        self.failures = 0

    def pause_s(self, failure: ModelFailure) -> float | None:
        """Count a failure and return the pause before the next request, None if there is to be none.

        The pause doubles from failure to failure and is never shorter than the provider asks for.
        """
        self.failures += 1
        if not failure.retry or self.failures > self._limits.llm_retries:
            return None
        return max(failure.retry_after_s, self._limits.llm_backoff_s * 2.0 ** (self.failures - 1))
