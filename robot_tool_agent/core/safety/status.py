"""What there is to tell for diagnosis: each watched input with its age and limit, and the counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.liveness import EXECUTOR, Peers
from robot_tool_agent.core.safety_state import SafetyView


@dataclass(frozen=True, slots=True)
class InputStatus:
    """One watched input: steady seconds since its last news (inf: never), the limit, and what is wrong with it."""

    name: str
    age_s: float
    limit_s: float
    refusal: str

    @property
    def stale(self) -> bool:
        """Whether the last news is older than the limit."""
        return self.age_s > self.limit_s


@dataclass(frozen=True, slots=True)
class Status:
    """Everything at one moment."""

    view: SafetyView
    inputs: tuple[InputStatus, ...]
    counters: Mapping[str, int]
    notices: tuple[str, ...]


def status_of(
    view: SafetyView,
    aware: Awareness,
    peers: Peers,
    counters: Mapping[str, int],
    notices: Sequence[str],
    now_s: float,
) -> Status:
    """Return the status at now_s."""
    inputs = [
        InputStatus(name, watch.age_s(now_s), watch.limit_s, aware.refused.get(name, ''))
        for name, watch in aware.watches.items()
    ]
    executor = InputStatus(EXECUTOR, peers.executor.age_s(now_s), peers.executor.limit_s, '')
    return Status(view, (*inputs, executor), counters, tuple(notices))
