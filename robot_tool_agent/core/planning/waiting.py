"""When a call that must wait may be sent again, and when waiting is in vain."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.calls import PlannedCall
from robot_tool_agent.core.planning.endings import failed, needs_operator
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView

REARMS_BY_ITSELF = 'SKILL_FAILED'


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call that was refused for now. Times are steady seconds."""

    call: PlannedCall
    error: ErrorCode
    since_s: float
    not_before_s: float


def is_ready(view: SafetyView | None) -> bool:
    """Tell whether safety lets the robot move; an unheard safety node does not."""
    return view is not None and view.mode is SafetyMode.READY


def needs_person(view: SafetyView | None) -> bool:
    """
    Tell whether only a reset by a person can bring READY back.

    A task must not go on by itself when that person resets: a reset never moves the robot.
    """
    if view is None:
        return False
    if view.mode in (SafetyMode.HOLDING, SafetyMode.ESTOPPED):
        return True
    return view.mode is SafetyMode.SAFE and view.fault != REARMS_BY_ITSELF


def in_vain(waiting: Waiting, view: SafetyView | None, wait_timeout_s: float, now_s: float) -> TaskEnd | None:
    """Return how the task ends because waiting is no use, None while it may be."""
    name = waiting.call.tool.name
    if view is not None and needs_person(view):
        text = f'{name} cannot start: safety is {view.mode.name} ({view.fault}) until a person resets it'
        return needs_operator(text, waiting.error)
    if now_s - waiting.since_s < wait_timeout_s:
        return None
    text = f'{name} could not start within wait_timeout_s = {wait_timeout_s:g}: {waiting.error.value}'
    locked = waiting.error is ErrorCode.SAFETY_LOCKED
    return needs_operator(text, waiting.error) if locked else failed(text, waiting.error)
