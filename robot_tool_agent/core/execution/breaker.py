"""
Circuit breaker per skill: after failures in a row of time it says no, then lets one probe through.

States after Nygard, Release It!: CLOSED lets calls through, OPEN refuses them for a while, HALF_OPEN lets one through.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum


class BreakerState(str, Enum):
    """Whether calls pass."""

    CLOSED = 'closed'
    OPEN = 'open'
    HALF_OPEN = 'half_open'


@dataclass(slots=True)
class _Circuit:
    failures: deque[float] = field(default_factory=deque)
    opened_s: float | None = None
    probe: str | None = None


class CircuitBreaker:
    """Counts failed calls of each skill. Times are steady seconds."""

    def __init__(self, failures: int, window_s: float, open_s: float) -> None:
        self._failures = failures
        self._window_s = window_s
        self._open_s = open_s
        self._circuits: dict[str, _Circuit] = {}

    def state(self, skill: str, now_s: float) -> BreakerState:
        """Return whether calls of a skill pass."""
        circuit = self._circuits.get(skill)
        if circuit is None or circuit.opened_s is None:
            return BreakerState.CLOSED
        return BreakerState.OPEN if now_s - circuit.opened_s < self._open_s else BreakerState.HALF_OPEN

    def open_for_s(self, skill: str, now_s: float) -> float:
        """Return how much longer an open circuit refuses, 0 if it lets a call or a probe through."""
        if self.state(skill, now_s) is not BreakerState.OPEN:
            return 0.0
        return (self._circuits[skill].opened_s or 0.0) + self._open_s - now_s

    def refusal(self, skill: str, call_id: str, may_probe: bool, now_s: float) -> str | None:
        """Return why a call may not pass, None if it may. In HALF_OPEN the first that may probe becomes the probe."""
        state = self.state(skill, now_s)
        if state is BreakerState.CLOSED:
            return None
        circuit = self._circuits[skill]
        failed = f'{skill} failed {self._failures} times in {self._window_s:g} s'
        if state is BreakerState.OPEN:
            return f'{failed}; closed for {self.open_for_s(skill, now_s):.0f} s more'
        if not may_probe:
            return f'{failed}; it must not be tried blindly: an operator must approve the next call or reset it'
        if circuit.probe not in (None, call_id):
            return f'{failed}; call {circuit.probe} is trying it, wait for its end'
        circuit.probe = call_id
        return None

    def succeeded(self, skill: str) -> None:
        """Take note of a call that reached its goal: the circuit closes."""
        self._circuits.pop(skill, None)

    def failed(self, skill: str, now_s: float) -> None:
        """Take note of a call that ran and failed; enough of them, or a failed probe, open the circuit."""
        circuit = self._circuits.setdefault(skill, _Circuit())
        circuit.failures.append(now_s)
        while circuit.failures and now_s - circuit.failures[0] > self._window_s:
            circuit.failures.popleft()
        if circuit.opened_s is not None or len(circuit.failures) >= self._failures:
            circuit.opened_s = now_s
        circuit.probe = None
        while len(circuit.failures) > self._failures:
            circuit.failures.popleft()

    def released(self, skill: str, call_id: str) -> None:
        """Take note that a call ended without telling anything of the skill, such as one that was cancelled."""
        circuit = self._circuits.get(skill)
        if circuit is not None and circuit.probe == call_id:
            circuit.probe = None
