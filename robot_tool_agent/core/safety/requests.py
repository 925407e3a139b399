"""What people and nodes may ask of the safety layer, and when the answer is no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robot_tool_agent.core.safety.faults import FaultCode, FAULTS
from robot_tool_agent.core.safety_state import SafetyMode


@dataclass(frozen=True, slots=True)
class TripRequest:
    """Content of one TripSafety request. Epoch 0 means whichever is current; only faults of a call are bound to one."""

    fault: str
    detail: str = ''
    call_id: str = ''
    task_id: str = ''
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to a request."""

    success: bool
    message: str


def refusal_of_trip(request: TripRequest, epoch: int) -> str:
    """Return why a trip has no effect, empty if it may act."""
    allowed = [code.value for code in FaultCode if FAULTS[code].on_request]
    if request.fault not in allowed:
        return f'unknown fault {request.fault[:64]!r}; valid: {", ".join(allowed)}'
    if FAULTS[FaultCode(request.fault)].of_call and request.epoch not in (0, epoch):
        return f'no effect: epoch {request.epoch} is over, the present one is {epoch}'
    return ''


def refusal_of_reset(operator: str, mode: SafetyMode, blockers: Sequence[str]) -> str:
    """Return why a reset is refused, empty if it is accepted or has nothing to do. `blockers` are standing causes."""
    if not operator.strip():
        return 'refused: the operator must be named'
    if mode in (SafetyMode.STOPPING, SafetyMode.RETREATING):
        return f'refused: the robot is {mode.name}'
    if mode in (SafetyMode.STARTING, SafetyMode.READY) or not blockers:
        return ''
    return f'refused: {"; ".join(blockers)}'
