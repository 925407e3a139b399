"""The providers in order of preference, and which of them is not worth asking now. Lives as long as the planner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.planning.conversation import FailureKind, ModelFailure
from robot_tool_agent.core.planning.limits import PlannerLimits

# These say something of the request, nothing of the provider: they open no breaker.
OF_THE_REQUEST = frozenset({FailureKind.BAD_REQUEST, FailureKind.TOO_LONG, FailureKind.REFUSED})


class ModelChain:
    """
    Providers by name, the preferred one first, each with a circuit breaker.

    `jitter` returns a number in 0 to 1, anew for each pause. Times are steady seconds.
    """

    def __init__(
        self, providers: Sequence[str], limits: PlannerLimits, jitter: Callable[[], float] = lambda: 0.0
    ) -> None:
        self.providers = tuple(providers)
        self._limits = limits
        self._jitter = jitter
        self._breaker = CircuitBreaker(
            limits.llm_breaker_failures, limits.llm_breaker_window_s, limits.llm_breaker_open_s
        )
        self._not_before_s: dict[str, float] = {}

    def answered(self, provider: str) -> None:
        """Take note of a reply: the breaker closes."""
        self._breaker.succeeded(provider)
        self._not_before_s.pop(provider, None)

    def failed(self, provider: str, failure: ModelFailure, now_s: float) -> None:
        """Take note of a request without a reply."""
        if failure.kind not in OF_THE_REQUEST:
            self._breaker.failed(provider, now_s)
        if failure.retry_after_s > 0.0:
            self._not_before_s[provider] = now_s + failure.retry_after_s

    def refusal(self, provider: str, now_s: float) -> str:
        """Return why a provider is not asked now, empty if it may be. A half-open breaker lets one request through."""
        left_s = self._breaker.open_for_s(provider, now_s)
        return f'not asked: it failed too often lately, next try in {left_s:.0f} s' if left_s > 0.0 else ''

    def wait_s(self, provider: str, now_s: float) -> float:
        """Return how long the provider itself asked to be left alone, from now."""
        return max(0.0, self._not_before_s.get(provider, now_s) - now_s)

    def pause_s(self, failures: int) -> float:
        """Return the pause after so many failures in a row: doubled each time, times 1 to 1 + llm_jitter."""
        limits = self._limits
        return limits.llm_backoff_s * 2.0 ** (failures - 1) * (1.0 + limits.llm_jitter * self._jitter())
